/** Checks a database and the nodes of its Citus before and after distributing. Each problem is a sentence that says what to do. */
import type { ClientConfig } from 'pg'
import { toNode } from './cluster.ts'
import { findFunctionsApart, findUndistributed, isHalfDistributed } from './distribute.ts'
import { distributedTables, localTables, referenceTables } from './distribution.ts'
import { findBrokenLinks, findNodes, type Node } from './servers.ts'
import { findOtherClients, forgetful } from '../engine.ts'
import { withSession } from '../statements/session.ts'
import { type Executor, statement } from '../statements/statement.ts'
import { messageOf } from '../../errors/errors.ts'

/** A node's version, and the settings that distributing depends on. */
type State = { citus: string; wal: string; prepared: number; connections: number }

/** `state`: null if the node cannot be reached, for the reason in `error`. */
type ExaminedNode = Node & { state: State | null; error: string }

const readState = statement<State>(`
  select substring(citus_version() from 'Citus ([0-9.]+)') as citus, current_setting('wal_level') as wal,
    current_setting('max_prepared_transactions')::int as prepared, current_setting('max_connections')::int as connections`)

/** @returns null without Citus */
export async function examineNodes(db: Executor, connection: ClientConfig): Promise<ExaminedNode[] | null> {
  const nodes = await findNodes(db)
  if (nodes === null) return null
  return Promise.all(
    nodes.map(async (node) => {
      try {
        const [state = null] = await withSession(toNode(connection, node), (own) => readState(own, []))
        return { ...node, state, error: '' }
      } catch (error) {
        return { ...node, state: null, error: messageOf(error) }
      }
    }),
  )
}

/** Problems to fix before a database is distributed. */
export async function findObstacles(db: Executor, nodes: readonly ExaminedNode[]): Promise<string[]> {
  const coordinator = nodes.find(({ isCoordinator }) => isCoordinator)
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator)
  const obstacles: string[] = []
  if (coordinator === undefined)
    obstacles.push(
      'The workers do not know the coordinator: select citus_set_coordinator_host(name, port), with a name that they can reach.',
    )
  if (workers.length === 0)
    obstacles.push('There is no worker: select citus_add_node(name, port) for each of them.')
  for (const node of nodes) obstacles.push(...obstaclesOf(node))
  const versions = new Set(nodes.flatMap(({ state }) => state?.citus ?? []))
  if (versions.size > 1)
    obstacles.push(`The nodes have different versions of Citus, ${[...versions].join(' and ')}: install one.`)
  if (obstacles.length > 0) return obstacles
  // Every node has to reach every other: coordinators and workers pass statements on.
  const broken = (await findBrokenLinks(db)).map(
    ({ from, to }) => `The node ${from} cannot connect to ${to}: see pg_hba.conf there, and .pgpass here.`,
  )
  return [...broken, ...(await findOtherClients(db))]
}

function obstaclesOf({ name, isActive, state, error }: ExaminedNode): string[] {
  if (state === null)
    return [
      `The node ${name} cannot be reached from here by the user of DATABASE_URL, as the service has to: ${error}`,
    ]
  const found: string[] = []
  if (!isActive)
    found.push(`The node ${name} is not active, or lacks Citus's metadata: select citus_activate_node(…).`)
  if (state.wal !== 'logical')
    found.push(
      `The node ${name} has wal_level = ${state.wal}: set it to logical and restart, or no shard can be moved while it is written to.`,
    )
  if (state.prepared === 0)
    found.push(
      `The node ${name} has max_prepared_transactions = 0: set it to max_connections (${state.connections}) and restart.`,
    )
  return found
}

/** Tables that are not colocated with another. Values: the tables, the other. */
const selectApart = statement<{ name: string }>(`
  select logicalrelid::regclass::text as name from pg_dist_partition
  where logicalrelid::regclass::text = any ($1) and colocationid is distinct from
    (select colocationid from pg_dist_partition where logicalrelid = $2::regclass) order by 1`)

/** Tables that Citus manages although they should be local. */
const selectKnown = statement<{ name: string }>(`
  select logicalrelid::regclass::text as name from pg_dist_partition where logicalrelid::regclass::text = any ($1) order by 1`)

/** Tables with shards that have too few placements, or too many. Values: all tables, and those of every node. */
const selectLost = statement<{ name: string; shards: number }>(`
  select s.logicalrelid::regclass::text as name, count(*)::int as shards
  from pg_dist_shard s
  where s.logicalrelid::regclass::text = any ($1) and (
    select count(*) from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.isactive
    where p.shardid = s.shardid and p.shardstate = 1
  ) <> case when s.logicalrelid::regclass::text = any ($2)
    then (select count(*) from pg_dist_node where noderole = 'primary' and isactive) else 1 end
  group by 1 order by 1`)

/** Problems of a database that is distributed. */
export async function findFaults(db: Executor): Promise<string[]> {
  const faults: string[] = []
  const undistributed = await findUndistributed(db)
  if (undistributed.length > 0) faults.push(`Not distributed: ${undistributed.join(', ')}.`)
  if (await isHalfDistributed(db))
    faults.push('Some foreign keys are not restored yet: run this command again.')
  for (const { name } of await selectApart(db, [distributedTables, distributedTables[0]]))
    faults.push(`${name} is not colocated with ${distributedTables[0]}: its rows may be on other nodes.`)
  for (const { name } of await selectKnown(db, [localTables]))
    faults.push(`${name} is managed by Citus, and should be local: select undistribute_table('${name}').`)
  for (const name of await findFunctionsApart(db))
    faults.push(`The function ${name} is not on every node: run this command again.`)
  const all = [...referenceTables, ...distributedTables]
  for (const { name, shards } of await selectLost(db, [all, referenceTables]))
    faults.push(
      `${shards} ${shards === 1 ? 'shard' : 'shards'} of ${name} are on too few nodes, or too many.`,
    )
  return faults
}

type Holding = { node: string; shards: number; bytes: number }

const selectHoldings = statement<Holding>(`
  select nodename || ':' || nodeport as node, count(*)::int as shards, sum(shard_size)::bigint as bytes
  from citus_shards where table_name::text = any ($1) group by 1 order by 1`)

/** Shards and bytes of each node. */
export async function findHoldings(db: Executor): Promise<Holding[]> {
  return await selectHoldings(db, [distributedTables])
}

/** A warning about the version, or null. */
export function describeVersion(version: string): string | null {
  if (!forgetful.has(version)) return null
  return `Citus ${version} never finds its cached plans (citusdata/citus, pull request 8824), so PostgreSQL plans each statement anew, which costs the nodes up to three times the CPU. Use 13.2.0 or a version with the fix.`
}
