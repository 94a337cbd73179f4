/**
 * Applies the SQL files of migrations/ in the order of their names, forward only. Each runs once, in a transaction that also records it.
 * A file that begins with `-- Outside a transaction` runs without one, to build indexes concurrently while servers run. The functions in
 * migrations/functions/ come last, and are installed again whenever their text changes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, DatabaseError, type ClientConfig } from 'pg'
import { inTransaction, schemaLock, withClient } from './client.ts'
import { DatabaseStartError } from './database-start-error.ts'
import { distribute, isHalfDistributed } from './distribute.ts'
import { distributedTables } from './distribution.ts'
import { analyse } from './statistics.ts'
import { isRepeatable, type Migration, readMigrations } from './migration-files.ts'
import { LockedOut, type LockWaits, untilUnlocked, usualLockWaits, watchHolders } from './migration-locks.ts'

/** The oldest supported PostgreSQL, as `server_version_num`. */
export const oldestServer = 150_000

/**
 * Serialises migrations outside a transaction; a second connection holds it. Polled, because a statement that blocks on the lock keeps
 * its snapshot, and `create index concurrently` waits for old snapshots.
 */
const tryOutsideLock = 'select pg_try_advisory_xact_lock(7265838841106) as taken'
const pollMs = 100
const lockNotAvailable = '55P03'

/**
 * Applies pending migrations. Several processes may call it at once.
 * @param log receives the name of each applied migration, and the processes that block one
 * @returns the names applied, in order
 * @throws DatabaseStartError with one line for the operator
 */
export async function migrate(
  connection: ClientConfig,
  log: (line: string) => void = () => {},
  migrations: readonly Migration[] = readMigrations(),
  waits: LockWaits = usualLockWaits,
): Promise<string[]> {
  return withClient(connection, async (client) => {
    await refuseUnfitServer(client)
    const isDistributed = await refuseHalfDistributed(client)
    const run: Run = { connection, client, log, waits, isDistributed }
    const done: string[] = []
    for (;;) {
      if (isDistributed) await inTransaction(client, () => distributeAdded(run))
      const next = await untilUnlocked(waits, () => inTransaction(client, () => applyNext(run, migrations)))
      if (next === null) break
      if (isOutside(next) && !(await applyOutside(run, next))) continue
      done.push(next.name)
      log(`Migration ${next.name} applied.`)
    }
    await analyseAfter(client, done, log)
    return done
  })
}

/** Migrations change statistics, and a crash can lose autovacuum's counters. A failure is logged and does not stop the start. */
async function analyseAfter(
  client: Client,
  done: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  try {
    await analyse(async (text) => (await client.query(text)).rows, done.length > 0 ? 'all' : 'lacking')
  } catch (error) {
    log(`The tables could not be analysed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Run = Readonly<{
  connection: ClientConfig
  client: Client
  log: (line: string) => void
  waits: LockWaits
  /** Over the nodes of Citus. */
  isDistributed: boolean
}>

/** Distributes the tables that the last migration added: the next one may refer to them. */
async function distributeAdded({ client, log }: Run): Promise<void> {
  await client.query(schemaLock)
  // In one transaction, so that none is left half done: Citus then must not take several connections to a node.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  await distribute(client, { tell: log, step: (work) => work() })
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

/**
 * Applies the first pending migration, unless it has to run outside a transaction. Reads what is pending under the lock, because
 * another process may just have applied it.
 * @returns the first pending migration, or null
 */
async function applyNext(run: Run, migrations: readonly Migration[]): Promise<Migration | null> {
  const { client, waits, isDistributed } = run
  await client.query(schemaLock)
  // `create table if not exists` needs the right to create. Without it, a role with fewer rights can still start a migrated service.
  if (!(await hasMigrationTable(client))) {
    await client.query(
      'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null)',
    )
  }
  const next = (await findPending(client, migrations))[0]
  if (next === undefined || isOutside(next)) return next ?? null
  // Citus passes on what is set by this word alone.
  if (isDistributed) await client.query(`set local citus.propagate_set_commands = 'local'`)
  await client.query(`set local lock_timeout = ${waits.lockMs}`)
  await applyStatements(run, next)
  await record(client, next)
  return next
}

function isOutside({ text }: Migration): boolean {
  return text.startsWith('-- Outside a transaction')
}

/**
 * Runs a migration's statements without a transaction. They are repeatable, so after a crash the next process starts over.
 * They wait for old transactions but block no other statement.
 * @returns false if another process applied it meanwhile
 */
async function applyOutside(run: Run, next: Migration): Promise<boolean> {
  return withClient(run.connection, async (holder) => {
    for (;;) {
      const applied = await inTransaction(holder, () => tryOutside(run, holder, next))
      if (applied !== null) return applied
      // Between two transactions: `create index concurrently` waits for the end of any whose snapshot it once saw.
      await delay(pollMs)
    }
  })
}

/** @returns null while another process applies it */
async function tryOutside(run: Run, holder: Client, next: Migration): Promise<boolean | null> {
  if ((await holder.query<{ taken: boolean }>(tryOutsideLock)).rows[0]?.taken !== true) return null
  // Not through `holder`: `create index concurrently` would wait for a snapshot of its open transaction.
  if ((await findPending(run.client, [next])).length === 0) return false
  await applyStatements(run, next)
  await record(run.client, next)
  return true
}

/** A statement ends with `;` at the end of a line that is not within `$$`. */
const endOfStatement = /(?<=;\n)(?=(?:[^$]|\$(?!\$)|\$\$[^]*?\$\$)*$)/

/** One by one: Citus sends some to its nodes as they came, and takes no more than one. */
async function applyStatements(run: Run, migration: Migration): Promise<void> {
  let before = 0
  for (const statement of migration.text.split(endOfStatement)) {
    if (statement.trim() !== '') await apply(run, migration, statement, before)
    before += statement.length
  }
}

/** @param before offset of `text` in the migration's text, in characters */
async function apply(run: Run, migration: Migration, text: string, before: number): Promise<void> {
  const { connection, client, log, waits, isDistributed } = run
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const holders = watchHolders(
    connection,
    rows[0]?.pid ?? 0,
    waits.lockMs,
    (blockers) => log(`Migration ${migration.name} waits: a lock that it needs is held by ${blockers}.`),
    isDistributed,
  )
  try {
    await client.query(text)
  } catch (error) {
    if ((error as Partial<DatabaseError>).code !== lockNotAvailable)
      throw new DatabaseStartError(explain(migration, error, before), { cause: error })
    throw new LockedOut(
      `migrations/${migration.name} could not be applied: a lock that it needs is held by ${holders.read() ?? 'somebody'}. End that, and start again.`,
      { cause: error },
    )
  } finally {
    await holders.stop()
  }
}

async function record(client: Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `insert into schema_migrations (name, checksum, applied_at) values ($1, $2, clock_timestamp())
    on conflict (name) do update set checksum = excluded.checksum, applied_at = excluded.applied_at`,
    [name, checksum],
  )
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
  for (const migration of migrations) {
    const { name, checksum } = migration
    const recorded = applied.get(name)
    if (recorded !== undefined && recorded !== checksum && !isRepeatable(migration)) {
      throw new DatabaseStartError(
        `migrations/${name} was changed after it was applied to this database: restore it, and put the change into a new file.`,
      )
    }
  }
  return migrations.filter((migration) =>
    isRepeatable(migration)
      ? applied.get(migration.name) !== migration.checksum
      : !applied.has(migration.name),
  )
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

/** @returns whether the database is distributed. @throws DatabaseStartError for one that is partly so */
async function refuseHalfDistributed(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ citus: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as citus`,
  )
  if (rows[0]?.citus !== true) return false
  if (await isHalfDistributed(client))
    throw new DatabaseStartError(
      'The database is half distributed: run `npm run -s svc -- database distribute` again, to the end.',
    )
  const { rows: own } = await client.query<{ distributed: boolean }>(
    'select exists (select from pg_dist_partition where logicalrelid = to_regclass($1)) as distributed',
    [distributedTables[0]],
  )
  return own[0]?.distributed === true
}

function explain(migration: Migration, error: unknown, before: number): string {
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
      : ` (line ${migration.text.slice(0, before + Number(error.position) - 1).split('\n').length})`
  return `${failed}${line}: ${error.message}`
}
