/**
 * Finds one listing and checks whether the reader may see it (api.md 2.4). Hidden, foreign and missing listings give the same 404.
 */
import { type Executor, shortStatement, type Statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import { asPublicId, isUuid } from '../ids.ts'
import { type Listing, listingColumns } from './listing.ts'

/** Names a listing: `id` is the public code or the uuid, `external_id` the agency's own. */
export type ListingRef = { id: string } | { external_id: string }

const columns = listingColumns.join(', ')
const byPublicId = shortStatement<Listing>(
  `select ${columns} from properties where agency_id = $1 and public_id = $2`,
)
const byUuid = shortStatement<Listing>(`select ${columns} from properties where agency_id = $1 and id = $2`)
const byExternalId = shortStatement<Listing>(
  `select ${columns} from properties where agency_id = $1 and external_id = $2 and deleted_at is null`,
)

/** The agency's listing, removed ones included (by code or uuid), or null. */
export async function findAnyListing(
  db: Executor,
  agencyId: string,
  ref: ListingRef,
): Promise<Listing | null> {
  const [select, id] = selecting(ref)
  return (await select(db, [agencyId, id]))[0] ?? null
}

/** The statement of `findAnyListing`, to send with others. */
export function listingStatement(agencyId: string, ref: ListingRef): Statement<Listing> {
  const [select, id] = selecting(ref)
  return select.with([agencyId, id])
}

function selecting(ref: ListingRef) {
  if ('external_id' in ref) return [byExternalId, ref.external_id] as const
  // Anything that is neither code nor uuid matches no listing.
  return isUuid(ref.id) ? ([byUuid, ref.id] as const) : ([byPublicId, asPublicId(ref.id) ?? ''] as const)
}

/** The agency's listing, or null if it does not exist or was removed. */
export async function findListing(db: Executor, agencyId: string, ref: ListingRef): Promise<Listing | null> {
  return present([await findAnyListing(db, agencyId, ref)])
}

/** The listing in the rows of `listingStatement`, or null if it does not exist or was removed. */
export function present([listing]: readonly (Listing | null)[]): Listing | null {
  return listing == null || listing.deleted_at !== null ? null : listing
}

/** As `present`, for a key that may write. @throws ApiError `not_found` */
export function getPresent(rows: readonly Listing[]): Listing {
  const listing = present(rows)
  if (listing === null) throw noSuchListing()
  return listing
}

/**
 * The agency's listing, if the reader may see it.
 * @param seesDrafts whether the reader may see unpublished listings; only keys that may write do
 * @throws ApiError `not_found`
 */
export async function getListing(
  db: Executor,
  agencyId: string,
  ref: ListingRef,
  seesDrafts: boolean,
): Promise<Listing> {
  const listing = await findListing(db, agencyId, ref)
  if (listing === null || (!seesDrafts && listing.status !== 'published')) throw noSuchListing()
  return listing
}

/** 404 `not_found`. */
function noSuchListing(): ApiError {
  return new ApiError('not_found', { message: 'No such listing is visible to this key.' })
}
