/**
 * Logs the API requests of each key for the dashboard: for 7 days those that counted against its limits and some of those refused, and
 * for 90 days the daily numbers by outcome. Requests do not wait for it: entries are written together, moments later.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { hotStatement } from '../db/statement.ts'
import { reaper } from '../db/reaper.ts'

export const logDays = 7
const countDays = 90
/** Per minute, key, error and process: refused requests are not limited, so only these are kept. */
export const refusalsKept = 10

type LoggedRequest = Readonly<{
  agencyId: string
  keyId: string
  requestId: string
  method: string
  /** Without the query. */
  path: string
  status: number
  /** Of the error, or null. */
  code: string | null
  ms: number
  /** Whether it was counted against the key's limit of reads or writes. */
  isCharged: boolean
}>

export type RequestLog = Readonly<{
  record: (request: LoggedRequest) => void
  /** Writes what is pending. */
  flush: () => Promise<void>
  /** Writes what is pending; record nothing afterwards. */
  close: () => Promise<void>
}>

const flushAfterMs = 500
/** Few, because requests wait while PostgreSQL stores them. */
const mostAtOnce = 100
const longestPauseMs = 20
/** When the database cannot keep up, the oldest are dropped. */
const mostWaiting = 20_000
const longestPath = 300

/* Committed asynchronously, like the counters of the limits: a crash may lose the last moments. */
const insert = hotStatement(`
  with moment as (
    select clock_timestamp() + $9::float8 * interval '1 ms' as now, set_config('synchronous_commit', 'off', true)
  ), rows as (
    select r.*, now - ago * interval '1 ms' as at from moment cross join unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::real[], $10::float8[],
      $11::int[], $12::bool[]
    ) as r (agency_id, key_id, request_id, method, path, status, code, ms, ago, times, is_kept)
  ), logged as (
    insert into request_log (agency_id, request_id, key_id, at, method, path, status, code, ms)
    select agency_id, request_id, key_id, at, method, path, status, code, ms from rows where is_kept
  )
  insert into request_days as d (agency_id, key_id, day, code, requests)
  select agency_id, key_id, date_trunc('day', at, 'UTC'), coalesce(code, ''), sum(times)::int
  from rows group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (agency_id, key_id, day, code) do update set requests = d.requests + excluded.requests`)

/** A request that is kept, or the first of several that are only counted. */
type Waiting = LoggedRequest & { recordedAt: number; times: number; isKept: boolean }

/** Opens the log. Nothing runs until something is recorded. */
export function openRequestLog(
  db: Db,
  clock: Clock,
  log: { warn(details: object, message: string): void },
): RequestLog {
  let waiting: Waiting[] = []
  /** Only counted, by key and code: the size does not grow with the number of requests. */
  let counted = new Map<string, Waiting>()
  const isFirst = firstOfMinute(refusalsKept, clock)
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    // One key after the other: a batch then counts few days, and writes to few places of the indexes.
    const all = [...counted.values(), ...waiting].sort((a, b) =>
      a.keyId < b.keyId ? -1 : a.keyId > b.keyId ? 1 : 0,
    )
    counted = new Map()
    waiting = []
    for (let first = 0; first < all.length; first += mostAtOnce) {
      const began = performance.now()
      try {
        await insert(db, parametersOf(all.slice(first, first + mostAtOnce), clock))
      } catch (error) {
        log.warn({ err: error }, 'requests could not be logged')
      }
      // At most half of the time, so that the statements of requests find PostgreSQL free.
      if (first + mostAtOnce < all.length) await delay(Math.min(performance.now() - began, longestPauseMs))
    }
  }
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    // In turn: statements that count the same days would wait for each other anyway.
    writing = writing.then(write)
    return writing
  }
  return {
    record(request) {
      const name = `${request.keyId} ${request.code}`
      const known = counted.get(name)
      if (!isRefused(request) || isFirst(name)) {
        if (waiting.length >= mostWaiting) waiting.splice(0, mostAtOnce)
        waiting.push({ ...request, recordedAt: performance.now(), times: 1, isKept: true })
      } else if (known === undefined) {
        counted.set(name, { ...request, recordedAt: performance.now(), times: 1, isKept: false })
      } else known.times += 1
      timer ??= setTimeout(() => void flush(), flushAfterMs).unref()
    },
    flush,
    close: flush,
  }
}

const refusals: ReadonlySet<number> = new Set([401, 403, 429])

function isRefused({ status, isCharged }: LoggedRequest): boolean {
  return refusals.has(status) || (status >= 400 && !isCharged)
}

/** Whether a request is among the first `most` of its name in this minute and process. */
function firstOfMinute(most: number, clock: Clock): (name: string) => boolean {
  let minute = 0
  let seen = new Map<string, number>()
  return (name) => {
    const now = Math.floor((performance.now() + clock.offsetMs) / 60_000)
    if (now !== minute) seen = new Map()
    minute = now
    const count = seen.get(name) ?? 0
    if (count < most) seen.set(name, count + 1)
    return count < most
  }
}

function parametersOf(batch: readonly Waiting[], clock: Clock): unknown[] {
  const now = performance.now()
  return [
    batch.map(({ agencyId }) => agencyId),
    batch.map(({ keyId }) => keyId),
    batch.map(({ requestId }) => requestId),
    batch.map(({ method }) => method),
    batch.map(({ path }) => path.slice(0, longestPath)),
    batch.map(({ status }) => status),
    batch.map(({ code }) => code),
    batch.map(({ ms }) => ms),
    clock.offsetMs,
    batch.map(({ recordedAt }) => now - recordedAt),
    batch.map(({ times }) => times),
    batch.map(({ isKept }) => isKept),
  ]
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
  const most = limit * 20
  const gone = [await reapLogged(db, most, clock), await reapCounted(db, most, clock)]
  return gone.includes(most) ? limit : 0
}
