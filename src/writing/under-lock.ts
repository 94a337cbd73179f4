/** Runs writes under the lock that serialises those of an agency: its row in `agency_revisions`, which holds the revision. */
import type { Clock } from '../platform/time/clock.ts'
import { blockMove } from '../platform/db/citus/nodes.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { type NamedRows, type NamedStatements, runNamed } from '../platform/db/statements/named-statements.ts'
import { boundedLock, statement, type Statement } from '../platform/db/statements/statement.ts'
import { inTransaction } from '../platform/db/statements/transaction.ts'
import { type Revision, type Revisions, revisionsFrom } from './revisions.ts'
import { inTransactionSlot } from './write-slots.ts'

/** The locked row of an agency. */
type AgencyRow = {
  revisions: Revisions
  /** When the row was locked; the next revision's timestamp. */
  at: string
  /** Whether it is a test agency, whose state changes notify nobody. */
  isTest: boolean
}

/** An open transaction that holds the lock of its agency. */
export type Locked = AgencyRow & {
  tx: Tx
  agencyId: string
  /** Adds statements to send with the commit. `statements` is called when the work is done. */
  atCommit(statements: () => readonly Statement[]): void
  /** Whether the transaction will commit, as far as the run knows. If not, rows that nothing later reads need not be written. */
  willCommit(): boolean
}

type LockOptions<First extends NamedStatements> = {
  /** Statements sent in one packet with the lock. They run once it is held. */
  first?: First
  /** Called during and after the work. If it finally returns false, the transaction is rolled back. */
  willCommit?: () => boolean
}

/** Runs a transaction that writes listings of the agency, after the agency's earlier writes. @param run receives the rows of `first` */
export async function underLock<T, First extends NamedStatements = {}>(
  db: Db,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked, rows: NamedRows<First>) => Promise<T>,
  options: LockOptions<First> = {},
): Promise<T> {
  return await inTransactionSlot(db, agencyId, () =>
    inTransaction(db, async (tx) => {
      const { locked, rows, collected } = await lock(tx, agencyId, clock, options)
      const result = await run(locked, rows)
      if (locked.willCommit()) await tx.commit(collected())
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
  const { locked, collected } = await lock(tx, agencyId, clock)
  const result = await run(locked)
  await tx.runAll(collected())
  return result
}

/** Locks the agency. Must be the first statement of a transaction that writes listings; later writes of the agency wait for its end. */
export async function lockAgency(tx: Tx, agencyId: string, clock: Clock): Promise<AgencyRow> {
  return (await lock(tx, agencyId, clock)).locked
}

type LockRow = Revision & { is_test: boolean }

/** Locks the agency's row until the transaction ends, and reads it. Values: agency id, the clock's offset in milliseconds. */
const lockRow = statement<LockRow>(`
  select revision + 1 as revision, is_test,
    greatest(
      date_trunc('milliseconds', clock_timestamp() + $2::float8 * interval '1 ms'),
      changed_at + interval '1 ms'
    ) as at,
    ${boundedLock} as bounded
  from agency_revisions where agency_id = $1 for no key update`)

/** @returns the lock, the rows of `first`, and a function that gives the statements collected for the commit */
async function lock<First extends NamedStatements = {}>(
  tx: Tx,
  agencyId: string,
  clock: Clock,
  { first, willCommit = () => true }: LockOptions<First> = {},
): Promise<{ locked: Locked; rows: NamedRows<First>; collected: () => Statement[] }> {
  const own = { blockedMove: blockMove(tx, agencyId), agency: lockRow.with([agencyId, clock.offsetMs]) }
  // Model idempotency-key: lock
  const rows = (await runNamed(tx, { ...own, ...first })) as NamedRows<typeof own> & NamedRows<First>
  const [row] = rows.agency
  if (row === undefined) throw new Error(`agency ${agencyId} has no revision`)
  const collected: (() => readonly Statement[])[] = []
  const locked: Locked = {
    tx,
    agencyId,
    revisions: revisionsFrom(row),
    at: row.at,
    isTest: row.is_test,
    atCommit: (statements) => void collected.push(statements),
    willCommit,
  }
  return {
    locked,
    rows,
    collected: () => collected.flatMap((statements) => statements()),
  }
}
