/** Reports from the request log: requests by day, key and error. Every statement names its agency. */
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'

export type DayCount = { day: string; succeeded: number; failed: number }

/** A day without requests has a row of zeros. Values: agency, key or null for all, days, the clock's offset. */
const byDay = statement<DayCount>(`
  with days as (
    select generate_series(today - ($3::int - 1) * interval '1 day', today, interval '1 day') as day
    from (select date_trunc('day', clock_timestamp() + $4::float8 * interval '1 ms', 'UTC') as today) t
  )
  select days.day::timestamptz(3) as day,
    coalesce(sum(d.requests) filter (where d.code = ''), 0)::int as succeeded,
    coalesce(sum(d.requests) filter (where d.code <> ''), 0)::int as failed
  from days left join request_days d
    on d.agency_id = $1 and ($2::uuid is null or d.key_id = $2) and d.day = days.day
  group by days.day order by days.day`)

/** Requests of the last `days` UTC days, including today, oldest first. @param keyId null: all keys */
export async function requestsByDay(
  db: Db,
  agencyId: string,
  keyId: string | null,
  days: number,
  clock: Clock,
): Promise<DayCount[]> {
  return await byDay(db, [agencyId, keyId, days, clock.offsetMs])
}

/** Errors by code. Values: agency, key or null, days, the clock's offset. */
const errors = statement<{ code: string; requests: number }>(`
  select code, sum(requests)::int as requests from request_days
  where agency_id = $1 and ($2::uuid is null or key_id = $2) and code <> ''
    and day > clock_timestamp() + $4::float8 * interval '1 ms' - $3::int * interval '1 day'
  group by code order by requests desc, code`)

/** How often each error occurred in these days, most frequent first. */
export async function errorsByCode(
  db: Db,
  agencyId: string,
  keyId: string | null,
  days: number,
  clock: Clock,
): Promise<{ code: string; requests: number }[]> {
  return await errors(db, [agencyId, keyId, days, clock.offsetMs])
}

/** Requests by key. Values: agency, days, the clock's offset. */
const byKey = statement<{ key_id: string; succeeded: number; failed: number }>(`
  select key_id, coalesce(sum(requests) filter (where code = ''), 0)::int as succeeded,
    coalesce(sum(requests) filter (where code <> ''), 0)::int as failed
  from request_days
  where agency_id = $1 and day > clock_timestamp() + $3::float8 * interval '1 ms' - $2::int * interval '1 day'
  group by key_id order by sum(requests) desc, key_id`)

/** Requests of these days by key, busiest first, without keys that made none. */
export async function requestsByKey(db: Db, agencyId: string, days: number, clock: Clock) {
  return await byKey(db, [agencyId, days, clock.offsetMs])
}
