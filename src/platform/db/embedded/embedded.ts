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
import { Client, type ClientConfig } from 'pg'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import { type Binaries, getBinaries, reachableBinaries } from './embedded-binaries.ts'
import {
  defaultSystemDirectory,
  type EmbeddedPaths,
  openPaths,
  makeSocketDirectory,
  refuseOtherMajor,
  removeSocketDirectory,
} from './embedded-paths.ts'
import { type FileLock, tryLock, waitForLock } from '../../files/file-lock.ts'
import { initialise, removeUnfinished } from './launch.ts'
import { startPostmaster, stopPostmaster, waitUntilReady } from './postmaster.ts'
import { awaitEnd, getWhereabouts, type Whereabouts } from './running.ts'
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

/**
 * Waits between attempts to restart PostgreSQL. They grow by `more` up to `max`, slower than `backoffMs`: attempts burden nobody else, and
 * no request succeeds meanwhile.
 */
const reviveDelayMs = { more: 1_000, max: 30_000 }

/**
 * Starts the embedded database, or joins the running one.
 * @throws DatabaseStartError with one line for the operator, and the end of PostgreSQL's log if it gives the reason
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const setup = prepare(options)
  const { paths, log } = setup
  const server = options.isServer === true ? lockServer(paths, options.dataDir) : null

  const { connection, users } = await behindGate(paths, log, async () => {
    await initialise(paths, setup.binaries, setup.durable)
    return { connection: await bringUp(setup, () => isUsed(paths)), users: useShared(paths) }
  }).catch(rethrowAfter(() => server?.release()))
  const end = async (): Promise<void> => {
    await leave(paths, users, connection, log)
    server?.release()
  }
  const ending = new AbortController()
  const stopWatching = await keepRunning(setup, connection, ending.signal).catch(rethrowAfter(end))

  return {
    connection,
    home: paths.home,
    async release() {
      if (ending.signal.aborted) return
      ending.abort()
      await stopWatching()
      await end()
    },
  }
}

/** Everything that a start of PostgreSQL needs. */
type Setup = Readonly<{
  paths: EmbeddedPaths
  binaries: Binaries
  here: Whereabouts
  durable: boolean
  log: (line: string) => void
}>

function prepare(options: EmbeddedOptions): Setup {
  const { dataDir, log, durable = true, systemDirectory = defaultSystemDirectory } = options
  const { binaries: found = getBinaries(), isBesideOther = false } = options
  const here = getWhereabouts()
  if (!isBesideOther) refuseOtherMajor(dataDir, found.major)
  const paths = openPaths(dataDir, found.major, systemDirectory, log)
  const binaries =
    paths.runAs === undefined ? found : reachableBinaries(found, paths.runAs, systemDirectory, log)
  return { paths, binaries, here, durable, log }
}

/** Adopts the running PostgreSQL or starts one. The caller holds the gate. */
async function bringUp(
  { paths, binaries, here, durable, log }: Setup,
  isUsed: () => boolean,
  socketDirectory?: string,
): Promise<ClientConfig> {
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

/**
 * Keeps an idle connection open, which breaks as soon as PostgreSQL ends; then PostgreSQL is restarted, until `ending` aborts.
 * @returns a function that closes the connection; abort `ending` first
 */
async function keepRunning(
  setup: Setup,
  connection: ClientConfig,
  ending: AbortSignal,
): Promise<() => Promise<void>> {
  const { paths, log } = setup
  let watcher = await openWatcher(connection)
  return () => watcher.end()

  async function openWatcher(to: ClientConfig): Promise<Client> {
    const client = new Client(to)
    client.on('error', () => {})
    await client.connect()
    client.once('end', () => {
      if (!ending.aborted) void revive()
    })
    return client
  }

  /**
   * Restarts PostgreSQL with the same socket path, so that the pools of all processes reconnect. Never gives up: a full disk may be
   * freed, and leftover processes of a killed PostgreSQL end sooner or later.
   */
  async function revive(): Promise<void> {
    for (let attempt = 1; !ending.aborted; attempt += 1) {
      try {
        await behindGate(paths, log, async () => {
          if (ending.aborted) return
          // While this process holds `users.lock`, processes in other containers are refused, so none uses the database.
          watcher = await openWatcher(await bringUp(setup, () => false, connection.host))
          log(`PostgreSQL had ended and was restarted. Its log has the reason: ${paths.logFile}`)
        })
        return
      } catch (error) {
        log(`PostgreSQL has ended and does not start again: ${messageOf(error)}`)
        await delay(Math.min(attempt * reviveDelayMs.more, reviveDelayMs.max), undefined, { ref: false })
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

/** Whether a process uses the database. */
function isUsed(paths: EmbeddedPaths): boolean {
  const alone = tryLock(usersFile(paths), 'exclusive', paths.runAs)
  alone?.release()
  return alone === null
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
