/** The transaction of a write: it holds its agency's lock, and sends everything it stores together with the commit. */
import type { Clock } from '../clock.ts'
import type { RowsOf, Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import type { Statement } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'
import { agencyRow, type AgencyRow, lockStatements } from './agency-lock.ts'
import { inTurn } from './turns.ts'

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

/**
 * Runs a transaction that writes listings of the agency, after the agency's earlier writes.
 * @param run receives the rows of `first`
 */
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
  const [row, ...rows] = (await tx.runAll([...held, lock, ...(first ?? [])])).slice(held.length)
  const last: (() => readonly Statement[])[] = []
  const atCommit: Locked['atCommit'] = (statements) => void last.push(statements)
  const locked = { ...agencyRow(agencyId, row as RowsOf<[typeof lock]>[0]), tx, agencyId, atCommit }
  const result = await run(locked, rows as RowsOf<First>)
  return { result, last: () => last.flatMap((statements) => statements()) }
}
