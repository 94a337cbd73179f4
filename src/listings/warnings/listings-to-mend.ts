/**
 * Finds what writes of photos could not do (photo-warnings.ts): of one listing, and over an agency.
 */
import { type Executor, statement, shortStatement } from '../../platform/db/statement.ts'
import type { Listing } from '../listing.ts'
import { noPhotoWarnings, type PhotoWarnings } from './photo-warnings.ts'

const ofListing = shortStatement<{ warnings: PhotoWarnings | null }>(
  'select warnings from photo_sources where agency_id = $1 and property_id = $2',
)

/** A listing's stored warnings, dismissed ones too. */
export async function findPhotoWarnings(
  db: Executor,
  agencyId: string,
  listingId: string,
): Promise<PhotoWarnings> {
  const [row] = await ofListing(db, [agencyId, listingId])
  return row?.warnings ?? noPhotoWarnings
}

/** A listing with warnings that nobody has dismissed. `listings`, `warnings`: how many there are in all, of the latest. */
type ListingToMend = Pick<Listing, 'public_id' | 'title' | 'photos'> & {
  kept: PhotoWarnings
  listings: number
  open: number
}

/** Looked for at most: beyond, a page says "more than". */
export const mostFound = 200

/*
 * Photos that were kept and that an edit has removed since need no mending. `lateral` with a limit, as in list-sql.ts: the planner, without
 * statistics, would read all listings.
 */
const latest = statement<ListingToMend>(`
  with latest as materialized (
    select property_id, warnings, warned_at, to_mend from photo_sources
    where agency_id = $1 and to_mend > 0 order by warned_at desc limit ${mostFound + 1}
  ), open as (
    select p.public_id, p.title, p.photos, l.warnings, l.warned_at,
      l.to_mend - coalesce((l.warnings #>> '{kept,is_dismissed}' = 'false' and not exists (
        select from jsonb_array_elements_text(l.warnings #> '{kept,photos}') photo where photo = any (p.photos)))::int, 0) as open
    from latest l cross join lateral (
      select id, public_id, title, photos, deleted_at from properties where agency_id = $1 and id >= l.property_id order by id limit 1) p
    where p.deleted_at is null
  )
  select public_id, title, photos, warnings as kept, count(*) over ()::int as listings, (sum(open) over ())::int as open
  from open where open > 0 order by warned_at desc limit $2 offset $3`)

/** The agency's listings with something to mend, the latest first. */
export async function findListingsToMend(
  db: Executor,
  agencyId: string,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<ListingToMend[]> {
  return await latest(db, [agencyId, limit, offset])
}
