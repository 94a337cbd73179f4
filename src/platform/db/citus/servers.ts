/** The PostgreSQL servers of a database: one, or the nodes of Citus; and whether the nodes reach each other. */
import type { ClientConfig } from 'pg'
import { hasCitus } from '../engine.ts'
import { withSession } from '../session.ts'
import { oneOff, statement } from '../statement.ts'
import { type HostPort, toNode } from './cluster.ts'

export type Server = Readonly<{
  /** Host and port of a node; null for the only server. */
  name: string | null
  connection: ClientConfig
  /** Whether Citus uses it, and has given it the current map of shards. */
  isActive: boolean
}>

type Node = HostPort & { isCoordinator: boolean; isActive: boolean }

const selectNodes = statement<Node>(`
  select nodename as host, nodeport as port, groupid = 0 as "isCoordinator", isactive and metadatasynced as "isActive"
  from pg_dist_node where noderole = 'primary' order by groupid`)

/** @throws DatabaseUnreachable */
export async function findServers(connection: ClientConfig): Promise<Server[]> {
  return await withSession(connection, async (session) => {
    const nodes = (await hasCitus(session)) ? await selectNodes(session, []) : []
    if (nodes.length === 0) return [{ name: null, connection, isActive: true }]
    return nodes.map((node) => ({
      name: nameOf(node.host, node.port),
      // The service does not need the name that the coordinator has among the nodes.
      connection: node.isCoordinator ? connection : toNode(connection, node),
      isActive: node.isActive,
    }))
  })
}

type Way = { from: string; fromPort: number; to: string; toPort: number }

/** Connects every node to every other; there is no such function without Citus. */
const selectBroken = oneOff<Way>(`
  select from_nodename as "from", from_nodeport as "fromPort", to_nodename as "to", to_nodeport as "toPort"
  from citus_check_cluster_node_health() where result is not true`)

/** @returns pairs of nodes of which the first cannot connect to the second */
export async function findBrokenWays(coordinator: ClientConfig): Promise<{ from: string; to: string }[]> {
  const broken = await withSession(coordinator, (session) => session.run(selectBroken))
  return broken.map(({ from, fromPort, to, toPort }) => ({
    from: nameOf(from, fromPort),
    to: nameOf(to, toPort),
  }))
}

function nameOf(host: string, port: number): string {
  return `${host}:${port}`
}
