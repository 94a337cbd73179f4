/**
 * `npm run bench -- --citus URL --database-url URL`: the cost of the hot requests on Citus, compared with the same data on plain
 * PostgreSQL, as CPU time per request of the service, the coordinator and each node. The engines take turns, so that disturbances affect
 * both.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import pg from 'pg'
import { distribute } from '../../src/platform/db/citus/distribute.ts'
import { getEngine } from '../../src/platform/db/engine.ts'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { withSession } from '../../src/platform/db/statements/session.ts'
import type { BenchAgency } from '../data/load-data.ts'
import { filled } from '../data/filled.ts'
import {
  canPin,
  type Child,
  cores,
  databaseCpuSeconds,
  pin,
  startChild,
  stopChild,
} from '../processes/machine.ts'
import { measureOnce, median, type Setting, type Target, type Variant } from './measure.ts'
import { connections, durationMs, options, rounds, size } from '../options.ts'
import { printCosts } from '../report/report.ts'
import { singleNew } from '../scenarios/batches.ts'
import { headersOf } from '../scenarios/scenario.ts'
import { memoryOfStart, postmasterOf, secretKey, startTarget } from '../processes/servers.ts'
import { mixedShapes, plainShape, queryOf } from '../scenarios/shapes.ts'

/** Microseconds of CPU per request. Plain PostgreSQL is one node without a coordinator. */
type Cost = { service: number; coordinator: number; nodes: number[]; total: number }
export type Costs = { name: string; plain: Cost; citus: Cost; ratios: number[] }

type Side = {
  /** The PID of the first process of each PostgreSQL. */
  postmasters: { coordinator: number | null; nodes: number[] }
  agencies: BenchAgency[]
  /** With the response cache, and without. */
  service: Target
  uncached: Target
}

const children: Child[] = []

export async function compareWithCitus(
  citusUrl: string,
  plainUrl: string,
  dataDir: string,
  print: (line: string) => void,
): Promise<Costs[]> {
  try {
    const plain = await openSide(plainUrl, dataDir, false, print)
    const citus = await openSide(citusUrl, dataDir, true, print)
    const load = startChild('processes/load.ts', cores.load)
    children.push(load)
    await new Promise((ready) => load.process.once('message', ready))
    const setting: Setting = {
      load,
      others: load,
      // 0: the database's CPU is measured below, node by node.
      postmaster: 0,
      database: '',
      wal: null,
      connections,
      rounds,
      durationMs,
    }
    const [ofPlain, ofCitus] = [scenariosOf(plain), scenariosOf(citus)]
    const results: Costs[] = []
    for (const [index, onPlain] of ofPlain.entries()) {
      const onCitus = ofCitus[index] as Variant
      if (!new RegExp(options.only).test(onPlain.name)) continue
      const costs = await compareCosts(setting, [plain, onPlain], [citus, onCitus])
      results.push(costs)
      if (!options.json) printCosts(costs)
    }
    return results
  } finally {
    for (const child of children) await stopChild(child)
  }
}

async function compareCosts(
  setting: Setting,
  [plain, onPlain]: [Side, Variant],
  [citus, onCitus]: [Side, Variant],
): Promise<Costs> {
  await measureOnce(setting, onPlain, Math.min(1_000, durationMs))
  await measureOnce(setting, onCitus, Math.min(1_000, durationMs))
  const measured: { plain: Cost; citus: Cost }[] = []
  for (let round = 0; round < rounds; round += 1)
    measured.push({
      plain: await costOf(setting, plain, onPlain),
      citus: await costOf(setting, citus, onCitus),
    })
  return {
    name: onPlain.name,
    plain: medianCost(measured.map((round) => round.plain)),
    citus: medianCost(measured.map((round) => round.citus)),
    ratios: measured.map((round) => round.citus.total / round.plain.total),
  }
}

async function costOf(setting: Setting, { postmasters }: Side, variant: Variant): Promise<Cost> {
  const seconds = (): number[] =>
    [postmasters.coordinator, ...postmasters.nodes].map((one) => (one === null ? 0 : databaseCpuSeconds(one)))
  const before = seconds()
  const { requests, serverMs } = await measureOnce(setting, variant, durationMs)
  const [coordinator = 0, ...nodes] = seconds().map(
    (after, index) => ((after - (before[index] ?? 0)) * 1e6) / requests,
  )
  const service = serverMs * 1_000
  return { service, coordinator, nodes, total: nodes.reduce((sum, one) => sum + one, service + coordinator) }
}

function medianCost(rounds: readonly Cost[]): Cost {
  const of = (figure: (cost: Cost) => number): number => median(rounds.map(figure))
  const [{ nodes }] = rounds as [Cost]
  return {
    service: of(({ service }) => service),
    coordinator: of(({ coordinator }) => coordinator),
    nodes: nodes.map((_, index) => of((cost) => cost.nodes[index] ?? 0)),
    total: of(({ total }) => total),
  }
}

async function openSide(
  url: string,
  dataDir: string,
  isCitus: boolean,
  print: (line: string) => void,
): Promise<Side> {
  const connection = { connectionString: url }
  await migrate(connection)
  const agencies = await filled(connection, size, secretKey, print)
  const first = await prepareNode(connection)
  const postmasters: Side['postmasters'] = { coordinator: null, nodes: [first] }
  let measured = agencies.slice(0, -1)
  if (isCitus) {
    const nodes = await distributed(connection, measured, print)
    Object.assign(postmasters, { coordinator: first, nodes: [] })
    for (const { address } of nodes) postmasters.nodes.push(await prepareNode({ connectionString: address }))
    // The same number from each node, in turn.
    const fewest = Math.min(...nodes.map((node) => node.agencies.length))
    assert(fewest > 0, 'a node has none of the agencies: try with more listings')
    measured = Array.from({ length: fewest }, (_, place) =>
      nodes.map((node) => node.agencies[place] as BenchAgency),
    ).flat()
    print(`${measured.length} agencies of ${nodes.length} nodes`)
  }
  const { heap, allocator } = memoryOfStart()
  const start = async (settings: Record<string, string>): Promise<Target> => {
    const target = await startTarget({ connection, dataDir }, 'processes/service.ts', {
      core: cores.server,
      path: '/api/v1/health',
      settings: { ...allocator, WORKER: 'off', ...settings },
      execArgv: [...heap, ...profiled(isCitus ? 'citus' : 'plain')],
    })
    children.push(target.child)
    return target
  }
  return {
    postmasters,
    agencies: measured,
    service: await start({}),
    uncached: await start({ ANSWER_CACHE_MB: '0' }),
  }
}

function profiled(side: string): string[] {
  return options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(options.profile, side)}`]
}

async function prepareNode(connection: pg.ClientConfig): Promise<number> {
  const { postmaster } = await postmasterOf(connection)
  // Before anything connects, because database processes inherit it from the first.
  if (canPin) pin(postmaster, cores.all)
  return postmaster
}

/** Distributes the database unless it already is. @returns the nodes, and the agencies on each */
async function distributed(
  connection: { connectionString: string },
  agencies: readonly BenchAgency[],
  print: (line: string) => void,
): Promise<{ address: string; agencies: BenchAgency[] }[]> {
  const client = new pg.Client(connection)
  await client.connect()
  if (!(await getEngine(connection)).isDistributed) {
    await withSession(connection, (session) => distribute(session, { log: print }))
    await client.query('vacuum (analyze) properties, listing_history, agency_revisions, key_usage')
  }
  const { rows } = await client.query<{ host: string; port: number; agencies: string[] }>(
    `select nodename as host, nodeport as port, array_agg(agency_id::text) as agencies
    from unnest($1::uuid[]) agency_id
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('agency_revisions', agency_id)
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    group by 1, 2 order by 1, 2`,
    [agencies.map(({ id }) => id)],
  )
  await client.end()
  return rows.map(({ host, port, agencies: ids }) => {
    const address = new URL(connection.connectionString)
    address.hostname = host
    address.port = String(port)
    return { address: address.href, agencies: agencies.filter(({ id }) => ids.includes(id)) }
  })
}

function scenariosOf({ service, uncached, agencies }: Side): Variant[] {
  const read = (name: string, target: Target, pathsOf: (agency: BenchAgency) => string[]): Variant => ({
    name,
    target,
    // Agencies take turns.
    requests: transposed(
      agencies.map((agency) =>
        pathsOf(agency).map((path) => ({
          method: 'GET' as const,
          path: `/api/v1/properties${path}`,
          headers: headersOf(agency.readKey),
        })),
      ),
    ),
  })
  const codes = ({ codes: all }: BenchAgency) => all.slice(0, 20).map((code) => `/${code}`)
  const pages = [1, 2, 3]
  const lists = pages.map((page) => `?${queryOf(plainShape, page)}`)
  const filtered = mixedShapes.flatMap((shape) => pages.map((page) => `?${queryOf(shape, page)}`))
  return [
    read('list, cached', service, () => lists),
    read('list, uncached', uncached, () => lists),
    read('list with filters, uncached', uncached, () => filtered),
    read('single read, cached', service, codes),
    read('single read, uncached', uncached, codes),
    { ...singleNew(service, agencies), name: 'create' },
  ]
}

function transposed<T>(rows: readonly T[][]): T[] {
  const [first = []] = rows
  return first.flatMap((_, column) => rows.map((row) => row[column] as T))
}
