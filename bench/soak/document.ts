/** docs/soak.md and docs/soak.svg, generated from the results of a long run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../report/document.ts'
import type { Goals } from './goals.ts'
import { type Kind, kinds, shares } from './mix.ts'
import { drawSoak } from './plot.ts'
import { columns, rateLine } from './report.ts'
import { medianOf, type Minute, type Results } from './results.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const maxRows = 60

export function writeSoakDocument(results: Results, goals: Goals): void {
  writeFileSync(join(docs, 'soak.svg'), drawSoak(results.minutes))
  writeFileSync(join(docs, 'soak.md'), `${documentOf(results, goals)}\n`)
}

const head = `# A long run

Written by \`node bench/soak.ts --write\`. The service runs as in production for hours, with PostgreSQL on the same machine, under a load
that it can easily carry. Nothing should change meanwhile: not latency, nor CPU, memory or the size of tables whose rows expire.

- Requests are sent at a fixed rate, whether or not earlier ones got a response (open loop). A request's latency counts from the moment when
  it was due, so a stall shows in the latency of every request that was due during it.
- The rate is half of what one core can do: the CPU time per request of the service and PostgreSQL together is measured first.
- The limits of keys are raised with \`LIMITS\`, because 10,000 agencies share the load unequally: the busiest gets 7.5 % of it, the hundred
  busiest half.
- The log of requests is kept for 7 days, Idempotency-Keys for 24 hours and settled notifications for 90 days, longer than the run. So the
  worker deletes these rows once they are a few minutes old, with the service's own code: as many rows are deleted as are inserted, as on
  any day of a service in use.
- \`ANSWER_CACHE_MB\` is 8 instead of 32: so the cache is full within the first minutes, as it is on any day of a service in use.
- The pace of the machine is the CPU time of a fixed piece of work, done once a second. Virtual machines have neighbours: where the pace
  changes, p50 and CPU are compared as they would be at the median pace, by a line fitted to all minutes.
- CPU and memory are the kernel's figures for each process. CPU per request includes the writers of the write-ahead log and the processes
  that read from disk; background work is the worker with its connections, autovacuum, the checkpointer and the background writer, and is
  not included. Memory of PostgreSQL is its proportional set size, with shared buffers apart.

![Each minute of the run](soak.svg)

## Running it yourself

\`\`\`sh
node bench/soak.ts --data DIR --results soak.jsonl                   # an hour at 10,000 agencies with 500 listings each
node bench/soak.ts --data DIR --results soak.jsonl --minutes 10080   # a week
node bench/soak.ts --agencies 100 --each 50 --minutes 15             # a small one, in a temporary directory
node bench/soak.ts --report --results soak.jsonl                     # judges what a run has recorded so far
\`\`\`

Filling the database takes about ten minutes and 13 GB, once: the next run finds it in \`DIR\`, with everything that earlier runs changed.
Leave the machine alone meanwhile. Every minute is appended to the file, so an interrupted run keeps its data.`

function documentOf({ conditions, minutes }: Results, { goals, judgedFrom, tables }: Goals): string {
  return [
    head,
    `## ${conditions.listings.toLocaleString('en-US')} listings, ${duration(minutes)}`,
    `${conditions.at} UTC, ${conditions.machine}, ${conditions.database}. \`${conditions.command}\`${conditions.note === '' ? '' : `\n\n${conditions.note}`}`,
    rateLine(conditions),
    `Judged from minute ${judgedFrom} on. Growth compares the medians of the first and the last third of these minutes.`,
    table(
      ['goal', '', 'measured'],
      goals.map(({ goal, met, figure }) => [goal, met ? 'met' : '**not met**', figure]),
    ),
    '### Latency by kind of request',
    'Medians of all minutes, in milliseconds.',
    table(
      ['', 'per 100', 'p50', 'p99', 'p99.9', 'p99/p50'],
      kinds.map((kind) => kindRow(kind, minutes)),
    ),
    '### Each minute',
    'late: how late 99 % of the requests were sent at most, because the load itself was slow; it is part of the latency. waiting: the share of the minute in which any process of the machine waited for a core. pace: CPU time of the fixed piece of work. MB: memory at the end of the minute. per cent: of a core.',
    table(
      columns.map(({ title }) => title),
      thinned(minutes).map((minute) => columns.map(({ of }) => of(minute))),
    ),
    '### Tables',
    'Rows, dead rows and megabytes with indexes, in the first and the last third. Only a table with a bound has to stay at its size. The others grow by design: with listings, their history and events, or by day, which is longer than the run.',
    table(
      ['', 'rows', '', 'dead rows', '', 'MB', '', 'bound'],
      tables.map(({ table: name, bound, first, last }) => [
        `\`${name}\``,
        ...(['rows', 'dead', 'megabytes'] as const).flatMap((figure) => [
          whole(first[figure]),
          whole(last[figure]),
        ]),
        bound ?? 'none in this time',
      ]),
    ),
  ].join('\n\n')
}

function kindRow(kind: Kind, minutes: readonly Minute[]): string[] {
  const of = (figure: 'p50' | 'p99' | 'p999') =>
    medianOf(minutes, ({ load }) => load.kinds[kind]?.[figure] ?? 0)
  const [p50, p99, p999] = [of('p50'), of('p99'), of('p999')]
  return [kind, String(shares[kind]), p50.toFixed(2), p99.toFixed(1), p999.toFixed(1), (p99 / p50).toFixed(1)]
}

/** At most `maxRows`: of a longer run, minutes at equal distances. */
function thinned(minutes: readonly Minute[]): Minute[] {
  const every = Math.ceil(minutes.length / maxRows)
  return minutes.filter((_, index) => index % every === every - 1)
}

function duration({ length }: readonly Minute[]): string {
  return length < 120 ? `${length} minutes` : `${(length / 60).toFixed(0)} hours`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
