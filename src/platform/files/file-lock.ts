/**
 * Locks on files, between processes and within one. Node has no flock, but its built-in SQLite takes file locks on every platform. So a
 * lock is an open transaction on an empty SQLite file: a read transaction is the shared lock, an exclusive one the exclusive lock.
 */
import { chownSync, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

export type FileLock = { release(): void }

/** Keeps handles alive: garbage collection of one would silently free its lock. */
const held = new Set<DatabaseSync>()

const sqliteBusy = 5
const retryMs = 10
const noticeMs = 5_000

/**
 * Takes the lock.
 * @param owner the owner of a new file, if not the current user
 * @returns null if a conflicting lock is held, by another process or by this one
 * @throws Error if the file cannot be opened or locked at all
 */
export function tryLock(
  file: string,
  mode: 'shared' | 'exclusive',
  owner?: { uid: number; gid: number },
): FileLock | null {
  const isNew = !existsSync(file)
  const handle = new DatabaseSync(file, { timeout: 0 })
  try {
    // Without a journal file, so that a lock can be taken on a full disk.
    handle.exec('pragma journal_mode = memory')
    handle.exec(mode === 'exclusive' ? 'begin exclusive' : 'begin; select count(*) from sqlite_schema')
  } catch (error) {
    handle.close()
    if (isBusy(error)) return null
    throw error
  }
  if (isNew && owner !== undefined) chownSync(file, owner.uid, owner.gid)
  held.add(handle)
  return {
    release() {
      if (held.delete(handle)) handle.close()
    },
  }
}

/** Waits for an exclusive lock. Calls `onWait` once if that takes longer than `noticeMs`. */
export async function waitForLock(
  file: string,
  owner: { uid: number; gid: number } | undefined,
  onWait: () => void,
): Promise<FileLock> {
  const noticeAt = performance.now() + noticeMs
  let noticed = false
  for (;;) {
    const lock = tryLock(file, 'exclusive', owner)
    if (lock !== null) return lock
    if (!noticed && performance.now() > noticeAt) {
      noticed = true
      onWait()
    }
    await delay(retryMs)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}
