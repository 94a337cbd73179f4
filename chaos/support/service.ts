/** The service as an operator runs it: a separate process with its own data directory, started, killed and restarted. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ClientConfig } from 'pg'
import { listingLimits, reportedLimits } from '../../src/limits/table.ts'
import { freePort } from '../../test/support/network/free-port.ts'
import { wideLimits } from '../../test/support/wide-limits.ts'

const ownRoot = join(import.meta.dirname, '..', '..')
/** Limits of visitors and people stay as they are, because floods come from many addresses. */
export const wideKeyLimits = wideLimits([...reportedLimits, ...listingLimits])

export type Service = {
  url: string
  dataDir: string
  /** The running server's process id. */
  pid(): number
  /** The running server's standard error, since its start or the last `forget`. */
  said(): string
  /** The running server's log, at the level of LOG_LEVEL, since its start or the last `forget`. */
  logged(): string
  forget(): void
  /** Starts it and waits until it is ready. */
  start(): Promise<void>
  /** kill -9 of the server. */
  killServer(): Promise<void>
  /** kill -9 of the database's first process, and then of the server. */
  killDatabase(): Promise<void>
  /** kill -9 of the database's first process, while the server keeps running. */
  killPostmaster(): void
  /** Sends the server a signal to end. @returns its exit code, once it has ended */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** The connection to the embedded database, while it runs. */
  connection(): ClientConfig
  /** Whether an embedded PostgreSQL runs on the data directory. */
  isDatabaseRunning(): boolean
  /** Runs `svc` with these arguments. @returns its output, parsed */
  svc(...words: string[]): Promise<Record<string, string>>
  /** Creates an agency, and a key with these scopes. */
  newAgency(slug: string, ...scopes: string[]): Promise<{ id: string; key: string }>
  /** Stops it cleanly and deletes its data. */
  end(): Promise<void>
}

export type ServiceOptions = {
  /** The program and its arguments, instead of Node with `src/server.ts`. */
  command?: readonly [string, ...string[]]
  /** The checkout that it runs from, instead of this one. */
  root?: string
  /** Signals go to all its processes, as in a unit or a container; also implied by `command`. */
  toAll?: boolean
}

/** A service that has not been started. If `DATA_DIR` is among the settings, the caller deletes that directory. */
export async function newService(
  settings: Record<string, string> = {},
  { command, root = ownRoot, toAll = command !== undefined }: ServiceOptions = {},
): Promise<Service> {
  const dataDir = settings['DATA_DIR'] ?? newDataDir()
  const port = await freePort()
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMO: 'off',
    GEOCODER: 'none',
    LOG_LEVEL: 'error',
    LIMITS: JSON.stringify(wideKeyLimits),
    // A kill of the first process must end everything; with several processes, the others would finish their requests (workers.test.ts).
    WORKERS: '1',
    ...settings,
  }
  const url = `http://127.0.0.1:${port}`
  let server: ChildProcess | null = null
  let said = ''
  let logged = ''

  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (server === null) return null
    const stopped = server
    const isGone = () => stopped.exitCode !== null || stopped.signalCode !== null
    const gone = isGone() ? null : once(stopped, 'exit')
    if (!toAll) stopped.kill(signal)
    else if (!isGone()) process.kill(-Number(stopped.pid), signal)
    await gone
    while (toAll && isGroupThere(Number(stopped.pid))) await delay(2)
    server = null
    return stopped.exitCode
  }

  const service: Service = {
    url,
    dataDir,
    pid: () => Number(server?.pid),
    said: () => said,
    logged: () => logged,
    forget() {
      said = ''
      logged = ''
    },
    async start() {
      const [program, ...words] = command ?? [process.execPath, 'src/server.ts']
      const started = spawn(program, words, {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        // A separate process group.
        detached: toAll,
      })
      server = started
      said = ''
      logged = ''
      started.stdout.on('data', (piece: Buffer) => {
        logged += piece.toString()
      })
      await new Promise<void>((resolve, reject) => {
        started.stderr.on('data', (piece: Buffer) => {
          said += piece.toString()
          if (said.includes('listens on')) resolve()
        })
        started.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
      })
    },
    async killServer() {
      await stop('SIGKILL')
    },
    async killDatabase() {
      process.kill(postmaster(dataDir).pid, 'SIGKILL')
      await stop('SIGKILL')
    },
    killPostmaster: () => void process.kill(postmaster(dataDir).pid, 'SIGKILL'),
    stop: (signal = 'SIGTERM') => stop(signal),
    connection: () => ({
      host: postmaster(dataDir).socketDirectory,
      user: 'postgres',
      database: 'postgres',
    }),
    isDatabaseRunning: () => existsSync(postmasterFile(dataDir)),
    async svc(...words) {
      const { stdout } = await promisify(execFile)(process.execPath, ['src/cli.ts', ...words, '--json'], {
        cwd: root,
        env,
      })
      return JSON.parse(stdout) as Record<string, string>
    },
    async newAgency(slug, ...scopes) {
      const { id = '' } = await service.svc('agency', 'create', '--name', slug, '--slug', slug)
      const wanted = scopes.flatMap((scope) => ['--scope', scope])
      const { key = '' } = await service.svc(
        'key',
        'create',
        '--agency',
        slug,
        '--name',
        slug,
        ...(wanted.length === 0 ? ['--scope', 'properties:write'] : wanted),
      )
      return { id, key }
    },
    async end() {
      await stop('SIGTERM')
      if (settings['DATA_DIR'] === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return service
}

/** When run by root, PostgreSQL runs as another user, who needs access. */
export function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'listings-chaos-'))
  chmodSync(dataDir, 0o755)
  return dataDir
}

/** Whether any process of the group is left: the first one may end before the others. */
function isGroupThere(leader: number): boolean {
  try {
    return process.kill(-leader, 0)
  } catch {
    return false
  }
}

function postmasterFile(dataDir: string): string {
  return join(dataDir, 'postgres-18', 'data', 'postmaster.pid')
}

/** The contents of postmaster.pid, wherever the database is. */
function postmaster(dataDir: string): { pid: number; socketDirectory: string } {
  const [pid = '', , , , socketDirectory = ''] = readFileSync(postmasterFile(dataDir), 'utf8').split('\n')
  if (socketDirectory === '') throw new Error('PostgreSQL is still starting')
  return { pid: Number(pid), socketDirectory }
}
