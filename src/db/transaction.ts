/** Runs transactions. */
import type { Tx } from './connection.ts'
import type { Db } from './database.ts'

/** Runs `work` in a transaction and commits. @throws the error of `work` or of the database, after a rollback */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const connection = await db.connect()
  try {
    await connection.begin()
    const result = await work(connection.tx)
    await connection.commit()
    return result
  } catch (error) {
    await connection.rollback()
    throw error
  } finally {
    connection.release()
  }
}

/** Runs `work` in `db` if that is a transaction, else in a new one. */
export async function within<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return 'commit' in db ? await work(db) : await inTransaction(db, work)
}
