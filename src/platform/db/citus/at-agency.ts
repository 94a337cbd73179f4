/** Runs an agency's work on the node that holds its rows (cluster.ts). */
import type { Tx } from '../connection.ts'
import type { Db } from '../database.ts'
import { statement, type Statement } from '../statement.ts'

type WithDatabase = { db: Db; photos?: { db: Db } }

/** The dependencies for one agency's work: `db` and `photos.db` are the database of its rows. */
export async function atAgency<Some extends WithDatabase>(deps: Some, agencyId: string): Promise<Some> {
  if (!deps.db.isDistributed) return deps
  const db = await deps.db.at(agencyId)
  return deps.photos === undefined ? { ...deps, db } : { ...deps, db, photos: { ...deps.photos, db } }
}

const holdPlace = statement(
  'update agency_revisions set revision = revision where agency_id = $1 and revision < 0',
)

/**
 * The statements to run before the lock of an agency's row, so that Citus does not move the agency until the transaction ends; none on
 * plain PostgreSQL. The update changes no row, but only a statement that writes has this effect. The lock of a row alone would stay behind
 * on the node that the agency leaves, and a second writer would get the same revision on the other node. Citus locks the agency's shards
 * in their order when it moves them, and this table's is the first.
 */
export function keepInPlace(tx: Tx, agencyId: string): Statement[] {
  return tx.isDistributed ? [holdPlace.with([agencyId])] : []
}
