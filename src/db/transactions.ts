/**
 * Transactions whose hot statements go straight to their connection, past a query builder that has nothing to build: it costs as much
 * as the driver does.
 */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Db, Executor, Tx } from './database.ts'
import type { DB } from './types.ts'

const pools = new WeakMap<Db, PostgresPool>()
const clients = new WeakMap<Executor, PostgresPoolClient>()
/** What a connection's transactions are to others, made once. */
const transactions = new WeakMap<PostgresPoolClient, Tx>()

/** Tells where a database's connections come from. */
export function letTransact(db: Db, pool: PostgresPool): void {
  pools.set(db, pool)
}

/** The connection of a transaction that `inTransaction` began. */
export function clientOf(tx: Executor): PostgresPoolClient | undefined {
  return clients.get(tx)
}

/** Runs a transaction. @throws whatever `work` throws, and what the database has against its statements; then nothing of it lasts */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await (pools.get(db) as PostgresPool).connect()
  try {
    await client.query('begin', [])
    const result = await work(transactionOf(client))
    await client.query('commit', [])
    return result
  } catch (error) {
    // Where the connection is lost, so is the transaction.
    await client.query('rollback', []).catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

function transactionOf(client: PostgresPoolClient): Tx {
  const known = transactions.get(client)
  if (known !== undefined) return known
  const query = (...call: Parameters<typeof client.query>) => client.query(...call)
  const unreleased = { query, release() {} } as PostgresPoolClient
  const only: PostgresPool = { options: {}, connect: async () => unreleased, end: async () => {} }
  const tx = new Kysely<DB>({ dialect: new PostgresDialect({ pool: only }) }) as unknown as Tx
  clients.set(tx, client)
  transactions.set(client, tx)
  return tx
}
