/**
 * Finds an agency's listings in the order of the revision of their last change (api.md 14.5), removed ones included. Revisions are
 * assigned and committed under the agency's lock, so a snapshot that has one has all before it: no change can appear later at a revision
 * that a reader has passed.
 */
import { type Executor, statement, runPage } from '../../platform/db/statements/statement.ts'
import { remembering } from '../../platform/memory/bounded-map.ts'
import {
  type FieldSelection,
  type JoinedValues,
  selectionCount,
  shownColumns,
  type ShownRow,
  valueOf,
  valuesOf,
} from './shown/shown-text.ts'

/** A change of a listing as readers see it. */
export type Change = { row: ShownRow; values: JoinedValues } & (
  | { type: 'upserted'; reason: null }
  | { type: 'removed'; reason: 'deleted' | 'unpublished' }
)

type FoundChanges = {
  /** The agency's revision in the snapshot that was read. */
  revision: number
  /** The revision of the first change, or `revision` without one. */
  next: number
  changes: Change[]
  hasMore: boolean
  /** Everything up to this revision has been read. */
  readUpTo: number
}

type ChangedRow = ShownRow & { at_revision: number; version: number; is_removed: boolean }

/**
 * One range of an index, as far as a page goes. Without statistics the planner expects an agency to have one or two listings; condition,
 * order and limit all fit this index and no other.
 */
const range = (where: string): string => `
  select * from properties
  where agency_id = $1 and version > $2 and ${where} order by version limit $3`

/** The revision comes from the same snapshot as the rows, and alone where there are none. */
const withRevision = (page: string, columns: string): string => `
  select agency.revision as at_revision, p.version, p.deleted_at is not null as is_removed, ${columns}
  from (select revision from agency_revisions where agency_id = $1) agency left join (${page}) p on true
  order by p.version`

const everPublished = range('published_at is not null')
const neverPublished = range('published_at is null')

const all = `select * from ((${everPublished}) union all (${neverPublished})) merged order by version limit $3`

const statementsOf = (columns: string) => ({
  everPublished: statement<ChangedRow>(withRevision(everPublished, columns)),
  all: statement<ChangedRow>(withRevision(all, columns)),
})
const statementsFor = remembering(selectionCount, statementsOf)

/**
 * The next changes after a revision, the earliest first.
 * @param seesDrafts whether the reader may see unpublished listings; others never learn of a listing that was never published
 * @param fields of the rows
 */
export async function findChanges(
  db: Executor,
  agencyId: string,
  after: number,
  limit: number,
  seesDrafts: boolean,
  fields: FieldSelection = null,
): Promise<FoundChanges> {
  const select = statementsFor(shownColumns(fields).columns)[seesDrafts ? 'all' : 'everPublished']
  const found = await runPage(db, select.with([agencyId, after, limit + 1]))
  const revision = found[0]?.at_revision ?? 0
  const rows = found.filter(({ version }) => version !== null)
  const further = rows[limit]
  return {
    revision,
    next: rows[0]?.version ?? revision,
    changes: rows.slice(0, limit).map((row) => changeOf(row, seesDrafts)),
    hasMore: further !== undefined,
    readUpTo: further === undefined ? revision : further.version - 1,
  }
}

function changeOf(row: ChangedRow, seesDrafts: boolean): Change {
  const values = valuesOf(row)
  if (row.is_removed) return { type: 'removed', reason: 'deleted', row, values }
  if (seesDrafts || valueOf(values, 'status') === 'published')
    return { type: 'upserted', reason: null, row, values }
  return { type: 'removed', reason: 'unpublished', row, values }
}
