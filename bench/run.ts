/**
 * `npm run bench`: a database of its own, the service and the floor as processes of their own, and what they make of the same
 * requests. See README.md beside this file.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { changesScenarios } from './changes.ts'
import { type BenchAgency, loadData, removeCreated, sizeOf } from './data.ts'
import { type Measured, writeDocument } from './document.ts'
import { canPin, type Child, cores, startChild, stopChild } from './machine.ts'
import { compare, type Comparison, type Figures, type Setting, type Target } from './measure.ts'
import { type MemoryReading, watchMemory } from './memory.ts'
import { floodLimits, floodScenarios } from './floods.ts'
import { explainAll, type Plan } from './plans.ts'
import { printComparison, printPlans, printShare } from './report.ts'
import {
  batchScenarios,
  dashboardScenarios,
  floorScenarios,
  largeScenarios,
  pageScenarios,
  type Scenario,
  type Targets,
} from './scenarios.ts'
import { memoryOfStart, postmasterOf, secretKey, startTarget } from './servers.ts'
import { cookiesOf } from './sessions.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string', default: '' },
    listings: { type: 'string' },
    each: { type: 'string' },
    large: { type: 'string' },
    title: { type: 'string' },
    workers: { type: 'string', default: '1' },
    requests: { type: 'string' },
    write: { type: 'boolean', default: false },
    note: { type: 'string', default: '' },
    data: { type: 'string' },
    profile: { type: 'string' },
  },
})

const rounds = Number(options.rounds ?? (options.quick ? 3 : 5))
const durationMs = Number(options.seconds ?? (options.quick ? 1 : 3)) * 1000
const workers = Number(options.workers)
const listings = Number(options.listings ?? (options.quick ? 10_000 : 100_000))
const numberOr = (text: string | undefined) => (text === undefined ? undefined : Number(text))
const size = sizeOf(listings, numberOr(options.each), numberOr(options.large))

const tell = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
const wanted = (name: string): boolean => new RegExp(options.only).test(name)

async function main(): Promise<void> {
  const dataDir = options.data === undefined ? temporaryDirectory() : resolve(options.data)
  const database = await startEmbedded({ dataDir, log: tell })
  const children: Child[] = []
  try {
    const agencies = await filled(dataDir, database.connection)
    const { setting, targets } = await startAll(database.connection, dataDir, children)
    if (options.requests !== undefined) {
      const memory = await watchMemory(setting, targets, agencies, Number(options.requests), tell)
      return publish({ comparisons: [], plans: [], memory })
    }
    // First: writes leave rows that index-only scans have to look up until the next vacuum.
    const plans = wanted('plans')
      ? await explainAll(database.connection, (agencies.at(-1) as BenchAgency).id)
      : []
    if (plans.length > 0 && !options.json) printPlans(plans)
    const ends = [agencies[0], agencies.at(-1)] as [BenchAgency, BenchAgency]
    const cookies = await cookiesOf(
      database.connection,
      ends.map(({ id }) => id),
    )
    const ofPages = dashboardScenarios(targets, ends, cookies)
    publish({ comparisons: await measureAll(setting, targets, agencies, ofPages), plans, memory: [] })
  } finally {
    for (const child of children) await stopChild(child)
    await database.release()
    if (options.data === undefined) {
      rmSync(database.home, { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

function publish(results: { comparisons: Comparison[]; plans: Plan[]; memory: MemoryReading[] }): void {
  const measured: Measured = {
    at: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`,
    // Where the data lay says nothing.
    command: `npm run bench -- ${process.argv.slice(2).join(' ')}`
      .replace(/ --data[ =]\S+/, '')
      .replace(` --note ${options.note}`, ''),
    note: options.note,
    ...(options.title === undefined ? {} : { title: options.title }),
    pinned: canPin && workers === 1,
    listings,
    workers,
    rounds,
    seconds: durationMs / 1000,
    ...results,
  }
  if (options.json) console.log(JSON.stringify(measured, null, 2))
  if (options.write) writeDocument(measured)
}

/** One that PostgreSQL's own user can reach. */
function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'listings-bench-'))
  chmodSync(directory, 0o755)
  return directory
}

/** Fills the database, or with --data uses what an earlier run filled. */
async function filled(dataDir: string, connection: pg.ClientConfig): Promise<BenchAgency[]> {
  const file = join(dataDir, `bench-${listings}-${size.listings}-${size.large}.json`)
  await migrate(connection)
  if (existsSync(file)) {
    await removeCreated(connection)
    return JSON.parse(readFileSync(file, 'utf8')) as BenchAgency[]
  }
  const agencies = await loadData(connection, size, secretKey, tell)
  writeFileSync(file, JSON.stringify(agencies))
  return agencies
}

async function startAll(
  connection: pg.ClientConfig,
  dataDir: string,
  children: Child[],
): Promise<{ setting: Setting; targets: Targets }> {
  const start = async (
    program: string,
    path: string,
    settings: Record<string, string> = {},
    execArgv: string[] = [],
  ): Promise<Target> => {
    const core = workers === 1 ? cores.server : null
    const target = await startTarget({ connection, dataDir }, program, { core, path, settings, execArgv })
    children.push(target.child)
    return target
  }
  const profiling =
    options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`]
  // Several processes are started as `npm start` does; one tells its heap.
  const program = workers === 1 ? 'service.ts' : '../src/server.ts'
  const { heap, allocator } = memoryOfStart()
  const processes = { WORKERS: String(workers), ...allocator }
  const health = '/api/v1/health'
  const service = await start(program, health, processes, [...heap, ...profiling])
  const forgetful = await start(program, health, { ...processes, ANSWER_CACHE_MB: '0', WORKER: 'off' }, heap)
  const floor = await start('floor.ts', '/')
  const limited = await start(
    'service.ts',
    health,
    { ...allocator, WORKER: 'off', LIMITS: JSON.stringify(floodLimits) },
    heap,
  )
  const startLoad = async (): Promise<Child> => {
    const load = startChild('load.ts', cores.load)
    children.push(load)
    await new Promise((ready) => load.process.once('message', ready))
    return load
  }
  const [load, others] = [await startLoad(), await startLoad()]
  return {
    setting: { load, others, postmaster: await postmasterOf(connection), rounds, durationMs },
    targets: { service, forgetful, limited, floor },
  }
}

async function measureAll(
  setting: Setting,
  targets: Targets,
  agencies: BenchAgency[],
  ofPages: readonly Scenario[],
): Promise<Comparison[]> {
  const small = agencies.slice(0, -1)
  const large = agencies.at(-1) as BenchAgency
  if (!options.json) {
    tell(
      `${listings} listings, ${rounds} rounds of ${durationMs / 1000} s, 32 connections, ${cpus()[0]?.model ?? 'unknown processor'}, ` +
        (canPin && workers === 1 ? 'server and load on a core each' : 'not pinned'),
    )
  }
  const results: Comparison[] = []
  const scenarios = [
    ...(await floorScenarios(targets, small)),
    ...pageScenarios(targets, small[0] as BenchAgency, large),
    ...(await changesScenarios(targets, small[0] as BenchAgency, large)),
    ...largeScenarios(targets, large),
    ...ofPages,
    ...(await floodScenarios(targets.limited, small)),
  ]
  for (const { name, variants } of scenarios) {
    if (!wanted(name)) continue
    const comparison = await compare(setting, name, variants)
    results.push(comparison)
    if (!options.json) printComparison(comparison)
  }
  for (const { name, variants } of batchScenarios(targets, small)) {
    if (!wanted(name)) continue
    const comparison = await compare(setting, name, variants)
    results.push(comparison)
    if (options.json) continue
    printComparison(comparison)
    const [single, batch] = comparison.figures as [Figures, Figures]
    printShare('server CPU of the batch by that of 50 singles', batch.serverMs / (single.serverMs * 50))
    printShare('database CPU of the batch by that of 50 singles', batch.databaseMs / (single.databaseMs * 50))
  }
  return results
}

await main()
