/**
 * A separate database for each test file: a fresh copy of a template that is migrated once per state of migrations/.
 *
 * Without TEST_DATABASE_URL the server is an embedded one in a temporary directory of this user and checkout, in memory where plenty is
 * free. All test processes share it, the last one stops it, and the next run finds it again; one left over from a killed run is adopted.
 *
 * With TEST_POOLER_URL, the address of a PgBouncer in front of that server, the application connects through it (see
 * scripts/test-pgbouncer.ts); databases are created and deleted without it.
 *
 * With TEST_CITUS_URL, the coordinator of a Citus cluster, a database is distributed over all of its nodes (citus.ts).
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client, escapeIdentifier, escapeLiteral, type ClientConfig } from 'pg'
import { connectDatabase } from '../../../src/platform/db/connect.ts'
import { type DatabaseOptions, type Db, openDatabase } from '../../../src/platform/db/database.ts'
import { distributedTables } from '../../../src/platform/db/citus/distribution.ts'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { migrate } from '../../../src/platform/db/migrations/migrate.ts'
import { readMigrations } from '../../../src/platform/db/migrations/migrations.ts'
import {
  citusUrl,
  copyOnEachNode,
  createTemplate,
  dropOnEachNode,
  isOnCitus,
  lockKey,
  prefix,
} from './citus.ts'
import { judgeNoted, watchStatements } from './judged.ts'
import { memory, quickDirectory } from '../quick-directory.ts'

export type TestDatabase = {
  db: Db
  /** The application's own connection settings, for clients and pools of a test, which use named statements if `namesStatements`. */
  connection: ClientConfig
  /** Bypasses the pooler: for session settings, or named statements. */
  direct: ClientConfig
  /** Closes `db` and deletes the database. The test must have closed its own connections, or they are cut. */
  drop(): Promise<void>
}

export type TestServer = {
  /** Connects as a user who may create databases. */
  connection: ClientConfig
  /** Releases the server for this process. */
  release(): Promise<void>
}

const poolerUrl = process.env['TEST_POOLER_URL'] ?? ''
/** Whether the application connects through a pooler. */
export const isPooled = poolerUrl !== ''
/** Whether statements may be named: always without a pooler, otherwise if the pooler keeps them. */
export const namesStatements = !isPooled || process.env['TEST_POOLER_STATEMENTS'] === 'on'

/**
 * A migrated database without rows; or, with `empty`, one without tables. Call `drop` when done:
 * `after(() => database.drop())`.
 */
export async function testDatabase(
  options: { poolSize?: number; empty?: { encoding: string } } = {},
): Promise<TestDatabase> {
  await using opening = new AsyncDisposableStack()
  const server = opening.adopt(await testServer(), ({ release }) => release())
  const admin = opening.adopt(new Client(server.connection), (client) => client.end())
  await admin.connect()
  // The locks last as long as this connection.
  const template = await useTemplate(admin, server.connection)
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  await admin.query(`select pg_advisory_lock(${lockKey})`, [name])
  await dropAbandoned(admin, template)
  const { empty } = options
  opening.defer(() => dropDatabase(admin, name))
  if (empty === undefined) await copy(admin, template, name)
  else
    await admin.query(
      `create database ${escapeIdentifier(name)} template template0 lc_collate 'C' lc_ctype 'C' encoding ${escapeLiteral(empty.encoding)}`,
    )
  const connection = wayTo(server, name)
  if (!isOnCitus) watchStatements()
  const db = await openAsServed({
    connection,
    poolSize: options.poolSize ?? 5,
    namedStatements: namesStatements,
  })
  opening.defer(() => db.destroy())
  const opened = opening.move()
  return {
    db,
    connection,
    direct: inDatabase(server.connection, name),
    async drop() {
      try {
        if (empty === undefined && !isOnCitus) await judgeNoted(inDatabase(server.connection, name))
      } finally {
        await opened.disposeAsync()
      }
    },
  }
}

/** Opens a database as the service does, with its nodes on Citus. */
export async function openAsServed(options: DatabaseOptions): Promise<Db> {
  return isOnCitus ? connectDatabase(options) : openDatabase(options)
}

/** Opens a database through this one connection, such as a proxy's; on Citus the coordinator then serves all agencies. */
export function openCoordinator(options: DatabaseOptions): Db {
  return Object.assign(openDatabase(options), { isDistributed: isOnCitus })
}

/** The server that tests use. */
export async function testServer(): Promise<TestServer> {
  if (isOnCitus) return { connection: { connectionString: citusUrl }, release: async () => {} }
  const address = process.env['TEST_DATABASE_URL']
  if (address !== undefined && address !== '')
    return { connection: { connectionString: address }, release: async () => {} }
  const checkout = createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 8)
  const dataDir = placeFor(`property-listing-api-test-${process.getuid?.()}-${checkout}`)
  const start = () => startEmbedded({ dataDir, log: () => {}, durable: false })
  try {
    return await start()
  } catch {
    // It is not durable: a crash of the machine may have corrupted it. Its contents are disposable.
    rmSync(dataDir, { recursive: true, force: true })
    return start()
  }
}

/** The directory of the embedded server's files. It never changes once it exists, so that all processes find the same server. */
function placeFor(name: string): string {
  const inMemory = join(memory, name)
  return existsSync(inMemory) ? inMemory : join(quickDirectory(), name)
}

/** The application's connection to a database of the server, through the pooler if there is one. */
export function wayTo(server: TestServer, database: string): ClientConfig {
  return inDatabase(isPooled ? { connectionString: poolerUrl } : server.connection, database)
}

/** The connection to another database of the same server. */
export function inDatabase(connection: ClientConfig, database: string): ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, database }
  const address = new URL(connection.connectionString)
  address.pathname = `/${database}`
  return { connectionString: address.href }
}

/** A connection in the form of DATABASE_URL. */
export function databaseUrl(connection: ClientConfig): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  const parts = new URLSearchParams()
  for (const name of ['host', 'port', 'user', 'password'] as const) {
    const value = connection[name]
    if (typeof value === 'string' || typeof value === 'number') parts.set(name, String(value))
  }
  return `postgres:///${connection.database ?? ''}?${parts}`
}

/** Locks the migrated template for use, and creates it first if needed. Its name contains the hash of the migrations. */
async function useTemplate(admin: Client, connection: ClientConfig): Promise<string> {
  const checksums = readMigrations().map((migration) => `${migration.name} ${migration.checksum}`)
  if (isOnCitus) checksums.push(distributedTables.join())
  const name = `${prefix}template_${createHash('sha256').update(checksums.join('\n')).digest('hex').slice(0, 16)}`
  await admin.query(`select pg_advisory_lock_shared(${lockKey})`, [name])
  if (await databaseExists(admin, name)) return name
  // It has another name until it is complete; its lock also makes other processes wait.
  const unfinished = `${name}_unfinished`
  await admin.query(`select pg_advisory_lock(${lockKey})`, [unfinished])
  if (!(await databaseExists(admin, name))) {
    await dropDatabase(admin, unfinished)
    if (isOnCitus) await createTemplate(name, unfinished)
    else {
      await admin.query(`create database ${escapeIdentifier(unfinished)} template template0 encoding 'UTF8'`)
      await migrate(inDatabase(connection, unfinished))
      await admin.query(`alter database ${escapeIdentifier(unfinished)} rename to ${escapeIdentifier(name)}`)
      // PostgreSQL can only copy a database without connections.
      await admin.query(`alter database ${escapeIdentifier(name)} with allow_connections false`)
    }
  }
  await admin.query(`select pg_advisory_unlock(${lockKey})`, [unfinished])
  return name
}

async function copy(admin: Client, template: string, name: string): Promise<void> {
  if (isOnCitus) return copyOnEachNode(name, template)
  // Takes half the time of the default strategy, which writes every page to the WAL.
  const source = `template ${escapeIdentifier(template)} strategy file_copy`
  await admin.query(`create database ${escapeIdentifier(name)} ${source}`)
}

async function dropDatabase(admin: Client, name: string): Promise<void> {
  if (isOnCitus) return dropOnEachNode(name)
  await admin.query(`drop database if exists ${escapeIdentifier(name)} with (force)`)
}

async function databaseExists(admin: Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  return rowCount === 1
}

/** Deletes unlocked databases that killed test processes and earlier migrations left. */
async function dropAbandoned(admin: Client, template: string): Promise<void> {
  // Our own lock would not stop us.
  const { rows } = await admin.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1) and datname <> $2',
    [prefix, template],
  )
  for (const { name } of rows) {
    const { rows: locks } = await admin.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${lockKey}) as taken`,
      [name],
    )
    if (locks[0]?.taken !== true) continue
    await dropDatabase(admin, name)
    await admin.query(`select pg_advisory_unlock(${lockKey})`, [name])
  }
}
