/**
 * `node bench/workers.ts`: what a second process on a second core adds. Where the load has no machine of its own, it takes time of the
 * same cores; so everything is counted twice: one process, the database and a load all on one core, against two processes, the
 * database and two loads on two. Nothing is idle then, and what the two do to each other is in the figures: requests/s, and CPU time by request.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { defaultLimits } from '../src/limits/table.ts'
import { type BenchAgency, loadData } from './data.ts'
import type { LoadReport, LoadRequest } from './load.ts'
import { canPin, type Child, cpuSecondsOf, freePort, startChild, stopChild, withChildren } from './machine.ts'
import { median } from './measure.ts'
import { changingShapes, newListing, plainShape, queryOf } from './shapes.ts'

if (!canPin) throw new Error('Linux with taskset and two cores is needed.')
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '2' } },
})
const secretKey = 'a secret of the benchmark, long enough'
const connectionsOfLoad = 32
const tell = (line: string): void => void process.stderr.write(`${line}\n`)

type Server = { name: string; pid: number; origin: string; stop(): Promise<void> }
type Measured = { perSecond: number; cpuMs: number }

const dataDir = mkdtempSync(join(tmpdir(), 'listings-bench-'))
chmodSync(dataDir, 0o755)
const database = await startEmbedded({ dataDir, log: tell })
await migrate(database.connection)
const postmaster = Number(
  readFileSync(join(dataDir, 'postgres-18', 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
)
const size = { agencies: 20, listings: 500, large: 500 }
const agencies = await loadData(database.connection, size, secretKey, tell)
const kinds = requestsOf(agencies)

const one = await startServer('one process', { WORKERS: '1' })
const watched = await startServer('one process, watched', {
  WORKERS: '1',
  METRICS_PORT: String(await freePort()),
})
const two = await startServer('two processes', { WORKERS: '2' })
const loads = [startChild('load.ts', null), startChild('load.ts', null)] as const
for (const { process: load } of loads) await new Promise((ready) => load.once('message', ready))

for (const kind of kinds) {
  const rounds: Record<'one' | 'watched' | 'two', Measured>[] = []
  for (let round = -1; round < Number(options.rounds); round += 1) {
    const measured = {
      one: await measure(one, [loads[0]], '0', kind),
      watched: await measure(watched, [loads[0]], '0', kind),
      two: await measure(two, loads, '0,1', kind),
    }
    // The first round warms up.
    if (round >= 0) rounds.push(measured)
  }
  console.log(kind.name)
  for (const variant of ['one', 'watched', 'two'] as const) {
    const ratios = (figure: keyof Measured) =>
      rounds.map((round) => round[variant][figure] / round.one[figure])
    const [perSecond, cpuMs] = [ratios('perSecond'), ratios('cpuMs')]
    const of = (figure: keyof Measured) => median(rounds.map((round) => round[variant][figure]))
    console.log(
      `  ${variant.padEnd(8)} ${of('perSecond').toFixed(0).padStart(5)} requests/s, ${rangeOf(perSecond)} of one; ` +
        `${of('cpuMs').toFixed(3)} ms CPU of the service a request, ${rangeOf(cpuMs)}`,
    )
  }
}

for (const server of [one, watched, two]) await server.stop()
for (const load of loads) await stopChild(load)
await database.release()
rmSync(database.home, { recursive: true, force: true })
rmSync(dataDir, { recursive: true, force: true })

function rangeOf(ratios: number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
}

type Kind = { name: string; status: number; requests: LoadRequest[] }

function requestsOf(of: readonly BenchAgency[]): Kind[] {
  const headers = (key: string) => ({
    authorization: `Bearer ${key}`,
    'user-agent': 'ListingsBench/1.0 (bench@listings.example)',
  })
  const get = (name: string, pathsOf: (agency: BenchAgency) => string[]): Kind => ({
    name,
    status: 200,
    requests: of.flatMap((agency) =>
      pathsOf(agency).map((path) => ({
        method: 'GET' as const,
        path: `/api/v1/properties${path}`,
        headers: headers(agency.readKey),
      })),
    ),
  })
  return [
    get('single read', ({ codes }) => codes.slice(0, 10).map((code) => `/${code}`)),
    get('list, nothing changed', () => [1, 2, 3].map((page) => `?${queryOf(plainShape, page)}`)),
    get('list, another each time', () => changingShapes.map((shape) => `?${queryOf(shape, 1)}`)),
    {
      name: 'create',
      status: 201,
      requests: of.map(({ writeKey }) => ({
        method: 'POST',
        path: '/api/v1/properties',
        headers: {
          ...headers(writeKey),
          'content-type': 'application/json',
          'idempotency-key': 'bench-__n__',
        },
        body: JSON.stringify(newListing),
      })),
    },
  ]
}

/** Everything that takes part is moved to the cores, and the loads ask for a while. */
async function measure(
  server: Server,
  asking: readonly Child[],
  cores: string,
  { requests, status }: Kind,
): Promise<Measured> {
  const loading = asking.map(({ process: load }) => Number(load.pid))
  for (const pid of [...withChildren(postmaster), ...withChildren(server.pid), ...loading])
    execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' })
  const order = {
    origin: server.origin,
    connections: connectionsOfLoad,
    requests,
    status,
    unique: true,
    durationMs: Number(options.seconds) * 1000,
  }
  const before = cpuSecondsOf(server.pid)
  const answers = await Promise.all(
    asking.map((load) => load.ask<{ report: LoadReport } | { failure: string }>(order)),
  )
  const cpuSeconds = cpuSecondsOf(server.pid) - before
  const reports = answers.map((answer) => {
    if ('failure' in answer) throw new Error(`${server.name}: ${answer.failure}`)
    return answer.report
  })
  const answered = reports.reduce((sum, report) => sum + report.requests, 0)
  const seconds = Math.max(...reports.map((report) => report.seconds))
  return { perSecond: answered / seconds, cpuMs: (cpuSeconds * 1000) / answered }
}

/** The service as `npm start` runs it, with limits so wide that none is met. */
async function startServer(name: string, settings: Record<string, string>): Promise<Server> {
  const { host = '', port: socket } = database.connection
  const wide = Object.fromEntries(Object.keys(defaultLimits).map((limit) => [limit, 1_000_000_000]))
  const port = await freePort()
  const child = spawn(process.execPath, ['--max-semi-space-size=8', 'src/server.ts'], {
    env: {
      PATH: process.env['PATH'],
      MALLOC_ARENA_MAX: '1',
      PORT: String(port),
      DATABASE_URL: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(host)}&port=${socket}`,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      DEMO: 'off',
      GEOCODER: 'none',
      WORKER: 'off',
      LIMITS: JSON.stringify(wide),
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (said: Buffer) => said.includes('listens on') && resolve())
    child.once('exit', () => reject(new Error(`${name} does not start`)))
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  return {
    name,
    pid: Number(child.pid),
    origin: `http://127.0.0.1:${port}`,
    stop: () => (child.kill('SIGTERM'), ended),
  }
}
