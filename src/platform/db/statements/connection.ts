/** One connection to PostgreSQL. Runs statements and transactions; if pipelined, several statements in one packet. */
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import pg from 'pg'
import type { Presence } from '../presence/presence.ts'
import type { Statement } from './statement.ts'
import type { StuckStatements } from '../presence/stuck-statements.ts'
import type { DB } from '../types.ts'

/** An open transaction. Code inside it uses only this, never the pool. */
export type Tx = Kysely<DB> & Pick<Connection, 'run' | 'runAll' | 'commit' | 'rollback' | 'isDistributed'>

/** The rows of each statement, in the statements' order. */
type RowsOf<Statements extends readonly Statement[]> = {
  [Index in keyof Statements]: Statements[Index] extends Statement<infer Row> ? Row[] : never
}

/** `log` is called for each statement that takes at least `ms`, with its duration in milliseconds and the start of its text. */
export type Slow = Readonly<{ ms: number; log: (ms: number, text: string) => void }>

export type ConnectionOptions = Readonly<{
  /** Whether to send statements without waiting for earlier results, and to use prepared names. False behind a pooler. */
  isPipelined: boolean
  /** Whether it leads to a node of Citus. */
  isDistributed?: boolean
  slow?: Slow | null
  stuck?: StuckStatements | null
}>

/** Called for each statement sent. @returns a function to call with the statement's error, or null on success */
type Observer = (text: string) => (error: unknown) => void

let observe: Observer | null = null

/** Calls `observer` for every statement of this process. @returns a function that stops it */
export function observeStatements(observer: Observer): () => void {
  const before = observe
  observe = observer
  return () => {
    observe = before
  }
}

/** PostgreSQL's code for a statement after a failed one in the same transaction. */
const inFailedTransaction = '25P02'
const ignore = (): void => {}

export class Connection implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #presence: Pick<Presence, 'watchStatement'>
  readonly #options: ConnectionOptions
  /** `begin` is sent before the transaction's first statement; until then it is `to begin`. */
  #transaction: 'none' | 'to begin' | 'open' = 'none'
  /** The commit or rollback sent last. */
  #ended: Promise<pg.QueryResult> | null = null
  #isSpoiled = false
  #tx: Tx | null = null

  constructor(client: pg.PoolClient, presence: Pick<Presence, 'watchStatement'>, options: ConnectionOptions) {
    this.#client = client
    this.#presence = presence
    this.#options = options
  }

  get isDistributed(): boolean {
    return this.#options.isDistributed === true
  }

  /** Begins a COPY. The connection does nothing else until its stream has ended. @returns the stream */
  copy<Stream extends pg.Submittable>(stream: Stream): Stream {
    return this.#client.query(stream)
  }

  /** Runs a statement. @throws the database's error, with `statement` set to the start of the text */
  async run<Row>(statement: Statement<Row>): Promise<Row[]> {
    await this.#begun()
    const [rows] = await this.runAll([statement])
    return rows
  }

  /** Runs an unnamed statement. Kysely calls it. */
  query<R>(text: string, values?: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not used here')
    return this.#runBuilt({ text, values: [...values] })
  }

  async #runBuilt(statement: Statement): Promise<pg.QueryResult | undefined> {
    await this.#begun()
    const [result] = await this.#results([statement])
    return result
  }

  /**
   * Runs statements in order; on a pipelined connection, in one packet. In a transaction, none runs after one that failed. A list that
   * begins a transaction only locks, reads or claims (see `#begun`).
   * @throws the error of the first that failed
   */
  async runAll<const Statements extends readonly Statement[]>(
    statements: Statements,
  ): Promise<RowsOf<Statements>> {
    const results = await this.#results(statements)
    return results.map(({ rows }) => rows) as RowsOf<Statements>
  }

  /** Runs `work` in a transaction and commits. @throws the error of `work` or of the database, after a rollback */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      await this.begin()
      const result = await work(this.tx)
      await this.commit()
      return result
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  /** Begins a transaction; sends nothing yet. */
  async begin(): Promise<void> {
    this.#ended = null
    this.#transaction = 'to begin'
  }

  /** Runs the statements and commits, in one packet if pipelined. Does nothing if the transaction is committed already. */
  async commit(statements: readonly Statement[] = []): Promise<void> {
    if (this.#transaction === 'to begin' && statements.length === 0) this.#transaction = 'none'
    if (this.#transaction === 'none') return
    const { isPipelined } = this.#options
    if (!isPipelined) await this.#results(statements)
    const sent = isPipelined
      ? this.#sendAll([...this.#takeBegin(), ...statements, 'commit'])
      : [this.#send('commit')]
    this.#transaction = 'none'
    this.#ended = sent.at(-1) ?? null
    const { command } = (await Promise.all(sent)).at(-1) as pg.QueryResult
    // After a failed statement whose error was caught, `commit` succeeds but rolls back.
    if (command === 'ROLLBACK') throw new Error('the transaction had failed, and was rolled back')
  }

  /** Rolls back unless a commit was sent, and waits for the end of either. Never throws: a lost connection ends its transaction. */
  async rollback(): Promise<void> {
    if (this.#transaction === 'open') this.#ended = this.#send('rollback')
    this.#transaction = 'none'
    await this.#ended?.catch(ignore)
  }

  /** Returns the connection to its pool; closes it if `isBroken`, or if a late cancellation kept its transaction from ending. */
  release(isBroken = false): void {
    const isInTransaction = this.#client.getTransactionStatus() !== 'I'
    this.#client.release(isBroken || this.#isSpoiled || isInTransaction)
  }

  /** The connection as code inside a transaction sees it. */
  get tx(): Tx {
    this.#tx ??= Object.assign(new Kysely<DB>({ dialect: new PostgresDialect({ pool: this.#asPool() }) }), {
      run: this.run.bind(this),
      runAll: this.runAll.bind(this),
      commit: this.commit.bind(this),
      rollback: this.rollback.bind(this),
      isDistributed: this.isDistributed,
    })
    return this.#tx
  }

  /** A pool of this one connection. Kysely releases after every statement, which does nothing here. */
  #asPool() {
    const own: PostgresPoolClient = { query: this.query.bind(this), release: () => {} }
    return { options: {}, connect: async () => own, end: async () => {} }
  }

  /**
   * Sends `begin` if a transaction is to begin, and waits for it. A late cancellation can reject `begin` alone, and statements in its
   * packet then commit on their own.
   */
  async #begun(): Promise<void> {
    if (this.#transaction === 'to begin') await this.#results([])
  }

  async #results(statements: readonly Statement[]): Promise<pg.QueryResult[]> {
    const first = this.#takeBegin()
    const all = [...first, ...statements]
    if (this.#options.isPipelined) return (await Promise.all(this.#sendAll(all))).slice(first.length)
    const results: pg.QueryResult[] = []
    for (const one of all) results.push(await this.#send(one))
    return results.slice(first.length)
  }

  /** `begin` before the first statement of a transaction. */
  #takeBegin(): readonly string[] {
    if (this.#transaction !== 'to begin') return []
    this.#transaction = 'open'
    return ['begin']
  }

  /**
   * Sends in one packet, with everything else sent on this connection in the same tick: a packet costs both sides more than a small
   * statement does.
   */
  #sendAll(statements: readonly (Statement | string)[]): Promise<pg.QueryResult>[] {
    const { stream } = this.#client.connection
    stream.cork()
    try {
      return statements.map((one) => this.#send(one))
    } finally {
      process.nextTick(() => stream.uncork())
    }
  }

  #send(statement: Statement | string): Promise<pg.QueryResult> {
    const text = typeof statement === 'string' ? statement : statement.text
    const { isPipelined, slow, stuck } = this.#options
    const settle = this.#presence.watchStatement()
    const end = stuck?.begin(this.#client)
    const endObserving = observe?.(text)
    const sentAt = slow == null ? 0 : performance.now()
    const isUnnamed = !isPipelined && typeof statement !== 'string'
    // By callback: behind the driver's promises, statements and their rows stay in memory until the next full collection.
    return new Promise((resolve, reject) => {
      this.#client.query(
        isUnnamed ? { text, values: statement.values } : statement,
        (error: Error | null, result) => {
          settle(error)
          end?.()
          endObserving?.(error)
          if (slow != null) logIfSlow(slow, sentAt, text)
          if (error === null) return resolve(result)
          if (error instanceof pg.DatabaseError && spoils(error)) this.#isSpoiled = true
          reject(Object.assign(error, { statement: startOf(text) }))
        },
      )
    })
  }
}

/**
 * Whether the connection must not be used again. After 25P02 the statement was never parsed, but a pooler that tracks names may believe it
 * was, and closes the connection on a second parse. After FATAL it ends, which a pooler may report slightly later.
 */
function spoils({ code, severity }: pg.DatabaseError): boolean {
  return code === inFailedTransaction || severity === 'FATAL'
}

function logIfSlow(slow: Slow, sentAt: number, text: string): void {
  const ms = performance.now() - sentAt
  if (ms >= slow.ms) slow.log(ms, startOf(text))
}

function startOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 120)
}
