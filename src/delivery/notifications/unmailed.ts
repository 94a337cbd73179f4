/** Mails that an agency's mail server refused, to be shown in the dashboard. */
import type { Clock } from '../../platform/clock.ts'
import { type Executor, statement } from '../../platform/db/statement.ts'
import type { Why } from './failure.ts'

type Unmailed = { count: number; why: Why | null; at: string }

/** `rests_until` is the time of the last attempt or, after one that succeeded, later. */
const refused = statement<Unmailed>(`
  with moment as materialized (
    select clock_timestamp() + $2::float8 * interval '1 ms' - interval '7 days' as since
  ), latest as materialized (
    select ended_at, why from notification_deliveries
    where agency_id = $1 and state = 'set_aside' and channel = 'mail' and ended_at > (select since from moment)
    order by ended_at desc limit 100
  )
  select (count(*) over ())::int as count, why, ended_at as at from latest
  where (select max(ended_at) from latest) >= coalesce((
    select rests_until from notification_lanes where agency_id = $1 and channel = 'mail' and lane = $1), '-infinity')
  order by ended_at desc limit 1`)

/** The notifications of the last week that could not be mailed, unless one was delivered since. @returns null without any */
export async function findUnmailed(db: Executor, agencyId: string, clock: Clock): Promise<Unmailed | null> {
  return (await refused(db, [agencyId, clock.offsetMs]))[0] ?? null
}
