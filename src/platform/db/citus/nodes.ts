/**
 * Chooses the database for a piece of work, and keeps an agency on its node of Citus meanwhile. Work that goes through the coordinator
 * pings its nodes first: the coordinator would wait forever for a silent node, on one of the few connections that everyone shares, while
 * the node's own pool notices within seconds (presence.ts).
 */
import type { Db } from '../database.ts'
import { type Executor, statement, type Statement } from '../statements/statement.ts'
import type { Tx } from '../statements/connection.ts'

const selectOne = statement('select 1')

/** Checks that the database answers. @throws the database's error, or that of a lost connection */
export async function ping(db: Executor): Promise<void> {
  await selectOne(db, [])
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

type WithDatabase = { db: Db; photos?: { db: Db } }

/** The dependencies for one agency's work: `db` and `photos.db` are the node that holds its rows (cluster.ts). */
export async function atAgency<Some extends WithDatabase>(deps: Some, agencyId: string): Promise<Some> {
  if (!deps.db.isDistributed) return deps
  const db = await deps.db.at(agencyId)
  return deps.photos === undefined ? { ...deps, db } : { ...deps, db, photos: { ...deps.photos, db } }
}

const blockingUpdate = statement(
  'update agency_revisions set revision = revision where agency_id = $1 and revision < 0',
)

/**
 * The statements to run before the lock of an agency's row, so that Citus does not move the agency until the transaction ends; none on
 * plain PostgreSQL. The update changes no row, but only a statement that writes has this effect. A row lock alone would stay on the node
 * that the agency leaves, and a second writer would get the same revision on the other node. When Citus moves an agency, it locks the
 * agency's shards in order, and this table's is the first.
 */
export function blockMove(tx: Tx, agencyId: string): Statement | null {
  return tx.isDistributed ? blockingUpdate.with([agencyId]) : null
}
