/**
 * Applies the SQL files of migrations/ in the order of their names, forward only. Each runs once, in a transaction that also records it.
 * A file that begins with `-- Outside a transaction` runs without one, to build indexes concurrently while servers run. The functions in
 * migrations/functions/ come last, and are installed again whenever their text changes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError, type ClientConfig } from 'pg'
import type { Connection } from './connection.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import { distribute, isHalfDistributed } from './citus/distribute.ts'
import { readEngine } from './engine.ts'
import { lockSchema, withSession } from './session.ts'
import { statement, oneOff } from './statement.ts'
import { analyse } from './statistics.ts'
import { isRepeatable, type Migration, readMigrations } from './migration-files.ts'
import { LockedOut, type LockWaits, untilUnlocked, usualLockWaits, watchHolders } from './migration-locks.ts'

/** The oldest supported PostgreSQL, as `server_version_num`. */
export const oldestServer = 150_000

/**
 * Serialises migrations outside a transaction; a second connection holds it. Polled, because a statement that blocks on the lock keeps
 * its snapshot, and `create index concurrently` waits for old snapshots.
 */
const tryOutsideLock = statement<{ taken: boolean }>(
  'select pg_try_advisory_xact_lock(7265838841106) as taken',
)
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
  return withSession(connection, async (session) => {
    await refuseUnfitServer(session)
    const isDistributed = await refuseHalfDistributed(session)
    const run: Run = { connection, session, log, waits, isDistributed }
    const done: string[] = []
    for (;;) {
      if (isDistributed) await session.transaction(() => distributeAdded(run))
      const next = await untilUnlocked(waits, () => session.transaction(() => applyNext(run, migrations)))
      if (next === null) break
      if (isOutside(next) && !(await applyOutside(run, next))) continue
      done.push(next.name)
      log(`Migration ${next.name} applied.`)
    }
    await analyseAfter(session, done, log)
    return done
  })
}

/** Migrations change statistics, and a crash can lose autovacuum's counters. A failure is logged and does not stop the start. */
async function analyseAfter(
  session: Connection,
  done: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  try {
    await analyse((text) => session.run(oneOff(text)), done.length > 0 ? 'all' : 'lacking')
  } catch (error) {
    log(`The tables could not be analysed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Run = Readonly<{
  connection: ClientConfig
  session: Connection
  log: (line: string) => void
  waits: LockWaits
  /** Whether the database is distributed over the nodes of Citus. */
  isDistributed: boolean
}>

/** Distributes the tables that the last migration added: the next one may refer to them. */
async function distributeAdded({ session, log }: Run): Promise<void> {
  await lockSchema(session, [])
  // In one transaction, so that none is left half done: Citus then must not take several connections to a node.
  await session.run(oneOff(`set local citus.multi_shard_modify_mode = 'sequential'`))
  await distribute(session, { tell: log, step: (work) => work() })
}

/** The names of the migrations that the database lacks, in order. @throws DatabaseStartError */
export async function pendingMigrations(
  connection: ClientConfig,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  return withSession(connection, async (session) => {
    const pending = (await hasMigrationTable(session)) ? await findPending(session, migrations) : migrations
    return pending.map((migration) => migration.name)
  })
}

/**
 * Applies the first pending migration, unless it has to run outside a transaction. Reads what is pending under the lock, because
 * another process may just have applied it.
 * @returns the first pending migration, or null
 */
async function applyNext(run: Run, migrations: readonly Migration[]): Promise<Migration | null> {
  const { session, waits, isDistributed } = run
  await lockSchema(session, [])
  // `create table if not exists` needs the right to create. Without it, a role with fewer rights can still start a migrated service.
  if (!(await hasMigrationTable(session))) {
    await session.run(
      oneOff(
        'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null)',
      ),
    )
  }
  const next = (await findPending(session, migrations))[0]
  if (next === undefined || isOutside(next)) return next ?? null
  // Without this, Citus does not pass the next setting on to its nodes.
  if (isDistributed) await session.run(oneOff(`set local citus.propagate_set_commands = 'local'`))
  await session.run(oneOff(`set local lock_timeout = ${waits.lockMs}`))
  await applyStatements(run, next)
  await record(session, [next.name, next.checksum])
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
  return withSession(run.connection, async (holder) => {
    for (;;) {
      const applied = await holder.transaction(() => tryOutside(run, holder, next))
      if (applied !== null) return applied
      // Between two transactions: `create index concurrently` waits for the end of any whose snapshot it once saw.
      await delay(pollMs)
    }
  })
}

/** @returns null while another process applies it */
async function tryOutside(run: Run, holder: Connection, next: Migration): Promise<boolean | null> {
  if ((await tryOutsideLock(holder, []))[0]?.taken !== true) return null
  // Not through `holder`: `create index concurrently` would wait for a snapshot of its open transaction.
  if ((await findPending(run.session, [next])).length === 0) return false
  await applyStatements(run, next)
  await record(run.session, [next.name, next.checksum])
  return true
}

const readPid = statement<{ pid: number }>('select pg_backend_pid() as pid')

/** A statement ends with `;` at the end of a line that is not within `$$`. */
const statements = /(?:\$\$[^]*?\$\$|(?!;\n)[^])+(?:;\n)?/g

/** One by one: Citus sends some to its nodes as text, and accepts only one at a time. */
async function applyStatements(run: Run, migration: Migration): Promise<void> {
  let before = 0
  for (const statement of migration.text.match(statements) ?? []) {
    if (statement.trim() !== '') await apply(run, migration, statement, before)
    before += statement.length
  }
}

/** @param before offset of `text` in the migration's text, in characters */
async function apply(run: Run, migration: Migration, text: string, before: number): Promise<void> {
  const { connection, session, log, waits, isDistributed } = run
  const [backend] = await readPid(session, [])
  const holders = watchHolders(
    connection,
    backend?.pid ?? 0,
    waits.lockMs,
    (blockers) => log(`Migration ${migration.name} waits: a lock that it needs is held by ${blockers}.`),
    isDistributed,
  )
  try {
    await session.run(oneOff(text))
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

/** Records a migration, or that a function was installed again. */
const record = statement(`
  insert into schema_migrations (name, checksum, applied_at) values ($1, $2, clock_timestamp())
  on conflict (name) do update set checksum = excluded.checksum, applied_at = excluded.applied_at`)

const findMigrationTable = statement<{ exists: boolean }>(
  `select to_regclass('schema_migrations') is not null as exists`,
)

async function hasMigrationTable(session: Connection): Promise<boolean> {
  return (await findMigrationTable(session, []))[0]?.exists === true
}

const findApplied = statement<{ name: string; checksum: string }>(
  'select name, checksum from schema_migrations',
)

async function findPending(session: Connection, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await findApplied(session, [])
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

const readServer = statement<{ number: number; version: string; encoding: string }>(`
  select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
    current_setting('server_encoding') as encoding`)

async function refuseUnfitServer(session: Connection): Promise<void> {
  const [server] = await readServer(session, [])
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
async function refuseHalfDistributed(session: Connection): Promise<boolean> {
  const { isDistributed, version } = await readEngine(session)
  if (version !== null && (await isHalfDistributed(session)))
    throw new DatabaseStartError(
      'The database is half distributed: run `npm run -s svc -- database distribute` again, to the end.',
    )
  return isDistributed
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
