/**
 * Opens the pool to PostgreSQL: Kysely over pg. Rows arrive as the API shows them: `timestamptz` as an ISO 8601 string in UTC with
 * milliseconds, `numeric` and `bigint` as numbers.
 */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Connection, type Slow } from './connection.ts'
import { type PresenceTimes, watchPresence } from './presence.ts'
import { shareConnections } from './shared-connections.ts'
import type { Executor, SharingExecutor, Statement } from './statement.ts'
import type { StuckStatements } from './stuck-statements.ts'
import type { DB } from './types.ts'
import { rowTypes } from './values.ts'

export type Db = Kysely<DB> &
  Executor &
  Partial<SharingExecutor> & {
    /** Waits for a connection. The caller releases it. */
    connect(): Promise<Connection>
    /** Whether the database is away (presence.ts). */
    isAway(): boolean
    /** Whether Citus spreads the agencies over nodes (cluster.ts). */
    isDistributed: boolean
    /** Runs statements about what every node has: the agencies, their keys. Goes on while one of the nodes is there. */
    anywhere: Executor
    /** The database of an agency's rows: the node that holds them, or this one. */
    at(agencyId: string): Promise<Db>
    /** All databases that hold rows of agencies: the coordinator knows each node, others themselves alone. */
    nodes(): Promise<readonly Db[]>
  }

/** Connections that short statements share, and those of the pool that pages share. */
const sharedCount = 2

export type DatabaseOptions = {
  /** A `postgres://` URL, or host (or socket directory), user and database. */
  connection: pg.ClientConfig
  /** Maximum connections, beside the two that short statements share. */
  poolSize: number
  /** False behind a pooler that cannot keep prepared statements. */
  namedStatements?: boolean
  /** Whether short statements, which write nothing but counters, commit asynchronously. */
  countsLater?: boolean
  /** Whether Citus spreads the agencies over nodes, of which this is one. */
  isDistributed?: boolean
  /** Called when an idle connection breaks; the pool replaces it. */
  onIdleError?: (error: Error, node?: string) => void
  /** Called when the database goes away and when it is back. `node`: the host and port of a node of Citus. */
  onPresence?: (isAway: boolean, node?: string) => void
  /** Told of slow statements outside of shared connections; on Citus, of those that the coordinator runs. */
  slow?: Slow
  /** On Citus's coordinator: ends statements that wait for a node that is away. */
  stuck?: StuckStatements
  /** Overrides the timeouts after which the database counts as away. */
  presence?: PresenceTimes
}

const openPools = new Set<pg.Pool>()

/** Connections of this process's pools, and callers that wait for one. */
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
  const { isDistributed = false, slow = null, stuck = null } = options
  const config: pg.PoolConfig = {
    ...options.connection,
    ...presence.settings,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    types: rowTypes,
    pipeline: isPipelined,
  }
  const open = (max: number, onIdleError: (error: Error) => void): pg.Pool => {
    const opened = new pg.Pool({ ...config, max })
    presence.watch(opened)
    opened.on('error', onIdleError)
    // A connection that breaks between two statements fails the next one; without a listener, the event would end the process.
    opened.on('connect', (client) => client.on('error', () => {}))
    return opened
  }
  const pool = open(options.poolSize, (error) => options.onIdleError?.(error))
  openPools.add(pool)
  const shortPool = isPipelined ? open(sharedCount, () => {}) : null
  if (options.countsLater === true)
    shortPool?.on('connect', (client) => void client.query('set synchronous_commit = off').catch(() => {}))
  // A connection that pages share may never be idle, so one at least is left to others.
  const pageCount = Math.min(sharedCount, options.poolSize - 1)

  const connections = new WeakMap<pg.PoolClient, Connection>()
  const connect = async (): Promise<Connection> => {
    const client = await presence.connect(pool)
    const connection =
      connections.get(client) ?? new Connection(client, presence, { isPipelined, isDistributed, slow, stuck })
    connections.set(client, connection)
    return connection
  }
  const run = async <Row>(statement: Statement<Row>): Promise<Row[]> => {
    const connection = await connect()
    try {
      return await connection.run(statement)
    } finally {
      connection.release()
    }
  }
  let ending: Promise<void> | null = null
  const end = async (): Promise<void> => {
    presence.end()
    await Promise.all([pool.end(), shortPool?.end()])
  }
  const destroy = (): Promise<void> => (ending ??= end())
  const forKysely = { options: pool.options, connect, end: destroy }
  const db: Db = Object.assign(new Kysely<DB>({ dialect: new PostgresDialect({ pool: forKysely }) }), {
    connect,
    isDistributed,
    anywhere: { run },
    at: async () => db,
    nodes: async () => [db],
    // Kysely's own does nothing before Kysely's first query, and the pool's connections would keep the process running.
    destroy,
    isAway: presence.isAway,
    run,
    ...(shortPool === null
      ? {}
      : { runShared: shareConnections(shortPool, sharedCount, presence, { stuck }) }),
    ...(isPipelined && pageCount > 0
      ? { runPage: shareConnections(pool, pageCount, presence, { stuck }) }
      : {}),
  })
  return db
}

/** PostgreSQL's error code, or null if the error is not from PostgreSQL. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

/** Whether a statement failed, and the connection did not. */
export function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}

/**
 * The name of the violated unique or check constraint, or null. Citus adds the number of the shard, as in `agencies_slug_key_102008`, and
 * may give the name in the message alone.
 */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError)) return null
  if (error.code !== '23505' && error.code !== '23514') return null
  const name = error.constraint ?? /[a-z_]+_(?:key|pkey|idx|check)(?=_\d|\b)/.exec(error.message)?.[0] ?? null
  return name?.replace(/_\d+$/, '') ?? null
}
