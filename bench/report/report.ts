/** Prints the results as tables. */
import type { Account } from '../measurements/account.ts'
import type { Costs } from '../measurements/citus.ts'
import { accountTables } from './account-tables.ts'
import { type Comparison, type Figures, median, shareOf } from '../measurements/measure.ts'
import type { Plan } from '../measurements/plans.ts'

const columns = [
  '',
  'req/s',
  'p50 ms',
  'p99 ms',
  'p99/p50',
  'server CPU µs',
  'database CPU µs',
  'kB',
  'WAL bytes',
  'full pages',
  'load',
  'ratio (spread)',
]

/** A comparison, one line per variant; the ratio is that of requests/s to the first line's. */
export function printComparison({ name, figures, ratios }: Comparison): void {
  const rows = figures.map((variant, index) => {
    const { median, least, greatest } = ratios[index] ?? { median: 1, least: 1, greatest: 1 }
    return [
      variant.name,
      variant.requestsPerSecond.toFixed(0),
      variant.p50.toFixed(2),
      variant.p99.toFixed(2),
      (variant.p99 / variant.p50).toFixed(1),
      (variant.serverMs * 1000).toFixed(0),
      (variant.databaseMs * 1000).toFixed(0),
      variant.kilobytes.toFixed(1),
      variant.walBytes?.toFixed(0) ?? '',
      variant.walFullPageBytes?.toFixed(0) ?? '',
      `${(variant.loadShare * 100).toFixed(0)} %`,
      index === 0 ? '' : `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`,
    ]
  })
  print(name, [columns, ...rows])
  const line = shareLine(figures)
  if (line !== null) console.log(`  ${line}`)
}

/** The cost of a batch compared with as many single writes, if both were measured. */
export function shareLine(figures: readonly Figures[]): string | null {
  const batch = figures.find(({ writes = 1 }) => writes > 1)
  const single = figures[figures.indexOf(batch as Figures) - 1]
  if (batch === undefined || single === undefined) return null
  const { server, database } = shareOf(single, batch)
  return `A batch of ${batch.writes} takes ${server.toFixed(2)} of the server CPU and ${database.toFixed(2)} of the database CPU of as many single writes.`
}

/** The cost of a request on plain PostgreSQL and on Citus, in microseconds of CPU time. */
export function printCosts({ name, plain, citus, ratios }: Costs): void {
  const nodes = citus.nodes.map((_, index) => `node ${index + 1}`)
  const line = (
    engine: string,
    { service, coordinator, nodes: ofNodes, total }: Costs['plain'],
    share: string,
  ) => [
    engine,
    ...[service, coordinator, ...nodes.map((_, index) => ofNodes[index] ?? Number.NaN), total].map((figure) =>
      Number.isNaN(figure) ? '' : figure.toFixed(0),
    ),
    share,
  ]
  const ratio = `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
  print(name, [
    ['CPU µs of', 'service', 'coordinator', ...nodes, 'in all', 'ratio (spread)'],
    line('PostgreSQL', plain, ''),
    line('Citus', citus, ratio),
  ])
}

export function printAccount(account: Account): void {
  console.log(`\n${account.creations} creations, ${account.perSecond.toFixed(0)} a second`)
  for (const { title, columns, rows } of accountTables(account)) print(title, [columns, ...rows])
}

export function printPlans(plans: readonly Plan[]): void {
  const rows = plans.map((plan) => [
    plan.shape,
    String(plan.total),
    plan.bothMs.toFixed(2),
    plan.pageMs.toFixed(2),
    plan.planningMs.toFixed(2),
    String(plan.buffers),
    plan.scans.join('; '),
  ])
  print('plans at the large agency', [
    ['', 'total', 'page+total ms', 'page ms', 'planning ms', 'pages touched', 'scans'],
    ...rows,
  ])
}

function print(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  console.log(`\n${title}`)
  for (const row of rows) {
    const cells = row.map((cell, column) => {
      const isText = column === 0 || column === row.length - 1
      return isText ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
    })
    console.log(`  ${cells.join('  ').trimEnd()}`)
  }
}
