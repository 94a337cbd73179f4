/** The results of a long run: a file of JSON lines, the conditions first and then one line a minute, so a broken run keeps its data. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { median } from '../measurements/measure.ts'
import type { SoakReport } from './load.ts'
import type { DatabasePart, Megabytes, TableReading } from './readings.ts'

export type Conditions = {
  at: string
  machine: string
  database: string
  command: string
  note: string
  agencies: number
  listings: number
  keptMinutes: number
  /** CPU microseconds of a request at the rate of the run, measured before it, of the service and of PostgreSQL. */
  cpu: { service: number; database: number }
  /** Requests a second at which both together use one core; and the rate of the run. */
  capacity: number
  perSecond: number
}

export type Minute = {
  minute: number
  load: SoakReport
  /** CPU microseconds per request, without background work. */
  cpu: { service: number; database: number }
  /** Share of a core, in per cent. */
  background: Record<Exclude<DatabasePart, 'requests' | 'measuring'> | 'workerProcess', number>
  /** CPU microseconds of a fixed piece of work: more if the machine was slower. Null: not measured. */
  pace: number | null
  /** Share of the minute, in per cent, in which any process of the machine waited for a core: low if left alone; null if unknown. */
  waiting: number | null
  megabytes: Megabytes
  tables: TableReading[]
}

export type Results = { conditions: Conditions; minutes: Minute[] }

export function beginResults(file: string, conditions: Conditions): void {
  writeFileSync(file, `${JSON.stringify(conditions)}\n`)
}

export function appendMinute(file: string, minute: Minute): void {
  appendFileSync(file, `${JSON.stringify(minute)}\n`)
}

/** Reads what there is; a last line that was cut off is ignored. */
export function readResults(file: string): Results {
  const [first = '', ...rest] = readFileSync(file, 'utf8').split('\n')
  rest.pop()
  return {
    conditions: JSON.parse(first) as Conditions,
    minutes: rest.map((line) => JSON.parse(line) as Minute),
  }
}

export function backgroundOf({ background }: Minute): number {
  return Object.values(background).reduce((total, share) => total + share, 0)
}

export function medianOf(minutes: readonly Minute[], of: (minute: Minute) => number): number {
  return median(minutes.map(of))
}
