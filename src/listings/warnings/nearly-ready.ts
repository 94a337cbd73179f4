/**
 * Drafts that lack little to be published, and published listings that nobody has changed for long.
 */
import type { Clock } from '../../platform/clock.ts'
import { type Executor, statement } from '../../platform/db/statement.ts'
import { staleDays } from '../../limits/table.ts'
import { findPage } from '../list/list-sql.ts'
import type { Listing, Selection } from '../listing.ts'
import { missingToPublish, type Publishable, publishableColumns } from '../publishable.ts'

/** The latest drafts that are looked at. Those that nobody has touched for long are in the list of drafts. */
const draftsLookedAt = 100
const mostMissing = 2

type DraftRow = Publishable & Pick<Listing, 'public_id' | 'updated_at'> & { photo_count: number }

const draftColumns: Selection<DraftRow> = {
  columns: `p.public_id, p.updated_at, ${publishableColumns.map((name) => `p.${name}`).join(', ')},
    cardinality(p.photos) as photo_count`,
}

export type NearlyReady = DraftRow & { missing: string[] }

/** Drafts that lack two fields at most: complete ones first, then the latest. */
export async function findNearlyReady(db: Executor, agencyId: string): Promise<NearlyReady[]> {
  const page = { limit: draftsLookedAt, offset: 0 }
  const { listings } = await findPage(db, agencyId, { status: 'draft' }, 'updated', page, draftColumns)
  return listings
    .map((draft) => ({ ...draft, missing: missingToPublish(draft, draft.photo_count) }))
    .filter(({ missing }) => missing.length <= mostMissing)
    .toSorted((one, other) => Number(one.missing.length > 0) - Number(other.missing.length > 0))
}

/** Beyond, a page says "more than". */
export const mostStale = 1_000

const countStaleOnes = statement<{ count: number }>(`
  with moment as materialized (
    select clock_timestamp() + $2::float8 * interval '1 ms' - interval '${staleDays} days' as since
  )
  select count(*)::int as count from (
    select 1 from properties where agency_id = $1 and status = 'published' and deleted_at is null
      and updated_at < (select since from moment) limit ${mostStale + 1}) stale`)

/** How many published listings have not been changed for `staleDays`; counts to `mostStale` and one. */
export async function countStale(db: Executor, agencyId: string, clock: Clock): Promise<number> {
  return (await countStaleOnes(db, [agencyId, clock.offsetMs]))[0]?.count ?? 0
}
