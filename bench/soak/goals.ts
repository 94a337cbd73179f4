/** Judges a long run. The first ten minutes settle; of the rest, medians of the first and the last third are compared. */
import { backgroundOf, medianOf, type Minute, type Results } from './results.ts'

type Goal = { goal: string; met: boolean; figure: string }
type TableChange = {
  table: string
  bound: string | null
  first: Size
  last: Size
}
type Size = { rows: number; dead: number; megabytes: number }
export type Goals = { goals: Goal[]; tables: TableChange[]; judgedFrom: number }

const minSettlingMinutes = 10
const max = { growth: 1.05, p99: 10, p99OfP50: 3, background: 3 }
/** Growth of a small table by a few pages is not judged. */
const minMegabytes = 1

/** Tables with a bound that a run can reach; the others grow by day, by listing or not at all. */
const bounds: Readonly<Record<string, string>> = {
  agency_revisions: 'one row per agency',
  agency_usage: 'one row per agency and limit',
  idempotency_keys: '24 hours, shortened',
  key_usage: 'one row per key',
  notification_attempts: '`NOTIFICATIONS_KEPT_DAYS`, shortened',
  notification_deliveries: '`NOTIFICATIONS_KEPT_DAYS`, shortened',
  request_log: '7 days, shortened',
  subject_usage: 'an hour after its window',
  used_signatures: 'minutes',
  worker_looks: 'one row per chore',
}

export function judge({ minutes, conditions: { keptMinutes } }: Results): Goals {
  // Rows that expire have to reach their number first.
  const settlingMinutes = Math.max(minSettlingMinutes, keptMinutes)
  const after = minutes.filter(({ minute }) => minute > settlingMinutes)
  const settled = after.length >= 3 ? after : minutes
  const third = Math.max(1, Math.floor(settled.length / 3))
  const [first, last] = [settled.slice(0, third), settled.slice(-third)]
  const flat = (what: string, unit: string, of: (minute: Minute) => number): Goal => {
    const [before, now] = [medianOf(first, of), medianOf(last, of)]
    const change = ((now / before - 1) * 100).toFixed(1)
    return {
      goal: `${what} grows by 5 % at most`,
      met: now <= before * max.growth,
      figure: `${before.toFixed(digitsOf(before))} → ${now.toFixed(digitsOf(now))} ${unit} (${change} %)`,
    }
  }
  const atUsualPace = (what: string, unit: string, of: (minute: Minute) => number): Goal => {
    const usual = medianOf(settled, paceOf)
    const slope = slopeOf(settled, of)
    return flat(what, unit, (minute) => of(minute) - slope * (paceOf(minute) - usual))
  }
  const tables = tablesOf(first, last)
  const bounded = tables.filter(({ bound }) => bound !== null)
  const growing = bounded.filter(({ first: before, last: now }) => {
    const grows = now.megabytes > before.megabytes * max.growth
    return grows && now.megabytes - before.megabytes > minMegabytes
  })
  const p99 = medianOf(settled, ({ load }) => load.p99)
  const ratio = medianOf(settled, ({ load }) => load.p99 / load.p50)
  const above = (isAbove: (minute: Minute) => boolean): string =>
    `${settled.filter(isAbove).length} of ${settled.length} minutes are above`
  const silent = sum(minutes, ({ load }) => load.silentSeconds)
  const errors = sum(minutes, ({ load }) => load.errors)
  const background = sum(settled, backgroundOf) / settled.length
  return {
    judgedFrom: settled[0]?.minute ?? 1,
    tables,
    goals: [
      atUsualPace('p50, at a steady pace of the machine,', 'ms', ({ load }) => load.p50),
      atUsualPace('CPU of the service per request, at a steady pace,', 'µs', ({ cpu }) => cpu.service),
      atUsualPace('CPU of PostgreSQL per request, at a steady pace,', 'µs', ({ cpu }) => cpu.database),
      flat('memory of the service', 'MB', ({ megabytes }) => megabytes.service),
      flat('memory of the worker', 'MB', ({ megabytes }) => megabytes.worker),
      flat('memory of PostgreSQL without shared buffers', 'MB', ({ megabytes }) => megabytes.databasePrivate),
      flat('shared memory of PostgreSQL', 'MB', ({ megabytes }) => megabytes.databaseShared),
      {
        goal: 'p99 is at most 3 × p50',
        met: ratio <= max.p99OfP50,
        figure: `${ratio.toFixed(1)} in the median minute; ${above(({ load }) => load.p99 > load.p50 * max.p99OfP50)}`,
      },
      {
        goal: 'p99 is at most 10 ms',
        met: p99 <= max.p99,
        figure: `${p99.toFixed(1)} ms in the median minute; ${above(({ load }) => load.p99 > max.p99)}`,
      },
      { goal: 'no second without a response', met: silent === 0, figure: `${silent} seconds` },
      { goal: 'no errors', met: errors === 0, figure: `${errors} errors` },
      {
        goal: 'background work uses less than 3 % of a core',
        met: background < max.background,
        figure: `${background.toFixed(2)} %`,
      },
      {
        goal: `every bounded table stays at its size (rows that expire are kept for ${keptMinutes} minutes)`,
        met: bounded.length > 0 && growing.length === 0,
        figure:
          growing.length === 0
            ? `${bounded.length} tables`
            : `growing: ${growing.map(({ table }) => table).join(', ')}`,
      },
    ],
  }
}

/** In microseconds. If it was not measured, it counts as 0, and figures are compared unadjusted. */
const paceOf = ({ pace }: Minute): number => pace ?? 0

/** How much a figure grows with the pace, by least squares. */
function slopeOf(minutes: readonly Minute[], of: (minute: Minute) => number): number {
  const mean = (figure: (minute: Minute) => number): number => sum(minutes, figure) / minutes.length
  const [pace, value] = [mean(paceOf), mean(of)]
  const together = sum(minutes, (minute) => (paceOf(minute) - pace) * (of(minute) - value))
  const alone = sum(minutes, (minute) => (paceOf(minute) - pace) ** 2)
  return alone === 0 ? 0 : together / alone
}

/** Sizes as medians of the first and the last third; empty tables are left out. */
function tablesOf(first: readonly Minute[], last: readonly Minute[]): TableChange[] {
  const names = last.at(-1)?.tables.map(({ table }) => table) ?? []
  const sizeOf = (minutes: readonly Minute[], name: string): Size => {
    const of = (figure: keyof Size) =>
      medianOf(minutes, ({ tables }) => tables.find(({ table }) => table === name)?.[figure] ?? 0)
    return { rows: of('rows'), dead: of('dead'), megabytes: of('megabytes') }
  }
  return names
    .map((table) => ({
      table,
      bound: bounds[table] ?? null,
      first: sizeOf(first, table),
      last: sizeOf(last, table),
    }))
    .filter(({ last: { rows, dead } }) => rows + dead > 0)
}

function sum(minutes: readonly Minute[], of: (minute: Minute) => number): number {
  return minutes.reduce((total, minute) => total + of(minute), 0)
}

function digitsOf(value: number): number {
  return value < 100 ? 2 : 0
}
