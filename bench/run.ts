/**
 * `npm run bench`: starts a database, the service and the floor in separate processes, and measures them with the same requests. See
 * README.md in this folder.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { accountOf } from './measurements/account.ts'
import { bareScenarios } from './scenarios/bare-scenarios.ts'
import { changesScenarios } from './scenarios/changes.ts'
import { compareWithCitus } from './measurements/citus.ts'
import type { BenchAgency } from './data/load-data.ts'
import { openBenchDatabase } from './data/database.ts'
import { type Measured, writeDocument } from './report/document.ts'
import { filled } from './data/filled.ts'
import { floodScenarios } from './scenarios/floods.ts'
import { canPin, type Child, cores, pin, stopChild } from './processes/machine.ts'
import { compare, type Comparison, type Setting } from './measurements/measure.ts'
import { watchMemory } from './measurements/memory.ts'
import {
  beside,
  connections,
  durationMs,
  listings,
  options,
  rounds,
  size,
  title,
  workers,
} from './options.ts'
import { explainAll } from './measurements/plans.ts'
import { printAccount, printComparison, printPlans } from './report/report.ts'
import { batchScenarios, singleNew } from './scenarios/batches.ts'
import { cachedAgencies, floorScenarios } from './scenarios/floor-scenarios.ts'
import { dashboardScenarios, largeScenarios, pageScenarios } from './scenarios/large-agency.ts'
import type { Scenario, Targets } from './scenarios/scenario.ts'
import { secretKey } from './processes/servers.ts'
import { cookiesOf } from './data/sessions.ts'
import { startAll } from './processes/start.ts'

const print = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
const wanted = (name: string): boolean => new RegExp(options.only).test(name)

async function main(): Promise<void> {
  const dataDir = options.data === undefined ? temporaryDirectory() : resolve(options.data)
  const database = await openBenchDatabase({
    url: options['database-url'],
    dataDir,
    log: print,
    withStatements: options.account,
  })
  const { connection } = database
  const children: Child[] = []
  let setting: Setting | undefined
  try {
    await migrate(connection)
    const agencies = await filled(connection, size, secretKey, print)
    const started = await startAll({ connection, dataDir }, children, {
      workers,
      profile: options.profile === undefined ? undefined : resolve(options.profile),
      beside,
      connections,
      rounds,
      durationMs,
    })
    const { targets } = started
    setting = started.setting
    if (options.requests !== undefined) {
      const memory = await watchMemory(setting, targets, agencies, Number(options.requests), print)
      return publish(setting, { memory })
    }
    if (options.account) {
      const { wal } = setting
      if (wal === null) throw new Error('The account needs the extension pg_walinspect.')
      const create = singleNew(targets.service, agencies.slice(0, -1))
      const account = await accountOf({ ...setting, wal }, create, connection)
      if (!options.json) printAccount(account)
      return publish(setting, { account })
    }
    // First, because writes leave rows that index-only scans have to look up until the next vacuum.
    const plans =
      wanted('plans') && !beside ? await explainAll(connection, (agencies.at(-1) as BenchAgency).id) : []
    if (plans.length > 0 && !options.json) printPlans(plans)
    const scenarios = beside
      ? bareScenarios(targets, agencies, agencies.slice(0, cachedAgencies))
      : await allScenarios(targets, agencies, connection)
    publish(setting, { comparisons: await measureAll(setting, scenarios), plans })
  } finally {
    for (const child of children) await stopChild(child)
    await setting?.wal?.end()
    if (canPin && setting !== undefined && setting.postmaster !== 0) pin(setting.postmaster, cores.all)
    await database.release()
    if (options.data === undefined) {
      if (database.home !== null) rmSync(database.home, { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

type Results = Partial<Pick<Measured, 'comparisons' | 'plans' | 'memory' | 'account'>>

function publish({ database }: Setting, results: Results): void {
  const measured: Measured = {
    at: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`,
    // The location of the data is irrelevant.
    command: `npm run bench -- ${process.argv.slice(2).join(' ')}`
      .replaceAll(/ --(data|database-url)[ =]\S+/g, '')
      .replace(` --note ${options.note}`, ''),
    note: options.note,
    ...(title === undefined ? {} : { title }),
    pinned: canPin && workers === 1,
    ...(beside ? { shared: true } : {}),
    connections,
    database,
    listings,
    workers,
    rounds,
    seconds: durationMs / 1000,
    comparisons: [],
    plans: [],
    memory: [],
    ...results,
  }
  if (options.json) console.log(JSON.stringify(measured, null, 2))
  if (options.write) writeDocument(measured)
}

/** A directory that PostgreSQL's own user can reach. */
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
  const all = [
    ...(await floorScenarios(targets, small)),
    ...pageScenarios(targets, first, large),
    ...(await changesScenarios(targets, first, large)),
    ...largeScenarios(targets, large),
    ...dashboardScenarios(targets, [first, large], cookies),
    ...(await floodScenarios(targets.limited, small)),
    ...batchScenarios(targets, small),
  ]
  // Writes come last, because the others' ETags and cursors refer to the data stored now.
  const doesWrite = ({ variants }: Scenario) => variants.some(({ writes }) => writes !== undefined)
  return [...all.filter((one) => !doesWrite(one)), ...all.filter(doesWrite)]
}

async function measureAll(setting: Setting, scenarios: readonly Scenario[]): Promise<Comparison[]> {
  const pinning = beside ? 'server on a core, database and load on another' : 'server and load on a core each'
  print(
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

/** Runs on existing databases. */
async function mainOnCitus(citus: string, plain: string): Promise<void> {
  const dataDir = temporaryDirectory()
  try {
    const costs = await compareWithCitus(citus, plain, dataDir, print)
    if (options.json) console.log(JSON.stringify(costs, null, 2))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const { citus, 'database-url': plain } = options
if (citus === undefined) await main()
else if (plain === undefined)
  throw new Error('--citus needs --database-url: the plain PostgreSQL to compare with')
else await mainOnCitus(citus, plain)
