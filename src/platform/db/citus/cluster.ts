/**
 * Connections to a database that Citus distributes (docs/adr/0022): statements of one agency go to the node that holds its rows, which
 * plans and runs them itself. Citus's map of shards is read and cached for some seconds. It may be stale: a statement sent to another node
 * gives the same result, only more slowly.
 */
import type { ClientConfig } from 'pg'
import { inTime } from '../../time/clock.ts'
import { boundedMap } from '../../memory/bounded-map.ts'
import { DatabaseAway } from '../presence/presence.ts'
import type { Db } from '../database.ts'
import { type Executor, statement, type Statement } from '../statements/statement.ts'

export type HostPort = { host: string; port: number }

type Placement = { shard: string; host: string; port: number }

/** `usedAt`: when it last held a shard. */
type Node = { db: Db; usedAt: number }

/** How long the map of shards is used: usually, and while a node is away. */
const usedForMs = { usually: 5_000, whileAway: 500 }
const maxAgencies = 100_000
/** How long a node without shards keeps its pool: longer than any request that began there. */
const keptForMs = 300_000

/** Where the shards of `agency_revisions` are. An agency's rows of all distributed tables are on the same node. */
const findPlacements = statement<Placement>(`
  select s.shardid::text as shard, n.nodename as host, n.nodeport as port
  from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
  where s.logicalrelid = 'agency_revisions'::regclass and n.noderole = 'primary' and n.isactive`)

/** Computed from the id alone, so the agency need not exist. */
const findShard = statement<{ shard: string | null }>(
  `select get_shard_id_for_distribution_column('agency_revisions', $1::uuid)::text as shard`,
)

/**
 * @param coordinator knows the nodes; while it is away, the nodes themselves are queried
 * @param connect opens the pool of a node
 * @param now in milliseconds
 */
export function openCluster(
  coordinator: Db,
  connect: (node: HostPort) => Db,
  now: () => number = () => performance.now(),
) {
  const map = shardMap(coordinator, connect, now)
  /** Agency → shard. */
  const shards = boundedMap<string, string>({ max: maxAgencies })

  let first = 0
  /** The nodes, beginning with another one each time, and the coordinator last. */
  const allRotated = (): Db[] => {
    const all = map.inUse()
    first = (first + 1) % Math.max(1, all.length)
    return [...all.slice(first), ...all.slice(0, first), coordinator]
  }
  const anywhere: Executor = { run: (statement) => runOnOneOf(allRotated(), statement) }

  const shardOf = async (agencyId: string): Promise<string | null> => {
    const known = shards.get(agencyId)
    if (known !== undefined) return known
    const [row] = await findShard(anywhere, [agencyId])
    const shard = row?.shard ?? null
    if (shard !== null) shards.set(agencyId, shard)
    return shard
  }
  const nodeOf = async (agencyId: string) => map.nodeOf((await shardOf(agencyId)) ?? '')

  return {
    anywhere,
    /** Whether one of the nodes is away. */
    isAnyAway: map.isAnyAway,
    /** Reads the map of shards, so that the first request does not have to. */
    open: map.read,
    close: map.close,
    nodes: map.nodes,
    async at(agencyId: string): Promise<Db> {
      map.refresh()
      const known = await nodeOf(agencyId)
      if (known !== undefined) return known
      // Its shard was split, or the map has not been read yet.
      shards.delete(agencyId)
      await map.read()
      return (await nodeOf(agencyId)) ?? coordinator
    },
  }
}

/** Keeps the map of shards, and the pools of the nodes that hold them. */
function shardMap(coordinator: Db, connect: (node: HostPort) => Db, now: () => number) {
  /** `host:port` → node. */
  const nodes = new Map<string, Node>()
  /** Shard → the node that holds it. */
  let nodeByShard = new Map<string, Node>()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  let isClosed = false

  const inUse = (): Db[] => [...nodes.values()].filter(({ usedAt }) => usedAt === readAt).map(({ db }) => db)
  const isAnyAway = (): boolean => inUse().some((db) => db.isAway())
  /** The coordinator first, because it learns about changes first. */
  const fromCoordinator: Executor = {
    run: (statement) => runOnOneOf([coordinator, ...inUse()], statement),
  }

  const load = async (): Promise<void> => {
    const rows = await findPlacements(fromCoordinator, [])
    if (isClosed) return
    readAt = now()
    nodeByShard = new Map()
    for (const { shard, host, port } of rows) {
      const name = `${host}:${port}`
      const node = nodes.get(name) ?? { db: connect({ host, port }), usedAt: 0 }
      node.usedAt = readAt
      nodes.set(name, node)
      nodeByShard.set(shard, node)
    }
    for (const [name, { db, usedAt }] of nodes) {
      if (readAt - usedAt < keptForMs) continue
      nodes.delete(name)
      void db.destroy()
    }
  }
  const read = (): Promise<void> => {
    reading ??= load().finally(() => {
      reading = null
    })
    return reading
  }
  /** Requests use the map that is known; only the first have to wait. */
  const refresh = (): void => {
    const usedFor = isAnyAway() ? usedForMs.whileAway : usedForMs.usually
    if (now() - readAt >= usedFor) read().catch(() => {})
  }

  return {
    inUse,
    isAnyAway,
    read,
    refresh,
    nodeOf: (shard: string) => nodeByShard.get(shard)?.db,
    async nodes(): Promise<Db[]> {
      if (nodes.size === 0) await read()
      else refresh()
      return inUse()
    },
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...nodes.values()].map(({ db }) => db.destroy()))
    },
  }
}

/** How long a database may be silent before the next one is queried too. */
const silenceMs = 200

/**
 * Runs the statement on one database, and on the next after a failure or a silence: it takes seconds to notice that a frozen node is away.
 * Every node has Citus's catalogue and the reference tables.
 * @throws DatabaseAway if all are away; else their failures
 */
async function runOnOneOf<Row>(databases: readonly Db[], statement: Statement<Row>): Promise<Row[]> {
  const [first, ...others] = databases.filter((db) => !db.isAway())
  if (first === undefined) throw new DatabaseAway()
  const rows = first.run(statement)
  const isSettled = rows.then(
    () => true,
    () => false,
  )
  if (others.length === 0 || (await inTime(silenceMs, isSettled, false))) return rows
  return Promise.any([rows, runOnOneOf(others, statement)])
}

/** The connection to another node of the same cluster. */
export function toNode(connection: ClientConfig, { host, port }: HostPort): ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, host, port }
  const url = new URL(connection.connectionString)
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  return { ...connection, connectionString: url.href }
}
