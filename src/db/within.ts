/**
 * For what needs a transaction and may be part of a larger one.
 */
import type { Db, Tx } from './database.ts'

/** Runs `work` in the transaction that `db` is, or else in one of its own. */
export async function within<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? await work(db as Tx) : await db.transaction().execute(work)
}
