/**
 * Finds, starts, awaits and stops the embedded PostgreSQL's postmaster. Callers hold `gate.lock` (embedded.ts), so no two processes do
 * this at once.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { totalmem } from 'node:os'
import { Client, type ClientConfig } from 'pg'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import type { Binaries } from './embedded-binaries.ts'
import { type EmbeddedPaths, socketPort } from './embedded-paths.ts'
import { launch, superuser } from './launch.ts'
import { recordStart, deleteRecord, type Whereabouts } from './running.ts'
import { hasCode } from '../../errors/errors.ts'

const pollMs = 10
/** For long waits: each poll during a recovery adds a line to PostgreSQL's log. */
const slowPollMs = 250
const noticeMs = 5_000
const stopLimitMs = 60_000

/** For a machine with a few cores. Larger ones should run their own PostgreSQL. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(socketPort),
  unix_socket_permissions: '0700',
  // Shared by all server processes and the operator's commands.
  max_connections: '200',
  // The service restarts it after a crash (embedded.ts). PostgreSQL's own restart hangs if the recovery fails, as on a full disk.
  restart_after_crash: 'off',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  jit: 'off',
  // A request gets one core. Parallel plans also need more /dev/shm than containers usually have.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // The application receives every error. Values and statements may be personal data, so they stay out of the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}
const megabyte = 1024 * 1024
/** In megabytes. A small machine needs the rest for the service; above `max`, memory helps the service more than PostgreSQL. */
const buffers = { min: 128, max: 1024 }
const minCache = 512

/** Bytes that this process and its children may use: the machine's memory, or its control group's limit if lower. */
export function usableMemory(total = totalmem(), constrained = process.constrainedMemory()): number {
  // `constrained` is 0 if unknown, and larger than `total` if there is no limit.
  return constrained > 0 ? Math.min(total, constrained) : total
}

/**
 * An eighth of the memory is for PostgreSQL's buffers. It copies pages outside them from the system's cache one by one, which is a fifth of
 * the cost of a list once the listings no longer fit. The planner assumes that half of the memory is cache, including the system's.
 */
export function memorySettings(usableBytes: number): Record<string, string> {
  const megabytes = usableBytes / megabyte
  const own = Math.min(buffers.max, Math.max(buffers.min, Math.floor(megabytes / 8)))
  return {
    shared_buffers: `${own}MB`,
    effective_cache_size: `${Math.max(minCache, Math.floor(megabytes / 2))}MB`,
  }
}

const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
/** For temporary databases, which a machine crash may destroy. Small buffers, because dropping a database scans all of them. */
const notDurable = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  ...memorySettings(0),
}

/**
 * The running postmaster of this database, or null. After a machine crash, postmaster.pid remains and its pid may belong to another
 * process, so the process's command line is checked too. PostgreSQL itself would see a running server and refuse to start.
 */
export function findPostmaster(paths: EmbeddedPaths) {
  let lines: string[]
  try {
    lines = readFileSync(join(paths.data, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  const [pid = '', directory = '', , , socketDirectory = '', , , status = ''] = lines
  if (directory === '' || !isPostmasterOf(directory, Number(pid))) return null
  return {
    pid: Number(pid),
    /** Null early in the start. */
    socketDirectory: socketDirectory === '' ? null : socketDirectory,
    /** starting, ready, stopping */
    status: status.trim(),
  }
}

function isPostmasterOf(directory: string, pid: number): boolean {
  if (process.platform === 'linux') return argumentsOf(pid).includes(directory)
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

/** A process's command line; empty if there is no such process. @throws DatabaseStartError if /proc hides it */
function argumentsOf(pid: number): string[] {
  const read = (): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  try {
    return read().split('\0')
  } catch {
    if (!isThere(pid)) return []
  }
  try {
    // The process may have started between the two checks.
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
 * Waits until the postmaster accepts connections.
 * @returns its connection; null if none runs or it ended; 'deaf' if it runs but its socket is gone
 */
export async function waitUntilReady(
  paths: EmbeddedPaths,
  log: (line: string) => void,
): Promise<ClientConfig | 'deaf' | null> {
  const noticeAt = performance.now() + noticeMs
  for (let noticed = false; ;) {
    const postmaster = findPostmaster(paths)
    if (postmaster === null) return null
    if (postmaster.socketDirectory !== null) {
      const connection = socketConnection(postmaster.socketDirectory)
      const state = await tryConnection(connection)
      if (state === 'ready') return connection
      if (state === 'deaf' && postmaster.status === 'ready') return 'deaf'
    }
    if (!noticed && performance.now() > noticeAt) {
      noticed = true
      log('PostgreSQL is not ready yet; after a crash it recovers first. Waiting.')
    }
    await delay(noticed ? slowPollMs : pollMs)
  }
}

/** Sets every field, so that no PG… environment variable applies. */
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

/** Tries a connection. busy: starting, stopping or out of connections. deaf: nothing listens on the socket. */
async function tryConnection(connection: ClientConfig): Promise<'ready' | 'busy' | 'deaf'> {
  const client = new Client(connection)
  // A server that stops during the handshake is reported twice: as a rejection and as an event.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return 'ready'
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ECONNREFUSED')) return 'deaf'
    // cannot_connect_now, admin_shutdown, too_many_connections, or the connection broke.
    if (hasCode(error, '57P03', '57P01', '53300', 'ECONNRESET', 'EPIPE')) return 'busy'
    if (error instanceof Error && error.message.startsWith('Connection terminated')) return 'busy'
    throw error
  }
}

/**
 * Starts PostgreSQL and resolves when it accepts connections. It gets a session of its own, so that Ctrl-C in the terminal does not
 * stop it while requests run.
 * @throws DatabaseStartError with the end of its log
 */
export async function startPostmaster(
  paths: EmbeddedPaths,
  binaries: Binaries,
  options: { here: Whereabouts; socketDirectory: string; durable: boolean; log: (line: string) => void },
): Promise<ClientConfig> {
  // If these files exist, a killed server left them: `awaitEnd` has found none running. PostgreSQL would refuse to start if the recorded
  // pid is in use again, or still a zombie.
  rmSync(join(paths.data, 'postmaster.pid'), { force: true })
  rmSync(join(options.socketDirectory, `.s.PGSQL.${socketPort}.lock`), { force: true })
  const all = {
    ...settings,
    ...(options.durable ? { ...durable, ...memorySettings(usableMemory()) } : notDurable),
    // This setting is a list; paths with commas or spaces need quotes.
    unix_socket_directories: `"${options.socketDirectory.replaceAll('"', '""')}"`,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const hold = recordStart(paths, options.here)
  const postgres = launch(paths, binaries, 'postgres', ['-D', paths.data, ...flags], { detached: true, hold })
  if (hold !== null) closeSync(hold)
  const ended = postgres.ended.then(() => 'ended' as const)
  // postmaster.pid appears late: until the process ends, its absence means nothing.
  for (;;) {
    const found = await waitUntilReady(paths, options.log)
    if (found !== null && found !== 'deaf') return found
    if ((await Promise.race([ended, delay(pollMs)])) === 'ended') {
      throw postgres.failure('The embedded database did not start')
    }
  }
}

/** Stops PostgreSQL (fast shutdown: clients are disconnected) and waits at most a minute until it has ended. */
export async function stopPostmaster(paths: EmbeddedPaths, log: (line: string) => void): Promise<void> {
  const postmaster = findPostmaster(paths)
  if (postmaster === null) return
  process.kill(postmaster.pid, 'SIGINT')
  const limit = performance.now() + stopLimitMs
  while (findPostmaster(paths) !== null) {
    if (performance.now() > limit) {
      log(`PostgreSQL (process ${postmaster.pid}) is still stopping; its log is ${paths.logFile}.`)
      return
    }
    await delay(pollMs)
  }
  deleteRecord(paths)
}
