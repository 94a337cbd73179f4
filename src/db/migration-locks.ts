/**
 * A migration that waits for a lock makes everybody wait behind it who uses the same table. So it waits for a moment only, lets the
 * others pass and tries again, and meanwhile says who is in its way.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { DatabaseStartError } from './database-start-error.ts'

export type LockWaits = Readonly<{
  /** For one lock: shorter than the four seconds that requests wait for one. */
  lockMs: number
  /** Between the first two attempts; twice as long each time, up to the longest. */
  pauseMs: number
  longestPauseMs: number
  /** After so long it is given up. */
  patienceMs: number
}>

export const usualLockWaits: LockWaits = {
  lockMs: 2_000,
  pauseMs: 1_000,
  longestPauseMs: 10_000,
  patienceMs: 600_000,
}

/** Who holds what the migration waits for; null while it waits for nobody. */
type Holders = { read(): string | null; stop(): Promise<void> }

const findHolders = `
  select a.pid, concat_ws(', ', a.usename, nullif(a.application_name, ''), nullif(a.backend_type, 'client backend'), a.state,
    'since ' || extract(epoch from clock_timestamp() - a.xact_start)::int || ' s') as what
  from pg_stat_activity a where a.pid = any (pg_blocking_pids($1)) order by a.xact_start`

/** Looks from a connection of its own, which is opened only where the migration takes longer than usual. */
export function watchHolders(
  connection: ClientConfig,
  pid: number,
  lockMs: number,
  tell: (holders: string) => void,
): Holders {
  let told: string | null = null
  let last: string | null = null
  const stopping = new AbortController()
  const look = async (): Promise<void> => {
    await delay(lockMs / 2, null, { signal: stopping.signal })
    const client = new Client({ connectionTimeoutMillis: 10_000, ...connection })
    client.on('error', () => {})
    try {
      await client.connect()
      for (;;) {
        const { rows } = await client.query<{ pid: number; what: string }>(findHolders, [pid])
        if (rows.length > 0) last = rows.map((row) => `process ${row.pid} (${row.what})`).join(', ')
        const pids = rows.map((row) => row.pid).join()
        if (last !== null && pids !== '' && pids !== told) tell(last)
        if (pids !== '') told = pids
        await delay(lockMs / 4, null, { signal: stopping.signal })
      }
    } finally {
      await client.end()
    }
  }
  // It only tells; what goes wrong with it is not the migration's.
  const looking = look().catch(() => {})
  return {
    read: () => last,
    async stop() {
      stopping.abort()
      await looking
    },
  }
}

/** A table was locked, by whom if that was seen: nothing was done. */
export class LockedOut extends Error {
  override readonly name = 'LockedOut'
}

/** Tries until no lock is in the way. @throws DatabaseStartError when that takes too long */
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
