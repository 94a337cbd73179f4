/** Transactions: everything in them lasts, or nothing. */
import type { Tx } from './connection.ts'
import type { Db } from './database.ts'

/** Runs a transaction. @throws whatever `work` throws, and what the database has against its statements; then nothing of it lasts */
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

/** Runs `work` in the transaction that `db` is, or else in one of its own. */
export async function within<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return 'commit' in db ? await work(db) : await inTransaction(db, work)
}
