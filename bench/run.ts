/**
 * `npm run bench`: a database of its own, the service and the floor as processes of their own, and what they make of the same
 * requests. See README.md beside this file.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { bareScenarios } from './bare-scenarios.ts'
import { changesScenarios } from './changes.ts'
import { type BenchAgency, sizeOf } from './data.ts'
import { type Measured, writeDocument } from './document.ts'
import { filled } from './filled.ts'
import { floodScenarios } from './floods.ts'
import { canPin, type Child, cores, pin, stopChild } from './machine.ts'
import { compare, type Comparison, type Setting } from './measure.ts'
import { type MemoryReading, watchMemory } from './memory.ts'
import { explainAll, type Plan } from './plans.ts'
import { printComparison, printPlans } from './report.ts'
import {
  batchScenarios,
  dashboardScenarios,
  floorScenarios,
  largeScenarios,
  pageScenarios,
  rememberedAgencies,
  type Scenario,
  type Targets,
} from './scenarios.ts'
import { secretKey } from './servers.ts'
import { cookiesOf } from './sessions.ts'
import { startAll } from './start.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    bare: { type: 'boolean', default: false },
    'database-url': { type: 'string' },
    connections: { type: 'string' },
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
const connections = Number(options.connections ?? (options.bare ? 16 : 32))
const listings = Number(options.listings ?? (options.bare ? 150_000 : options.quick ? 10_000 : 100_000))
const numberOr = (text: string | undefined) => (text === undefined ? undefined : Number(text))
const size = sizeOf(listings, numberOr(options.each), numberOr(options.large))

const tell = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
const title = options.title ?? (options.bare ? 'Beside a bare handler' : undefined)
const wanted = (name: string): boolean => new RegExp(options.only).test(name)

async function main(): Promise<void> {
  const dataDir = options.data === undefined ? temporaryDirectory() : resolve(options.data)
  const url = options['database-url']
  const database = url === undefined ? await startEmbedded({ dataDir, log: tell }) : external(url)
  const { connection } = database
  const children: Child[] = []
  let setting: Setting | undefined
  try {
    await migrate(connection)
    const agencies = await filled(connection, size, secretKey, tell)
    const started = await startAll({ connection, dataDir }, children, {
      workers,
      profile: options.profile === undefined ? undefined : resolve(options.profile),
      beside: options.bare,
      connections,
      rounds,
      durationMs,
    })
    const { targets } = started
    setting = started.setting
    if (options.requests !== undefined) {
      const memory = await watchMemory(setting, targets, agencies, Number(options.requests), tell)
      return publish({ comparisons: [], plans: [], memory })
    }
    // First: writes leave rows that index-only scans have to look up until the next vacuum.
    const plans =
      wanted('plans') && !options.bare
        ? await explainAll(connection, (agencies.at(-1) as BenchAgency).id)
        : []
    if (plans.length > 0 && !options.json) printPlans(plans)
    const scenarios = options.bare
      ? bareScenarios(targets, agencies, agencies.slice(0, rememberedAgencies))
      : await allScenarios(targets, agencies, connection)
    publish({ comparisons: await measureAll(setting, scenarios), plans, memory: [] })
  } finally {
    for (const child of children) await stopChild(child)
    await setting?.wal?.end()
    if (canPin && setting !== undefined && setting.postmaster !== 0) pin(setting.postmaster, cores.all)
    await database.release()
    if (options.data === undefined) {
      if (url === undefined) rmSync(database.home, { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

/** A PostgreSQL that runs already, of which this is the only user. */
function external(connectionString: string) {
  return { connection: { connectionString }, home: '', release: async () => {} }
}

function publish(results: { comparisons: Comparison[]; plans: Plan[]; memory: MemoryReading[] }): void {
  const measured: Measured = {
    at: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`,
    // Where the data lay says nothing.
    command: `npm run bench -- ${process.argv.slice(2).join(' ')}`
      .replaceAll(/ --(data|database-url)[ =]\S+/g, '')
      .replace(` --note ${options.note}`, ''),
    note: options.note,
    ...(title === undefined ? {} : { title }),
    pinned: canPin && workers === 1,
    ...(options.bare ? { shared: true } : {}),
    connections,
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

async function allScenarios(
  targets: Targets,
  agencies: BenchAgency[],
  connection: pg.ClientConfig,
): Promise<Scenario[]> {
  const small = agencies.slice(0, -1)
  const [first, large] = [agencies[0], agencies.at(-1)] as [BenchAgency, BenchAgency]
  const cookies = await cookiesOf(connection, [first.id, large.id])
  return [
    ...(await floorScenarios(targets, small)),
    ...pageScenarios(targets, first, large),
    ...(await changesScenarios(targets, first, large)),
    ...largeScenarios(targets, large),
    ...dashboardScenarios(targets, [first, large], cookies),
    ...(await floodScenarios(targets.limited, small)),
    ...batchScenarios(targets, small),
  ]
}

async function measureAll(setting: Setting, scenarios: readonly Scenario[]): Promise<Comparison[]> {
  const pinning = options.bare
    ? 'server on a core, database and load on another'
    : 'server and load on a core each'
  tell(
    `${listings} listings, ${rounds} rounds of ${durationMs / 1000} s, ${connections} connections, ${cpus()[0]?.model ?? 'unknown processor'}, ` +
      (canPin && workers === 1 ? pinning : 'not pinned'),
  )
  const results: Comparison[] = []
  for (const { name, variants } of scenarios) {
    if (!wanted(name)) continue
    const comparison = await compare(setting, name, variants)
    results.push(comparison)
    if (!options.json) printComparison(comparison)
  }
  return results
}

await main()
