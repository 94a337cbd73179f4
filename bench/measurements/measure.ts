/** Compares variants: short rounds in turn, so that other load on the machine affects all alike, and the median of the rounds. */
import { type Child, cpuSecondsOf, databaseCpuSeconds } from '../processes/machine.ts'
import type { LoadOrder, LoadReport, LoadRequest } from '../processes/load.ts'
import type { Wal } from './wal.ts'

export type Target = { origin: string; child: Child }

export type Variant = {
  name: string
  target: Target
  requests: LoadRequest[]
  /** 200 by default; several if a rejected request may be accepted in between. */
  status?: number | number[]
  unique?: boolean
  connections?: number
  perSecond?: number
  /** Writes per request. If given, their WAL bytes are reported too. */
  writes?: number
  /** Simultaneous background requests to the same target; they count only toward the CPU time. */
  beside?: Beside
}

export type Beside = { requests: LoadRequest[]; statuses: number[]; connections: number; perSecond: number }

/** A variant's medians: per second, milliseconds, and milliseconds of CPU per request. */
export type Figures = {
  name: string
  requestsPerSecond: number
  p50: number
  p99: number
  serverMs: number
  databaseMs: number
  kilobytes: number
  /** The number of requests in a round. */
  requests: number
  /** The share of its core that the load process used: near 1, the load itself was the bottleneck. */
  loadShare: number
  /** Writes per request, and bytes in the write-ahead log for each, without full pages. */
  writes?: number
  walBytes?: number
  walFullPageBytes?: number
}

/** Figures of all variants, and the ratio of each one's requests/s to the first's: median, least, greatest. */
export type Comparison = {
  name: string
  figures: Figures[]
  ratios: { median: number; least: number; greatest: number }[]
}

/** `others` sends the background requests. */
export type Setting = {
  load: Child
  others: Child
  postmaster: number
  /** The version of PostgreSQL. */
  database: string
  wal: Wal | null
  connections: number
  rounds: number
  durationMs: number
}

/** Measures the variants in turn; the first one is the baseline. */
export async function compare(setting: Setting, name: string, variants: Variant[]): Promise<Comparison> {
  for (const variant of variants) await measureOnce(setting, variant, Math.min(1000, setting.durationMs))
  const rounds: Figures[][] = []
  for (let round = 0; round < setting.rounds; round += 1) {
    const figures: Figures[] = []
    for (const variant of variants) figures.push(await measureOnce(setting, variant, setting.durationMs))
    rounds.push(figures)
  }
  const columns = variants.map((_, index) => rounds.map((round) => round[index] as Figures))
  return {
    name,
    figures: columns.map(medianFigures),
    ratios: columns.map((column) => {
      const ratios = column.map((figures, round) => {
        const [first] = rounds[round] as [Figures]
        return figures.requestsPerSecond / first.requestsPerSecond
      })
      return { median: median(ratios), least: Math.min(...ratios), greatest: Math.max(...ratios) }
    }),
  }
}

/** Measures one round. */
export async function measureOnce(setting: Setting, variant: Variant, durationMs: number): Promise<Figures> {
  const { target, requests, status = 200, unique = false, perSecond, writes, beside } = variant
  const { connections = setting.connections } = variant
  const wal = writes === undefined ? null : setting.wal
  const position = await wal?.position()
  const order: LoadOrder = {
    origin: target.origin,
    connections,
    durationMs,
    requests,
    statuses: [status].flat(),
    unique,
    ...(perSecond === undefined ? {} : { perSecond }),
  }
  const before = cpuOf(setting, target)
  const [report] = await Promise.all([
    reportOf(setting.load, variant.name, order),
    beside === undefined ? null : reportOf(setting.others, variant.name, { ...order, ...beside }),
  ])
  const after = cpuOf(setting, target)
  const written = position === undefined ? undefined : await wal?.since(position)
  const stored = report.requests * (writes ?? 1)
  return {
    name: variant.name,
    requests: report.requests,
    requestsPerSecond: report.requests / report.seconds,
    p50: report.p50,
    p99: report.p99,
    serverMs: ((after.server - before.server) * 1000) / report.requests,
    databaseMs: ((after.database - before.database) * 1000) / report.requests,
    kilobytes: report.bytes / report.requests / 1024,
    loadShare: report.cpuSeconds / report.seconds,
    ...(writes === undefined ? {} : { writes }),
    ...(written === undefined
      ? {}
      : { walBytes: written.bytes / stored, walFullPageBytes: written.fullPageBytes / stored }),
  }
}

async function reportOf(load: Child, name: string, order: LoadOrder): Promise<LoadReport> {
  const response = await load.ask<{ report: LoadReport } | { failure: string }>(order)
  if ('failure' in response) throw new Error(`${name}: ${response.failure.slice(0, 500)}`)
  return response.report
}

function cpuOf({ postmaster }: Setting, { child }: Target) {
  return { server: cpuSecondsOf(child.process.pid ?? 0), database: databaseCpuSeconds(postmaster) }
}

function medianFigures(rounds: Figures[]): Figures {
  const [first] = rounds as [Figures]
  const numbers = Object.entries(first).filter(([, value]) => typeof value === 'number')
  const medians = numbers.map(([name]) => [
    name,
    median(rounds.map((round) => Number(round[name as keyof Figures]))),
  ])
  return { ...first, ...Object.fromEntries(medians) }
}

/** CPU of a request with several writes, relative to that of as many single requests. */
export function shareOf(one: Figures, several: Figures): { server: number; database: number } {
  const writes = several.writes ?? 1
  return {
    server: several.serverMs / (one.serverMs * writes),
    database: several.databaseMs / (one.databaseMs * writes),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2
}
