/**
 * Listings that were stored without a pin are looked for again in the background (spec 'Address handling'). A service that was down
 * is asked again soon, and at longer and longer intervals; a place that it does not know, weekly.
 */
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { hotStatement } from '../db/database.ts'
import type { Pin, Place } from '../geocoding/geocoder.ts'
import { findListing } from './find.ts'
import type { Author } from './history.ts'
import { isSamePlace } from './locate.ts'
import { changeListing, underLock } from './store.ts'

const firstDelayMs = 10_000
const maxDelayMs = 300_000
const unknownDelayMs = 7 * 86_400_000
/** Nobody waits: time for a service that takes one question a second. */
const patienceMs = 60_000

const author: Author = { kind: 'system', id: null, name: 'geocoder', requestId: null }

type Due = Place & { agency_id: string; id: string }

// Whoever moves next_attempt_at on has the listing; a second instance finds it moved. A crash leaves it for the next time.
const claim = hotStatement<Due>(`
  with moment as materialized (select clock_timestamp() + $2::float8 * interval '1 ms' as at),
  due as materialized (
    select p.agency_id, p.id, p.version, p.address, p.city, p.province
    from properties p cross join moment
      left join geocoding_attempts a on a.agency_id = p.agency_id and a.property_id = p.id
    where p.location_status = 'unresolved' and p.address is not null and p.deleted_at is null
      and (a.property_id is null or a.version < p.version or a.next_attempt_at <= moment.at)
    order by a.next_attempt_at nulls first, p.agency_id, p.id
    limit $1
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
  select due.agency_id, due.id, due.address, due.city, due.province
  from claimed join due on due.agency_id = claimed.agency_id and due.id = claimed.property_id
  order by due.agency_id, due.id`)

/**
 * Looks for up to `limit` unresolved listings whose turn it is, and places those that are found: as a write of the geocoder, unless
 * the agency changed the place meanwhile. Does nothing while the service is known to be down.
 * @returns how many were looked for; fewer than `limit` means that there is nothing more to do now
 */
export async function placeUnresolved(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'geocoder'>,
  limit: number,
): Promise<number> {
  const { db, clock, geocoder } = deps
  if (!geocoder.isReady()) return 0
  const due = await claim(db, [limit, clock.offsetMs, firstDelayMs, maxDelayMs])
  if (due.length === 0) return 0
  const founds = await geocoder.findMany(
    due.map(({ address, city, province }) => ({ address, city, province })),
    { patienceMs },
  )
  const unknown: Due[] = []
  for (const [index, listing] of due.entries()) {
    const found = founds[index]
    if (found?.status === 'found') await place(deps, listing, found.pin)
    else if (found?.status === 'none') unknown.push(listing)
  }
  if (unknown.length > 0) await postpone(deps, unknown)
  return due.length
}

/** Puts the pin on the listing if that still is where it was looked for, and nobody placed it. */
async function place(deps: Pick<Deps, 'db' | 'clock' | 'config'>, due: Due, pin: Pin): Promise<void> {
  const { db, clock, config } = deps
  await underLock(db, due.agency_id, clock, async (locked) => {
    const { tx } = locked
    const listing = await findListing(tx, due.agency_id, { id: due.id })
    if (listing === null || listing.location_status !== 'unresolved' || !isSamePlace(due, listing)) return
    const context = { ...locked, clock, limits: config.limits, author }
    await changeListing(context, listing, 'updated', {
      lat: pin.lat,
      lng: pin.lng,
      location_status: pin.status,
    })
    await sql`delete from geocoding_attempts where agency_id = ${due.agency_id} and property_id = ${due.id}`.execute(
      tx,
    )
  })
}

/** The service knows no such places: they are asked for again when its data may have changed. */
async function postpone({ db, clock }: Pick<Deps, 'db' | 'clock'>, due: readonly Due[]): Promise<void> {
  await sql`
    update geocoding_attempts as a
    set attempts = 0, next_attempt_at = clock_timestamp() + ${clock.offsetMs + unknownDelayMs}::float8 * interval '1 ms'
    from unnest(${due.map((one) => one.agency_id)}::uuid[], ${due.map((one) => one.id)}::uuid[]) as due (agency_id, id)
    where a.agency_id = due.agency_id and a.property_id = due.id`.execute(db)
}
