/**
 * Opens the pool to PostgreSQL: Kysely over pg. Rows arrive as the API shows them: `timestamptz` as an ISO 8601 string in UTC with
 * milliseconds, `numeric` and `bigint` as numbers.
 */
import pg from 'pg'
import { Kysely, PostgresDialect } from 'kysely'
import { Connection, type ConnectionOptions, type Slow } from './statements/connection.ts'
import { DatabaseAway, type Presence, type PresenceTimes, watchPresence } from './presence/presence.ts'
import type { Executor, SharingExecutor, Statement } from './statements/statement.ts'
import type { StuckStatements } from './presence/stuck-statements.ts'
import type { DB } from './types.ts'
import { perObject } from '../memory/per-object.ts'
import { rowTypes } from './statements/values.ts'

/** Kysely, extended with our statement functions. As a member of another object it would make every query longer. */
export type Db = Kysely<DB> &
  Executor &
  Partial<SharingExecutor> & {
    /** Waits for a connection. The caller releases it. */
    connect(): Promise<Connection>
    /** Whether the database is away (presence.ts). */
    isAway(): boolean
    /** Whether Citus spreads the agencies over nodes (cluster.ts). */
    isDistributed: boolean
    /** Runs statements on tables that every node has: agencies and their keys. Works while any node does. */
    anywhere: Executor
    /** The database of an agency's rows: the node that holds them, or this one. */
    at(agencyId: string): Promise<Db>
    /** All databases that hold rows of agencies: for a coordinator its nodes, for any other database itself. */
    nodes(): Promise<readonly Db[]>
  }

/** The number of connections that short statements share, and of the pool's connections that pages share. */
export const sharedCount = 2

export type DatabaseOptions = {
  /** A `postgres://` URL, or host (or socket directory), user and database. */
  connection: pg.ClientConfig
  /** Maximum connections, besides those that short statements share. */
  poolSize: number
  /** False behind a pooler that cannot keep prepared statements. */
  namedStatements?: boolean
  /** Whether short statements, which write only counters, commit asynchronously. */
  countsLater?: boolean
  /** Whether this is a node of Citus, which spreads the agencies over nodes. */
  isDistributed?: boolean
  /** The node of Citus, for the two callbacks. */
  node?: string
  /** Called when an idle connection breaks; the pool replaces it. */
  onIdleError?: (error: Error, node?: string) => void
  /** Called when the database goes away and when it is back. */
  onPresence?: (isAway: boolean, node?: string) => void
  /** Called for slow statements outside of shared connections; on Citus, only for the coordinator's. */
  slow?: Slow | undefined
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
  const { connection, node, onPresence, onIdleError, presence: times } = options
  const presence = watchPresence(connection, (isAway) => onPresence?.(isAway, node), times)
  const isPipelined = options.namedStatements !== false
  const { isDistributed = false, slow = null, stuck = null } = options
  const config: pg.PoolConfig = {
    ...connection,
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
  const pool = open(options.poolSize, (error) => onIdleError?.(error, node))
  openPools.add(pool)
  const shortPool = isPipelined ? open(sharedCount, () => {}) : null
  if (options.countsLater === true)
    shortPool?.on('connect', (client) => void client.query('set synchronous_commit = off').catch(() => {}))
  // A connection that pages share may never be idle, so at least one is left to others.
  const pageCount = Math.min(sharedCount, options.poolSize - 1)

  const connectionOf = perObject(
    (client: pg.PoolClient) => new Connection(client, presence, { isPipelined, isDistributed, slow, stuck }),
  )
  const connect = async (): Promise<Connection> => connectionOf(await presence.connect(pool))
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
    ...(shortPool && { runShared: shareConnections(shortPool, sharedCount, presence, { stuck }) }),
    ...(isPipelined && pageCount > 0 && { runPage: shareConnections(pool, pageCount, presence, { stuck }) }),
  })
  return db
}

/** PostgreSQL's error code, or null if the error is not from PostgreSQL. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

/** Whether only a statement failed, so that the connection still works. */
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

/*
 * Short statements share connections by pipelining: each is sent without waiting for earlier results, which costs half as much as a
 * connection per statement. PostgreSQL runs them in order, so only statements that take little time belong here.
 */

/** A connection with statements in flight. */
type SharedConnection = { connection: Promise<Connection>; inFlight: number; isBroken: boolean }

/**
 * Shares at most `count` connections of the pool, and returns each when none of its statements is in flight.
 * @returns a function that runs a statement
 */
function shareConnections(
  pool: pg.Pool,
  count: number,
  presence: Presence,
  options: Pick<ConnectionOptions, 'stuck'>,
) {
  let connections: SharedConnection[] = []

  /** The least busy shared connection; a new one if that is busy and there are fewer than `count`. */
  const choose = (): SharedConnection => {
    let chosen: SharedConnection | undefined
    for (const shared of connections)
      if (chosen === undefined || shared.inFlight < chosen.inFlight) chosen = shared
    if (chosen !== undefined && (chosen.inFlight === 0 || connections.length === count)) return chosen
    const connection = presence
      .connect(pool)
      .then((client) => new Connection(client, presence, { ...options, isPipelined: true }))
    chosen = { connection, inFlight: 0, isBroken: false }
    connections.push(chosen)
    return chosen
  }

  const leave = (shared: SharedConnection): void => {
    shared.inFlight -= 1
    if (shared.inFlight > 0) return
    connections = connections.filter((other) => other !== shared)
    shared.connection.then(
      (connection) => connection.release(shared.isBroken),
      () => {},
    )
  }

  return async <Row>(statement: Statement<Row>): Promise<Row[]> => {
    if (presence.isAway()) throw new DatabaseAway()
    const shared = choose()
    shared.inFlight += 1
    try {
      return await (await shared.connection).run(statement)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') {
        shared.isBroken = true
        connections = connections.filter((other) => other !== shared)
      }
      throw error
    } finally {
      leave(shared)
    }
  }
}
