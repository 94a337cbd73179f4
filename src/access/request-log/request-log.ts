/**
 * Logs the API requests of each key for the dashboard. Charged requests and some refused ones are retained for 7 days, daily counts by
 * outcome for 90 days. Requests do not wait for the log: entries are written in groups, shortly after.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../platform/time/clock.ts'
import { delayedFlush } from '../../platform/time/delayed-flush.ts'
import type { Db } from '../../platform/db/database.ts'
import { reaper } from '../../platform/db/upkeep/reaper.ts'
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import { withoutKeys } from '../keys/key-format.ts'
import type { Log } from '../../platform/log/log.ts'

export const logDays = 7
const countDays = 90
/** Refused requests to log per minute, key, error and process. Nothing else limits their number. */
export const refusalsLogged = 10

export type RequestLog = Readonly<{
  record: (request: LoggedRequest) => void
  /** Writes what is pending. */
  flush: () => Promise<void>
}>

const flushAfterMs = 500
/** Few, because requests' statements wait while PostgreSQL stores these. */
const maxAtOnce = 100
const maxPauseMs = 20
/** When the database cannot keep up, the oldest are dropped. */
const maxWaiting = 20_000
/** Bytes of details to log per hour, key and process. Further requests are logged without details, so that no key fills the disk. */
const detailBytes = 524_288

/** Opens the log. Nothing runs until something is recorded. */
export function openRequestLog(db: Db, clock: Clock, log: Pick<Log, 'warn'>): RequestLog {
  let waiting: LogEntry[] = []
  /** Requests that are only counted, by key and code: the map does not grow with their number. */
  let counted = new Map<string, LogEntry>()
  const logsRefusal = shareOf(refusalsLogged, 60_000, clock)
  const logsDetail = shareOf(detailBytes, 3_600_000, clock)

  const write = async (): Promise<void> => {
    // Sorted by key, so that each statement counts few days and writes to few places of the indexes.
    const all: LogEntry[] = [...counted.values(), ...waiting].sort((a, b) =>
      a.keyId < b.keyId ? -1 : a.keyId > b.keyId ? 1 : 0,
    )
    counted = new Map()
    waiting = []
    // If an agency's node is unknown, its entries go to `db`, which stores them or fails with a warning.
    const nodes = await Promise.all(all.map(({ agencyId }) => db.at(agencyId).catch(() => db)))
    await Promise.all([...Map.groupBy(all, (_, index) => nodes[index] ?? db)].map(writeTo))
  }
  const writeTo = async ([node, entries]: [Db, readonly LogEntry[]]): Promise<void> => {
    let hasWarned = false
    for (let first = 0; first < entries.length; first += maxAtOnce) {
      const began = performance.now()
      try {
        await storeRequests(node, clock, entries.slice(first, first + maxAtOnce))
      } catch (error) {
        if (!hasWarned) log.warn({ err: error }, 'the request log could not be stored')
        hasWarned = true
      }
      // Pauses for as long as it wrote, up to 20 ms, to leave PostgreSQL to the statements of requests.
      if (first + maxAtOnce < entries.length) await delay(Math.min(performance.now() - began, maxPauseMs))
    }
  }
  const { schedule, flush } = delayedFlush(write, flushAfterMs)
  return {
    record(request) {
      const name = `${request.keyId} ${request.code}`
      const known = counted.get(name)
      if (!isRefused(request) || logsRefusal(name, 1)) {
        if (waiting.length >= maxWaiting) waiting.splice(0, maxAtOnce)
        const detail = logsDetail(request.keyId, request.detail?.length ?? 0) ? request.detail : null
        waiting.push({ ...request, detail, recordedAt: performance.now(), times: 1, isLogged: true })
      } else if (known === undefined) {
        counted.set(name, { ...request, recordedAt: performance.now(), times: 1, isLogged: false })
      } else known.times += 1
      schedule()
    },
    flush,
  }
}

const refusals: ReadonlySet<number> = new Set([401, 403, 429])

function isRefused({ status, isCharged }: LoggedRequest): boolean {
  return refusals.has(status) || (status >= 400 && !isCharged)
}

/**
 * Whether `amount` more fits into the name's share of the current window in this process. It is no limit of the table, since it refuses no
 * request, and it also counts bytes.
 */
function shareOf(max: number, windowMs: number, clock: Clock): (name: string, amount: number) => boolean {
  let current = 0
  let used = new Map<string, number>()
  return (name, amount) => {
    const window = Math.floor((performance.now() + clock.offsetMs) / windowMs)
    if (window !== current) used = new Map()
    current = window
    const after = (used.get(name) ?? 0) + amount
    if (after <= max) used.set(name, after)
    return after <= max
  }
}

export const reapLogged = reaper({
  table: 'request_log',
  key: 'agency_id, request_id',
  column: 'at',
  keptFor: `${logDays} days`,
})
const reapCounted = reaper({
  table: 'request_days',
  key: 'agency_id, key_id, day, code',
  column: 'day',
  keptFor: `${countDays + 1} days`,
})

/** Deletes expired rows, some at a time. @returns `limit` when there may be more */
export async function reapRequestLog(db: Db, limit: number, clock: Clock): Promise<number> {
  const max = limit * 20
  const gone = [await reapLogged(db, max, clock), await reapCounted(db, max, clock)]
  return gone.includes(max) ? limit : 0
}

export type LoggedRequest = Readonly<{
  agencyId: string
  keyId: string
  requestId: string
  method: string
  /** Without the query. */
  path: string
  status: number
  code: string | null
  ms: number
  /** JSON of a `RequestDetail`, or null. */
  detail: string | null
  /** Whether it was counted against the key's limit of reads or writes. */
  isCharged: boolean
}>

/** A request that is logged, or the first of several that are only counted. */
type LogEntry = LoggedRequest & { recordedAt: number; times: number; isLogged: boolean }

const maxPathLength = 300

const logRequests = statement('select log_requests($1, $2)')

/** Stores entries of any agencies of this database (migrations/functions/log_requests.sql). */
async function storeRequests(db: Executor, clock: Clock, entries: readonly LogEntry[]): Promise<void> {
  const now = performance.now()
  const rows = entries.map((entry) => ({
    agency_id: entry.agencyId,
    key_id: entry.keyId,
    request_id: entry.requestId,
    ago: now - entry.recordedAt,
    method: entry.method,
    // Clients sometimes put a key where an id belongs.
    path: withoutKeys(entry.path.slice(0, maxPathLength)),
    status: entry.status,
    code: entry.code,
    ms: entry.ms,
    detail: entry.detail,
    times: entry.times,
    is_kept: entry.isLogged,
  }))
  await logRequests(db, [JSON.stringify(rows), clock.offsetMs])
}
