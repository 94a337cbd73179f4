/** SQL statements as values, text and parameters, to run alone or in a list. */
import { createHash } from 'node:crypto'

/** A statement as the driver takes it. A named one is parsed and planned once per connection. */
export type Statement<Row = unknown> = {
  text: string
  values: unknown[]
  name?: string
  /** Never set; carries the row type. */
  readonly row?: Row
}

/** Runs statements: the pool, a transaction, or `readFrom` (replica.ts). */
export type Executor = { run<Row>(statement: Statement<Row>): Promise<Row[]> }

/** A function that runs its statement. `with` returns the statement as a value, for `runAll`. */
type Declared<Row> = {
  (db: Executor, values: readonly unknown[]): Promise<Row[]>
  with(values: readonly unknown[]): Statement<Row>
}

/** `plain`: on plain PostgreSQL only; on Citus another statement runs instead. Only due.ts uses it. */
type RunsOn = 'both' | 'plain'

/** The texts of all declared statements so far. A test checks that Citus accepts all that run on both. */
export const declaredTexts = new Map<string, RunsOn>()

/** Declares a statement. Call it while the file is loaded. The statement is named, so every connection keeps its plan. */
export function statement<Row>(text: string, runsOn: RunsOn = 'both'): Declared<Row> {
  declaredTexts.set(text, runsOn)
  return prepared(text)
}

/** A statement assembled at run time from constants. It is named too, so callers bound how many there can be. */
export function prepared<Row>(text: string): Declared<Row> {
  const name = nameOf(text)
  const withValues = (values: readonly unknown[]): Statement<Row> => ({
    name,
    text,
    values: values as unknown[],
  })
  const run = (db: Executor, values: readonly unknown[]): Promise<Row[]> => db.run(withValues(values))
  return Object.assign(run, { with: withValues })
}

/** A statement that is not declared, and so not prepared: its text is made at run time, or it changes the schema or the session. */
export function oneOff<Row>(text: string, values: readonly unknown[] = []): Statement<Row> {
  return { text, values: values as unknown[] }
}

/**
 * Declares a statement that takes almost no time: it reads or writes a few rows by key and never waits for a lock that is held for
 * long. Outside transactions it runs on a shared connection (database.ts).
 */
export function shortStatement<Row>(text: string): Declared<Row> {
  const declared = statement<Row>(text)
  const run = (db: Executor & Partial<SharingExecutor>, values: readonly unknown[]): Promise<Row[]> =>
    db.runShared === undefined ? declared(db, values) : db.runShared(declared.with(values))
  return Object.assign(run, { with: declared.with })
}

export type SharingExecutor = {
  /** Runs a short statement on a shared connection. */
  runShared<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Runs a statement for a page on a shared connection of the pool. */
  runPage<Row>(statement: Statement<Row>): Promise<Row[]>
}

/**
 * Runs a statement that reads a page of rows in the order of an index, which takes about a millisecond whatever the agency's size. Two
 * busy connections cost the database a sixth less than ten. Short statements do not wait for pages, because they have connections of
 * their own.
 */
export function runPage<Row>(db: Executor & Partial<SharingExecutor>, statement: Statement<Row>) {
  return db.runPage === undefined ? db.run(statement) : db.runPage(statement)
}

/** A name that is the same in every process, because a pooler's connections outlive processes. */
export function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32)
}

/** How long a write waits for a lock. PostgreSQL takes two locks on a row that others wait for: a place in the queue, then the row. */
export const lockWaitMs = 4_000

/**
 * SQL for a column in a statement that waits for a lock: it gives up after `lockWaitMs` (55P03, a 503). Ends with the transaction.
 */
export const boundedWait = `set_config('lock_timeout', '${lockWaitMs}ms', true)`

/**
 * SQL for a column in statements that take a contended lock. If the process freezes or loses its network inside the transaction,
 * PostgreSQL closes the connection after 20 s, which frees the lock. Waiting statements give up well before. Both settings end with the
 * transaction and already apply to the statement that has the column.
 */
export const boundedLock = `set_config('idle_in_transaction_session_timeout', '20s', true) || ${boundedWait}`
