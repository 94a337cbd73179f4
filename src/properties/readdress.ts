/**
 * Brings the comparison keys of addresses up to the rules of this version (api.md 12.4).
 */
import { hotStatement } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'
import { addressRulesVersion } from '../addresses/normalize.ts'
import type { Db } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { readAddress } from './duplicates.ts'
import { lockAgency } from '../writing/agency-lock.ts'

/** An agency's writes wait no longer than so many listings take. */
const atATime = 100
const beforeAll = '00000000-0000-0000-0000-000000000000'

type Stale = { agency_id: string; id: string }

/** The number stands in the text: an index of just these rows has it in its condition, and is no help to a parameter. */
const isStale = `address_rules < ${addressRulesVersion}`
const count = hotStatement<{ count: number }>(
  `select count(*)::int as count from properties where ${isStale}`,
)
/** In the order of the primary key, so that no listing is looked at twice. */
const findNext = hotStatement<Stale>(`
  select agency_id, id from properties where (agency_id, id) > ($1::uuid, $2::uuid) and ${isStale}
  order by agency_id, id limit $3`)
const read = hotStatement<{
  id: string
  address: string | null
  city: string | null
  province: string | null
}>(`
  select id, address, city, province from properties where agency_id = $1 and id = any ($2) and ${isStale}`)
const store = hotStatement(`
  update properties as p set street_key = fresh.street_key, city_key = fresh.city_key, address_rules = ${addressRulesVersion}
  from unnest($2::uuid[], $3::text[], $4::text[]) as fresh (id, street_key, city_key)
  where p.agency_id = $1 and p.id = fresh.id`)

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
    const stale = await findNext(db, [last.agency_id, last.id, batch])
    const end = stale.at(-1)
    if (end === undefined) break
    for (const [agencyId, ids] of byAgency(stale)) done += await recompute({ db, clock }, agencyId, ids)
    last = end
  } while (goesOn())
  return done
}

/** How many listings have keys of older rules. */
export async function countStaleAddressKeys(db: Db): Promise<number> {
  return (await count(db, []))[0]?.count ?? 0
}

/** Under the agency's lock, as every write is: none of them can change an address in between, or be waited for in another order. */
async function recompute(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  agencyId: string,
  ids: readonly string[],
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockAgency(tx, agencyId, clock)
    const listings = await read(tx, [agencyId, ids])
    const keys = listings.map((listing) => readAddress(listing)?.key ?? null)
    await store(tx, [
      agencyId,
      listings.map(({ id }) => id),
      keys.map((key) => key?.streetKey ?? null),
      keys.map((key) => key?.cityKey ?? null),
    ])
    return listings.length
  })
}

function byAgency(listings: readonly Stale[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { agency_id, id } of listings) ids.set(agency_id, [...(ids.get(agency_id) ?? []), id])
  return ids
}
