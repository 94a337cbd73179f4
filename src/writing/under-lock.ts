/** The transaction of a write: it holds its agency's lock, and sends everything it stores together with the commit. */
import type { Clock } from '../clock.ts'
import type { RowsOf, Tx } from '../db/connection.ts'
import { type Db, violatedConstraint } from '../db/database.ts'
import type { Statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
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

/** The preparation no longer matches the database: the write has to start again, with a new preparation. */
export class StalePreparation extends Error {
  override readonly name = 'StalePreparation'
}

const maxAttempts = 3

/** Runs a write from its preparation on, and starts over while that turns out to be stale. @throws ApiError `service_unavailable` */
export async function startingOver<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof StalePreparation)) throw error
      if (attempt < maxAttempts) continue
      throw new ApiError('service_unavailable', {
        message: 'The listing kept changing while the request was prepared. Send it again.',
        retryAfter: 1,
        cause: error,
      })
    }
  }
}

/**
 * Runs a transaction that writes listings of the agency, after the agency's earlier writes.
 * @param run receives the rows of `first`
 * @param first statements sent in one packet with the lock; they run once it is held
 * @throws StalePreparation if the write has to start again
 */
export async function underLock<T, const First extends readonly Statement[] = []>(
  db: Db,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked, rows: RowsOf<First>) => Promise<T>,
  first?: First,
): Promise<T> {
  try {
    return await inTurn(db, agencyId, () =>
      inTransaction(db, async (tx) => {
        const { result, last } = await runLocked(tx, agencyId, clock, run, first)
        await tx.commit(last)
        return result
      }),
    )
  } catch (error) {
    // Public ids are random. One in a thousand million is taken; a new attempt draws another.
    if (violatedConstraint(error) === 'properties_agency_public_id_key') throw new StalePreparation()
    throw error
  }
}

/** As `underLock`, in a transaction that is open already: all is stored when this returns, and more may follow before the commit. */
export async function underLockWithin<T>(
  tx: Tx,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked) => Promise<T>,
): Promise<T> {
  const { result, last } = await runLocked(tx, agencyId, clock, run)
  await tx.runAll(last)
  return result
}

/** Runs the work under the lock. @returns its result, and the statements that are to leave with the commit */
async function runLocked<T, const First extends readonly Statement[] = []>(
  tx: Tx,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked, rows: RowsOf<First>) => Promise<T>,
  first?: First,
): Promise<{ result: T; last: Statement[] }> {
  const [held, lock] = lockStatements(tx, agencyId, clock)
  const [row, ...rows] = (await tx.runAll([...held, lock, ...(first ?? [])])).slice(held.length)
  const last: (() => readonly Statement[])[] = []
  const atCommit: Locked['atCommit'] = (statements) => void last.push(statements)
  const locked = { ...agencyRow(agencyId, row as RowsOf<[typeof lock]>[0]), tx, agencyId, atCommit }
  const result = await run(locked, rows as RowsOf<First>)
  return { result, last: last.flatMap((statements) => statements()) }
}

/** Carries a rehearsal's result out of its transaction, which the throw rolls back. */
class Rehearsed<T> extends Error {
  override readonly name = 'Rehearsed'
  readonly result: T
  constructor(result: T) {
    super('rehearsed')
    this.result = result
  }
}

/**
 * Runs a transaction as `underLock` does, but rolls it back. Shows its result or error before slow work is done for it.
 * @throws whatever `underLock` would
 */
export async function dryRunUnderLock<T, const First extends readonly Statement[] = []>(
  db: Db,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked, rows: RowsOf<First>) => Promise<T>,
  first?: First,
): Promise<T> {
  const rehearsed = async (locked: Locked, rows: RowsOf<First>): Promise<never> => {
    throw new Rehearsed(await run(locked, rows))
  }
  try {
    return await underLock(db, agencyId, clock, rehearsed, first)
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T
    throw error
  }
}
