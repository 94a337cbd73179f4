/** The operator's search for keys and requests of all agencies, and the traffic of all agencies. */
import type { Clock } from '../../platform/time/clock.ts'
import { overAllNodes } from '../../platform/db/citus/nodes.ts'
import { dayMs } from '../../platform/time/days.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { isUuid, timeOfId } from '../../platform/names/ids.ts'
import { fingerprint, parseApiKey } from './key-format.ts'
import type { DayCount } from '../request-log/request-reports.ts'
import type { FoundRequest } from '../request-log/request-search.ts'

type FoundKey = { agency_id: string; id: string; name: string; prefix: string }

const maxFound = 20
const keyColumns = 'agency_id, id, name, prefix'
const keyByFingerprint = statement<FoundKey>(`select ${keyColumns} from api_keys where fingerprint = $1`)
const keyById = statement<FoundKey>(`select ${keyColumns} from api_keys where id = $1`)
const keysByPrefix = statement<FoundKey>(`
  select ${keyColumns} from api_keys where starts_with(prefix, $1) order by created_at desc limit ${maxFound}`)

/** Finds keys by the whole key, its id, or its beginning, which needs at least one character after `_live_` or `_test_`. */
export async function findKeysAnywhere(db: Db, text: string): Promise<FoundKey[]> {
  if (isUuid(text)) return await keyById(db, [text])
  if (parseApiKey(text) !== null) return await keyByFingerprint(db, [fingerprint(text)])
  const [prefix] = /^[a-z][a-z0-9]{0,31}_(?:live|test)_[0-9A-Za-z]{1,4}(?=…?$)/.exec(text) ?? []
  return prefix === undefined ? [] : await keysByPrefix(db, [prefix])
}

type FoundAnywhere = Pick<FoundRequest, 'request_id' | 'at' | 'method' | 'path' | 'status'> & {
  agency_id: string
}

/** Reads all agencies through the index of times. Values: request id, the first time, the end (excluded). */
const requestAt = statement<FoundAnywhere>(`
  select agency_id, request_id, at, method, path, status from request_log
  where request_id = $1 and at >= $2 and at < $3`)

/** Times between a request's id and its end, searched in turn: requests with photos may take minutes. */
const spansMs = [60_000, 900_000]

/** A version 7 id contains its creation time, so the index of times finds the request. */
export async function findRequestAnywhere(db: Db, id: string): Promise<FoundAnywhere | null> {
  if (!isUuid(id)) return null
  const whole = await overAllNodes(db)
  const made = timeOfId(id)
  const iso = (ms: number) => new Date(Math.min(ms, 8.64e15)).toISOString()
  for (const span of spansMs) {
    const [found] = await requestAt(whole, [id, iso(made - 5_000), iso(made + span)])
    if (found !== undefined) return found
  }
  return null
}

export type AgencyTraffic = {
  agency_id: string
  requests: number
  failed: number
  /** Refused by a limit. */
  limited: number
}

/** The code is empty if a request succeeded. Values: days, the clock's offset. */
const byAgency = statement<AgencyTraffic>(`
  select agency_id, sum(requests)::int as requests,
    coalesce(sum(requests) filter (where code <> ''), 0)::int as failed,
    coalesce(sum(requests) filter (where code = 'rate_limited'), 0)::int as limited
  from request_days
  where day > clock_timestamp() + $2::float8 * interval '1 ms' - $1::int * interval '1 day'
  group by agency_id`)

/** Each agency's traffic in the last days, including today, by the agency's id. */
export async function trafficByAgency(db: Db, days: number, clock: Clock) {
  const whole = await overAllNodes(db)
  const rows = await byAgency(whole, [days, clock.offsetMs])
  return new Map(rows.map((row) => [row.agency_id, row]))
}

const byDay = statement<DayCount>(`
  select day, (sum(requests) filter (where code = ''))::int as succeeded, (sum(requests) filter (where code <> ''))::int as failed
  from request_days
  where day > clock_timestamp() + $2::float8 * interval '1 ms' - $1::int * interval '1 day'
  group by day order by day`)

/** Requests of all agencies by UTC day, oldest first; every day has an entry. */
export async function trafficByDay(db: Db, days: number, clock: Clock): Promise<DayCount[]> {
  const whole = await overAllNodes(db)
  const rows = await byDay(whole, [days, clock.offsetMs])
  const found = new Map(rows.map((row) => [Date.parse(row.day), row]))
  const today = Math.floor((Date.now() + clock.offsetMs) / dayMs) * dayMs
  return Array.from({ length: days }, (_, index) => {
    const at = today - (days - 1 - index) * dayMs
    const row = found.get(at)
    return { day: new Date(at).toISOString(), succeeded: row?.succeeded ?? 0, failed: row?.failed ?? 0 }
  })
}

const byCode = statement<{ code: string; requests: number }>(`
  select code, sum(requests)::int as requests from request_days
  where code <> '' and day > clock_timestamp() + $2::float8 * interval '1 ms' - $1::int * interval '1 day'
  group by code order by requests desc, code`)

/** How often each error occurred, over all agencies, most frequent first. */
export async function errorsOfAll(db: Db, days: number, clock: Clock) {
  return await byCode(await overAllNodes(db), [days, clock.offsetMs])
}

const lastUse = statement<{ agency_id: string; at: string }>(
  `select agency_id, max(minute) as at from key_usage where minute > 'epoch' group by agency_id`,
)

/** The time of each agency's last request, to the minute, by the agency's id. */
export async function lastUseByAgency(db: Db): Promise<Map<string, string>> {
  const rows = await lastUse(await overAllNodes(db), [])
  return new Map(rows.map(({ agency_id: id, at }) => [id, at]))
}
