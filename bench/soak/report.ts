/** Prints a long run: its conditions, a line a minute, and the goals. */
import type { Goals } from './goals.ts'
import { backgroundOf, type Conditions, type Minute } from './results.ts'

/** Columns of a minute, for the terminal and the document. */
export const columns: readonly { title: string; of: (minute: Minute) => string }[] = [
  { title: 'minute', of: ({ minute }) => String(minute) },
  { title: 'requests', of: ({ load }) => String(load.requests) },
  { title: 'p50 ms', of: ({ load }) => load.p50.toFixed(2) },
  { title: 'p99 ms', of: ({ load }) => load.p99.toFixed(1) },
  { title: 'p99.9 ms', of: ({ load }) => load.p999.toFixed(1) },
  { title: 'max ms', of: ({ load }) => load.max.toFixed(0) },
  { title: 'errors', of: ({ load }) => String(load.errors) },
  { title: 'silent s', of: ({ load }) => String(load.silentSeconds) },
  { title: 'late ms', of: ({ load }) => load.lateP99.toFixed(1) },
  { title: 'waiting %', of: ({ waiting }) => waiting?.toFixed(0) ?? '–' },
  { title: 'pace µs', of: ({ pace }) => pace?.toFixed(0) ?? '–' },
  { title: 'service µs', of: ({ cpu }) => cpu.service.toFixed(0) },
  { title: 'PG µs', of: ({ cpu }) => cpu.database.toFixed(0) },
  { title: 'service MB', of: ({ megabytes }) => megabytes.service.toFixed(0) },
  { title: 'worker MB', of: ({ megabytes }) => megabytes.worker.toFixed(0) },
  { title: 'PG MB', of: ({ megabytes }) => megabytes.databasePrivate.toFixed(0) },
  { title: 'shared MB', of: ({ megabytes }) => megabytes.databaseShared.toFixed(0) },
  {
    title: 'worker %',
    of: ({ background: { workerProcess, worker } }) => (workerProcess + worker).toFixed(2),
  },
  { title: 'vacuum %', of: ({ background }) => background.autovacuum.toFixed(2) },
  { title: 'checkpoint %', of: ({ background }) => background.checkpointer.toFixed(2) },
  { title: 'background %', of: (minute) => backgroundOf(minute).toFixed(2) },
]

export function rateLine({ cpu, capacity, perSecond }: Conditions): string {
  return (
    `Service and PostgreSQL use ${cpu.service.toFixed(0)} + ${cpu.database.toFixed(0)} µs of CPU per request of this mix, measured at the run's ` +
    `rate just before it: ${capacity.toFixed(0)} requests a second would use one core. The run sends ${perSecond} a second.`
  )
}

export function printHead(conditions: Conditions): void {
  console.log(`${conditions.listings} listings of ${conditions.agencies} agencies. ${rateLine(conditions)}`)
  console.log(columns.map(({ title }) => title).join('  '))
}

export function printMinute(minute: Minute): void {
  console.log(columns.map(({ title, of }) => of(minute).padStart(title.length)).join('  '))
  if (minute.load.example !== null)
    console.log(`  ${JSON.stringify(minute.load.errorKinds)} ${minute.load.example}`)
}

export function printGoals({ goals, judgedFrom, tables }: Goals): void {
  console.log(`\nfrom minute ${judgedFrom}; growth is from the first third's median to the last third's`)
  for (const { goal, met, figure } of goals)
    console.log(`${(met ? 'met' : 'not met').padEnd(8)} ${goal}: ${figure}`)
  console.log('\ntable: rows, dead rows and MB in the first third → in the last')
  for (const { table, bound, first, last } of tables) {
    const sizes = (['rows', 'dead', 'megabytes'] as const).map(
      (figure) => `${first[figure].toFixed(0)} → ${last[figure].toFixed(0)}`,
    )
    console.log(`${table.padEnd(26)} ${sizes.join(', ')}${bound === null ? '' : ` (${bound})`}`)
  }
}
