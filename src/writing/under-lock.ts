/** The one transaction of a write: under its agency's lock, with everything it stores sent along with the commit. */
import type { Clock } from '../clock.ts'
import type { RowsOf, Tx } from '../db/connection.ts'
import { type Db, violatedConstraint } from '../db/database.ts'
import type { Statement } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'
import { agencyRow, type AgencyRow, lockRow } from './agency-lock.ts'
import { inTurn } from './turns.ts'

/** An open transaction that holds the lock of its agency. */
export type Locked = AgencyRow & {
  tx: Tx
  agencyId: string
  /** Adds what is sent with the commit. It is asked for when the work is done. */
  atCommit(statements: () => readonly Statement[]): void
}

/** What was prepared no longer fits what the transaction found: the write is prepared again from the start. */
export class StalePreparation extends Error {
  override readonly name = 'StalePreparation'
}

/**
 * Runs a transaction that writes listings of the agency, after all others that do.
 * @param first statements that leave with the lock, and run once it is had
 * @param run is given their rows
 * @throws StalePreparation when the whole is to be run again
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
        const lock = lockRow.with([agencyId, clock.offsetMs])
        const [row, ...rows] = await tx.runAll([lock, ...(first ?? [])])
        const last: (() => readonly Statement[])[] = []
        const atCommit: Locked['atCommit'] = (statements) => void last.push(statements)
        const locked = { ...agencyRow(agencyId, row), tx, agencyId, atCommit }
        const result = await run(locked, rows as RowsOf<First>)
        await tx.commit(last.flatMap((statements) => statements()))
        return result
      }),
    )
  } catch (error) {
    // Codes are random: one in a thousand million is taken, and then another is tried.
    if (violatedConstraint(error) === 'properties_agency_public_id_key') throw new StalePreparation()
    throw error
  }
}

/** Takes a rehearsed transaction back. */
class Rehearsed<T> extends Error {
  override readonly name = 'Rehearsed'
  readonly result: T
  constructor(result: T) {
    super('rehearsed')
    this.result = result
  }
}

/**
 * Runs a transaction as `underLock` does and rolls it back: tells what it would come to as things are now, before anything slow is done
 * for it.
 * @throws whatever the transaction would
 */
export async function rehearse<T, const First extends readonly Statement[] = []>(
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
