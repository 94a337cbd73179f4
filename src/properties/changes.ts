/**
 * Finds an agency's listings in the order of the revision of their last change (api.md 14.5), removed ones included. Revisions are
 * assigned and committed under the agency's lock, so a snapshot that has one has all before it: nothing can appear later behind a place
 * that was read.
 */
import { type Executor, hotStatement } from '../db/statement.ts'
import { type Listing, listingColumns } from './listing.ts'

/** What a reader learns of a listing. */
export type Change =
  | { type: 'upserted'; reason: null; listing: Listing }
  | { type: 'removed'; reason: 'deleted' | 'unpublished'; listing: Listing }

export type FoundChanges = {
  /** Of the agency, in the snapshot that was read. */
  revision: number
  /** The revision of the first change, or `revision` without one. */
  next: number
  changes: Change[]
  hasMore: boolean
  /** Everything up to this revision has been read. */
  readUpTo: number
}

type Row = Listing & { at_revision: number }

/**
 * One range of an index, as far as a page goes. Without statistics the planner expects an agency to have one or two listings; condition,
 * order and limit all fit this index and no other.
 */
const range = (where: string): string => `
  select ${listingColumns.join(', ')} from properties
  where agency_id = $1 and version > $2 and ${where} order by version limit $3`

/** The revision comes from the same snapshot as the rows, and alone where there are none. */
const withRevision = (page: string): string => `
  select agency.revision as at_revision, page.*
  from (select revision from agency_revisions where agency_id = $1) agency left join (${page}) page on true
  order by page.version`

const everPublished = range('published_at is not null')
const neverPublished = range('published_at is null')

const selectEverPublished = hotStatement<Row>(withRevision(everPublished))
const selectAll = hotStatement<Row>(
  withRevision(
    `select * from ((${everPublished}) union all (${neverPublished})) merged order by version limit $3`,
  ),
)

/**
 * The next changes after a revision, the earliest first.
 * @param seesDrafts whether the reader may see unpublished listings; others never learn of a listing that was never published
 */
export async function findChanges(
  db: Executor,
  agencyId: string,
  after: number,
  limit: number,
  seesDrafts: boolean,
): Promise<FoundChanges> {
  const select = seesDrafts ? selectAll : selectEverPublished
  const rows = await select(db, [agencyId, after, limit + 1])
  const revision = rows[0]?.at_revision ?? 0
  const listings: Listing[] = rows.filter((row) => row.public_id !== null)
  const further = listings[limit]
  return {
    revision,
    next: listings[0]?.version ?? revision,
    changes: listings.slice(0, limit).map((listing) => changeOf(listing, seesDrafts)),
    hasMore: further !== undefined,
    readUpTo: further === undefined ? revision : further.version - 1,
  }
}

function changeOf(listing: Listing, seesDrafts: boolean): Change {
  if (listing.deleted_at !== null) return { type: 'removed', reason: 'deleted', listing }
  if (seesDrafts || listing.status === 'published') return { type: 'upserted', reason: null, listing }
  return { type: 'removed', reason: 'unpublished', listing }
}
