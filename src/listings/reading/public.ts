/**
 * The public view of listings (api.md 2.4): only published ones, and only a blurred place where the agency has chosen so. A listing
 * that was public before is reported as gone; a draft looks like a code that does not exist.
 */
import { blurredAddress } from '../addresses/blurred-address.ts'
import { type Executor, statement, shortStatement } from '../../platform/db/statements/statement.ts'
import type { BlurredPlaceOf } from '../geocoding/blurred-place.ts'
import { asPublicId } from '../../platform/names/ids.ts'
import { type Listing, type Selection, wholeListing } from '../listing.ts'
import type { Operation, PropertyType } from '../fields/vocabulary.ts'

/** A listing as visitors may see it. */
export type PublicListing = Listing & {
  /** In metres: the distance from `lat` and `lng` within which the place is. Null if it is not blurred. */
  radius: number | null
}

/** The row as stored. Only `toPublic` turns it into something that visitors may see. */
export type PublicRow<Row = Listing> = Row & { place_blurred: boolean }

/** The columns, with the one that `toPublic` also needs. */
export function publicly<Row>({ columns }: Selection<Row>): Selection<PublicRow<Row>> {
  return { columns: `${columns}, p.place_blurred` }
}

export const publicRow = publicly(wholeListing)

/** Blurs the place where the agency wants that, so that no view can show more. */
export function toPublic<Row extends Pick<Listing, 'lat' | 'lng'> & Partial<Listing>>(
  { place_blurred: isBlurred, ...listing }: PublicRow<Row>,
  blurredPlace: BlurredPlaceOf,
): Omit<PublicRow<Row>, 'place_blurred'> & { radius: number | null } {
  if (!isBlurred) return { ...listing, radius: null }
  const { lat, lng, address } = listing
  const place = lat === null || lng === null ? { radius: null } : blurredPlace(lat, lng)
  const shownAddress = address == null ? null : blurredAddress(address, listing)
  return {
    ...listing,
    ...place,
    ...(address === undefined ? {} : { address: shownAddress }),
    location_status: 'approximate',
  }
}

const byPublicId = shortStatement<PublicRow>(
  `select ${publicRow.columns} from properties p where agency_id = $1 and public_id = $2`,
)

/**
 * The agency's listing as visitors may see it.
 * @param code the public code, in any case
 * @returns `isGone` if it is suspended or removed: then nothing of it may be shown; null for a draft, a removed draft or an unknown code
 */
export async function findPublicListing(
  db: Executor,
  agencyId: string,
  code: string,
  blurredPlace: BlurredPlaceOf,
): Promise<{ listing: PublicListing; isGone: boolean } | null> {
  const publicId = asPublicId(code)
  const [row] = publicId === null ? [] : await byPublicId(db, [agencyId, publicId])
  const listing = row === undefined ? null : toPublic(row, blurredPlace)
  // A removed listing keeps its status, and no listing becomes a draft again. So a draft was never public.
  if (listing === null || listing.status === 'draft') return null
  return { listing, isGone: listing.deleted_at !== null || listing.status !== 'published' }
}

const byKind = statement<{ operation: Operation | null; type: PropertyType | null; total: number }>(`
  select operation, type, count(*)::int as total from properties
  where agency_id = $1 and status = 'published' and deleted_at is null
  group by operation, type`)

export type PublishedKinds = Awaited<ReturnType<typeof countKinds>>

/** How many published listings the agency has of each operation and type. Reads an index only, but all of the agency's part of it. */
export async function countKinds(db: Executor, agencyId: string) {
  return await byKind(db, [agencyId])
}

const counted = statement<{ agency_id: string; total: number }>(`
  select agency_id, count(*)::int as total from properties
  where agency_id = any($1) and status = 'published' and deleted_at is null
  group by agency_id`)

/** The number of published listings per agency. An agency without any is not in the map. */
export async function countPublished(db: Executor, agencyIds: readonly string[]) {
  const rows = await counted(db, [agencyIds])
  return new Map(rows.map(({ agency_id, total }) => [agency_id, total]))
}

const codes = statement<{ public_id: string; updated_at: string }>(`
  select public_id, updated_at from properties
  where agency_id = $1 and status = 'published' and deleted_at is null
  order by listed_at desc, public_id limit $2 offset $3`)

/** Codes of the agency's published listings, newest first. Reads an index only. */
export async function findPublishedCodes(
  db: Executor,
  agencyId: string,
  page: { limit: number; offset: number },
) {
  return await codes(db, [agencyId, page.limit, page.offset])
}

const findBlurred = shortStatement<{ place_blurred: boolean }>(
  'select place_blurred from properties where agency_id = $1 and id = $2',
)

/** @param id the uuid */
export async function isPlaceBlurred(db: Executor, agencyId: string, id: string): Promise<boolean> {
  return (await findBlurred(db, [agencyId, id]))[0]?.place_blurred ?? false
}
