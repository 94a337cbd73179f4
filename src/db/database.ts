/**
 * The way to PostgreSQL: Kysely over a pg pool. Rows are what the API shows: `timestamptz` arrives as an ISO 8601
 * string in UTC with milliseconds, `numeric` and `bigint` as numbers.
 */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresCursor,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type QueryResult,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { queryByName } from './named-query.ts'
import { type Presence, type PresenceTimes, watchPresence } from './presence.ts'
import { type SharedConnections, shareConnections } from './shared-connections.ts'
import { letTransact, runStraight } from './transactions.ts'
import type { DB } from './types.ts'
import { rowTypes } from './values.ts'

/** The pool. */
export type Db = Kysely<DB>
/** An open transaction. Inside one, only this is used. */
export type Tx = Transaction<DB>
/** What runs statements: the pool, a transaction, or what chooses between two databases. */
export type Executor = { executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> }

/** Texts that are sent as named prepared statements, with their names. */
const statementNames = new Map<string, string>()

/**
 * Declares a hot statement: parsed and planned once per connection, then sent by name.
 * @returns a function that runs it with positional parameters and gives its rows.
 */
export function hotStatement<Row>(
  text: string,
): (db: Executor, parameters: readonly unknown[]) => Promise<Row[]> {
  statementNames.set(text, nameOf(text))
  return async (db, parameters) => {
    const result =
      (await runStraight(db, text, parameters)) ??
      (await db.executeQuery(CompiledQuery.raw(text, [...parameters])))
    return result.rows as Row[]
  }
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32)
}

/** Lets a statement made from another be hot if that is. @returns whether it is */
export function nameAlike(text: string, made: string): boolean {
  const isHot = statementNames.has(text)
  if (isHot) statementNames.set(made, nameOf(made))
  return isHot
}

/** Texts that are sent without waiting for their answer. */
const ahead = new Set(['begin'])

/** A statement that is on its way. */
export type Sent<Row> = {
  /** Waits for its rows. */
  rows(): Promise<Row[]>
}

/**
 * Declares a hot statement of transactions that is sent ahead: it resolves at once, the next statement is sent right behind it in the
 * same packet and runs after it. If it fails, so does the next that is waited for, with its error: `commit` at the latest.
 */
export function aheadStatement<Row>(
  text: string,
): (tx: Tx, parameters: readonly unknown[]) => Promise<Sent<Row>> {
  const statement = hotStatement<Row | Sent<Row>>(text)
  ahead.add(text)
  return async (tx, parameters) => {
    const rows = await statement(tx, parameters)
    // Behind a pooler it was waited for.
    return rows[0] instanceof SentAhead ? (rows[0] as Sent<Row>) : { rows: async () => rows as Row[] }
  }
}

class SentAhead {
  readonly rows: () => Promise<unknown[]>
  constructor(rows: () => Promise<unknown[]>) {
    this.rows = rows
  }
}

/**
 * SQL of a column for statements that take a lock others wait for: a process that stops in the middle of the transaction, frozen
 * or cut off, loses its connection and with it the lock; and whoever waits gives up well before, so that such a one does not hold up
 * everybody's connections (55P03, answered 503). Both last as long as the transaction, and count for the very statement.
 */
export const boundedLock = `set_config('idle_in_transaction_session_timeout', '20s', true) || set_config('lock_timeout', '4s', true)`

/** The connections for short statements, by pool; none behind a pooler. */
const sharedConnections = new WeakMap<Executor, SharedConnections>()
const sharedCount = 2

/**
 * Declares a hot statement that takes next to no time: finds or writes a row or a few by their key, waits for no lock that is
 * held for long. Outside transactions it shares a connection with others.
 */
export function shortStatement<Row>(
  text: string,
): (db: Executor, parameters: readonly unknown[]) => Promise<Row[]> {
  const onItsOwn = hotStatement<Row>(text)
  const name = statementNames.get(text) as string
  return async (db, parameters) => {
    const shared = sharedConnections.get(db)
    if (shared === undefined) return onItsOwn(db, parameters)
    return (await shared.run(name, text, parameters)) as Row[]
  }
}

/** The pool as Kysely uses it, with clients that send the hot statements by name; behind a pooler without names. */
function watchedPool(pool: pg.Pool, presence: Presence, shared: SharedConnections | null): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    async end() {
      presence.end()
      await Promise.all([pool.end(), shared?.end()])
    },
    async connect() {
      const client = await presence.connect(pool)
      // The two differ in what they know of cursors, which are not used here.
      if (shared === null) return client as unknown as PostgresPoolClient
      const known = clients.get(client) ?? namingClient(client)
      clients.set(client, known)
      return known
    },
  }
}

function namingClient(client: pg.PoolClient): PostgresPoolClient {
  /** Those whose answers nobody has waited for yet. */
  let before: Promise<unknown>[] = []
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  /** Whether they are held back, to leave with the next statement in one packet. */
  let isHeld = false
  const letGo = (): void => {
    if (isHeld) stream.uncork()
    isHeld = false
  }

  /** Whether a statement was not even parsed, because one before it had failed. */
  let isSpoiled = false
  const noteRefusal = (error: unknown): void => {
    // It would be sent again under its name; a PgBouncer that keeps names takes that for a second one, and cuts the connection.
    if (sqlState(error) === '25P02') isSpoiled = true
  }

  async function send(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const isAhead = ahead.has(text)
    if (isAhead && !isHeld) {
      isHeld = true
      stream.cork()
    }
    const name = statementNames.get(text)
    const answer =
      name === undefined ? client.query(text, [...values]) : queryByName(client, name, text, values)
    if (name !== undefined) answer.catch(noteRefusal)
    if (isAhead) {
      answer.catch(() => {})
      before.push(answer)
      const upToThis = [...before]
      const rows = async () => {
        letGo()
        // One before it that failed says why this one did.
        await Promise.all(upToThis)
        return (await answer).rows as unknown[]
      }
      return { command: '', rowCount: null, oid: 0, fields: [], rows: [new SentAhead(rows)] }
    }
    letGo()
    const earlier = before
    before = []
    // What failed before it does not matter to a statement that takes it back.
    if (earlier.length === 0 || text.startsWith('rollback')) return answer
    // The first of them to fail says why; the others, which fail in the same moment, say only that it has.
    await Promise.all([...earlier, answer])
    return answer
  }

  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not used here')
    return send(text, values)
  }
  return { query, release: () => client.release(isSpoiled) }
}

export type DatabaseOptions = {
  /** A `postgres://` address, or host (also a socket directory), user and database. */
  connection: pg.ClientConfig
  /** Connections at most, beside two that short statements share. */
  poolSize: number
  /** False behind a pooler that cannot keep prepared statements. */
  namedStatements?: boolean
  /** Told of connections that broke while idle; the pool replaces them. */
  onIdleError?: (error: Error) => void
  /** Told that the database went away, and that it is back. */
  onPresence?: (isAway: boolean) => void
  /** Other waits than the usual ones before it counts as away. */
  presence?: PresenceTimes
}

const openPools = new Set<pg.Pool>()
/** Who knows whether the database is there, by pool. */
const presences = new WeakMap<Db, Presence>()

/** Whether the database went away, as far as the statements of this pool have noticed. */
export function isAway(db: Db): boolean {
  return presences.get(db)?.isAway() ?? false
}

/** How many connections the pools of this process have, and who waits for one. */
export function poolFigures(): { open: number; idle: number; waiting: number } {
  const sum = { open: 0, idle: 0, waiting: 0 }
  for (const pool of openPools) {
    if (pool.ended) openPools.delete(pool)
    sum.open += pool.totalCount
    sum.idle += pool.idleCount
    sum.waiting += pool.waitingCount
  }
  return sum
}

/** Opens the pool. `db.destroy()` closes it. */
export function openDatabase(options: DatabaseOptions): Db {
  const presence = watchPresence(options.connection, options.onPresence, options.presence)
  const config: pg.PoolConfig = {
    ...options.connection,
    Client: presence.Client,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    types: rowTypes,
  }
  const isPooled = options.namedStatements === false
  const pool = new pg.Pool({ ...config, pipeline: !isPooled })
  openPools.add(pool)
  pool.on('error', (error) => options.onIdleError?.(error))
  // One that breaks between two statements of a transaction says so to nobody else; the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  const shared = isPooled ? null : shareConnections(config, sharedCount, presence)
  const watched = watchedPool(pool, presence, shared)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: watched }) })
  letTransact(db, watched)
  if (shared !== null) sharedConnections.set(db, shared)
  presences.set(db, presence)
  return db
}

/** PostgreSQL's code of the error, or null for one that is not PostgreSQL's. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

/** The unique or check constraint that PostgreSQL says was violated, or null. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError)) return null
  return error.code === '23505' || error.code === '23514' ? (error.constraint ?? null) : null
}
