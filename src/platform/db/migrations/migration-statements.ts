/** Runs the statements of a migration, and explains to the operator what stops one. */
import { setTimeout as delay } from 'node:timers/promises'
import { type ClientConfig, DatabaseError } from 'pg'
import { svcCommand } from '../../program/svc-command.ts'
import type { Connection } from '../statements/connection.ts'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import type { Migration } from './migrations.ts'
import { oneOff, statement } from '../statements/statement.ts'
import { withSession } from '../statements/session.ts'
import { messageOf } from '../../errors/errors.ts'
import { backoffMs } from '../../time/backoff.ts'

/** A run of migrations. `connection`: to watch the database while `session` waits. */
export type MigrationRun = Readonly<{
  connection: ClientConfig
  session: Connection
  log: (line: string) => void
  waits: LockWaits
  /** Whether the database is distributed over the nodes of Citus. */
  isDistributed: boolean
}>

const lockNotAvailable = '55P03'
const insufficientPrivilege = '42501'

/** A statement ends with `;` at the end of a line that is not within `$$`. */
const statements = /(?:\$\$[^]*?\$\$|(?!;\n)[^])+(?:;\n)?/g

export function splitStatements(text: string): string[] {
  return text.match(statements) ?? []
}

/** One by one: Citus sends some to its nodes as text, and accepts only one at a time. @throws DatabaseStartError, LockedOut */
export async function applyStatements(
  run: MigrationRun,
  migration: Pick<Migration, 'name' | 'text'>,
): Promise<void> {
  let before = 0
  for (const text of splitStatements(migration.text)) {
    if (text.trim() !== '') await apply(run, migration, text, before)
    before += text.length
  }
}

const readPid = statement<{ pid: number }>('select pg_backend_pid() as pid')

/** @param before offset of `text` in the migration's text, in characters */
async function apply(
  run: MigrationRun,
  migration: Pick<Migration, 'name' | 'text'>,
  text: string,
  before: number,
): Promise<void> {
  const { session } = run
  const [backend] = await readPid(session, [])
  const holders = watchHolders(run, backend?.pid ?? 0, migration.name)
  try {
    await session.run(oneOff(text))
  } catch (error) {
    if ((error as Partial<DatabaseError>).code !== lockNotAvailable)
      throw new DatabaseStartError(explain(migration, error, before), { cause: error })
    throw new LockedOut(
      `migrations/${migration.name} could not be applied: a lock that it needs is held by ${holders.read() ?? 'another process'}. End that, and start again.`,
      { cause: error },
    )
  } finally {
    await holders.stop()
  }
}

function explain({ name, text }: Pick<Migration, 'name' | 'text'>, error: unknown, before: number): string {
  const failed = `migrations/${name} could not be applied`
  if (!(error instanceof DatabaseError)) return `${failed}: ${messageOf(error)}`
  const line =
    error.position === undefined
      ? ''
      : ` (line ${text.slice(0, before + Number(error.position) - 1).split('\n').length})`
  const help =
    error.code === insufficientPrivilege
      ? `. Run \`${svcCommand} migrate\` as the owner of the tables, as docs/operations.md says`
      : ''
  return `${failed}${line}: ${error.message}${help}`
}

export const usualLockWaits = {
  /** Timeout for one lock; shorter than the four seconds that requests wait for one. */
  lockMs: 2_000,
  /** Pauses between attempts. */
  pauseMs: { first: 1_000, max: 10_000 },
  /** No retry after this. */
  patienceMs: 600_000,
}
export type LockWaits = Readonly<typeof usualLockWaits>

const describeProcess = `concat_ws(', ', a.usename, nullif(a.application_name, ''), nullif(a.backend_type, 'client backend'), a.state,
    'since ' || extract(epoch from clock_timestamp() - a.xact_start)::int || ' s') as description`
type Holder = { pid: number; description: string }

const findHolders = statement<Holder>(`
  select a.pid, ${describeProcess}
  from pg_stat_activity a where a.pid = any (pg_blocking_pids($1)) order by a.xact_start`)
/** On Citus, a migration may also wait for a lock on another node. */
const findHoldersElsewhere = statement<Holder>(`
  select a.pid, ${describeProcess}
  from citus_lock_waits w join citus_stat_activity a on a.global_pid = w.blocking_gpid and not a.is_worker_query
  where w.waiting_gpid % 10000000000 = $1 order by a.xact_start`)

/** Watches for processes that block the backend `pid`, on a connection opened only after half of `lockMs`; logs each new set of them. */
function watchHolders(
  { connection, waits: { lockMs }, log, isDistributed }: MigrationRun,
  pid: number,
  name: string,
) {
  let reported: string | null = null
  let last: string | null = null
  const stopping = new AbortController()
  const look = async (): Promise<void> => {
    await delay(lockMs / 2, null, { signal: stopping.signal })
    await withSession(connection, async (session) => {
      for (;;) {
        let rows = await findHolders(session, [pid])
        if (rows.length === 0 && isDistributed) rows = await findHoldersElsewhere(session, [pid])
        if (rows.length > 0) last = rows.map((row) => `process ${row.pid} (${row.description})`).join(', ')
        const pids = rows.map((row) => row.pid).join()
        if (pids !== '' && pids !== reported)
          log(`Migration ${name} waits: a lock that it needs is held by ${last}.`)
        if (pids !== '') reported = pids
        await delay(lockMs / 4, null, { signal: stopping.signal })
      }
    })
  }
  // Failures are ignored: watching must not fail the migration.
  const looking = look().catch(() => {})
  return {
    /** The processes last seen, or null. */
    read: () => last,
    async stop() {
      stopping.abort()
      await looking
    },
  }
}

/** A lock timed out and nothing was applied. The message names the lock's holders if they are known. */
class LockedOut extends Error {
  override readonly name = 'LockedOut'
}

/**
 * Retries `attempt` while it throws LockedOut. All later statements on a table queue behind a migration that waits for its lock. So a
 * migration waits briefly, gives up to let them pass, and retries.
 * @throws DatabaseStartError after `patienceMs` */
export async function untilUnlocked<T>(waits: LockWaits, attempt: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LockedOut)) throw error
      if (performance.now() - began >= waits.patienceMs)
        throw new DatabaseStartError(error.message, { cause: error })
    }
    await delay(backoffMs(waits.pauseMs, retries))
  }
}
