/** What an agency's work depends on, at the node of its rows (cluster.ts). */
import type { Db } from './database.ts'

type WithDatabase = { db: Db; photos?: { db: Db } }

/** The dependencies for one agency's work: `db`, and that of the photos, is the database of its rows. */
export async function atAgency<Some extends WithDatabase>(deps: Some, agencyId: string): Promise<Some> {
  if (!deps.db.isDistributed) return deps
  const db = await deps.db.at(agencyId)
  return deps.photos === undefined ? { ...deps, db } : { ...deps, db, photos: { ...deps.photos, db } }
}
