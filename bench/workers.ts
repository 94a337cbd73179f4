/**
 * `node bench/workers.ts`: the gain of a second process on a second core. Load without a separate machine takes time on the same cores, so
 * everything is included: one process, the database and a load on one core, against two processes, the database and two loads on two. No
 * core is idle, and the figures include mutual interference: requests/s, and CPU time per request.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../test/support/network/free-port.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { type BenchAgency, loadData } from './data/load-data.ts'
import type { LoadReport, LoadRequest } from './processes/load.ts'
import { canPin, type Child, cpuSecondsOf, pin, startChild, stopChild } from './processes/machine.ts'
import { median, type Target } from './measurements/measure.ts'
import { headersOf, writeHeaders } from './scenarios/scenario.ts'
import { memoryOfStart, postmasterOf, secretKey, startTarget } from './processes/servers.ts'
import { changingShapes, newListing, plainShape, queryOf } from './scenarios/shapes.ts'

if (!canPin) throw new Error('Linux with taskset and two cores is needed.')
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '2' } },
})
const connectionsOfLoad = 32
const print = (line: string): void => void process.stderr.write(`${line}\n`)

type Measured = { perSecond: number; cpuMs: number }

const dataDir = mkdtempSync(join(tmpdir(), 'listings-bench-'))
chmodSync(dataDir, 0o755)
const database = await startEmbedded({ dataDir, log: print })
await migrate(database.connection)
const { postmaster } = await postmasterOf(database.connection)
const size = { agencies: 20, listings: 500, large: 500 }
const agencies = await loadData(database.connection, size, secretKey, print)
const kinds = requestsOf(agencies)

const one = await startServer({ WORKERS: '1' })
const watched = await startServer({ WORKERS: '1', METRICS_PORT: String(await freePort()) })
const two = await startServer({ WORKERS: '2' })
const loads = [startChild('processes/load.ts', null), startChild('processes/load.ts', null)] as const
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

for (const child of [one.child, watched.child, two.child, ...loads]) await stopChild(child)
await database.release()
rmSync(database.home, { recursive: true, force: true })
rmSync(dataDir, { recursive: true, force: true })

function rangeOf(ratios: number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
}

type Kind = { name: string; status: number; requests: LoadRequest[] }

function requestsOf(of: readonly BenchAgency[]): Kind[] {
  const get = (name: string, pathsOf: (agency: BenchAgency) => string[]): Kind => ({
    name,
    status: 200,
    requests: of.flatMap((agency) =>
      pathsOf(agency).map((path) => ({
        method: 'GET' as const,
        path: `/api/v1/properties${path}`,
        headers: headersOf(agency.readKey),
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
        headers: writeHeaders(writeKey),
        body: JSON.stringify(newListing),
      })),
    },
  ]
}

/** Moves everything involved to the cores, and runs the loads for a while. */
async function measure(
  { origin, child }: Target,
  loads: readonly Child[],
  cores: string,
  { requests, status }: Kind,
): Promise<Measured> {
  const pidOf = ({ process: { pid } }: Child): number => Number(pid)
  const pid = pidOf(child)
  const loading = loads.map(pidOf)
  for (const one of [postmaster, pid, ...loading]) pin(one, cores)
  const order = {
    origin,
    connections: connectionsOfLoad,
    requests,
    statuses: [status],
    unique: true,
    durationMs: Number(options.seconds) * 1000,
  }
  const before = cpuSecondsOf(pid)
  const responses = await Promise.all(
    loads.map((load) => load.ask<{ report: LoadReport } | { failure: string }>(order)),
  )
  const cpuSeconds = cpuSecondsOf(pid) - before
  const reports = responses.map((response) => {
    if ('failure' in response) throw new Error(response.failure)
    return response.report
  })
  const total = reports.reduce((sum, report) => sum + report.requests, 0)
  const seconds = Math.max(...reports.map((report) => report.seconds))
  return { perSecond: total / seconds, cpuMs: (cpuSeconds * 1000) / total }
}

/** The service as `npm start` runs it, without logs. */
async function startServer(settings: Record<string, string>): Promise<Target> {
  const { heap, allocator } = memoryOfStart()
  const quiet = { GEOCODER: 'none', WORKER: 'off', LOG_LEVEL: 'silent' }
  return startTarget({ connection: database.connection, dataDir }, '../src/server.ts', {
    core: null,
    path: '/api/v1/health',
    settings: { ...allocator, ...quiet, ...settings },
    execArgv: heap,
  })
}
