/**
 * Waits for the locks of migrations. All later statements on a table queue behind a migration that waits for its lock. So a migration
 * waits briefly, gives up to let them pass, and retries; meanwhile it logs which processes hold the lock.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import { withSession } from './session.ts'
import { statement } from './statement.ts'

export type LockWaits = Readonly<{
  /** Timeout for one lock; shorter than the four seconds that requests wait for one. */
  lockMs: number
  /** Pause after the first attempt; doubles each time, up to `longestPauseMs`. */
  pauseMs: number
  longestPauseMs: number
  /** No retry after this. */
  patienceMs: number
}>

export const usualLockWaits: LockWaits = {
  lockMs: 2_000,
  pauseMs: 1_000,
  longestPauseMs: 10_000,
  patienceMs: 600_000,
}

/** `read` gives the processes last seen to hold a lock that the migration waits for, or null. */
type Holders = { read(): string | null; stop(): Promise<void> }

const whoItIs = `concat_ws(', ', a.usename, nullif(a.application_name, ''), nullif(a.backend_type, 'client backend'), a.state,
    'since ' || extract(epoch from clock_timestamp() - a.xact_start)::int || ' s') as what`
type Holder = { pid: number; what: string }

const findHolders = statement<Holder>(`
  select a.pid, ${whoItIs}
  from pg_stat_activity a where a.pid = any (pg_blocking_pids($1)) order by a.xact_start`)
/** On Citus a migration also waits on other nodes, for somebody there. */
const findHoldersElsewhere = statement<Holder>(`
  select a.pid, ${whoItIs}
  from citus_lock_waits w join citus_stat_activity a on a.global_pid = w.blocking_gpid and not a.is_worker_query
  where w.waiting_gpid % 10000000000 = $1 order by a.xact_start`)

/**
 * Watches for processes that block the backend `pid`, on a connection opened only after half of `lockMs`.
 * @param onChange called with each new set of them
 */
export function watchHolders(
  connection: ClientConfig,
  pid: number,
  lockMs: number,
  onChange: (holders: string) => void,
  isDistributed = false,
): Holders {
  let reported: string | null = null
  let last: string | null = null
  const stopping = new AbortController()
  const look = async (): Promise<void> => {
    await delay(lockMs / 2, null, { signal: stopping.signal })
    await withSession(connection, async (session) => {
      for (;;) {
        let rows = await findHolders(session, [pid])
        if (rows.length === 0 && isDistributed) rows = await findHoldersElsewhere(session, [pid])
        if (rows.length > 0) last = rows.map((row) => `process ${row.pid} (${row.what})`).join(', ')
        const pids = rows.map((row) => row.pid).join()
        if (last !== null && pids !== '' && pids !== reported) onChange(last)
        if (pids !== '') reported = pids
        await delay(lockMs / 4, null, { signal: stopping.signal })
      }
    })
  }
  // Failures are ignored: watching must not fail the migration.
  const looking = look().catch(() => {})
  return {
    read: () => last,
    async stop() {
      stopping.abort()
      await looking
    },
  }
}

/** A lock timed out and nothing was applied. The message names the lock's holders if they are known. */
export class LockedOut extends Error {
  override readonly name = 'LockedOut'
}

/** Retries `attempt` while it throws LockedOut. @throws DatabaseStartError after `patienceMs` */
export async function untilUnlocked<T>(waits: LockWaits, attempt: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let pauseMs = waits.pauseMs; ; pauseMs = Math.min(pauseMs * 2, waits.longestPauseMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LockedOut)) throw error
      if (performance.now() - began >= waits.patienceMs)
        throw new DatabaseStartError(error.message, { cause: error })
    }
    await delay(pauseMs)
  }
}
