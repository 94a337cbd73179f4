/**
 * Connections to a database that Citus distributes (docs/adr/0022): statements of one agency go to the node that holds its rows, which
 * plans and runs them itself. Where an agency lives is Citus's knowledge, asked for and remembered here for some seconds. What is
 * remembered may be wrong: Citus runs a statement sent to another node all the same, only slower.
 */
import type { ClientConfig } from 'pg'
import { inTime } from '../../clock.ts'
import { boundedMap } from '../../memory/bounded-map.ts'
import { DatabaseAway } from '../presence.ts'
import type { Db } from '../database.ts'
import { type Executor, statement, type Statement } from '../statement.ts'

/** As Citus names a node. */
export type HostPort = { host: string; port: number }

type Placement = { shard: string; host: string; port: number }

type Node = { db: Db; /** When a shard was last there. */ usedAt: number }

/** How long the map of shards is used, while all nodes are there and while one is away. */
const usedForMs = { usually: 5_000, whileAway: 500 }
const mostAgencies = 100_000
/** How long a node without shards keeps its pool: longer than any request that has begun there. */
const keptForMs = 300_000

const findPlacements = statement<Placement>(`
  select s.shardid::text as shard, n.nodename as host, n.nodeport as port
  from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
  where s.logicalrelid = 'agency_revisions'::regclass and n.noderole = 'primary' and n.isactive`)

const findShard = statement<{ shard: string | null }>(
  `select get_shard_id_for_distribution_column('agency_revisions', $1::uuid)::text as shard`,
)

type Cluster = Pick<Db, 'anywhere' | 'at' | 'nodes'> & {
  /** Whether one of the nodes is away. */
  isAnyAway(): boolean
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
  coordinator: Db,
  connect: (node: HostPort) => Db,
  now: () => number = () => performance.now(),
): Cluster {
  const shards = boundedMap<string, string>({ most: mostAgencies })
  /** `host:port` → node. */
  const nodes = new Map<string, Node>()
  /** Shard → the node that holds it. */
  let places = new Map<string, Node>()
  let learntAt = Number.NEGATIVE_INFINITY
  let learning: Promise<void> | null = null
  let isClosed = false

  /** Each time another of the nodes first; the coordinator at last. */
  let turn = 0
  const anyone = (): Db[] => {
    const all = inUse().map(({ db }) => db)
    turn = (turn + 1) % Math.max(1, all.length)
    return [...all.slice(turn), ...all.slice(0, turn), coordinator]
  }
  const anywhere: Executor = { run: (statement) => askOneByOne(anyone(), statement) }
  /** The coordinator knows first what changed. */
  const learnt: Executor = {
    run: (statement) => askOneByOne([coordinator, ...inUse().map(({ db }) => db)], statement),
  }

  const learn = async (): Promise<void> => {
    const rows = await findPlacements(learnt, [])
    if (isClosed) return
    learntAt = now()
    places = new Map()
    for (const { shard, host, port } of rows) {
      const name = `${host}:${port}`
      const node = nodes.get(name) ?? { db: connect({ host, port }), usedAt: 0 }
      node.usedAt = learntAt
      nodes.set(name, node)
      places.set(shard, node)
    }
    for (const [name, { db, usedAt }] of nodes) {
      if (learntAt - usedAt < keptForMs) continue
      nodes.delete(name)
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

  const isAnyAway = (): boolean => inUse().some(({ db }) => db.isAway())

  /** Requests go on with what is known; only the first have to wait. */
  const keepLearning = (): void => {
    const usedFor = isAnyAway() ? usedForMs.whileAway : usedForMs.usually
    if (now() - learntAt >= usedFor) learnOnce().catch(() => {})
  }

  const shardOf = async (agencyId: string): Promise<string | null> => {
    const known = shards.get(agencyId)
    if (known !== undefined) return known
    const [row] = await findShard(anywhere, [agencyId])
    const shard = row?.shard ?? null
    if (shard !== null) shards.set(agencyId, shard)
    return shard
  }

  return {
    anywhere,
    isAnyAway,
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
      return node?.db ?? coordinator
    },
    async close() {
      isClosed = true
      await Promise.all([...nodes.values()].map(({ db }) => db.destroy()))
    },
  }
}

/** How long a database may be silent before the next is asked too. */
const patienceMs = 200

/**
 * Asks one, and the next at a failure or after a silence: a node that is frozen takes seconds to be known as away. Citus has what it knows,
 * and reference tables, on every node.
 * @throws DatabaseAway if all are away; else their failures
 */
async function askOneByOne<Row>(databases: readonly Db[], statement: Statement<Row>): Promise<Row[]> {
  const [first, ...others] = databases.filter((db) => !db.isAway())
  if (first === undefined) throw new DatabaseAway()
  const answer = first.run(statement)
  const isAnswered = answer.then(
    () => true,
    () => false,
  )
  if (others.length === 0 || (await inTime(patienceMs, isAnswered, false))) return answer
  return Promise.any([answer, askOneByOne(others, statement)])
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
