/**
 * The embedded database: an unmodified PostgreSQL that the first process starts and the last one stops. The server and any number of
 * commands share it.
 *
 * Three file locks coordinate them; the operating system frees a lock when its holder dies, even by kill -9:
 * - `gate.lock`, exclusive: held while PostgreSQL is created, started, adopted or stopped, so these steps never race.
 * - `users.lock`, shared: held by every process that uses the database. A process that releases it and can then take it exclusively was
 *   the last one, and stops PostgreSQL.
 * - `server.lock`, exclusive: held by the server, which takes it before it touches anything else. So a data directory has one server.
 *
 * After kill -9 of the last user, PostgreSQL keeps running. The next process adopts it; a process in another container, which cannot see
 * it, is refused (running.ts).
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chownSync, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Client, type ClientConfig } from 'pg'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import { type Binaries, findBinaries, reachableBinaries } from './embedded-binaries.ts'
import {
  defaultSystemDirectory,
  type EmbeddedPaths,
  findPaths,
  makeSocketDirectory,
  refuseOtherMajor,
  removeSocketDirectory,
} from './embedded-paths.ts'
import { initialise, removeUnfinished } from './launch.ts'
import { startPostmaster, stopPostmaster, waitUntilReady } from './postmaster.ts'
import { awaitEnd, findWhereabouts } from './running.ts'
import { messageOf, rethrowAfter } from '../../errors/errors.ts'

export type EmbeddedOptions = {
  /** The service's data directory. The database is in `postgres-<major>` in it. */
  dataDir: string
  /** Receives lines for the operator: where the database is, what takes long. */
  log: (line: string) => void
  /** False for temporary databases: faster, but lost if the machine crashes. */
  durable?: boolean
  /** For files that root's unprivileged user cannot reach elsewhere. */
  systemDirectory?: string
  /** Whether this process is the server. A data directory has at most one. */
  isServer?: boolean
  /** For an upgrade: PostgreSQL's programs in another installation. */
  binaries?: Binaries
  /** For an upgrade: a database of another major version may be in the data directory too. */
  isBesideOther?: boolean
}

export type EmbeddedDatabase = {
  /** Socket directory, superuser and database. */
  connection: ClientConfig
  /** The directory with the database's files, log and locks. */
  home: string
  /** Ends this process's use. The last process stops PostgreSQL and waits until it has stopped. Close all connections first. */
  release(): Promise<void>
}

/** Backoff between attempts to restart PostgreSQL: grows by `more` each time, up to `most`. */
const reviveDelayMs = { more: 1_000, most: 30_000 }

/**
 * Starts the embedded database, or joins the running one.
 * @throws DatabaseStartError with one line for the operator, and the end of PostgreSQL's log if it gives the reason
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, log, durable = true, systemDirectory = defaultSystemDirectory, isServer = false } = options
  const { binaries: found = findBinaries(), isBesideOther = false } = options
  const here = findWhereabouts()
  if (!isBesideOther) refuseOtherMajor(dataDir, found.major)
  const paths = findPaths(dataDir, found.major, systemDirectory, log)
  const binaries =
    paths.runAs === undefined ? found : reachableBinaries(found, paths.runAs, systemDirectory, log)

  const use = { isOver: false }
  const server = isServer ? lockServer(paths, dataDir) : null

  const { connection, users } = await behindGate(paths, log, async () => {
    await initialise(paths, binaries, durable)
    const isUsed = (): boolean => {
      const alone = tryLock(usersFile(paths), 'exclusive', paths.runAs)
      alone?.release()
      return alone === null
    }
    return { connection: await bringUp(isUsed), users: useShared(paths) }
  }).catch(rethrowAfter(() => server?.release()))
  const end = async (): Promise<void> => {
    await leave(paths, users, connection, log)
    server?.release()
  }
  let watcher = await openWatcher(connection).catch(rethrowAfter(end))

  return {
    connection,
    home: paths.home,
    async release() {
      if (use.isOver) return
      use.isOver = true
      await watcher.end()
      await end()
    },
  }

  /** Adopts the running PostgreSQL or starts one. The caller holds the gate. */
  async function bringUp(isUsed: () => boolean, socketDirectory?: string): Promise<ClientConfig> {
    const running = await waitUntilReady(paths, log)
    if (running !== null && running !== 'deaf') return running
    if (running === 'deaf') {
      // A cleanup of the temporary directory deleted the socket: no new connection is possible.
      log('PostgreSQL runs, but its socket is gone: it is restarted.')
      await stopPostmaster(paths, log)
    }
    await awaitEnd(paths, here, isUsed)
    return startPostmaster(paths, binaries, {
      here,
      socketDirectory: makeSocketDirectory(paths, socketDirectory),
      durable,
      log,
    })
  }

  /** Keeps an idle connection open, which breaks as soon as PostgreSQL ends; then PostgreSQL is restarted. */
  async function openWatcher(to: ClientConfig): Promise<Client> {
    const client = new Client(to)
    client.on('error', () => {})
    await client.connect()
    client.once('end', () => {
      if (!use.isOver) void revive()
    })
    return client
  }

  /**
   * Restarts PostgreSQL with the same socket path, so that the pools of all processes reconnect. Never gives up: a full disk may be
   * freed, and leftover processes of a killed PostgreSQL end sooner or later.
   */
  async function revive(): Promise<void> {
    for (let attempt = 1; !use.isOver; attempt += 1) {
      try {
        await behindGate(paths, log, async () => {
          if (use.isOver) return
          // While this process holds `users.lock`, processes in other containers are refused, so none uses the database.
          watcher = await openWatcher(await bringUp(() => false, connection.host))
          log(`PostgreSQL had ended and was restarted. Its log has the reason: ${paths.logFile}`)
        })
        return
      } catch (error) {
        log(`PostgreSQL has ended and does not start again: ${messageOf(error)}`)
        await delay(Math.min(attempt * reviveDelayMs.more, reviveDelayMs.most), undefined, { ref: false })
      }
    }
  }
}

async function behindGate<T>(paths: EmbeddedPaths, log: (line: string) => void, work: () => Promise<T>) {
  const gate = await waitForLock(join(paths.home, 'gate.lock'), paths.runAs, () =>
    log(`Another process is starting or stopping the database in ${paths.home}. Waiting.`),
  )
  try {
    return await work()
  } finally {
    gate.release()
  }
}

function lockServer(paths: EmbeddedPaths, dataDir: string): FileLock {
  const lock = tryLock(join(paths.home, 'server.lock'), 'exclusive', paths.runAs)
  if (lock !== null) return lock
  throw new DatabaseStartError(
    `Another server already runs on the data directory ${dataDir}. Stop it, or set DATA_DIR to another.`,
  )
}

function useShared(paths: EmbeddedPaths): FileLock {
  const lock = tryLock(usersFile(paths), 'shared', paths.runAs)
  // This service takes it exclusively only while it holds the gate, as the caller does.
  if (lock === null) throw new DatabaseStartError(`${usersFile(paths)} is locked by another program.`)
  return lock
}

async function leave(
  paths: EmbeddedPaths,
  users: FileLock,
  connection: ClientConfig,
  log: (line: string) => void,
): Promise<void> {
  await behindGate(paths, log, async () => {
    users.release()
    const alone = tryLock(usersFile(paths), 'exclusive', paths.runAs)
    if (alone === null) return
    await stopPostmaster(paths, log)
    removeUnfinished(paths)
    if (connection.host !== undefined) removeSocketDirectory(connection.host)
    alone.release()
  })
}

function usersFile(paths: EmbeddedPaths): string {
  return join(paths.home, 'users.lock')
}

type FileLock = { release(): void }

/*
 * Node has no flock, but its built-in SQLite takes file locks on every platform. So a lock is an open transaction on an empty SQLite
 * file: a read transaction is the shared lock, an exclusive one the exclusive lock.
 */

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
function tryLock(file: string, mode: 'shared' | 'exclusive', owner?: { uid: number; gid: number }) {
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
async function waitForLock(
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
