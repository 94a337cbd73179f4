/**
 * Remembers the API requests of each key for the dashboard: every one for 7 days, and how many of which outcome for 90. Requests wait
 * for nothing of it: what was answered is written together, some moments later.
 */
import type { Clock } from '../clock.ts'
import { type Db, hotStatement } from '../db/database.ts'
import { reaper } from '../db/reaper.ts'

export const logDays = 7
export const countDays = 90

export type LoggedRequest = Readonly<{
  agencyId: string
  keyId: string
  requestId: string
  method: string
  /** Without the query. */
  path: string
  status: number
  /** Of the error; null where there was none. */
  code: string | null
  ms: number
}>

export type RequestLog = Readonly<{
  record: (request: LoggedRequest) => void
  /** Writes what waits. */
  flush: () => Promise<void>
  /** Writes what waits; nothing may be recorded afterwards. */
  close: () => Promise<void>
}>

const flushAfterMs = 500
const mostAtOnce = 1_000
/** When the database cannot keep up, the oldest are forgotten rather than memory filled. */
const mostWaiting = 20_000
const longestPath = 300

/* Committed asynchronously, as the counters of the limits are: nobody waits, and a crash may lose a moment of it. */
const insert = hotStatement(`
  with moment as (
    select clock_timestamp() + $9::float8 * interval '1 ms' as now, set_config('synchronous_commit', 'off', true)
  ), rows as (
    select r.*, now - ago * interval '1 ms' as at from moment cross join unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::real[], $10::float8[]
    ) as r (agency_id, key_id, request_id, method, path, status, code, ms, ago)
  ), logged as (
    insert into request_log (agency_id, request_id, key_id, at, method, path, status, code, ms)
    select agency_id, request_id, key_id, at, method, path, status, code, ms from rows
    on conflict do nothing
  )
  insert into request_days as d (agency_id, key_id, day, code, requests)
  select agency_id, key_id, date_trunc('day', at, 'UTC'), coalesce(code, ''), count(*)::int
  from rows group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (agency_id, key_id, day, code) do update set requests = d.requests + excluded.requests`)

type Waiting = LoggedRequest & { recordedAt: number }

/** Opens the log. Nothing runs until something is recorded. */
export function openRequestLog(
  db: Db,
  clock: Clock,
  log: { warn(details: object, message: string): void },
): RequestLog {
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostAtOnce)
      waiting = waiting.slice(mostAtOnce)
      try {
        await insert(db, parametersOf(batch, clock))
      } catch (error) {
        log.warn({ err: error }, 'requests could not be logged')
      }
    }
  }
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    // One after the other: statements that count the same days would wait for each other anyway.
    writing = writing.then(write)
    return writing
  }
  return {
    record(request) {
      if (waiting.length >= mostWaiting) waiting.splice(0, mostAtOnce)
      waiting.push({ ...request, recordedAt: performance.now() })
      timer ??= setTimeout(() => void flush(), flushAfterMs).unref()
    },
    flush,
    close: flush,
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
  ]
}

export const reapLogged = reaper({
  table: 'request_log',
  key: 'agency_id, request_id',
  column: 'at',
  keptFor: `${logDays} days`,
})
const reapCounted = hotStatement(`
  delete from request_days where day < clock_timestamp() + $1::float8 * interval '1 ms' - ${countDays + 1} * interval '1 day'`)

/** Deletes what has served its time, some of it. @returns `limit` when there may be more */
export async function reapRequestLog(db: Db, limit: number, clock: Clock): Promise<number> {
  const gone = await reapLogged(db, limit * 20, clock)
  await reapCounted(db, [clock.offsetMs])
  return gone === limit * 20 ? limit : 0
}
