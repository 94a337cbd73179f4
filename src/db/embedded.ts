/**
 * The embedded database: PostgreSQL's own programs, started by whoever needs them first and stopped by whoever needs them
 * last. The server and any number of commands use one database at once.
 *
 * Three locks of the operating system, freed when their holder dies, decide everything (file-lock.ts):
 * - `gate.lock`, exclusive: held while PostgreSQL is created, started, adopted or stopped. Behind it there are no races.
 * - `users.lock`, shared: held by every process that uses the database. Who gives it up and can then have it exclusively was
 *   the last, and stops PostgreSQL.
 * - `server.lock`, exclusive: held by the one server, which takes it before it touches anything else.
 *
 * kill -9 of the last user leaves PostgreSQL running. The next one finds it and uses it; one in another container, which cannot see
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
  /** Told, a line at a time, what the operator should know: where the database is, what takes long. */
  log: (line: string) => void
  /** False for throw-away databases: fast, and lost if the machine crashes. */
  durable?: boolean
  /** Where root puts what its unprivileged user cannot reach otherwise. */
  systemDirectory?: string
  /** Whether this is the server, of which a data directory has one. */
  isServer?: boolean
}

export type EmbeddedDatabase = {
  /** Socket directory, user and database, as a superuser. */
  connection: ClientConfig
  /** The directory that holds the database's files, its log and its locks. */
  home: string
  /** Ends this process's use; the last one stops PostgreSQL and waits until it has stopped. Close all connections before. */
  release(): Promise<void>
}

/** Between two attempts to start PostgreSQL again: a second more each time, up to this. */
const reviveDelayMs = { more: 1_000, most: 30_000 }

/**
 * Starts the embedded database, or joins those who use it already.
 * @throws DatabaseStartError: one line for the operator, with the end of PostgreSQL's log where that says why.
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
  let keeper = await keep(connection).catch(async (error: unknown) => {
    await end()
    throw error
  })

  return {
    connection,
    home: place.home,
    async release() {
      if (use.isOver) return
      use.isOver = true
      await keeper.end()
      await end()
    },
  }

  /** Behind the gate: adopts the running PostgreSQL or starts one. */
  async function bringUp(isUsed: () => boolean, socketDirectory?: string): Promise<ClientConfig> {
    const running = await waitUntilReady(place, log)
    if (running !== null && running !== 'deaf') return running
    if (running === 'deaf') {
      // Somebody cleaned up the directory of temporary files: nobody can connect any more.
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

  /** An idle connection that notices at once when PostgreSQL ends, and has it started again. */
  async function keep(to: ClientConfig): Promise<Client> {
    const client = new Client(to)
    client.on('error', () => {})
    await client.connect()
    client.once('end', () => {
      if (!use.isOver) void revive()
    })
    return client
  }

  /**
   * With the socket where it was, so that the pools of all users find it again. It never gives up: a full disk is emptied, and
   * what is left of a killed PostgreSQL ends, sooner or later.
   */
  async function revive(): Promise<void> {
    for (let attempt = 1; !use.isOver; attempt += 1) {
      try {
        await behindGate(place, log, async () => {
          if (use.isOver) return
          // We use it ourselves, so nobody elsewhere has begun to.
          keeper = await keep(await bringUp(() => false, connection.host))
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
  // Exclusively it is only ever taken behind the gate, where we are.
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
