/** SQL as values: a text with its parameters, to be run alone or together with others. */
import { createHash } from 'node:crypto'

/** A statement as the driver takes it. One with a name is parsed and planned once a connection. */
export type Statement<Row = unknown> = {
  text: string
  values: unknown[]
  name?: string
  /** Only the type of its rows. */
  readonly row?: Row
}

/** What runs statements: the pool, a transaction, or the reader that prefers a replica. */
export type Executor = { run<Row>(statement: Statement<Row>): Promise<Row[]> }

/** Runs the statement it was declared with. `with` gives the statement as a value, for `runAll`. */
type Declared<Row> = {
  (db: Executor, values: readonly unknown[]): Promise<Row[]>
  with(values: readonly unknown[]): Statement<Row>
}

/** Declares a hot statement: it has a name, and every connection that ran it keeps its plan. */
export function hotStatement<Row>(text: string): Declared<Row> {
  const name = nameOf(text)
  const withValues = (values: readonly unknown[]): Statement<Row> => ({
    name,
    text,
    values: values as unknown[],
  })
  const run = (db: Executor, values: readonly unknown[]): Promise<Row[]> => db.run(withValues(values))
  return Object.assign(run, { with: withValues })
}

/**
 * Declares a hot statement that takes next to no time: it reads or writes a few rows by key and waits for no lock that is held for
 * long. Outside transactions it shares a connection with others.
 */
export function shortStatement<Row>(text: string): Declared<Row> {
  const hot = hotStatement<Row>(text)
  const run = (db: Executor & Partial<SharingExecutor>, values: readonly unknown[]): Promise<Row[]> =>
    db.runShared === undefined ? hot(db, values) : db.runShared(hot.with(values))
  return Object.assign(run, { with: hot.with })
}

/** A pool that has connections for short statements. */
export type SharingExecutor = { runShared<Row>(statement: Statement<Row>): Promise<Row[]> }

/** Names are the same in every process: a pooler's connections outlive them. */
export function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32)
}

/**
 * SQL of a column for statements that take a lock others wait for. A process that freezes or loses its network inside the transaction
 * loses its connection, and with it the lock; those who wait give up well before (55P03, answered 503). Both settings end with the
 * transaction, and hold for the very statement.
 */
export const boundedLock = `set_config('idle_in_transaction_session_timeout', '20s', true) || set_config('lock_timeout', '4s', true)`
