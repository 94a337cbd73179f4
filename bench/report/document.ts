/**
 * docs/performance.md and docs/performance.svg, generated from docs/performance.json, which holds the latest results of every run with
 * `--write`: one entry per number of listings and of processes.
 */
import type { Account } from '../measurements/account.ts'
import { accountTables } from './account-tables.ts'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawPlot, isOfFloor } from './draw-plot.ts'
import type { Comparison } from '../measurements/measure.ts'
import type { MemoryReading } from '../measurements/memory.ts'
import type { Plan } from '../measurements/plans.ts'
import { shareLine } from './report.ts'

/** A run's results and conditions. */
export type Measured = {
  at: string
  machine: string
  command: string
  /** Further remarks on the run. */
  note?: string
  /** The title of a run that is kept apart from the usual one with as many listings. */
  title?: string
  pinned: boolean
  /** Whether the database shared the core of the load. */
  shared?: boolean
  connections?: number
  /** `PostgreSQL 18.1`. */
  database?: string
  listings: number
  workers: number
  rounds: number
  seconds: number
  comparisons: Comparison[]
  plans: Plan[]
  memory: MemoryReading[]
  account?: Account
}

const docs = join(import.meta.dirname, '..', '..', 'docs')
const kept = join(docs, 'performance.json')

/** Replaces the previous run of the same kind, and regenerates everything. */
export function writeDocument(measured: Measured): void {
  const before = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Measured[]) : []
  const isLike = (run: Measured) =>
    run.listings === measured.listings &&
    run.workers === measured.workers &&
    run.title === measured.title &&
    run.memory.length > 0 === measured.memory.length > 0
  const runs = [...before.filter((run) => !isLike(run)), measured].sort(
    (a, b) => placeOf(a) - placeOf(b) || a.workers - b.workers || a.listings - b.listings,
  )
  writeFileSync(kept, `${JSON.stringify(runs)}\n`)
  const untitled = runs.filter(({ title }) => title === undefined)
  writeFileSync(join(docs, 'performance.svg'), drawPlot(untitled))
  writeFileSync(
    join(docs, 'performance.md'),
    `${[head, ...runs.map(sectionOf), scaleOf(runs)].join('\n\n')}\n`,
  )
}

/** Comparisons with the bare handler come first, then the cost breakdown, the tables, the memory. */
function placeOf({ shared, account, memory }: Measured): number {
  if (shared === true) return account === undefined ? 0 : 1
  return memory.length === 0 ? 2 : 3
}

const aboutAccount = `CPU time and write-ahead log (WAL) of one \`POST /properties\` without photos. It writes the listing, once; its history entry; the response for
its Idempotency-Key, which refers to the listing; the agency's revision; the key's counters; and, together with others of half a second, a
line in the request log.

The CPU time is that of whole processes under concurrent creations, so it includes everything that a creation causes. Client backends also
spend time outside their statements, on messages, parameters, snapshots and the commit. Statements are timed one creation at a time, because
concurrent timings include waiting for each other. Nested statements, such as checks of references, count toward the outer one.

The WAL makes a creation durable and feeds replicas and backups. Each row is a record, and so is each index entry (INSERT_LEAF). SPLIT is a full
index page, HOT_UPDATE an update that changes no index, LOCK a row that is held until the commit, HEAP_CONFIRM an insertion that could have
met a conflict, PRUNE the removal of old versions. The first change of a page after a checkpoint writes the full page, so full pages depend on
the checkpoint interval.`

const head = `# Performance

Written by \`npm run bench -- --write\`; \`bench/\` in the repository explains the measurements. Machine, date and command are given
above each table. Requests per second vary with the machine and its other load, so compare the ratios: each compares figures of the same
round, as the median of the rounds with minimum and maximum. The floor is bare Fastify and pg: the same statement without keys, limits,
idempotency or cached responses. The bare handler is a developer's simplest version: one table with three indexes. CPU time is in
microseconds per request. WAL is in bytes per write, without full pages, which depend on checkpoints.

![Ratio to the floor, and memory](performance.svg)`

const thousands = (value: number): string => value.toLocaleString('en-US')
const inMicroseconds = (milliseconds: number): string => thousands(Math.round(milliseconds * 1000))

function sectionOf(run: Measured): string {
  const processes = run.workers === 1 ? 'one process' : `${run.workers} processes`
  const where =
    run.shared === true ? 'server on a core, database and load on another' : 'server and load on a core each'
  const pinning = `${run.pinned ? where : 'not pinned'}; ${run.connections ?? 32} connections`
  const database = run.database === undefined ? '' : `, ${run.database}`
  const how = `${run.at}, ${run.machine}${database}; ${pinning}; ${run.rounds === 1 ? 'one round' : `${run.rounds} rounds`} of ${run.seconds} s.\n\`${run.command}\`${run.note ? `\n\n${run.note}` : ''}`
  if (run.memory.length > 0) {
    const rows = run.memory.map(({ requests, residentMegabytes, heapMegabytes }) => [
      thousands(requests),
      residentMegabytes.toFixed(0),
      heapMegabytes?.toFixed(0) ?? '',
    ])
    return [
      `## Memory, ${processes}`,
      how,
      table(['requests', 'MB in memory, largest process', 'MB of heap'], rows),
    ].join('\n\n')
  }
  const hasWal = run.comparisons.some(({ figures }) =>
    figures.some((figure) => figure.walBytes !== undefined),
  )
  if (run.account !== undefined) {
    const tables = accountTables(run.account).map(
      ({ title, columns, rows }) => `${title}:\n\n${table(columns, rows)}`,
    )
    return [`## ${run.title}`, how, aboutAccount, ...tables].join('\n\n')
  }
  const rows = run.comparisons.flatMap(({ name, figures, ratios }) =>
    figures.map((variant, index) => {
      const { median, least, greatest } = ratios[index] ?? { median: 1, least: 1, greatest: 1 }
      return [
        index === 0 ? name : '',
        variant.name,
        variant.requestsPerSecond.toFixed(0),
        variant.p50.toFixed(1),
        variant.p99.toFixed(1),
        (variant.p99 / variant.p50).toFixed(1),
        inMicroseconds(variant.serverMs),
        inMicroseconds(variant.databaseMs),
        ...(hasWal ? [variant.walBytes === undefined ? '' : thousands(Math.round(variant.walBytes))] : []),
        index === 0 ? '' : `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`,
      ]
    }),
  )
  const wal = hasWal ? ['WAL a write'] : []
  const columns = [
    '',
    '',
    'req/s',
    'p50 ms',
    'p99 ms',
    'p99/p50',
    'server CPU',
    'database CPU',
    ...wal,
    'ratio',
  ]
  const title = run.title === undefined ? '' : `${run.title}: `
  const parts = [`## ${title}${thousands(run.listings)} listings, ${processes}`, how, table(columns, rows)]
  const shares = run.comparisons.map(({ figures }) => shareLine(figures)).filter((line) => line !== null)
  parts.push(...shares)
  if (run.plans.length > 0)
    parts.push('Filters and sorts at the large agency, as PostgreSQL runs them:', plansOf(run))
  return parts.join('\n\n')
}

function plansOf({ plans }: Measured): string {
  return table(
    ['', 'found', 'page and total, ms', 'page, ms', '8 kB pages touched'],
    plans.map((plan) => [
      plan.shape,
      thousands(plan.total),
      plan.bothMs.toFixed(2),
      plan.pageMs.toFixed(2),
      thousands(plan.buffers),
    ]),
  )
}

/** CPU of the service's own requests, server and database together, by number of listings. */
function scaleOf(runs: readonly Measured[]): string {
  const alone = runs.filter(
    (run) => run.workers === 1 && run.title === undefined && run.comparisons.some(isOfFloor),
  )
  const names = [...new Set(alone.flatMap((run) => run.comparisons.map(({ name }) => name)))]
  const cpuOf = (run: Measured, name: string): string => {
    const figures = run.comparisons.find((comparison) => comparison.name === name)?.figures.at(-1)
    return figures === undefined ? '' : inMicroseconds(figures.serverMs + figures.databaseMs)
  }
  return [
    '## The same request among more listings',
    'CPU time of server and database together, in microseconds per request, from the last line of each comparison. Agencies have 1,000 listings each, except the large one.',
    table(
      ['', ...alone.map(({ listings }) => thousands(listings))],
      names.map((name) => [name, ...alone.map((run) => cpuOf(run, name))]),
    ),
  ].join('\n\n')
}

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const isText = (column: number) => rows.some((cells) => /[^\d.,–() ]/.test(cells[column] ?? ''))
  const rule = columns.map((_, column) => (isText(column) ? '---' : '---:'))
  return [line(columns), line(rule), ...rows.map(line)].join('\n')
}
