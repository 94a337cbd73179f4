/** Runs work in a transaction, on one of the pool's connections. */
import type { Tx } from './connection.ts'
import type { Db } from '../database.ts'

/** Runs `work` in a transaction of one of the pool's connections, as `Connection.transaction` does. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const connection = await db.connect()
  try {
    return await connection.transaction(work)
  } finally {
    connection.release()
  }
}

/** Runs `work` in `db` if that is a transaction, else in a new one. */
export async function within<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return 'commit' in db ? await work(db) : await inTransaction(db, work)
}
