/** A second instance of the application on the same database, with its own connections, limits and caches. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { ClientConfig } from 'pg'
import { pino } from 'pino'
import { buildApp } from '../../../src/app.ts'
import type { Config } from '../../../src/platform/config/config.ts'
import type { DatabaseOptions, Db } from '../../../src/platform/db/database.ts'
import { admission } from '../../../src/access/keys/admission.ts'
import { keylessLimit } from '../../../src/limits/keyless.ts'
import { send, type TestApp } from './app.ts'
import {
  inDatabase,
  isPooled,
  namesStatements,
  openAsServed,
  openCoordinator,
  testServer,
  wayTo,
} from '../database/database.ts'

export type SecondApp = {
  app: FastifyInstance
  baseUrl: string
  db: Db
  /** Sends requests like the first instance's `ask`, on the same clock. */
  ask: TestApp['ask']
  close(): Promise<void>
}

/**
 * Starts it. Close it before the first.
 * @param by puts a proxy in front of the database: takes the direct connection, returns the proxied one
 * @param own what differs from the first instance
 */
export async function secondApp(
  t: TestApp,
  by?: (connection: ClientConfig) => Promise<ClientConfig>,
  own: { settings?: Partial<Config>; database?: Partial<DatabaseOptions> } = {},
): Promise<SecondApp> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.deps.db)
  const database = rows[0]?.name ?? ''
  const server = await testServer()
  const isDirect = by !== undefined || !isPooled
  const way = isDirect ? inDatabase(server.connection, database) : wayTo(server, database)
  const connection = by === undefined ? way : await by(way)
  const options = {
    connection,
    poolSize: 10,
    namedStatements: isDirect || namesStatements,
    ...own.database,
  }
  const db = by === undefined ? await openAsServed(options) : openCoordinator(options)
  const log = pino({ level: 'silent' })
  const { clock, limits, photos } = t.deps
  const config = { ...t.deps.config, ...own.settings }
  const app = await buildApp(
    {
      ...t.deps,
      config,
      db,
      admit: admission(db, limits, clock),
      chargeKeyless: keylessLimit(db, limits, clock),
      photos: { ...photos, db },
    },
    log,
  )
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    baseUrl,
    db,
    ask: (method, path, ask = {}) => send(baseUrl, t.writeKey, method, path, ask),
    async close() {
      await app.close()
      await db.destroy()
      await server.release()
    },
  }
}
