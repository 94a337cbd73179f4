/** Runs work on a connection to the database. */
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'

/** Waits for a killed database to accept connections again. @param connection is read at each attempt: a restart may change it */
export async function withClient(
  connection: () => ClientConfig,
  work: (db: Client) => Promise<unknown>,
): Promise<void> {
  const db = await connected(connection)
  try {
    await work(db)
  } finally {
    await db.end()
  }
}

async function connected(connection: () => ClientConfig): Promise<Client> {
  for (let turn = 1; ; turn += 1) {
    try {
      const db = new Client(connection())
      db.on('error', () => {})
      await db.connect()
      return db
    } catch (error) {
      if (turn === 600) throw error
      await delay(50)
    }
  }
}
