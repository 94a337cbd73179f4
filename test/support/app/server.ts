/** The server as a child process on a test database. */
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { freePort } from '../network/free-port.ts'
import { createAgency } from '../../../src/agencies/agencies.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { createKey } from '../../../src/access/keys/keys.ts'
import { openSecretBox } from '../../../src/access/secrets/secret-box.ts'
import { databaseUrl, namesStatements } from '../database/database.ts'

export const testSecretKey = 'a secret of the tests, long enough'

/** The environment that a child process inherits, in addition to its settings. */
export const surroundings: Readonly<Record<string, string | undefined>> = {
  PATH: process.env['PATH'],
  TMPDIR: process.env['TMPDIR'],
  // Recompiling all modules takes longer than most tests of a child process.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}

export type ServerProcess = {
  url: string
  pid: number
  /** PIDs of the serving processes. */
  serving(): number[]
  /** Everything written to standard error (`said`) and standard output (`logged`). */
  said(): string
  logged(): string
  /** Resolves once standard error matches, counted from the call. @throws if the process ends first */
  says(what: RegExp): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** The exit code, once it and its serving processes have ended. */
  ended: Promise<number | null>
  /** Kills it if it still runs, and deletes its files. */
  end(): Promise<void>
}

/** Starts it, and waits until it listens. */
export async function startServer(
  connection: ClientConfig,
  settings: Record<string, string> = {},
  program = 'server',
): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'listings-server-'))
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', '..', '..', 'src', `${program}.ts`)],
    {
      env: {
        ...surroundings,
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl(connection),
        SECRET_KEY: testSecretKey,
        PORT: String(port),
        DEMO: 'off',
        GEOCODER: 'none',
        LOG_LEVEL: 'error',
        PREPARED_STATEMENTS: namesStatements ? 'on' : 'off',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  let logged = ''
  const heard: (() => void)[] = []
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString()
    for (const look of heard.splice(0)) look()
  })
  child.stdout.on('data', (piece: Buffer) => {
    logged += piece.toString()
  })
  let isOver = false
  const ended = once(child, 'close').then(([code]) => {
    isOver = true
    for (const look of heard.splice(0)) look()
    return code as number | null
  })
  const says = async (what: RegExp, from = said.length): Promise<void> => {
    while (!what.test(said.slice(from))) {
      if (isOver) throw new Error(`the server ended: ${said}`)
      await new Promise<void>((resolve) => {
        heard.push(resolve)
      })
    }
  }
  const pid = Number(child.pid)
  await says(/listens on|The worker of/, 0)
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    serving: () => childrenOf(pid),
    said: () => said,
    logged: () => logged,
    says: (what) => says(what),
    signal: (signal) => void process.kill(pid, signal),
    ended,
    async end() {
      if (!isOver) child.kill('SIGKILL')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** An agency with a key that may write. */
export async function agencyWithKey(
  db: Db,
): Promise<{ id: string; slug: string; key: string; keyId: string }> {
  const clock = { offsetMs: 0 }
  const slug = `agency-${randomUUID().slice(0, 8)}`
  const { id } = await createAgency(db, { name: `Agency ${slug}`, slug, email: null }, clock)
  const made = await createKey(
    db,
    id,
    { name: 'test', scopes: ['properties:write'] },
    { secretBox: openSecretBox(testSecretKey), clock, serviceName: 'Svc' },
  )
  return { id, slug, key: made.key, keyId: made.id }
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    return []
  }
}
