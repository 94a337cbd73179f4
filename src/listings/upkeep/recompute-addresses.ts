/**
 * Recomputes the values derived from the addresses of listings: keys that an older version of the address rules made (api.md 12.4), and
 * blurred addresses that are missing because an older version of the service wrote the listing.
 */
import type { Deps } from '../../deps.ts'
import { addressRulesVersion } from '../addresses/normalize.ts'
import { readAddress } from '../addresses/read-address.ts'
import type { Listing } from '../listing.ts'
import { blurredText } from '../store/write-statements.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { overShards } from '../../platform/db/upkeep/due.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import { nilUuid } from '../../platform/names/ids.ts'
import { lockAgency } from '../../writing/under-lock.ts'

/** Listings per transaction. The agency's writes wait for the lock meanwhile. */
export const recomputedAtATime = 100

type Stale = { agency_id: string; id: string }

/** The version is a literal, because with a parameter PostgreSQL could not use the partial index on this condition. */
const isStale = `(address_rules < ${addressRulesVersion} or place_blurred and rough_folded is null)`
const countStaleRows = statement<{ count: number }>(
  `select count(*)::int as count from properties where ${isStale}`,
)
/** In the order of the primary key, so that no listing is read twice. */
const findNext = overShards<Stale>(
  (table) => `
  select agency_id, id from ${table('properties')} where (agency_id, id) > ($2::uuid, $3::uuid) and ${isStale}
  order by agency_id, id limit $4`,
  (all) => `select agency_id, id from (${all} order by agency_id, id limit $4) stale`,
)
/** Checks again under the agency's lock, because a write may have updated a listing since `findNext`. */
const selectStale = statement<Pick<Listing, 'id' | 'address' | 'city' | 'province'>>(`
  select id, address, city, province from properties where agency_id = $1 and id = any ($2) and ${isStale}`)
/** Values: agency; a list each of listings, street keys, city keys and folded blurred addresses. */
const storeAddressKeys = statement(`
  update properties as p set street_key = fresh.street_key, city_key = fresh.city_key, address_rules = ${addressRulesVersion},
    rough_folded = case when p.place_blurred then fresh.rough_folded end
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as fresh (id, street_key, city_key, rough_folded)
  where p.agency_id = $1 and p.id = fresh.id`)

/**
 * Recomputes stale keys and blurred addresses, a few listings per transaction, while servers run. The API does not show them, so the
 * listings' versions do not change. Keys made by newer rules are left alone.
 * @param atATime listings per transaction
 * @param goesOn called after each transaction; false leaves the rest for the next time
 * @returns how many listings were updated
 */
export async function recomputeAddresses(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  atATime: number,
  goesOn = () => true,
): Promise<number> {
  let done = 0
  let isStopped = false
  const goesOnHere = (): boolean => {
    isStopped = !goesOn()
    return !isStopped
  }
  for (const node of await db.nodes())
    if (!isStopped) done += await recomputeAt(node, clock, atATime, goesOnHere)
  return done
}

async function recomputeAt(db: Db, clock: Clock, atATime: number, goesOn: () => boolean): Promise<number> {
  let done = 0
  let last: Stale = { agency_id: nilUuid, id: nilUuid }
  do {
    const stale = await findNext(db, [clock.offsetMs, last.agency_id, last.id, atATime])
    const end = stale.at(-1)
    if (end === undefined) break
    for (const [agencyId, rows] of Map.groupBy(stale, (row) => row.agency_id))
      done += await recompute(db, clock, agencyId, rows)
    last = end
  } while (goesOn())
  return done
}

/** How many listings `recomputeAddresses` would update. */
export async function countStaleAddresses(db: Db): Promise<number> {
  return (await countStaleRows(db, []))[0]?.count ?? 0
}

/** Takes the agency's lock, like every write: no write can change an address in between, and the lock order rules out deadlocks. */
async function recompute(db: Db, clock: Clock, agencyId: string, stale: readonly Stale[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockAgency(tx, agencyId, clock)
    const listings = await selectStale(tx, [agencyId, stale.map(({ id }) => id)])
    const keys = listings.map((listing) => readAddress(listing)?.key ?? null)
    await storeAddressKeys(tx, [
      agencyId,
      listings.map(({ id }) => id),
      keys.map((key) => key?.streetKey ?? null),
      keys.map((key) => key?.cityKey ?? null),
      listings.map(blurredText),
    ])
    return listings.length
  })
}
