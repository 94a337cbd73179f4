/**
 * `node bench/soak.ts`: a long run of the service as in production, at half of what one core can do. Every minute is appended to a file;
 * at the end the goals are judged. docs/soak.md explains it.
 */
import { createServer } from 'node:http'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { freePort } from '../test/support/network/free-port.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { withSession } from '../src/platform/db/statements/session.ts'
import { oneOff } from '../src/platform/db/statements/statement.ts'
import type { BenchAgency } from './data/load-data.ts'
import { openBenchDatabase } from './data/database.ts'
import { loadOnce } from './data/filled.ts'
import { canPin, type Child, cores, pin, startChild, stopChild } from './processes/machine.ts'
import { headersOf } from './scenarios/scenario.ts'
import {
  environmentOf,
  memoryOfStart,
  type Place,
  postmasterOf,
  secretKey,
  startTarget,
} from './processes/servers.ts'
import { writeSoakDocument } from './soak/document.ts'
import { judge } from './soak/goals.ts'
import type { SoakOrder, SoakReport } from './soak/load.ts'
import { keptMinutes, listings, minutes, options, size } from './soak/options.ts'
import { openPace, type Pace } from './soak/pace.ts'
import { type CpuSeconds, type Meter, openMeter, workerName } from './soak/readings.ts'
import { appendMinute, beginResults, type Conditions, type Minute, readResults } from './soak/results.ts'
import { printGoals, printHead, printMinute } from './soak/report.ts'

const file = resolve(options.results)
const print = (line: string): void => void process.stderr.write(`${line}\n`)

/** The rate of the first round, low enough for any machine; the later ones approach half of a core until they change little. */
const firstPerSecond = 100
const maxRounds = 10
const roundMs = 30_000
const littleChange = 0.03
const scrapeMs = 15_000
const stopping = new AbortController()

async function run(): Promise<void> {
  const dataDir = resolve(options.data ?? mkdtempSync(join(tmpdir(), 'listings-soak-')))
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o755)
  const database = await openBenchDatabase({
    url: options['database-url'],
    dataDir,
    log: print,
    withStatements: false,
  })
  const { connection } = database
  const children: Child[] = []
  const marketplace = await openMarketplace()
  let meter: Meter | null = null
  const pace = openPace()
  let scraping: NodeJS.Timeout | undefined
  try {
    await migrate(connection)
    const { agencies } = await loadOnce(connection, size, secretKey, print)
    await warm(connection)
    const { postmaster, database: version } = await postmasterOf(connection)
    if (canPin && postmaster !== 0) pin(postmaster, cores.all)
    const started = await startService({ connection, dataDir }, marketplace.url, children)
    await useEveryKey(started.origin, agencies)
    const load = startChild('soak/load.ts', null)
    children.push(load)
    await load.message()
    load.process.send({
      origin: started.origin,
      agencies: agencies.map((agency) => ({ ...agency, codes: agency.codes.join(' ') })),
    } satisfies SoakOrder)
    meter = await openMeter(connection, { ...started.pids, postmaster })
    scraping = setInterval(() => void started.scrape(), scrapeMs)
    const found = await findRate(load, meter)
    const conditions: Conditions = {
      at: new Date().toISOString().slice(0, 16),
      machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`,
      database: version,
      command: `node bench/soak.ts ${process.argv.slice(2).join(' ')}`
        .replaceAll(/ --(data|database-url|results)[ =]\S+/g, '')
        .replace(` --note ${options.note}`, ''),
      note: options.note,
      agencies: size.agencies + 1,
      listings,
      keptMinutes,
      ...found,
    }
    beginResults(file, conditions)
    printHead(conditions)
    await recordMinutes(load, meter, pace, conditions.perSecond)
  } finally {
    clearInterval(scraping)
    pace.end()
    await meter?.end()
    for (const child of children.reverse()) await stopChild(child)
    marketplace.close()
    await database.release()
    if (options.data === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Reads all tables and indexes, because a service in use has them in memory, and the system may have dropped them since they were filled.
 * Left out where PostgreSQL has no pg_prewarm.
 */
async function warm(connection: ClientConfig): Promise<void> {
  await withSession(connection, async (session) => {
    const [found] = await session.run(
      oneOff<{ exists: boolean }>(
        `select exists (select from pg_available_extensions where name = 'pg_prewarm')`,
      ),
    )
    if (found?.exists !== true)
      return print('PostgreSQL has no pg_prewarm: the first minutes read from the disk.')
    await session.run(oneOff('create extension if not exists pg_prewarm'))
    await session.run(
      oneOff(`
        select pg_prewarm(oid::regclass, 'read') from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`),
    )
  })
}

async function startService(place: Place, marketplaceUrl: string, children: Child[]) {
  const { heap, allocator } = memoryOfStart()
  const ports = [await freePort(), await freePort()]
  const production = {
    ...allocator,
    NODE_ENV: 'production',
    GEOCODER: 'none',
    TRUST_PROXY: 'loopback',
    // Full within the first minutes; the usual size would take hours, and memory would grow meanwhile.
    ANSWER_CACHE_MB: '8',
    MARKETPLACE_URL: marketplaceUrl,
    MARKETPLACE_SECRET: secretKey,
  }
  const { origin, child } = await startTarget(place, '../src/server.ts', {
    // All cores, as in production: on one, the threads of Node's garbage collector compete with requests.
    core: null,
    path: '/api/v1/health',
    settings: { ...production, WORKERS: '1', WORKER: 'off', METRICS_PORT: String(ports[0]) },
    execArgv: heap,
  })
  children.push(child)
  const own = { connection: { ...place.connection, application_name: workerName }, dataDir: place.dataDir }
  const settings = { METRICS_PORT: String(ports[1]), KEPT_MINUTES: String(keptMinutes) }
  const worker = startChild(
    'soak/worker.ts',
    null,
    { ...environmentOf(own), ...production, ...settings },
    heap,
  )
  children.push(worker)
  await worker.message()
  return {
    origin,
    pids: { service: Number(child.process.pid), worker: Number(worker.process.pid) },
    /** Reads the metrics, as Prometheus does. */
    async scrape() {
      for (const port of ports)
        await fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.arrayBuffer(), print)
    },
  }
}

/** One request of every key, so that the tables with a row for each key have reached their size. */
async function useEveryKey(origin: string, agencies: readonly BenchAgency[]): Promise<void> {
  const keys = agencies.flatMap(({ readKey, writeKey }) => [readKey, writeKey]).values()
  const useSome = async (): Promise<void> => {
    for (const key of keys) {
      const response = await fetch(`${origin}/api/v1/me`, { headers: headersOf(key) })
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 16 }, useSome))
}

/** Accepts every notification. */
async function openMarketplace(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    close: () => void server.close().closeAllConnections(),
  }
}

/** The rate at which service and PostgreSQL use half of a core, approached in rounds, because batches make a higher rate cheaper. */
async function findRate(
  load: Child,
  meter: Meter,
): Promise<Pick<Conditions, 'cpu' | 'capacity' | 'perSecond'>> {
  let perSecond = Number(options['per-second'] ?? firstPerSecond)
  let cpu = { service: 0, database: 0 }
  for (let round = 1; round <= maxRounds; round += 1) {
    await load.ask<SoakReport>({ perSecond })
    const before = await meter.cpu()
    await delay(roundMs, undefined, { signal: stopping.signal })
    const [report, after] = [await load.ask<SoakReport>({ perSecond }), await meter.cpu()]
    cpu = cpuOf(before, after, report)
    print(
      `${perSecond.toFixed(0)} a second: ${(cpu.service + cpu.database).toFixed(0)} µs a request, p50 ${report.p50.toFixed(1)} ms, ` +
        `p99 ${report.p99.toFixed(1)} ms, ${report.errors} errors ${report.example ?? ''}`,
    )
    if (options['per-second'] !== undefined) break
    const half = Math.round(500_000 / (cpu.service + cpu.database))
    if (Math.abs(half / perSecond - 1) < littleChange) break
    perSecond = half
  }
  return { cpu, capacity: 1_000_000 / (cpu.service + cpu.database), perSecond }
}

async function recordMinutes(load: Child, meter: Meter, pace: Pace, perSecond: number): Promise<void> {
  await load.ask<SoakReport>({ perSecond })
  pace.read()
  const begin = performance.now()
  let before = await meter.cpu()
  let waitingBefore = meter.waitingSeconds()
  for (let minute = 1; minute <= minutes && !stopping.signal.aborted; minute += 1) {
    const until = begin + minute * 60_000
    await delay(until - performance.now(), undefined, { signal: stopping.signal }).catch(() => {})
    if (stopping.signal.aborted) return
    const [report, after] = [await load.ask<SoakReport>({ perSecond }), await meter.cpu()]
    const entry: Minute = {
      minute,
      load: report,
      cpu: cpuOf(before, after, report),
      background: backgroundShares(before, after, report.seconds),
      pace: pace.read(),
      waiting: percentOf(waitingBefore, meter.waitingSeconds(), report.seconds),
      megabytes: meter.memory(),
      tables: await meter.tables(),
    }
    before = after
    waitingBefore = meter.waitingSeconds()
    appendMinute(file, entry)
    printMinute(entry)
  }
}

/** The part of the time that was spent, in per cent. */
function percentOf(before: number | null, after: number | null, seconds: number): number | null {
  return before === null || after === null ? null : ((after - before) * 100) / seconds
}

/** CPU microseconds per request. */
function cpuOf(before: CpuSeconds, after: CpuSeconds, { requests }: SoakReport): Conditions['cpu'] {
  return {
    service: ((after.service - before.service) * 1e6) / requests,
    database: ((after.database.requests - before.database.requests) * 1e6) / requests,
  }
}

function backgroundShares(before: CpuSeconds, after: CpuSeconds, seconds: number): Minute['background'] {
  const share = (part: 'worker' | 'autovacuum' | 'checkpointer'): number =>
    ((after.database[part] - before.database[part]) * 100) / seconds
  return {
    workerProcess: ((after.worker - before.worker) * 100) / seconds,
    worker: share('worker'),
    autovacuum: share('autovacuum'),
    checkpointer: share('checkpointer'),
  }
}

if (!options.report) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  await run()
}
const results = readResults(file)
const goals = judge(results)
printGoals(goals)
if (options.write) writeSoakDocument(results, goals)
