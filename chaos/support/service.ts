/**
 * The service as an operator runs it: a process of its own on a data directory of its own, started, killed and started again.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..')
const wideLimits = {
  reads_per_minute: 1e6,
  reads_per_day: 1e6,
  writes_per_minute: 1e6,
  writes_per_day: 1e6,
  new_listings_per_hour: 1e6,
  new_listings_per_day: 1e6,
}

export type Service = {
  url: string
  dataDir: string
  /** Starts it and waits until it is ready. */
  start(): Promise<void>
  /** kill -9 of the server. */
  killServer(): Promise<void>
  /** kill -9 of the database's first process; the server is stopped too, as whoever finds it without a database would do. */
  killDatabase(): Promise<void>
  /** Runs `svc` with these words. @returns what it printed, parsed */
  svc(...words: string[]): Promise<Record<string, string>>
  /** Stops it cleanly and deletes its data. */
  end(): Promise<void>
}

/** A service that is not started yet. */
export async function newService(settings: Record<string, string> = {}): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'listings-chaos-'))
  // Run by root, PostgreSQL runs as another user, who has to get in.
  chmodSync(dataDir, 0o755)
  const port = await freePort()
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMO: 'off',
    LOG_LEVEL: 'error',
    LIMITS: JSON.stringify(wideLimits),
    ...settings,
  }
  const url = `http://127.0.0.1:${port}`
  let server: ChildProcess | null = null

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === null) return
    const gone = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : null
    server.kill(signal)
    await gone
    server = null
  }

  return {
    url,
    dataDir,
    async start() {
      const started = spawn(process.execPath, ['src/server.ts'], {
        cwd: root,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      server = started
      let said = ''
      await new Promise<void>((resolve, reject) => {
        started.stderr.on('data', (piece: Buffer) => {
          said += piece.toString()
          if (said.includes('listens on')) resolve()
        })
        started.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
      })
    },
    killServer: () => stop('SIGKILL'),
    async killDatabase() {
      process.kill(postmasterPid(dataDir), 'SIGKILL')
      await stop('SIGKILL')
    },
    async svc(...words) {
      const { stdout } = await promisify(execFile)(process.execPath, ['src/cli.ts', ...words, '--json'], {
        cwd: root,
        env,
      })
      return JSON.parse(stdout) as Record<string, string>
    },
    async end() {
      await stop('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** First line of postmaster.pid, wherever the database was put. */
function postmasterPid(dataDir: string): number {
  const file = join(dataDir, 'postgres-18', 'data', 'postmaster.pid')
  return Number(readFileSync(file, 'utf8').split('\n', 1)[0])
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
