/**
 * Hot statements go straight to a connection, past a query builder that has nothing to build: it costs as much as the driver does.
 */
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
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

/**
 * Runs a statement on the connection of the transaction, if `inTransaction` began it, or on one of the pool's.
 * @returns null for what is neither
 */
export async function runStraight(
  db: Executor,
  text: string,
  values: readonly unknown[],
): Promise<PostgresQueryResult<unknown> | null> {
  const client = clients.get(db)
  if (client !== undefined) return client.query(text, values)
  const pool = pools.get(db as Db)
  if (pool === undefined) return null
  const own = await pool.connect()
  try {
    return await own.query(text, values)
  } finally {
    own.release()
  }
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
