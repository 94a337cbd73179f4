/**
 * Brings the comparison keys of addresses up to the rules of this version (api.md 12.4).
 */
import { sql } from 'kysely'
import { inTransaction } from '../db/transaction.ts'
import { addressRulesVersion } from '../addresses/normalize.ts'
import type { Db } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { readAddress } from './duplicates.ts'
import { lockAgency } from '../writing/agency-lock.ts'

/** An agency's writes wait no longer than so many listings take. */
const atATime = 100
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** As text: an index of just these rows has the number in its condition, and is no help to a parameter. */
const isStale = sql.raw(`address_rules < ${addressRulesVersion}`)

type Stale = { agency_id: string; id: string }

/**
 * Recomputes the keys that older rules made, a few listings to a transaction, beside running servers. What an agency sees of its
 * listings does not change, so neither does their version. Keys that newer rules made are left alone.
 * @param options.goesOn asked after each transaction; the rest is left for the next time when it says no
 * @returns how many listings were brought up to date
 */
export async function recomputeAddressKeys(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { goesOn = () => true, batch = atATime }: { goesOn?: () => boolean; batch?: number } = {},
): Promise<number> {
  let done = 0
  let last: Stale = { agency_id: beforeAll, id: beforeAll }
  do {
    const stale = await findStale(db, last, batch)
    const end = stale.at(-1)
    if (end === undefined) break
    for (const [agencyId, ids] of byAgency(stale)) done += await recompute({ db, clock }, agencyId, ids)
    last = end
  } while (goesOn())
  return done
}

/** How many listings have keys of older rules. */
export async function countStaleAddressKeys(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('properties')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(sql<boolean>`${isStale}`)
    .executeTakeFirstOrThrow()
  return count
}

/** The next of them in the order of the primary key, so that no listing is looked at twice. */
async function findStale(db: Db, { agency_id, id }: Stale, limit: number): Promise<Stale[]> {
  const { rows } = await sql<Stale>`
    select agency_id, id from properties
    where (agency_id, id) > (${agency_id}::uuid, ${id}::uuid) and ${isStale}
    order by agency_id, id limit ${limit}`.execute(db)
  return rows
}

/** Under the agency's lock, as every write is: none of them can change an address in between, or be waited for in another order. */
async function recompute(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  agencyId: string,
  ids: readonly string[],
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockAgency(tx, agencyId, clock)
    const listings = await tx
      .selectFrom('properties')
      .select(['id', 'address', 'city', 'province'])
      .where('agency_id', '=', agencyId)
      .where('id', 'in', ids)
      .where('address_rules', '<', addressRulesVersion)
      .execute()
    const keys = listings.map((listing) => readAddress(listing)?.key ?? null)
    await sql`
      update properties as p
      set street_key = fresh.street_key, city_key = fresh.city_key, address_rules = ${addressRulesVersion}
      from unnest(
        ${listings.map((listing) => listing.id)}::uuid[],
        ${keys.map((key) => key?.streetKey ?? null)}::text[],
        ${keys.map((key) => key?.cityKey ?? null)}::text[]
      ) as fresh (id, street_key, city_key)
      where p.agency_id = ${agencyId} and p.id = fresh.id`.execute(tx)
    return listings.length
  })
}

function byAgency(listings: readonly Stale[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { agency_id, id } of listings) ids.set(agency_id, [...(ids.get(agency_id) ?? []), id])
  return ids
}
