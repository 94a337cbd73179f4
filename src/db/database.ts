/**
 * The way to PostgreSQL: Kysely over a pg pool. Rows are what the API shows: `timestamptz` arrives as an ISO 8601
 * string in UTC with milliseconds, `numeric` and `bigint` as numbers.
 */
import { createHash } from 'node:crypto'
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryResult,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { namingClient, type Sent, SentAhead } from './naming-client.ts'
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

/** Texts that wait for the next statement, to leave with it. */
const ahead = new Set<string>()

// A transaction begins with its first statement and commits with its last.
for (const text of ['begin', 'commit']) statementNames.set(text, nameOf(text))
ahead.add('begin')

/**
 * Declares a hot statement of transactions that is sent ahead: it resolves at once, leaves with the next statement in one packet
 * and runs before it. If it fails, so does the next that is waited for, with its error: `commit` at the latest.
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
      const known =
        clients.get(client) ??
        namingClient(
          client,
          (text) => statementNames.get(text),
          (text) => ahead.has(text),
        )
      clients.set(client, known)
      return known
    },
  }
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
    ...presence.clients,
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
  presence.watch(pool)
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
