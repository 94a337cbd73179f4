/**
 * Applies the SQL files of migrations/ in the order of their names, forward only. Each runs once, in a transaction that also records it.
 * A file that begins with `-- Outside a transaction` runs without one, to build indexes concurrently while servers run. The functions in
 * migrations/functions/ come last, and are installed again whenever their text changes.
 */
import { tryAdvisoryLock } from '../statements/advisory-locks.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { checkServer } from '../engine.ts'
import { distribute } from '../citus/distribute.ts'
import type { Connection } from '../statements/connection.ts'
import {
  createRecord,
  findNewer,
  findPending,
  hasRecord,
  type Migration,
  readMigrations,
  record,
} from './migrations.ts'
import {
  applyStatements,
  type LockWaits,
  type MigrationRun,
  untilUnlocked,
  usualLockWaits,
} from './migration-statements.ts'
import { lockSchema, withSession } from '../statements/session.ts'
import { oneOff } from '../statements/statement.ts'
import { analyse } from '../upkeep/statistics.ts'
import { messageOf } from '../../errors/errors.ts'

/**
 * Serialises migrations outside a transaction; a second connection holds it. Polled, because a statement that blocks on the lock keeps
 * its snapshot, and `create index concurrently` waits for old snapshots.
 */
const tryOutsideLock = tryAdvisoryLock('migrationOutsideTransaction')
const pollMs = 100

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
    const isDistributed = await checkServer(session)
    const run: MigrationRun = { connection, session, log, waits, isDistributed }
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
export async function analyseAfter(
  session: Connection,
  done: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  try {
    await analyse((text) => session.run(oneOff(text)), done.length > 0 ? 'all' : 'lacking')
  } catch (error) {
    log(`The tables could not be analysed: ${messageOf(error)}`)
  }
}

/** Distributes the tables that the last migration added: the next one may refer to them. */
export async function distributeAdded({ session, log }: MigrationRun): Promise<void> {
  await lockSchema(session, [])
  // In one transaction, so that none is left half done: Citus then must not take several connections to a node.
  await session.run(oneOff(`set local citus.multi_shard_modify_mode = 'sequential'`))
  await distribute(session, { log, step: (work) => work() })
}

/** The names of the migrations that the database lacks, in order. @throws DatabaseStartError */
export async function pendingMigrations(
  connection: ClientConfig,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  return withSession(connection, async (session) => {
    const pending = (await hasRecord(session)) ? await findPending(session, migrations) : migrations
    return pending.map((migration) => migration.name)
  })
}

/** The migrations that a newer version has applied. */
export async function newerMigrations(connection: ClientConfig): Promise<string[]> {
  return withSession(connection, (session) => findNewer(session, readMigrations()))
}

/**
 * Applies the first pending migration, unless it has to run outside a transaction. Reads what is pending under the lock, because
 * another process may just have applied it.
 * @returns the first pending migration, or null
 */
async function applyNext(run: MigrationRun, migrations: readonly Migration[]): Promise<Migration | null> {
  const { session, waits, isDistributed } = run
  await lockSchema(session, [])
  // `create table if not exists` needs the right to create. Without it, a role with fewer rights can still start a migrated service.
  if (!(await hasRecord(session))) await createRecord(session)
  const next = (await findPending(session, migrations))[0]
  if (next === undefined || isOutside(next)) return next ?? null
  // Without this, Citus does not pass the next setting on to its nodes.
  if (isDistributed) await session.run(oneOff(`set local citus.propagate_set_commands = 'local'`))
  await session.run(oneOff(`set local lock_timeout = ${waits.lockMs}`))
  await applyStatements(run, next)
  await record(session, next)
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
async function applyOutside(run: MigrationRun, next: Migration): Promise<boolean> {
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
async function tryOutside(run: MigrationRun, holder: Connection, next: Migration): Promise<boolean | null> {
  if ((await tryOutsideLock(holder, []))[0]?.taken !== true) return null
  // Not through `holder`: `create index concurrently` would wait for a snapshot of its open transaction.
  if ((await findPending(run.session, [next])).length === 0) return false
  await applyStatements(run, next)
  await record(run.session, next)
  return true
}
