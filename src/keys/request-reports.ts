/**
 * Reports from the request log: requests by day, key and error. Every statement names its agency.
 */
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { hotStatement } from '../db/statement.ts'

export type DayCount = { day: string; succeeded: number; failed: number }

const byDay = hotStatement<DayCount>(`
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

/** How often each error occurred in these days, most frequent first. */
export async function errorsByCode(
  db: Db,
  agencyId: string,
  keyId: string | null,
  days: number,
  clock: Clock,
): Promise<{ code: string; requests: number }[]> {
  let query = db
    .selectFrom('request_days')
    .select(['code', sql<number>`sum(requests)::int`.as('requests')])
    .where('agency_id', '=', agencyId)
    .where('code', '<>', '')
    .where('day', '>', since(days, clock))
    .groupBy('code')
    .orderBy('requests', 'desc')
    .orderBy('code')
  if (keyId !== null) query = query.where('key_id', '=', keyId)
  return await query.execute()
}

/** Requests of these days by key, busiest first, without keys that made none. */
export async function requestsByKey(
  db: Db,
  agencyId: string,
  days: number,
  clock: Clock,
): Promise<{ key_id: string; succeeded: number; failed: number }[]> {
  return await db
    .selectFrom('request_days')
    .select('key_id')
    .select(sql<number>`coalesce(sum(requests) filter (where code = ''), 0)::int`.as('succeeded'))
    .select(sql<number>`coalesce(sum(requests) filter (where code <> ''), 0)::int`.as('failed'))
    .where('agency_id', '=', agencyId)
    .where('day', '>', since(days, clock))
    .groupBy('key_id')
    .orderBy(sql`sum(requests)`, 'desc')
    .orderBy('key_id')
    .execute()
}

function since(days: number, clock: Clock) {
  return sql<string>`clock_timestamp() + ${clock.offsetMs}::float8 * interval '1 ms' - ${days}::int * interval '1 day'`
}
