/**
 * The way to PostgreSQL: Kysely over a pg pool. Rows are what the API shows: `timestamptz` arrives as an ISO 8601
 * string in UTC with milliseconds, `numeric` and `bigint` as numbers.
 */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Connection } from './connection.ts'
import { type PresenceTimes, watchPresence } from './presence.ts'
import { shareConnections } from './shared-connections.ts'
import type { Executor, SharingExecutor, Statement } from './statement.ts'
import type { DB } from './types.ts'
import { rowTypes } from './values.ts'

/** The pool. */
export type Db = Kysely<DB> &
  Executor &
  Partial<SharingExecutor> & {
    /** Waits for a connection. Whoever has it releases it. */
    connect(): Promise<Connection>
    /** Whether the database went away, as far as the statements of this pool have noticed. */
    isAway(): boolean
  }

const sharedCount = 2

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
  const isPipelined = options.namedStatements !== false
  const config: pg.PoolConfig = {
    ...options.connection,
    ...presence.settings,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    types: rowTypes,
    pipeline: isPipelined,
  }
  const pool = new pg.Pool(config)
  openPools.add(pool)
  presence.watch(pool)
  pool.on('error', (error) => options.onIdleError?.(error))
  // A connection that breaks between two statements fails the next one.
  pool.on('connect', (client) => client.on('error', () => {}))
  const shared = isPipelined ? shareConnections(config, sharedCount, presence) : null

  const connections = new WeakMap<pg.PoolClient, Connection>()
  const connect = async (): Promise<Connection> => {
    const client = await presence.connect(pool)
    const connection = connections.get(client) ?? new Connection(client, presence, isPipelined)
    connections.set(client, connection)
    return connection
  }
  const forKysely = {
    options: pool.options,
    connect,
    async end() {
      presence.end()
      await Promise.all([pool.end(), shared?.end()])
    },
  }
  return Object.assign(new Kysely<DB>({ dialect: new PostgresDialect({ pool: forKysely }) }), {
    connect,
    isAway: presence.isAway,
    async run<Row>(statement: Statement<Row>): Promise<Row[]> {
      const connection = await connect()
      try {
        return await connection.run(statement)
      } finally {
        connection.release()
      }
    },
    ...(shared === null ? {} : { runShared: shared.runShared }),
  })
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
