/** The lock that serialises an agency's writes: its row in `agency_revisions`. The row holds the revision, which every write increments. */
import type { Clock } from '../time/clock.ts'
import { keepInPlace } from '../db/citus/nodes.ts'
import type { RowsOf, Tx } from '../db/statements/connection.ts'
import type { Db } from '../db/database.ts'
import { boundedLock, statement, type Statement } from '../db/statements/statement.ts'
import { inTransaction } from '../db/statements/transaction.ts'
import { inTurn } from './turns.ts'

/** A revision of the agency, and its ISO 8601 timestamp, later than that of every earlier revision. */
export type Revision = { revision: number; at: string }

/** Assigns the revisions of one transaction. A write of a listing stores its revision with the listing. */
type Revisions = {
  /** The next revision, for one write of one listing. */
  next(): Revision
  /** The one assigned last; null if none was. */
  last(): Revision | null
  /** Continues after a revision that the database has assigned. */
  follow(revision: Revision): void
  /** @returns a function that takes back all revisions assigned after this call */
  mark(): () => void
}

/** The locked row of an agency. */
type AgencyRow = {
  revisions: Revisions
  /** When the row was locked; the next revision's timestamp. */
  at: string
  /** Whether it is a test agency, whose state changes notify nobody. */
  isTest: boolean
}

type Row = Revision & { is_test: boolean }

/** Locks the agency's row until the transaction ends, and reads it. Values: agency id, the clock's offset in milliseconds. */
const lockRow = statement<Row>(`
  select revision + 1 as revision, is_test,
    greatest(
      date_trunc('milliseconds', clock_timestamp() + $2 * interval '1 millisecond'),
      changed_at + interval '1 millisecond'
    ) as at,
    ${boundedLock} as bounded
  from agency_revisions where agency_id = $1 for no key update`)

/** @returns the statements to run before the lock, and the lock */
function lockStatements(tx: Tx, agencyId: string, clock: Clock): [Statement[], Statement<Row>] {
  return [keepInPlace(tx, agencyId), lockRow.with([agencyId, clock.offsetMs])]
}

/** @param rows the result of the lock */
function agencyRow(agencyId: string, [row]: readonly Row[]): AgencyRow {
  if (row === undefined) throw new Error(`agency ${agencyId} has no revision`)
  return { revisions: revisionsFrom(row), at: row.at, isTest: row.is_test }
}

/** Locks the agency. Must be the first statement of a transaction that writes listings; later writes of the agency wait for its end. */
export async function lockAgency(tx: Tx, agencyId: string, clock: Clock): Promise<AgencyRow> {
  const [held, lock] = lockStatements(tx, agencyId, clock)
  return agencyRow(agencyId, (await tx.runAll([...held, lock])).at(-1) as Row[])
}

function revisionsFrom(first: Revision): Revisions {
  let last: Revision | null = null
  return {
    next() {
      last = last === null ? { revision: first.revision, at: first.at } : after(last)
      return last
    },
    last: () => last,
    follow(revision) {
      last = revision
    },
    mark() {
      const marked = last
      return () => {
        last = marked
      }
    },
  }
}

function after({ revision, at }: Revision): Revision {
  return { revision: revision + 1, at: new Date(Date.parse(at) + 1).toISOString() }
}

// Model remembered-responses: raise
const raise = statement('update agency_revisions set revision = $2, changed_at = $3 where agency_id = $1')

/** Stores the last revision that a transaction has assigned. */
export function raiseStatement(agencyId: string, { revision, at }: Revision): Statement {
  return raise.with([agencyId, revision, at])
}

/** Stores a revision assigned to something other than a listing. */
export async function storeRevision(tx: Tx, agencyId: string, revision: Revision): Promise<void> {
  await tx.run(raiseStatement(agencyId, revision))
}

const selectRevision = statement<{ revision: number }>(
  'select revision from agency_revisions where agency_id = $1',
)

/** The current revision, read without a lock; 0 for an unknown agency. */
export async function currentRevision(db: Db, agencyId: string): Promise<number> {
  const [row] = await selectRevision(db, [agencyId])
  return row?.revision ?? 0
}

/** An open transaction that holds the lock of its agency. */
export type Locked = AgencyRow & {
  tx: Tx
  agencyId: string
  /** Adds statements to send with the commit. `statements` is called when the work is done. */
  atCommit(statements: () => readonly Statement[]): void
}

type LockOptions<First extends readonly Statement[]> = {
  /** Statements sent in one packet with the lock. They run once it is held. */
  first?: First
  /** Called at the end: whether to commit. If not, the transaction is rolled back. */
  isKept?: () => boolean
}

/** Runs a transaction that writes listings of the agency, after the agency's earlier writes. @param run receives the rows of `first` */
export async function underLock<T, const First extends readonly Statement[] = []>(
  db: Db,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked, rows: RowsOf<First>) => Promise<T>,
  { first, isKept = () => true }: LockOptions<First> = {},
): Promise<T> {
  return await inTurn(db, agencyId, () =>
    inTransaction(db, async (tx) => {
      const { result, last } = await runLocked(tx, agencyId, clock, run, first)
      if (isKept()) await tx.commit(last())
      // Model idempotency-key: roll back
      else await tx.rollback()
      return result
    }),
  )
}

/** Like `underLock`, in a transaction that is already open. Everything is stored when this returns; more may follow before the commit. */
export async function underLockWithin<T>(
  tx: Tx,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked) => Promise<T>,
): Promise<T> {
  const { result, last } = await runLocked(tx, agencyId, clock, run)
  await tx.runAll(last())
  return result
}

/** Runs the work under the lock. @returns its result, and a function that gives the statements to send with the commit */
async function runLocked<T, const First extends readonly Statement[] = []>(
  tx: Tx,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked, rows: RowsOf<First>) => Promise<T>,
  first?: First,
): Promise<{ result: T; last: () => Statement[] }> {
  const [held, lock] = lockStatements(tx, agencyId, clock)
  // Model idempotency-key: lock
  const [row, ...rows] = (await tx.runAll([...held, lock, ...(first ?? [])])).slice(held.length)
  const last: (() => readonly Statement[])[] = []
  const atCommit: Locked['atCommit'] = (statements) => void last.push(statements)
  const locked = { ...agencyRow(agencyId, row as RowsOf<[typeof lock]>[0]), tx, agencyId, atCommit }
  const result = await run(locked, rows as RowsOf<First>)
  return { result, last: () => last.flatMap((statements) => statements()) }
}
