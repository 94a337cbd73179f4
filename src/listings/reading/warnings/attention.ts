/**
 * Listings of an agency that need a person's attention: photos that a write could not store (photo-warnings.ts), addresses that were not
 * found, pins that are swapped or lack a minus, drafts that lack little, and published listings that have not changed for long. Failed
 * photos, unplaced and misplaced listings have indexes of their own; drafts and stale listings are read from the indexes of lists, up to a
 * bound.
 */
import type { Clock } from '../../../platform/time/clock.ts'
import { type Executor, statement, shortStatement } from '../../../platform/db/statements/statement.ts'
import { staleDays } from '../../../limits/sizes.ts'
import { likelyPin } from '../../geocoding/country.ts'
import { findPage, type PageQuery } from '../list/list-sql.ts'
import type { Listing, Selection } from '../../listing.ts'
import { missingToPublish, type Publishable, publishableColumns } from '../../fields/publishable.ts'
import { noPhotoWarnings, type PhotoWarnings } from './photo-warnings.ts'

const ofListing = shortStatement<{ warnings: PhotoWarnings | null }>(
  'select warnings from photo_sources where agency_id = $1 and property_id = $2',
)

/** A listing's stored warnings, dismissed ones too. */
export async function findPhotoWarnings(db: Executor, agencyId: string, listingId: string) {
  const [row] = await ofListing(db, [agencyId, listingId])
  return row?.warnings ?? noPhotoWarnings
}

/** A listing with open warnings. `listings`, `open`: how many listings and warnings there are, among the latest. */
type ListingWithWarnings = Pick<Listing, 'public_id' | 'title' | 'photos'> & {
  warnings: PhotoWarnings
  listings: number
  open: number
}

/** The most that are counted; beyond it, a page says "more than". */
export const maxFound = 200

/*
 * Photos that were kept at first and removed by a later edit need no attention. `lateral` with a limit, as in list-sql.ts: the planner,
 * without statistics, would read all listings.
 */
const latest = statement<ListingWithWarnings>(`
  with latest as materialized (
    select property_id, warnings, warned_at, to_mend from photo_sources
    where agency_id = $1 and to_mend > 0 order by warned_at desc limit ${maxFound + 1}
  ), open as (
    select p.public_id, p.title, p.photos, l.warnings, l.warned_at,
      l.to_mend - coalesce((l.warnings #>> '{kept,is_dismissed}' = 'false' and not exists (
        select from jsonb_array_elements_text(l.warnings #> '{kept,photos}') photo where photo = any (p.photos)))::int, 0) as open
    from latest l cross join lateral (
      select id, public_id, title, photos, deleted_at from properties where agency_id = $1 and id >= l.property_id order by id limit 1) p
    where p.deleted_at is null
  )
  select public_id, title, photos, warnings, count(*) over ()::int as listings, (sum(open) over ())::int as open
  from open where open > 0 order by warned_at desc limit $2 offset $3`)

/** The agency's listings with photos that need attention, the latest first. */
export async function findListingsWithWarnings(
  db: Executor,
  agencyId: string,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<ListingWithWarnings[]> {
  return await latest(db, [agencyId, limit, offset])
}

/** `listings`: how many there are, among the latest. */
type Unplaced = Pick<Listing, 'public_id' | 'title' | 'status' | 'address' | 'city'> & { listings: number }

const unplaced = statement<Unplaced>(`
  with latest as materialized (
    select public_id, title, status, address, city, updated_at from properties
    where agency_id = $1 and location_status = 'unresolved' and address is not null and deleted_at is null
    order by updated_at desc limit ${maxFound + 1}
  )
  select public_id, title, status, address, city, count(*) over ()::int as listings
  from latest order by updated_at desc limit $2`)

/** Listings with an address and without a pin, the latest first. */
export async function findUnplaced(db: Executor, agencyId: string, limit: number): Promise<Unplaced[]> {
  return await unplaced(db, [agencyId, limit])
}

/** Pins outside these degrees have an index. The bounds are coarse: the outline of the country then decides. */
export const farDegrees = { south: -56, north: -21, west: -74, east: -53 } as const

type Far = Pick<Listing, 'public_id' | 'title' | 'status' | 'version'> & { lat: number; lng: number }

const far = statement<Far>(`
  select public_id, title, status, version, lat, lng from properties
  where agency_id = $1 and deleted_at is null
    and (lat < ${farDegrees.south} or lat > ${farDegrees.north} or lng < ${farDegrees.west} or lng > ${farDegrees.east})
  order by updated_at desc limit ${maxFound + 1}`)

type Misplaced = Far & { likely: { lat: number; lng: number } }

/** Listings whose pin is probably wrong, the latest first. A pin that is abroad on purpose does not count. */
export async function findMisplaced(db: Executor, agencyId: string): Promise<Misplaced[]> {
  const rows = await far(db, [agencyId])
  return rows.flatMap((row) => {
    const likely = likelyPin(row.lat, row.lng)
    return likely === null ? [] : [{ ...row, likely }]
  })
}

/** Only the latest drafts are considered. The list of drafts has the others. */
const draftsLookedAt = 100
const maxMissing = 2

type DraftRow = Publishable & Pick<Listing, 'public_id' | 'updated_at'> & { photo_count: number }

const draftColumns: Selection<DraftRow> = {
  columns: `p.public_id, p.updated_at, ${publishableColumns.map((name) => `p.${name}`).join(', ')},
    cardinality(p.photos) as photo_count`,
}

type NearlyReady = DraftRow & { missing: string[] }

/** Drafts that lack at most two fields: complete ones first, then the latest. */
export async function findNearlyReady(db: Executor, agencyId: string): Promise<NearlyReady[]> {
  const latestDrafts: PageQuery = {
    filters: { status: 'draft' },
    sort: 'updated',
    limit: draftsLookedAt,
    offset: 0,
  }
  const { listings } = await findPage(db, agencyId, latestDrafts, draftColumns)
  return listings
    .map((draft) => ({ ...draft, missing: missingToPublish(draft, draft.photo_count) }))
    .filter(({ missing }) => missing.length <= maxMissing)
    .toSorted((one, other) => Number(one.missing.length > 0) - Number(other.missing.length > 0))
}

/** The most that are counted; beyond it, a page says "more than". */
export const maxStale = 1_000

const countStaleOnes = statement<{ count: number }>(`
  with moment as materialized (
    select clock_timestamp() + $2::float8 * interval '1 ms' - interval '${staleDays} days' as since
  )
  select count(*)::int as count from (
    select 1 from properties where agency_id = $1 and status = 'published' and deleted_at is null
      and updated_at < (select since from moment) limit ${maxStale + 1}) stale`)

/** How many published listings have not been changed for `staleDays`; stops counting at `maxStale` + 1. */
export async function countStale(db: Executor, agencyId: string, clock: Clock): Promise<number> {
  return (await countStaleOnes(db, [agencyId, clock.offsetMs]))[0]?.count ?? 0
}
