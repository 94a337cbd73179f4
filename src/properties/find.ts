/**
 * Finds one listing and checks whether the reader may see it (api.md 2.4). Hidden, foreign and missing listings give the same 404.
 */
import { shareStatement } from '../db/shared-statement.ts'
import { type Executor, isShared, shortStatement, type Statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import { asPublicId, isUuid } from '../ids.ts'
import { type Listing, type Selection, wholeListing } from './listing.ts'
import { shownColumns, type ShownRow, valueOf, valuesOf } from './shown-text.ts'

/** Names a listing: `id` is the public code or the uuid, `external_id` the agency's own. */
export type ListingRef = { id: string } | { external_id: string }

/** A listing as it is shown, with what decides whether it is. */
export type FoundRow = ShownRow & { agency_id: string; version: number; is_removed: boolean }

const selecting = <Row>({ columns }: Selection<Row>) => {
  const select = (where: string) =>
    shortStatement<Row>(`select ${columns} from properties p where agency_id = $1 and ${where}`)
  const byPublicId = select('public_id = $2')
  const byUuid = select('id = $2')
  const byExternalId = select('external_id = $2 and deleted_at is null')
  return (ref: ListingRef) => {
    if ('external_id' in ref) return [byExternalId, ref.external_id] as const
    // Anything that is neither code nor uuid matches no listing.
    return isUuid(ref.id) ? ([byUuid, ref.id] as const) : ([byPublicId, asPublicId(ref.id) ?? ''] as const)
  }
}
const selectingWhole = selecting(wholeListing)
const columnsOfShown = `p.agency_id, p.version, p.deleted_at is not null as is_removed, ${shownColumns(null).columns}`
const selectingShown = selecting<FoundRow>({ columns: columnsOfShown })
const selectTogether = shortStatement<FoundRow & { place: number }>(`
  select wanted.place::int as place, found.*
  from unnest($1::uuid[], $2::text[]) with ordinality as wanted (agency_id, public_id, place)
  cross join lateral (
    select ${columnsOfShown} from properties p where agency_id = wanted.agency_id and public_id = wanted.public_id offset 0) found`)

/** The agency's listing, removed ones included (by code or uuid), or null. */
export async function findAnyListing(
  db: Executor,
  agencyId: string,
  ref: ListingRef,
): Promise<Listing | null> {
  const [select, id] = selectingWhole(ref)
  return (await select(db, [agencyId, id]))[0] ?? null
}

/** The statement of `findAnyListing`, to send with others. */
export function listingStatement(agencyId: string, ref: ListingRef): Statement<Listing> {
  const [select, id] = selectingWhole(ref)
  return select.with([agencyId, id])
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

/** As `getListing`, to be written by a `rowWriter`. */
export async function getShownRow(
  db: Executor,
  agencyId: string,
  ref: ListingRef,
  seesDrafts: boolean,
): Promise<FoundRow> {
  const row = await findShownRow(db, agencyId, ref)
  if (row === null || row.is_removed) throw noSuchListing()
  if (!seesDrafts && valueOf(valuesOf(row), 'status') !== 'published') throw noSuchListing()
  return row
}

async function findShownRow(db: Executor, agencyId: string, ref: ListingRef): Promise<FoundRow | null> {
  const publicId = 'id' in ref ? asPublicId(ref.id) : null
  if (publicId !== null && isShared(db)) {
    const share = sharing.get(db) ?? shareStatement((all: readonly Wanted[]) => findTogether(db, all), bounds)
    sharing.set(db, share)
    return share({ agencyId, publicId })
  }
  const [select, id] = selectingShown(ref)
  return (await select(db, [agencyId, id]))[0] ?? null
}

type Wanted = { agencyId: string; publicId: string }

/** Reads by code that come together share a statement, which costs more to send and start than a row does to read. */
const bounds = { mostInFlight: 2, mostAtOnce: 50 }
const sharing = new WeakMap<Executor, (wanted: Wanted) => Promise<FoundRow | null>>()

async function findTogether(db: Executor, all: readonly Wanted[]): Promise<(FoundRow | null)[]> {
  const [first] = all as [Wanted]
  if (all.length === 1) {
    const [select] = selectingShown({ id: first.publicId })
    return [(await select(db, [first.agencyId, first.publicId]))[0] ?? null]
  }
  const rows = await selectTogether(db, [
    all.map(({ agencyId }) => agencyId),
    all.map(({ publicId }) => publicId),
  ])
  const found: (FoundRow | null)[] = all.map(() => null)
  for (const row of rows) found[row.place - 1] = row
  return found
}

/** 404 `not_found`. */
function noSuchListing(): ApiError {
  return new ApiError('not_found', { message: 'No such listing is visible to this key.' })
}
