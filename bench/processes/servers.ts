/** Starts the service and the floor for the benchmark, on the same database, with limits too high to be reached. */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { freePort } from '../../test/support/network/free-port.ts'
import { defaultLimits } from '../../src/limits/table.ts'
import { parentOf, startChild, untilItResponds } from './machine.ts'
import type { Target } from '../measurements/measure.ts'
import { publicBaseUrl } from '../data/sessions.ts'

export const secretKey = 'a secret of the benchmark, long enough'
export const wideLimits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 1_000_000_000]))

export type Place = { connection: pg.ClientConfig; dataDir: string }
type StartOptions = {
  /** Null: all cores. */
  core: number | null
  /** Polled until it responds. */
  path: string
  settings?: Record<string, string>
  execArgv?: string[]
}

/** Starts a program, and waits until it responds. @param program relative to bench/ */
export async function startTarget(
  { connection, dataDir }: Place,
  program: string,
  { core, path, settings = {}, execArgv = [] }: StartOptions,
): Promise<Target> {
  const port = await freePort()
  const env = { PORT: String(port), ...environmentOf({ connection, dataDir }), ...settings }
  const child = startChild(program, core, env, execArgv)
  const origin = `http://127.0.0.1:${port}`
  await untilItResponds(origin + path)
  return { origin, child }
}

/** The settings of every program that uses the benchmark's database. */
export function environmentOf({ connection, dataDir }: Place): Record<string, string> {
  return {
    DATABASE_URL: urlOf(connection),
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    DEMO: 'off',
    LIMITS: JSON.stringify(wideLimits),
    PUBLIC_BASE_URL: publicBaseUrl,
  }
}

function urlOf({ connectionString, user, database, host = '', port, ...rest }: pg.ClientConfig): string {
  const url = new URL(
    connectionString ??
      `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
  )
  if (rest.application_name !== undefined) url.searchParams.set('application_name', rest.application_name)
  return url.href
}

/** The flags and environment of `npm start`; the floor runs Node with its defaults. */
export function memoryOfStart(): { heap: string[]; allocator: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string }
  }
  const [, arenas = ''] = /MALLOC_ARENA_MAX=(\d+)/.exec(scripts.start) ?? []
  return { heap: scripts.start.match(/--(?:max|heap)-\S+/g) ?? [], allocator: { MALLOC_ARENA_MAX: arenas } }
}

/** The PID of the database's first process, 0 if processes cannot be inspected, and the version. */
export async function postmasterOf(
  connection: pg.ClientConfig,
): Promise<{ postmaster: number; database: string }> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number; version: string }>(
    "select pg_backend_pid() as pid, split_part(current_setting('server_version'), ' ', 1) as version",
  )
  const { pid = 0, version } = rows[0] ?? {}
  // While the connection's own process still exists.
  const postmaster = process.platform === 'linux' ? parentOf(pid) : 0
  await client.end()
  return { postmaster, database: `PostgreSQL ${version}` }
}
