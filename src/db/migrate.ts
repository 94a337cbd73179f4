/**
 * Brings a database to the shape that this version needs: the files of migrations/, in the order of their names, forward
 * only. Each runs once, in a transaction of its own that also records it.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, DatabaseError, type ClientConfig } from 'pg'
import { DatabaseStartError, DatabaseUnreachable } from './database-start-error.ts'

export type Migration = Readonly<{ name: string; text: string; checksum: string }>

const oldestServer = 150_000

/** Any number; the same for everybody who migrates. Freed with the transaction, so it holds behind a pooler too. */
const lock = 'select pg_advisory_xact_lock(7265838841105)'

const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The migrations of this version, in order. */
export function readMigrations(directory: string = migrationsDirectory): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const text = readFileSync(join(directory, name), 'utf8')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/**
 * Applies what is pending. Several processes may do so at once.
 * @param log told the name of each migration that was applied.
 * @returns the names applied, in order.
 * @throws DatabaseStartError: one line for the operator.
 */
export async function migrate(
  connection: ClientConfig,
  log: (line: string) => void = () => {},
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  return withClient(connection, async (client) => {
    await refuseUnfitServer(client)
    const done: string[] = []
    for (;;) {
      const name = await inTransaction(client, () => applyNext(client, migrations))
      if (name === null) return done
      done.push(name)
      log(`Migration ${name} applied.`)
    }
  })
}

/** The names of the migrations that the database lacks, in order. @throws DatabaseStartError */
export async function pendingMigrations(
  connection: ClientConfig,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  return withClient(connection, async (client) => {
    const pending = (await hasMigrationTable(client)) ? await findPending(client, migrations) : migrations
    return pending.map((migration) => migration.name)
  })
}

/** Applies the first pending one. What is pending is asked behind the lock: another process may just have applied it. */
async function applyNext(client: Client, migrations: readonly Migration[]): Promise<string | null> {
  await client.query(lock)
  // Asked first: once all is applied, a role that may not create anything can start the service.
  if (!(await hasMigrationTable(client))) {
    await client.query(
      'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null)',
    )
  }
  const next = (await findPending(client, migrations))[0]
  if (next === undefined) return null
  try {
    await client.query(next.text)
  } catch (error) {
    throw new DatabaseStartError(explain(next, error), { cause: error })
  }
  await client.query(
    'insert into schema_migrations (name, checksum, applied_at) values ($1, $2, clock_timestamp())',
    [next.name, next.checksum],
  )
  return next.name
}

async function hasMigrationTable(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  )
  return rows[0]?.exists === true
}

async function findPending(client: Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const { name, checksum } of migrations) {
    const recorded = applied.get(name)
    if (recorded !== undefined && recorded !== checksum) {
      throw new DatabaseStartError(
        `migrations/${name} was changed after it was applied to this database: restore it, and put the change into a new file.`,
      )
    }
  }
  return migrations.filter((migration) => !applied.has(migration.name))
}

async function refuseUnfitServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string; encoding: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`,
  )
  const server = rows[0]
  if (server === undefined || server.number < oldestServer) {
    throw new DatabaseStartError(`The database is PostgreSQL ${server?.version}: use 15 or later.`)
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseStartError(
      `The database is encoded in ${server.encoding}: create one with encoding UTF8.`,
    )
  }
}

function explain(migration: Migration, error: unknown): string {
  const failed = `migrations/${migration.name} could not be applied`
  if (!(error instanceof DatabaseError))
    return `${failed}: ${error instanceof Error ? error.message : String(error)}`
  const extension = /extension "?([a-z0-9_]+)"?/.exec(error.message)?.[1]
  if (extension !== undefined && error.code === '42501') {
    return `${failed}: the database user may not create the extension ${extension}; have a superuser run: create extension ${extension};`
  }
  if (extension !== undefined && (error.code === '0A000' || error.code === '58P01')) {
    return `${failed}: the server does not have the extension ${extension}; install PostgreSQL's contrib modules.`
  }
  const line =
    error.position === undefined
      ? ''
      : ` (line ${migration.text.slice(0, Number(error.position) - 1).split('\n').length})`
  return `${failed}${line}: ${error.message}`
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // The connection may be what failed; that of the work is the error to tell.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function withClient<T>(connection: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionTimeoutMillis: 10_000, ...connection })
  // A lost connection also fails the query under way; without a listener it would end the process.
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
