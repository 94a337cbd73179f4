/** Finds one listing and checks whether the reader may see it (api.md 2.4). Hidden, foreign and missing listings give the same 404. */
import {
  type Executor,
  shortStatement,
  statement,
  type Statement,
} from '../../platform/db/statements/statement.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { asPublicId, isUuid } from '../../platform/names/ids.ts'
import { type Listing, type Selection, wholeListing } from '../listing.ts'
import { shownColumns, type ShownRow, valueOf, valuesOf } from './shown/shown-text.ts'

/** Names a listing: `id` is the public code or the uuid, `external_id` the agency's own. */
export type ListingRef = { id: string } | { external_id: string }

/** The shown columns of a listing, and those that decide whether the reader may see it. */
type FoundRow = ShownRow & { agency_id: string; version: number; is_removed: boolean }

/** Selects a listing, removed ones included (by code or uuid). @param joined a further table; `$1` is the agency */
export const selectingListing = <Row>({ columns }: Selection<Row>, joined = '') => {
  const select = (where: string) =>
    shortStatement<Row>(`select ${columns} from properties p ${joined} where p.agency_id = $1 and p.${where}`)
  const byPublicId = select('public_id = $2')
  const byUuid = select('id = $2')
  const byExternalId = select('external_id = $2 and p.deleted_at is null')
  return (agencyId: string, ref: ListingRef) => {
    if ('external_id' in ref) return [byExternalId, [agencyId, ref.external_id]] as const
    if (isUuid(ref.id)) return [byUuid, [agencyId, ref.id]] as const
    // Anything that is neither code nor uuid matches no listing.
    return [byPublicId, [agencyId, asPublicId(ref.id) ?? '']] as const
  }
}
const selectingWhole = selectingListing(wholeListing)
const selectingShown = selectingListing<FoundRow>({
  columns: `p.agency_id, p.version, p.deleted_at is not null as is_removed, ${shownColumns(null).columns}`,
})

/** The agency's listing, removed ones included (by code or uuid), or null. */
export async function findAnyListing(db: Executor, agencyId: string, ref: ListingRef) {
  const [select, values] = selectingWhole(agencyId, ref)
  return (await select(db, values))[0] ?? null
}

/** The statement of `findAnyListing`, to send with others. */
export function listingStatement(agencyId: string, ref: ListingRef): Statement<Listing> {
  const [select, values] = selectingWhole(agencyId, ref)
  return select.with(values)
}

/** The agency's listing, or null if it does not exist or was removed. */
export async function findListing(db: Executor, agencyId: string, ref: ListingRef): Promise<Listing | null> {
  return existing([await findAnyListing(db, agencyId, ref)])
}

/** The listing in the rows of `listingStatement`, or null if it does not exist or was removed. */
export function existing([listing]: readonly (Listing | null)[]): Listing | null {
  return listing == null || listing.deleted_at !== null ? null : listing
}

/** As `existing`, for a reader who may see drafts. @throws ApiError `not_found` */
export function getExisting(rows: readonly (Listing | null)[]): Listing {
  const listing = existing(rows)
  if (listing === null) throw noSuchListing()
  return listing
}

/** The agency's listing, for readers who may see drafts. @throws ApiError `not_found` if it does not exist or was removed */
export async function getListing(db: Executor, agencyId: string, ref: ListingRef): Promise<Listing> {
  return getExisting([await findAnyListing(db, agencyId, ref)])
}

/**
 * The agency's listing, if the reader may see it, to be written by a `rowWriter`.
 * @param seesDrafts whether the reader may see unpublished listings; only keys that may write do
 * @throws ApiError `not_found`
 */
export async function getShownRow(
  db: Executor,
  agencyId: string,
  ref: ListingRef,
  seesDrafts: boolean,
): Promise<FoundRow> {
  const [select, values] = selectingShown(agencyId, ref)
  const [row] = await select(db, values)
  if (row === undefined || row.is_removed) throw noSuchListing()
  if (!seesDrafts && valueOf(valuesOf(row), 'status') !== 'published') throw noSuchListing()
  return row
}

function noSuchListing(): ApiError {
  return new ApiError('not_found', { message: 'No such listing is visible to this key.' })
}

const selectTitles = statement<{ public_id: string; title: string | null }>(
  'select public_id, title from properties where agency_id = $1 and public_id = any($2::text[])',
)

/** Titles of listings by their codes, for tables of figures. */
export async function findTitles(
  db: Executor,
  agencyId: string,
  codes: readonly string[],
): Promise<Map<string, string | null>> {
  if (codes.length === 0) return new Map()
  const rows = await selectTitles(db, [agencyId, codes])
  return new Map(rows.map((row) => [row.public_id, row.title]))
}
