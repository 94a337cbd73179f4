/**
 * Lists where Citus spreads the agencies over nodes: what list-sql.ts finds in one statement, as statements about one table each. Citus plans
 * such a statement once and not at each execution, which would cost more than the list.
 */
import { type Executor, hotStatement, runPage, shortStatement } from '../db/statement.ts'
import { remembering } from '../memory/bounded-map.ts'
import type { Selection } from './listing.ts'
import {
  countStatement,
  type Filters,
  type FoundPage,
  findIds,
  type PageWindow,
  type Sort,
} from './list-sql.ts'
import { selectionCount } from './shown-text.ts'

const readRevision = shortStatement<{ revision: number }>(
  'select revision from agency_revisions where agency_id = $1',
)

/** Selections are few, and each is a statement that stays prepared. */
const rowsOf = remembering(selectionCount + 3, (columns: string) =>
  hotStatement<unknown>(
    `select ${columns} from properties p where agency_id = $1 and id = any ($2::uuid[]) order by array_position($2, id)`,
  ),
)

/**
 * Finds a page in steps.
 * @param agency with its revision, read before
 * @param total if known
 * @returns null if the agency has changed meanwhile: the steps may have seen different moments
 */
export async function findInSteps<Row>(
  db: Executor,
  agency: { id: string; revision: number },
  filters: Filters,
  sort: Sort,
  page: PageWindow,
  { columns }: Selection<Row>,
  total: number | null,
): Promise<FoundPage<Row> | null> {
  const [ids, [counted]] = await Promise.all([
    findIds(db, agency.id, filters, sort, page),
    total === null ? db.run(countStatement(agency.id, filters)) : [{ total }],
  ])
  const listings = ids.length === 0 ? [] : await runPage(db, rowsOf(columns).with([agency.id, ids]))
  // After the rows: if it is still the same, nothing was written since it was read before them.
  const [now] = await readRevision(db, [agency.id])
  if (now?.revision !== agency.revision) return null
  return { revision: agency.revision, total: counted?.total ?? 0, listings: listings as Row[] }
}
