/** Prints what was measured, as tables for people. */
import type { Comparison } from './measure.ts'
import type { Plan } from './plans.ts'

const columns = [
  '',
  'req/s',
  'p50 ms',
  'p99 ms',
  'server CPU ms',
  'database CPU ms',
  'kB',
  'load',
  'ratio (spread)',
]

/** A comparison, a line a variant; the ratio is that of requests/s to the first line's. */
export function printComparison({ name, figures, ratios }: Comparison): void {
  const rows = figures.map((variant, index) => {
    const { median, least, greatest } = ratios[index] ?? { median: 1, least: 1, greatest: 1 }
    return [
      variant.name,
      variant.requestsPerSecond.toFixed(0),
      variant.p50.toFixed(2),
      variant.p99.toFixed(2),
      variant.serverMs.toFixed(3),
      variant.databaseMs.toFixed(3),
      variant.kilobytes.toFixed(1),
      `${(variant.loadShare * 100).toFixed(0)} %`,
      index === 0 ? '' : `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`,
    ]
  })
  print(name, [columns, ...rows])
}

/** CPU of a batch against that of as many single writes. */
export function printShare(what: string, share: number): void {
  console.log(`  ${what}: ${share.toFixed(2)}`)
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
