/**
 * The embedded database: an unmodified PostgreSQL that the first process starts and the last one stops. The server and any number of
 * commands share it.
 *
 * Three file locks coordinate them; the operating system frees a lock when its holder dies (file-lock.ts):
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
import { Client, type ClientConfig } from 'pg'
import { DatabaseStartError } from './database-start-error.ts'
import { findBinaries, reachableBinaries } from './embedded-binaries.ts'
import {
  defaultSystemDirectory,
  findPlace,
  makeSocketDirectory,
  removeSocketDirectory,
  type EmbeddedPaths,
} from './embedded-place.ts'
import { tryLock, waitForLock, type FileLock } from './file-lock.ts'
import { initialise, removeUnfinished } from './initialise.ts'
import { startPostmaster, stopPostmaster, waitUntilReady } from './postmaster.ts'
import { awaitEnd, findWhereabouts } from './running.ts'

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
  const found = findBinaries()
  const here = findWhereabouts()
  const place = findPlace(dataDir, found.major, systemDirectory, log)
  const binaries =
    place.runAs === undefined ? found : reachableBinaries(found, place.runAs, systemDirectory, log)

  const use = { isOver: false }
  const server = isServer ? lockServer(place, dataDir) : null

  const { connection, users } = await behindGate(place, log, async () => {
    await initialise(place, binaries, durable)
    const isUsed = (): boolean => {
      const alone = tryLock(usersFile(place), 'exclusive', place.runAs)
      alone?.release()
      return alone === null
    }
    return { connection: await bringUp(isUsed), users: useShared(place) }
  }).catch((error: unknown) => {
    server?.release()
    throw error
  })
  const end = async (): Promise<void> => {
    await leave(place, users, connection, log)
    server?.release()
  }
  let watcher = await openWatcher(connection).catch(async (error: unknown) => {
    await end()
    throw error
  })

  return {
    connection,
    home: place.home,
    async release() {
      if (use.isOver) return
      use.isOver = true
      await watcher.end()
      await end()
    },
  }

  /** Adopts the running PostgreSQL or starts one. The caller holds the gate. */
  async function bringUp(isUsed: () => boolean, socketDirectory?: string): Promise<ClientConfig> {
    const running = await waitUntilReady(place, log)
    if (running !== null && running !== 'deaf') return running
    if (running === 'deaf') {
      // A cleanup of the temporary directory deleted the socket: no new connection is possible.
      log('PostgreSQL runs, but its socket is gone: it is restarted.')
      await stopPostmaster(place, log)
    }
    await awaitEnd(place, here, isUsed)
    return startPostmaster(place, binaries, {
      here,
      socketDirectory: makeSocketDirectory(place, socketDirectory),
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
        await behindGate(place, log, async () => {
          if (use.isOver) return
          // While this process holds `users.lock`, processes in other containers are refused, so none uses the database.
          watcher = await openWatcher(await bringUp(() => false, connection.host))
          log('The connection to PostgreSQL had ended; it is there again.')
        })
        return
      } catch (error) {
        log(
          `PostgreSQL has ended and does not start again: ${error instanceof Error ? error.message : String(error)}`,
        )
        await delay(Math.min(attempt * reviveDelayMs.more, reviveDelayMs.most), undefined, { ref: false })
      }
    }
  }
}

async function behindGate<T>(
  place: EmbeddedPaths,
  log: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const gate = await waitForLock(join(place.home, 'gate.lock'), place.runAs, () =>
    log(`Another process is starting or stopping the database in ${place.home}. Waiting.`),
  )
  try {
    return await work()
  } finally {
    gate.release()
  }
}

function lockServer(place: EmbeddedPaths, dataDir: string): FileLock {
  const lock = tryLock(join(place.home, 'server.lock'), 'exclusive', place.runAs)
  if (lock !== null) return lock
  throw new DatabaseStartError(
    `Another server already runs on the data directory ${dataDir}. Stop it, or set DATA_DIR to another.`,
  )
}

function useShared(place: EmbeddedPaths): FileLock {
  const lock = tryLock(usersFile(place), 'shared', place.runAs)
  // This service takes it exclusively only while it holds the gate, as the caller does.
  if (lock === null) throw new DatabaseStartError(`${usersFile(place)} is locked by another program.`)
  return lock
}

async function leave(
  place: EmbeddedPaths,
  users: FileLock,
  connection: ClientConfig,
  log: (line: string) => void,
): Promise<void> {
  await behindGate(place, log, async () => {
    users.release()
    const alone = tryLock(usersFile(place), 'exclusive', place.runAs)
    if (alone === null) return
    await stopPostmaster(place, log)
    removeUnfinished(place)
    if (connection.host !== undefined) removeSocketDirectory(connection.host)
    alone.release()
  })
}

function usersFile(place: EmbeddedPaths): string {
  return join(place.home, 'users.lock')
}
