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
  /** `begin`, until its answer was waited for. */
  #begun: Promise<unknown> | null = null
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
    return (await this.#answerTo(this.#named(statement))).rows as Row[]
  }

  /** Runs a statement without a name, as Kysely does. */
  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not used here')
    return this.#answerTo({ text, values: [...values] })
  }

  /**
   * Runs statements in order. On a pipelined connection they leave together: in a transaction none runs after one that failed.
   * @throws the error of the first that failed
   */
  async runAll<const Statements extends readonly Statement[]>(
    statements: Statements,
  ): Promise<RowsOf<Statements>> {
    const results: pg.QueryResult[] = []
    if (this.#isPipelined) {
      const [, ...all] = await Promise.all([this.#takeBegun(), ...statements.map((one) => this.#send(one))])
      results.push(...all)
    } else for (const statement of statements) results.push(await this.#send(this.#named(statement)))
    return results.map(({ rows }) => rows) as RowsOf<Statements>
  }

  /** Begins a transaction. On a pipelined connection the answer is waited for with that of the next statement. */
  async begin(): Promise<void> {
    this.#committed = null
    const begun = this.#send('begin')
    if (!this.#isPipelined) return void (await begun)
    begun.catch(ignore)
    this.#begun = begun
  }

  /** Runs the statements and commits, all in one packet. Does nothing where the transaction was committed already. */
  async commit(statements: readonly Statement[] = []): Promise<void> {
    if (this.#committed !== null) return
    if (!this.#isPipelined) await this.runAll(statements)
    const ran = this.#isPipelined ? this.runAll(statements) : null
    this.#committed = this.#send('commit')
    const [, { command }] = await Promise.all([ran, this.#committed])
    // After a failed statement, whoever caught its error, a commit rolls back and succeeds.
    if (command === 'ROLLBACK') throw new Error('the transaction had failed, and was rolled back')
  }

  /** Rolls back, unless a commit was sent. Never throws: a lost connection loses its transaction too. */
  async rollback(): Promise<void> {
    await (this.#committed ?? this.#send('rollback')).catch(ignore)
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

  async #answerTo(statement: Statement): Promise<pg.QueryResult> {
    const answer = this.#send(statement)
    const begun = this.#takeBegun()
    if (begun !== null) await Promise.all([begun, answer])
    return answer
  }

  #takeBegun(): Promise<unknown> | null {
    const begun = this.#begun
    this.#begun = null
    return begun
  }

  #named({ text, values, name }: Statement): Statement {
    return this.#isPipelined && name !== undefined ? { text, values, name } : { text, values }
  }

  #send(statement: Statement | string): Promise<pg.QueryResult> {
    const text = typeof statement === 'string' ? statement : statement.text
    const heard = observe?.(text)
    const answer = this.#presence.waitFor(this.#client.query(statement))
    if (heard !== undefined) answer.then(() => heard(null), heard)
    return answer.catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === inFailedTransaction) {
        // A pooler that keeps names takes a second attempt to parse this one for another statement, and cuts the connection.
        this.#isSpoiled = true
      }
      throw Object.assign(error as Error, { statement: text.replaceAll(/\s+/g, ' ').trim().slice(0, 120) })
    })
  }
}
