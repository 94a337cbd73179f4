/**
 * Connections to a database that Citus distributes (docs/adr/0022): statements of one agency go to the node that holds its rows, which plans
 * and runs them itself. Where an agency lives is Citus's knowledge, asked for and remembered here for some seconds. What is remembered may be
 * wrong: Citus runs a statement sent to another node all the same, only slower.
 */
import type { ClientConfig } from 'pg'
import { boundedMap } from '../memory/bounded-map.ts'
import { DatabaseAway } from './presence.ts'
import type { Db } from './database.ts'
import { hotStatement, type Statement } from './statement.ts'

/** Of a node, as Citus has it. */
export type NodeAddress = { host: string; port: number }

type Placement = { shard: string; host: string; port: number }

type Node = { db: Db; /** When a shard was last there. */ usedAt: number }

/** How long the map of shards is used, while all nodes are there and while one is away. */
const usedForMs = { usually: 5_000, whileAway: 500 }
const mostAgencies = 100_000
/** How long a node without shards keeps its pool: longer than any request that has begun there. */
const keptForMs = 300_000

const findPlacements = hotStatement<Placement>(`
  select s.shardid::text as shard, n.nodename as host, n.nodeport as port
  from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
  where s.logicalrelid = 'agency_revisions'::regclass and n.noderole = 'primary' and n.isactive`)

const findShard = hotStatement<{ shard: string | null }>(
  `select get_shard_id_for_distribution_column('agency_revisions', $1::uuid)::text as shard`,
)

export type Cluster = Pick<Db, 'at' | 'nodes'> & {
  /** Learns the nodes, so that the first request does not have to. */
  open(): Promise<void>
  close(): Promise<void>
}

/**
 * @param coordinator knows the nodes; while it is away, the nodes themselves are asked
 * @param connect opens the pool of a node
 * @param now in milliseconds
 */
export function openCluster(
  coordinator: () => Db,
  connect: (address: NodeAddress) => Db,
  now: () => number = () => performance.now(),
): Cluster {
  const shards = boundedMap<string, string>({ most: mostAgencies })
  /** Address → node. */
  const nodes = new Map<string, Node>()
  /** Shard → the node that holds it. */
  let places = new Map<string, Node>()
  let learntAt = Number.NEGATIVE_INFINITY
  let learning: Promise<void> | null = null
  let isClosed = false

  /** Any database that is there can be asked: Citus keeps what it knows on every node. */
  const ask = async <Row>(statement: Statement<Row>): Promise<Row[]> => {
    let failure: unknown = new DatabaseAway()
    for (const db of [...inUse().map((node) => node.db), coordinator()]) {
      if (db.isAway()) continue
      try {
        return await db.run(statement)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  const learn = async (): Promise<void> => {
    const rows = await ask(findPlacements.with([]))
    if (isClosed) return
    learntAt = now()
    places = new Map()
    for (const { shard, host, port } of rows) {
      const address = `${host}:${port}`
      const node = nodes.get(address) ?? { db: connect({ host, port }), usedAt: 0 }
      node.usedAt = learntAt
      nodes.set(address, node)
      places.set(shard, node)
    }
    for (const [address, { db, usedAt }] of nodes) {
      if (learntAt - usedAt < keptForMs) continue
      nodes.delete(address)
      void db.destroy()
    }
  }

  const learnOnce = (): Promise<void> => {
    learning ??= learn().finally(() => {
      learning = null
    })
    return learning
  }

  const inUse = (): Node[] => [...nodes.values()].filter(({ usedAt }) => usedAt === learntAt)

  /** Requests go on with what is known; only the first have to wait. */
  const keepLearning = (): void => {
    const isAnyAway = inUse().some(({ db }) => db.isAway())
    const usedFor = isAnyAway ? usedForMs.whileAway : usedForMs.usually
    if (now() - learntAt >= usedFor) learnOnce().catch(() => {})
  }

  const shardOf = async (agencyId: string): Promise<string | null> => {
    const known = shards.get(agencyId)
    if (known !== undefined) return known
    const [row] = await ask(findShard.with([agencyId]))
    const shard = row?.shard ?? null
    if (shard !== null) shards.set(agencyId, shard)
    return shard
  }

  return {
    open: learnOnce,
    async nodes() {
      if (nodes.size === 0) await learnOnce()
      else keepLearning()
      return inUse().map(({ db }) => db)
    },
    async at(agencyId) {
      keepLearning()
      const place = async () => places.get((await shardOf(agencyId)) ?? '')
      let node = await place()
      if (node === undefined) {
        // Its shard was split, or nothing is known yet.
        shards.delete(agencyId)
        await learnOnce()
        node = await place()
      }
      return node?.db ?? coordinator()
    },
    async close() {
      isClosed = true
      await Promise.all([...nodes.values()].map(({ db }) => db.destroy()))
    },
  }
}

/** The connection to another node of the same cluster. */
export function toNode(connection: ClientConfig, { host, port }: NodeAddress): ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, host, port }
  const address = new URL(connection.connectionString)
  address.hostname = host.includes(':') ? `[${host}]` : host
  address.port = String(port)
  address.searchParams.delete('host')
  address.searchParams.delete('port')
  return { ...connection, connectionString: address.href }
}
