/** The traffic of all agencies, by agency, day and error, for the operator. */
import type { Clock } from '../../platform/time/clock.ts'
import { overAllNodes } from '../../platform/db/citus/nodes.ts'
import { dayMs } from '../../platform/time/days.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import type { DayCount } from './request-reports.ts'

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
export async function trafficByError(db: Db, days: number, clock: Clock) {
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
