/** Lists an agency's listings (api.md 14). Counting is most of a list's cost, so totals are cached until the agency's revision changes. */
import type { Executor } from '../../../platform/db/statements/statement.ts'
import { type RevisionMemory, revisionMemory } from '../../../platform/memory/revision-memory.ts'
import { type Listing, type Selection, wholeListing } from '../../listing.ts'
import type { Filters } from './list-filters.ts'
import { countStatement, type FoundPage, findPage, findPageAndTotal, type Sort } from './list-sql.ts'

export type TotalsMemory = RevisionMemory<number>

/** Caches recent totals. Each process has its own cache; the service works without it. */
export function totalsMemory(): TotalsMemory {
  return revisionMemory(10_000, () => 1)
}

/** `page`: 1 is the first. */
type ListQuery = { filters: Filters; sort: Sort; page: number; perPage: number }

/** @param agency with its revision, read before; the result has the revision of its own snapshot, which may be later */
export async function listListings<Row = Listing>(
  db: Executor,
  totals: TotalsMemory,
  agency: { id: string; revision: number },
  { filters, sort, page, perPage }: ListQuery,
  selection: Selection<Row> = wholeListing as Selection<Row>,
): Promise<FoundPage<Row>> {
  const name = JSON.stringify(filters)
  const query = { filters, sort, limit: perPage, offset: (page - 1) * perPage }
  // Model cached-responses: count
  const total = totals.find(agency.id, agency.revision, name)
  if (total !== null && query.offset >= total) return { revision: agency.revision, total, listings: [] }
  if (total !== null) {
    const { revision, listings } = await findPage(db, agency.id, query, selection)
    // With another revision, a write came in between and the total does not belong to these rows.
    if (revision === agency.revision) return { revision, total, listings }
  }
  const found = await findPageAndTotal(db, agency.id, query, selection)
  totals.keep(agency.id, found.revision, name, found.total)
  return found
}

/** How many of the agency's listings match. Reads no rows, and caches nothing: it does not know the revision of its snapshot. */
export async function countListings(db: Executor, agencyId: string, filters: Filters): Promise<number> {
  const [counted] = await db.run(countStatement(agencyId, filters))
  return counted?.total ?? 0
}
