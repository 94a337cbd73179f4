/** The PostgreSQL servers of a database: one, or the nodes of Citus; and whether the nodes reach each other. */
import type { ClientConfig } from 'pg'
import { hasCitus } from '../engine.ts'
import { withSession } from '../statements/session.ts'
import { type Executor, statement } from '../statements/statement.ts'
import { type HostPort, toNode } from './cluster.ts'

export type Server = Readonly<{
  /** Host and port of a node; null for the only server. */
  name: string | null
  connection: ClientConfig
  isActive: boolean
}>

/** A node as Citus's catalogue has it. */
export type Node = HostPort & {
  name: string
  isCoordinator: boolean
  /** Whether Citus uses it, and has given it the current map of shards. */
  isActive: boolean
}

const selectNodes = statement<Node>(`
  select nodename || ':' || nodeport as name, nodename as host, nodeport as port, groupid = 0 as "isCoordinator",
    isactive and hasmetadata and metadatasynced as "isActive"
  from pg_dist_node where noderole = 'primary' order by groupid`)

/** @returns null without Citus */
export async function findNodes(db: Executor): Promise<Node[] | null> {
  return (await hasCitus(db)) ? await selectNodes(db, []) : null
}

/** @throws DatabaseUnreachable */
export async function getServers(connection: ClientConfig): Promise<Server[]> {
  return await withSession(connection, async (session) => {
    const nodes = (await findNodes(session)) ?? []
    if (nodes.length === 0) return [{ name: null, connection, isActive: true }]
    return nodes.map((node) => ({
      name: node.name,
      // The service does not need the name that the coordinator has among the nodes.
      connection: node.isCoordinator ? connection : toNode(connection, node),
      isActive: node.isActive,
    }))
  })
}

/** Connects every node to every other; there is no such function without Citus. */
const selectBrokenLinks = statement<{ from: string; to: string }>(`
  select from_nodename || ':' || from_nodeport as from, to_nodename || ':' || to_nodeport as to
  from citus_check_cluster_node_health() where result is not true`)

/** @returns pairs of nodes in which the first cannot connect to the second */
export async function findBrokenLinks(coordinator: Executor): Promise<{ from: string; to: string }[]> {
  return await selectBrokenLinks(coordinator, [])
}
