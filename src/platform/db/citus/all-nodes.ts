/**
 * Pings the nodes before work goes through Citus's coordinator. The coordinator would wait for a silent node without end, on one of the
 * few connections that all people share; the node's own pool notices within seconds (presence.ts).
 */
import type { Db } from '../database.ts'
import { type Executor, statement } from '../statement.ts'

const select = statement('select 1')

/** Checks that the database answers. @throws the database's error, or that of a lost connection */
export async function ping(db: Executor): Promise<void> {
  await select(db, [])
}

/** The database, for a statement over all agencies. @throws DatabaseAway, or as a lost connection does, while a node is away */
export async function overAllNodes(db: Db): Promise<Db> {
  if (db.isDistributed) await Promise.all((await db.nodes()).map(ping))
  return db
}

/**
 * Checks the agency's node, before work for the agency at the coordinator.
 * @throws DatabaseAway, or as a lost connection does, while the agency's node is away
 */
export async function checkNodeOf(db: Db, agencyId: string): Promise<void> {
  if (db.isDistributed) await ping(await db.at(agencyId))
}
