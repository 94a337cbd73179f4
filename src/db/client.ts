/** A connection of its own, beside the pool: for migrations, and for distributing. */
import { Client, type ClientConfig } from 'pg'
import { DatabaseUnreachable } from './database-start-error.ts'

/** An arbitrary number that every process uses that changes tables. A transaction-level lock also works behind a pooler. */
export const schemaLock = 'select pg_advisory_xact_lock(7265838841105)'

/** @throws DatabaseUnreachable */
export async function withClient<T>(
  connection: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionTimeoutMillis: 10_000, ...connection })
  // A lost connection already fails the running query. Without a listener, the event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new DatabaseUnreachable(
      `The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    )
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // A lost connection cannot roll back; throw the original error.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
