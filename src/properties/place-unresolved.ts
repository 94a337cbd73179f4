/**
 * Geocodes listings without coordinates again in the background (api.md 12.2). After an outage of the geocoder it retries with backoff,
 * from 10 seconds to 5 minutes. An address that the geocoder does not know is retried weekly.
 */
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { hotStatement } from '../db/statement.ts'
import type { Pin, PostalAddress } from '../geocoding/geocoder.ts'
import { findListing } from './find.ts'
import type { Author } from '../writing/author.ts'
import { isSamePlace } from './locate.ts'
import { underLock } from '../writing/under-lock.ts'
import { collectChange, writeContext } from './store.ts'

const firstDelayMs = 10_000
const maxDelayMs = 300_000
const unknownDelayMs = 7 * 86_400_000
/** No request waits for this. Some geocoders take one query a second. */
const patienceMs = 60_000

const author: Author = { kind: 'system', id: null, name: 'geocoder', requestId: null }

type Due = PostalAddress & { agency_id: string; id: string }

const isUnresolved = `p.location_status = 'unresolved' and p.address is not null and p.deleted_at is null`

/*
 * Claims listings from two queues, each with an index that finds only due rows. `fresh`: not geocoded since their last write; setting
 * `sought_version` removes them from the queue. `again`: geocoded without success, and due for a retry; attempts whose listing has since
 * got coordinates, changed or been deleted are deleted. Moving `next_attempt_at` on claims a listing: a concurrent instance sees it moved.
 * After a crash the listing comes up again at that time.
 */
const claim = hotStatement<Due & { is_claimed: boolean }>(`
  with moment as materialized (select clock_timestamp() + $2::float8 * interval '1 ms' as at),
  fresh as materialized (
    select p.agency_id, p.id, p.version, p.address, p.city, p.province from properties p
    where ${isUnresolved} and (p.sought_version is null or p.sought_version < p.version)
    order by p.updated_at limit $1 for no key update skip locked
  ),
  marked as (
    update properties p set sought_version = fresh.version
    from fresh where p.agency_id = fresh.agency_id and p.id = fresh.id
  ),
  again as materialized (
    select a.agency_id, a.property_id, a.version from geocoding_attempts a
    where a.next_attempt_at <= (select at from moment)
      and a.property_id <> all (array(select id from fresh))
    order by a.next_attempt_at limit $1 - (select count(*) from fresh) for update skip locked
  ),
  due as materialized (
    select agency_id, id, version, address, city, province from fresh
    union all
    select p.agency_id, p.id, p.version, p.address, p.city, p.province
    from again join properties p on p.agency_id = again.agency_id and p.id = again.property_id
    where ${isUnresolved} and p.version = again.version
  ),
  forgotten as (
    delete from geocoding_attempts a using again
    where a.agency_id = again.agency_id and a.property_id = again.property_id
      and not exists (select from due where due.agency_id = a.agency_id and due.id = a.property_id)
  ),
  claimed as (
    insert into geocoding_attempts as a (agency_id, property_id, version, attempts, next_attempt_at)
    select agency_id, id, version, 1, at + $3::float8 * interval '1 ms' from due cross join moment
    on conflict (agency_id, property_id) do update
      set version = excluded.version,
        attempts = case when a.version < excluded.version then 1 else a.attempts + 1 end,
        next_attempt_at = (select at from moment) + interval '1 ms'
          * case when a.version < excluded.version then $3::float8 else least($3::float8 * 2 ^ least(a.attempts, 20), $4::float8) end
      where a.version < excluded.version or a.next_attempt_at <= (select at from moment)
    returning agency_id, property_id
  )
  select due.agency_id, due.id, due.address, due.city, due.province, claimed.agency_id is not null as is_claimed
  from due left join claimed on claimed.agency_id = due.agency_id and claimed.property_id = due.id
  order by due.agency_id, due.id`)

/**
 * Geocodes up to `limit` unresolved listings that are due. Stores the coordinates it finds, with the geocoder as author, unless the
 * listing's address has changed meanwhile. Does nothing while the geocoder is known to be down.
 * @returns how many were due; fewer than `limit` means that nothing more is due now
 */
export async function placeUnresolved(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'geocoder'>,
  limit: number,
): Promise<number> {
  const { db, clock, geocoder } = deps
  if (!geocoder.isReady()) return 0
  const found = await claim(db, [limit, clock.offsetMs, firstDelayMs, maxDelayMs])
  const due = found.filter((listing) => listing.is_claimed)
  if (due.length === 0) return found.length
  const answers = await geocoder.findMany(
    due.map(({ address, city, province }) => ({ address, city, province })),
    { patienceMs },
  )
  const unknown: Due[] = []
  for (const [index, listing] of due.entries()) {
    const answer = answers[index]
    if (answer?.status === 'found') await place(deps, listing, answer.pin)
    else if (answer?.status === 'none') unknown.push(listing)
  }
  if (unknown.length > 0) await postpone(deps, unknown)
  return found.length
}

/** Stores the coordinates if the listing is still unresolved and still has the address that was geocoded. */
async function place(deps: Pick<Deps, 'db' | 'clock' | 'config'>, due: Due, pin: Pin): Promise<void> {
  const { db, clock, config } = deps
  await underLock(db, due.agency_id, clock, async (locked) => {
    const { tx } = locked
    const listing = await findListing(tx, due.agency_id, { id: due.id })
    if (listing === null || listing.location_status !== 'unresolved' || !isSamePlace(due, listing)) return
    const context = writeContext(locked, { clock, limits: config.limits, author })
    collectChange(context, listing, 'updated', {
      lat: pin.lat,
      lng: pin.lng,
      location_status: pin.status,
    })
    await sql`delete from geocoding_attempts where agency_id = ${due.agency_id} and property_id = ${due.id}`.execute(
      tx,
    )
  })
}

/** The geocoder does not know these addresses. Retries them in a week, when its data may have changed. */
async function postpone({ db, clock }: Pick<Deps, 'db' | 'clock'>, due: readonly Due[]): Promise<void> {
  await sql`
    update geocoding_attempts as a
    set attempts = 0, next_attempt_at = clock_timestamp() + ${clock.offsetMs + unknownDelayMs}::float8 * interval '1 ms'
    from unnest(${due.map((one) => one.agency_id)}::uuid[], ${due.map((one) => one.id)}::uuid[]) as due (agency_id, id)
    where a.agency_id = due.agency_id and a.property_id = due.id`.execute(db)
}
