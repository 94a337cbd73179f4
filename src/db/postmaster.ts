/**
 * The process of the embedded PostgreSQL: finding a running one, starting it, waiting for it, stopping it. The caller is
 * behind the gate (see embedded.ts), so no two processes do any of this at once.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { DatabaseStartError } from './database-start-error.ts'
import type { Binaries } from './embedded-binaries.ts'
import { socketPort, type EmbeddedPaths } from './embedded-place.ts'
import { launch } from './launch.ts'
import { memorySettings, usableMemory } from './memory-settings.ts'
import { announce, forget, type Whereabouts } from './running.ts'

export const superuser = 'postgres'

const pollMs = 10
const noticeMs = 5_000
const stopLimitMs = 60_000

/** For a machine of a few cores; who has more uses a server of his own. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(socketPort),
  unix_socket_permissions: '0700',
  // For the server's processes together, and commands beside them.
  max_connections: '200',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  jit: 'off',
  // A request is worth one core; parallel plans also want more of /dev/shm than containers have.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // Errors reach the application anyway; values and statements, which may be personal data, stay out of the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}
const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
/** For throw-away databases: a crash of the machine loses them. They are small, and deleting one looks through all buffers. */
const notDurable = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  ...memorySettings(0),
}

/** A running postmaster, as its own postmaster.pid describes it. */
type Postmaster = {
  pid: number
  /** Null while it starts. */
  socketDirectory: string | null
  /** starting, ready, stopping */
  status: string
}

/**
 * The postmaster of this place, or null. After a crash of the machine postmaster.pid is still there, and its number may
 * be another process by now; PostgreSQL itself would take that for a running server and refuse to start.
 */
export function findPostmaster(place: EmbeddedPaths): Postmaster | null {
  let lines: string[]
  try {
    lines = readFileSync(join(place.data, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  const [pid = '', directory = '', , , socketDirectory = '', , , status = ''] = lines
  if (directory === '' || !isPostmasterOf(directory, Number(pid))) return null
  return {
    pid: Number(pid),
    socketDirectory: socketDirectory === '' ? null : socketDirectory,
    status: status.trim(),
  }
}

function isPostmasterOf(directory: string, pid: number): boolean {
  if (process.platform === 'linux') return wordsOf(pid).includes(directory)
  try {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return command.includes(`-D ${directory} `)
  } catch {
    return false
  }
}

/** How a process was called; nothing where there is none. @throws DatabaseStartError where /proc does not show it */
function wordsOf(pid: number): string[] {
  const read = (): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  try {
    return read().split('\0')
  } catch {
    if (!isThere(pid)) return []
  }
  try {
    // It may have begun this moment.
    return read().split('\0')
  } catch (error) {
    if (!isThere(pid)) return []
    throw new DatabaseStartError(
      `/proc does not show process ${pid} (${(error as Error).message}), which may be PostgreSQL: mount it without hidepid.`,
      { cause: error },
    )
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/**
 * Waits until the postmaster answers.
 * @returns its connection; null if there is none or it ended; 'deaf' if it runs but its socket is gone.
 */
export async function waitUntilReady(
  place: EmbeddedPaths,
  log: (line: string) => void,
): Promise<ClientConfig | 'deaf' | null> {
  const noticeAt = performance.now() + noticeMs
  for (let noticed = false; ;) {
    const postmaster = findPostmaster(place)
    if (postmaster === null) return null
    if (postmaster.socketDirectory !== null) {
      const connection = socketConnection(postmaster.socketDirectory)
      const answer = await ask(connection)
      if (answer === 'ready') return connection
      if (answer === 'deaf' && postmaster.status === 'ready') return 'deaf'
    }
    if (!noticed && performance.now() > noticeAt) {
      noticed = true
      log('PostgreSQL is not ready yet; after a crash it recovers first. Waiting.')
    }
    await delay(pollMs)
  }
}

/** Everything is said, so that no PG… variable of the environment has a say. */
function socketConnection(socketDirectory: string): ClientConfig {
  return {
    host: socketDirectory,
    port: socketPort,
    user: superuser,
    password: '',
    database: 'postgres',
    ssl: false,
  }
}

/** busy: starting, stopping or full. deaf: nobody listens. */
async function ask(connection: ClientConfig): Promise<'ready' | 'busy' | 'deaf'> {
  const client = new Client(connection)
  // A server that goes down while connecting is reported twice, the second time as an event.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return 'ready'
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ECONNREFUSED')) return 'deaf'
    // cannot_connect_now, admin_shutdown, too_many_connections, or cut off in the middle.
    if (hasCode(error, '57P03', '57P01', '53300', 'ECONNRESET', 'EPIPE')) return 'busy'
    if (error instanceof Error && error.message.startsWith('Connection terminated')) return 'busy'
    throw error
  }
}

/**
 * Starts PostgreSQL, in a session of its own, so that Ctrl-C in the terminal does not stop it under our requests.
 * Resolves when it answers. @throws DatabaseStartError with the end of its log.
 */
export async function startPostmaster(
  place: EmbeddedPaths,
  binaries: Binaries,
  options: { here: Whereabouts; socketDirectory: string; durable: boolean; log: (line: string) => void },
): Promise<ClientConfig> {
  // If there are any, they are of no running server (`awaitEnd`), but of one that was killed. Its number may be in use again, or
  // its parent has not buried it yet; PostgreSQL would take either for a running server.
  rmSync(join(place.data, 'postmaster.pid'), { force: true })
  rmSync(join(options.socketDirectory, `.s.PGSQL.${socketPort}.lock`), { force: true })
  const all = {
    ...settings,
    ...(options.durable ? { ...durable, ...memorySettings(usableMemory()) } : notDurable),
    // A list, in which names with commas or spaces need quotes.
    unix_socket_directories: `"${options.socketDirectory.replaceAll('"', '""')}"`,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const hold = announce(place, options.here)
  const postgres = launch(place, binaries, 'postgres', ['-D', place.data, ...flags], { detached: true, hold })
  if (hold !== null) closeSync(hold)
  const ended = postgres.ended.then(() => 'ended' as const)
  // postmaster.pid is not there at once: that none is found says nothing until the process has ended.
  for (;;) {
    const answer = await waitUntilReady(place, options.log)
    if (answer !== null && answer !== 'deaf') return answer
    if ((await Promise.race([ended, delay(pollMs)])) === 'ended') {
      throw postgres.failure('The embedded database did not start')
    }
  }
}

/** Stops PostgreSQL without waiting for its clients, and waits until it has gone. */
export async function stopPostmaster(place: EmbeddedPaths, log: (line: string) => void): Promise<void> {
  const postmaster = findPostmaster(place)
  if (postmaster === null) return
  process.kill(postmaster.pid, 'SIGINT')
  const limit = performance.now() + stopLimitMs
  while (findPostmaster(place) !== null) {
    if (performance.now() > limit) {
      log(`PostgreSQL (process ${postmaster.pid}) is still stopping; its log is ${place.logFile}.`)
      return
    }
    await delay(pollMs)
  }
  forget(place)
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
