import type { Db } from '../../src/db/database.ts'

/** The same database, as if it were the one node of a cluster: statements have the form that Citus takes. */
export function asCluster(db: Db): Db {
  const node: Db = Object.assign(Object.create(db) as Db, { isDistributed: true })
  return Object.assign(node, { at: async () => node, nodes: async () => [node] })
}
