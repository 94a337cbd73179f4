/** One connection to PostgreSQL: runs statements, several at once where it is pipelined, and transactions. */
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import pg from 'pg'
import type { Presence } from './presence.ts'
import type { Statement } from './statement.ts'
import type { DB } from './types.ts'

/** An open transaction. Inside one, only this is used. */
export type Tx = Kysely<DB> & Pick<Connection, 'run' | 'runAll' | 'commit'>

/** The rows of each statement, in their order. */
export type RowsOf<Statements extends readonly Statement[]> = {
  [Index in keyof Statements]: Statements[Index] extends Statement<infer Row> ? Row[] : never
}

/** Hears of every statement that is sent. @returns a function that hears its error, or null, once it was answered */
type Observer = (text: string) => (error: unknown) => void

let observe: Observer | null = null

/** @returns a function that ends it */
export function observeStatements(observer: Observer): () => void {
  observe = observer
  return () => {
    observe = null
  }
}

/** Refused because an earlier statement of the transaction had failed. */
const inFailedTransaction = '25P02'
const ignore = (): void => {}

export class Connection implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #presence: Presence
  /** Sends statements without waiting for the answers of those before, and named ones by name: not so behind a pooler. */
  readonly #isPipelined: boolean
  /** Where the transaction is. `begin` leaves with its first statement. */
  #transaction: 'none' | 'to begin' | 'open' = 'none'
  #committed: Promise<pg.QueryResult> | null = null
  #isSpoiled = false
  #tx: Tx | null = null

  constructor(client: pg.PoolClient, presence: Presence, isPipelined: boolean) {
    this.#client = client
    this.#presence = presence
    this.#isPipelined = isPipelined
  }

  /** Runs a statement. @throws what the database has against it */
  async run<Row>(statement: Statement<Row>): Promise<Row[]> {
    const [rows] = await this.runAll([statement])
    return rows
  }

  /** Runs a statement without a name, as Kysely does. */
  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not used here')
    return this.#answers([{ text, values: [...values] }]).then(([answer]) => answer)
  }

  /**
   * Runs statements in order. On a pipelined connection they leave together: in a transaction none runs after one that failed.
   * @throws the error of the first that failed
   */
  async runAll<const Statements extends readonly Statement[]>(
    statements: Statements,
  ): Promise<RowsOf<Statements>> {
    const answers = await this.#answers(statements)
    return answers.map(({ rows }) => rows) as RowsOf<Statements>
  }

  /** Begins a transaction. */
  async begin(): Promise<void> {
    this.#committed = null
    this.#transaction = 'to begin'
  }

  /** Runs the statements and commits, all in one packet. Does nothing where the transaction was committed already. */
  async commit(statements: readonly Statement[] = []): Promise<void> {
    if (this.#transaction === 'to begin' && statements.length === 0) this.#transaction = 'none'
    if (this.#transaction === 'none') return
    if (!this.#isPipelined) await this.#answers(statements)
    const ran = this.#isPipelined
      ? this.#sendAll([...this.#beginning(), ...statements, 'commit'])
      : [this.#send('commit')]
    this.#transaction = 'none'
    this.#committed = ran.at(-1) ?? null
    const { command } = (await Promise.all(ran)).at(-1) as pg.QueryResult
    // After a failed statement, whoever caught its error, a commit rolls back and succeeds.
    if (command === 'ROLLBACK') throw new Error('the transaction had failed, and was rolled back')
  }

  /** Rolls back, unless a commit was sent. Never throws: a lost connection loses its transaction too. */
  async rollback(): Promise<void> {
    if (this.#transaction === 'open') this.#committed = this.#send('rollback')
    this.#transaction = 'none'
    await this.#committed?.catch(ignore)
  }

  /** Gives the connection back to its pool. */
  release(isBroken = false): void {
    this.#client.release(isBroken || this.#isSpoiled)
  }

  /** What its transactions are to the code that runs in them. */
  get tx(): Tx {
    this.#tx ??= Object.assign(new Kysely<DB>({ dialect: new PostgresDialect({ pool: this.#asPool() }) }), {
      run: this.run.bind(this),
      runAll: this.runAll.bind(this),
      commit: this.commit.bind(this),
    })
    return this.#tx
  }

  /** Kysely gives back a connection after every statement; this one is kept. */
  #asPool() {
    const kept: PostgresPoolClient = { query: this.query.bind(this), release: () => {} }
    return { options: {}, connect: async () => kept, end: async () => {} }
  }

  async #answers(statements: readonly Statement[]): Promise<pg.QueryResult[]> {
    const first = this.#beginning()
    const all = [...first, ...statements]
    if (this.#isPipelined) return (await Promise.all(this.#sendAll(all))).slice(first.length)
    const answers: pg.QueryResult[] = []
    for (const one of all) answers.push(await this.#send(one))
    return answers.slice(first.length)
  }

  /** What the next statement is preceded by. */
  #beginning(): readonly string[] {
    if (this.#transaction !== 'to begin') return []
    this.#transaction = 'open'
    return ['begin']
  }

  /** In one packet: each packet costs both sides more than a small statement does. */
  #sendAll(statements: readonly (Statement | string)[]): Promise<pg.QueryResult>[] {
    const { stream } = this.#client.connection
    stream.cork()
    try {
      return statements.map((one) => this.#send(one))
    } finally {
      stream.uncork()
    }
  }

  #send(statement: Statement | string): Promise<pg.QueryResult> {
    const text = typeof statement === 'string' ? statement : statement.text
    const heard = this.#presence.watchStatement()
    const observed = observe?.(text)
    const isUnnamed = !this.#isPipelined && typeof statement !== 'string'
    return this.#client.query(isUnnamed ? { text, values: statement.values } : statement).then(
      (result) => {
        heard(null)
        observed?.(null)
        return result
      },
      (error: Error) => {
        heard(error)
        observed?.(error)
        // A pooler that keeps names takes a second attempt to parse this one for another statement, and cuts the connection.
        if (error instanceof pg.DatabaseError && error.code === inFailedTransaction) this.#isSpoiled = true
        throw Object.assign(error, { statement: text.replaceAll(/\s+/g, ' ').trim().slice(0, 120) })
      },
    )
  }
}
