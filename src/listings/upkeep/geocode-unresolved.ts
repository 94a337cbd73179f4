/**
 * Geocodes listings without a pin again in the background (api.md 12.2). After an outage of the geocoder it retries with backoff,
 * from 10 seconds to 5 minutes. An address that the geocoder does not know is retried weekly.
 */
import { backoffMs } from '../../platform/time/backoff.ts'
import { dayMs } from '../../platform/time/days.ts'
import type { Db } from '../../platform/db/database.ts'
import { dueLook, dueStatement, type Portion } from '../../platform/db/upkeep/due.ts'
import { atAgency } from '../../platform/db/citus/nodes.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { within } from '../../platform/db/statements/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { LimitDeps } from '../../limits/counters.ts'
import type { PostalAddress } from '../geocoding/geocoder.ts'
import { systemActor } from '../../writing/actor.ts'
import { storeFoundPin } from '../writing/store-found-pin.ts'

const retryDelayMs = { first: 10_000, max: 300_000 }
const unknownDelayMs = 7 * dayMs
/** No request waits for this. Some geocoders take one query a second. */
const patienceMs = 60_000

const geocoder = systemActor('geocoder')

type Due = PostalAddress & {
  agency_id: string
  id: string
  /** When it was claimed. */
  at: string
}

const isUnresolved = `p.location_status = 'unresolved' and p.address is not null and p.deleted_at is null`

/*
 * Claims listings from two queues, each with an index that finds only due rows. `fresh`: not geocoded since their last write; setting
 * `sought_version` removes them from the queue. `again`: geocoded without success, and due for a retry; attempts whose listing has since
 * got a pin, changed or been deleted are deleted. Moving `next_attempt_at` on claims a listing: a concurrent instance sees it moved.
 * After a crash the listing comes up again at that time. A transaction of two statements, since Citus takes no insert within a `with`.
 */
const isFresh = `${isUnresolved} and (p.sought_version is null or p.sought_version < p.version)`
const lookForUnresolved = dueLook(
  (table) => `
  (select p.agency_id, p.updated_at as due_at from ${table('properties')} p where ${isFresh} order by p.updated_at limit $2)
  union all
  (select agency_id, next_attempt_at from ${table('geocoding_attempts')}
  where next_attempt_at <= (select now from moment) order by next_attempt_at limit $2)`,
)

const selectDue = dueStatement<Due & { version: number; attempts: number }>(
  ({ moment, of }) => `
  with ${moment},
  fresh as materialized (
    select p.agency_id, p.id, p.version, p.address, p.city, p.province from properties p
    where ${isFresh} and ${of('p')}
    order by p.updated_at limit $2 for no key update skip locked
  ),
  marked as (
    update properties p set sought_version = fresh.version
    from fresh where p.agency_id = fresh.agency_id and ${of('p')} and p.id = fresh.id
  ),
  again as materialized (
    select a.agency_id, a.property_id, a.version from geocoding_attempts a
    where a.next_attempt_at <= (select now from moment) and ${of('a')}
      and a.property_id <> all (array(select id from fresh))
    order by a.next_attempt_at limit $2 - (select count(*) from fresh) for update skip locked
  ),
  due as materialized (
    select agency_id, id, version, address, city, province from fresh
    union all
    select p.agency_id, p.id, p.version, p.address, p.city, p.province
    from again join properties p on p.agency_id = again.agency_id and ${of('p')} and p.id = again.property_id
    where ${isUnresolved} and p.version = again.version
  ),
  forgotten as (
    delete from geocoding_attempts a using again
    where a.agency_id = again.agency_id and ${of('a')} and a.property_id = again.property_id
      and not exists (select from due where due.agency_id = a.agency_id and due.id = a.property_id)
  )
  select due.*, moment.now as at, case when a.version = due.version then a.attempts else 0 end as attempts
  from due cross join moment
    left join geocoding_attempts a on a.agency_id = due.agency_id and ${of('a')} and a.property_id = due.id
  order by due.agency_id, due.id`,
)

/**
 * Schedules the next attempt of each listing. Returns those claimed: not one of which a later version is scheduled already. Values, a list
 * for each column: agencies, listings, versions, attempts, next attempts.
 */
const claim = statement<{ id: string }>(`
  insert into geocoding_attempts as a (agency_id, property_id, version, attempts, next_attempt_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::int[], $5::timestamptz[])
  on conflict (agency_id, property_id) do update
    set version = excluded.version, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at
    where a.version <= excluded.version
  returning property_id as id`)

/**
 * Geocodes up to `limit` unresolved listings that are due. Stores the pins it finds, with the geocoder as actor, unless the
 * listing's address has changed meanwhile. Does nothing while the geocoder is known to be down.
 * @returns how many were due; fewer than `limit` means that nothing more is due now
 */
export async function geocodeUnresolved(
  deps: LimitDeps & Pick<Deps, 'geocoder'>,
  limit: number,
): Promise<number> {
  const { db, clock } = deps
  if (!deps.geocoder.isReady()) return 0
  const due: Due[] = []
  let count = 0
  for (const portion of await lookForUnresolved(db, clock, limit)) {
    const { found, claimed } = await claimDue(portion)
    count += found
    due.push(...claimed)
  }
  if (due.length === 0) return count
  const results = await deps.geocoder.findMany(
    due.map(({ address, city, province }) => ({ address, city, province })),
    { patienceMs },
  )
  const unknown: Due[] = []
  for (const [index, listing] of due.entries()) {
    const result = results[index]
    const { agency_id: agencyId } = listing
    if (result?.status === 'found')
      await storeFoundPin(await atAgency(deps, agencyId), agencyId, listing, result.pin, geocoder)
    else if (result?.status === 'none') unknown.push(listing)
  }
  for (const [agencyId, listings] of Map.groupBy(unknown, (one) => one.agency_id))
    await postpone(await db.at(agencyId), agencyId, listings)
  return count
}

async function claimDue(portion: Portion): Promise<{ found: number; claimed: Due[] }> {
  return await within(portion.db, async (tx) => {
    const found = await tx.run(selectDue.with(portion, [portion.limit]))
    if (found.length === 0) return { found: 0, claimed: [] }
    const claimed = await claim(tx, [
      found.map((one) => one.agency_id),
      found.map((one) => one.id),
      found.map((one) => one.version),
      found.map((one) => one.attempts + 1),
      found.map((one) => later(one.at, backoffMs(retryDelayMs, one.attempts))),
    ])
    const ids = new Set(claimed.map(({ id }) => id))
    return { found: found.length, claimed: found.filter(({ id }) => ids.has(id)) }
  })
}

function later(moment: string, ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString()
}

/** Starts the backoff anew: it is for outages. Values: agency, listings, the time of the next attempt. */
const storePostponed = statement(`
  update geocoding_attempts set attempts = 0, next_attempt_at = $3::timestamptz where agency_id = $1 and property_id = any ($2::uuid[])`)

/** The geocoder does not know these addresses. Retries them in a week, when its data may have changed. */
async function postpone(db: Db, agencyId: string, due: readonly Due[]): Promise<void> {
  const at = due[0]?.at ?? ''
  await storePostponed(db, [agencyId, due.map(({ id }) => id), later(at, unknownDelayMs)])
}
