/** A connection of its own, for work without a pool or beside it: migrating, distributing, backing up, checking the setup. */
import pg from 'pg'
import { advisoryLock } from './advisory-locks.ts'
import { Connection } from './connection.ts'
import { DatabaseUnreachable } from '../presence/database-start-error.ts'
import { statement } from './statement.ts'
import { rowTypes } from './values.ts'
import { messageOf } from '../../errors/errors.ts'

/** Waits until no other process changes tables. */
export const lockSchema = advisoryLock('schemaChange')

/** Lifts the timeouts of this transaction, which an operator has set for requests. Not every version knows all of them. */
export const liftTimeouts = statement(`
  select set_config(name, '0', true) from pg_settings where name in
    ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`)

/** A migration may wait for long, so silence does not mean that the database is away. */
const unwatched = { watchStatement: () => () => {} }

/** @throws DatabaseUnreachable */
export async function withSession<T>(connection: pg.ClientConfig, work: (session: Connection) => Promise<T>) {
  const pool = new pg.Pool({ connectionTimeoutMillis: 10_000, ...connection, max: 1, types: rowTypes })
  // A lost connection already fails the running statement. Without listeners, the events would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const client = await pool.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(`The database cannot be reached: ${messageOf(error)}`, { cause: error })
  })
  const session = new Connection(client, unwatched, { isPipelined: false })
  try {
    return await work(session)
  } finally {
    session.release()
    await pool.end()
  }
}
