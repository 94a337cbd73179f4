/**
 * Listings of an agency whose place asks for somebody: addresses that were not found, and pins that are swapped or lack a minus. Each
 * statement reads an index that holds such listings alone.
 */
import { statement, type Executor } from '../../platform/db/statement.ts'
import type { Deps } from '../../deps.ts'
import { likelyPin } from '../geocoding/country.ts'
import type { Author } from '../../platform/writing/author.ts'
import { underLock } from '../../platform/writing/under-lock.ts'
import { getListing } from '../find.ts'
import type { Listing } from '../listing.ts'
import { mostFound } from './listings-to-mend.ts'
import { placeAt } from './place-unresolved.ts'

/** `listings`: how many there are in all, of the latest. */
type Unplaced = Pick<Listing, 'public_id' | 'title' | 'status' | 'address' | 'city'> & { listings: number }

const unplaced = statement<Unplaced>(`
  with latest as materialized (
    select public_id, title, status, address, city, updated_at from properties
    where agency_id = $1 and location_status = 'unresolved' and address is not null and deleted_at is null
    order by updated_at desc limit ${mostFound + 1}
  )
  select public_id, title, status, address, city, count(*) over ()::int as listings
  from latest order by updated_at desc limit $2`)

/** Listings with an address and without a pin, the latest first. */
export async function findUnplaced(db: Executor, agencyId: string, limit: number): Promise<Unplaced[]> {
  return await unplaced(db, [agencyId, limit])
}

/** Pins outside of these degrees are in an index. A coarse rule, which the outline of the country then judges. */
export const farDegrees = { south: -56, north: -21, west: -74, east: -53 } as const

type Far = Pick<Listing, 'public_id' | 'title' | 'status' | 'version'> & { lat: number; lng: number }

const far = statement<Far>(`
  select public_id, title, status, version, lat, lng from properties
  where agency_id = $1 and deleted_at is null
    and (lat < ${farDegrees.south} or lat > ${farDegrees.north} or lng < ${farDegrees.west} or lng > ${farDegrees.east})
  order by updated_at desc limit ${mostFound + 1}`)

export type Misplaced = Far & { likely: { lat: number; lng: number } }

/** Listings whose pin was probably meant elsewhere, the latest first. A pin that is abroad on purpose does not count. */
export async function findMisplaced(db: Executor, agencyId: string): Promise<Misplaced[]> {
  const rows = await far(db, [agencyId])
  return rows.flatMap((row) => {
    const likely = likelyPin(row.lat, row.lng)
    return likely === null ? [] : [{ ...row, likely }]
  })
}

/**
 * Looks the address up again for a person.
 * @returns what the geocoder says; `found` too if the listing has a pin already
 * @throws ApiError `not_found`
 */
export async function lookUpAgain(
  { db, clock, config, geocoder }: Pick<Deps, 'db' | 'clock' | 'config' | 'geocoder'>,
  agencyId: string,
  id: string,
  author: Author,
): Promise<'found' | 'none' | 'unavailable'> {
  const listing = await getListing(db, agencyId, { id }, true)
  const { address, city, province } = listing
  if (listing.location_status !== 'unresolved' || address === null) return 'found'
  const place = { address, city, province }
  const found = await geocoder.find(place)
  if (found.status !== 'found') return found.status
  await underLock(db, agencyId, clock, (locked) =>
    placeAt({ clock, config }, locked, { ...place, id: listing.id }, found.pin, author),
  )
  return 'found'
}
