/**
 * The limits of a key and its agency with their usage, for `/me` (api.md 15.5).
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { hotStatement } from '../db/statement.ts'
import { limitsInForce, type OwnLimits } from './of-agency.ts'
import { type LimitName, type Limits, reportedLimits } from './table.ts'
import { windowStart } from './window.ts'

export type Usage = { used: number; remaining: number; resets_at: string }

type Row = {
  now: string
  minute_ends: string
  hour_ends: string
  day_ends: string
  minute_reads: number | null
  minute_writes: number | null
  day_reads: number | null
  day_writes: number | null
  hour_new_listings: number | null
  day_new_listings: number | null
  agency: Record<string, number>
  own_limits: OwnLimits | null
}

/** SQL: when the current windows began. @param offsetMs the parameter of the clock */
const windows = (offsetMs: string): string => `windows as (
    select now, ${windowStart(`interval '1 minute'`, 'now')} as minute, ${windowStart(`interval '1 hour'`, 'now')} as hour,
      ${windowStart(`interval '1 day'`, 'now')} as day
    from (select clock_timestamp() + ${offsetMs}::float8 * interval '1 ms' as now) moment
  )`

const select = hotStatement<Row>(`
  with ${windows('$3')}
  select w.now, w.minute + interval '1 minute' as minute_ends, w.hour + interval '1 hour' as hour_ends,
    w.day + interval '1 day' as day_ends,
    case when k.minute = w.minute then k.minute_reads end as minute_reads,
    case when k.minute = w.minute then k.minute_writes end as minute_writes,
    case when k.day = w.day then k.day_reads end as day_reads,
    case when k.day = w.day then k.day_writes end as day_writes,
    case when r.hour = w.hour then r.hour_new_listings end as hour_new_listings,
    case when r.day = w.day then r.day_new_listings end as day_new_listings,
    coalesce((
      select jsonb_object_agg(a.name, a.used) from agency_usage a
      where a.agency_id = $1 and a.window_start = case
        when a.name like '%_per_minute' then w.minute when a.name like '%_per_hour' then w.hour else w.day end
    ), '{}') as agency, r.limits as own_limits
  from windows w
  left join agency_revisions r on r.agency_id = $1
  left join key_usage k on k.agency_id = $1 and k.key_id = $2`)

type UsageByLimit = Record<(typeof reportedLimits)[number], Usage>

/** The limits of a key and its agency, and how much of them is used. */
export type Found = {
  /** When it was read, ISO 8601. */
  now: string
  /** In force for the agency. */
  limits: Limits
  usage: UsageByLimit
}

/** Reads the limits in force and their usage in the current windows, by the database's clock. */
export async function findUsage(
  db: Db,
  agencyId: string,
  keyId: string,
  defaults: Limits,
  clock: Clock,
): Promise<Found> {
  const [row] = await select(db, [agencyId, keyId, clock.offsetMs])
  if (row === undefined) throw new Error('the statement of usage always gives a row')
  const limits = limitsInForce(defaults, row.own_limits, row.now)
  const counted: Partial<Record<LimitName, number | null>> = {
    reads_per_minute: row.minute_reads,
    reads_per_day: row.day_reads,
    writes_per_minute: row.minute_writes,
    writes_per_day: row.day_writes,
    new_listings_per_hour: row.hour_new_listings,
    new_listings_per_day: row.day_new_listings,
  }
  const ends = { 60: row.minute_ends, 3600: row.hour_ends, 86_400: row.day_ends }
  const usage = reportedLimits.map((name) => {
    const { max, windowSeconds } = limits[name]
    const used = counted[name] ?? row.agency[name] ?? 0
    const resetsAt = ends[windowSeconds as keyof typeof ends]
    return [name, { used, remaining: Math.max(0, max - used), resets_at: resetsAt }]
  })
  return { now: row.now, limits, usage: Object.fromEntries(usage) as UsageByLimit }
}

/** The limits that each key has for itself. */
type KeyLimit = 'reads_per_minute' | 'reads_per_day' | 'writes_per_minute' | 'writes_per_day'

const selectBusiest = hotStatement<Record<KeyLimit, number | null>>(`
  with ${windows('$2')}
  select max(k.minute_reads) filter (where k.minute = w.minute) as reads_per_minute,
    max(k.day_reads) filter (where k.day = w.day) as reads_per_day,
    max(k.minute_writes) filter (where k.minute = w.minute) as writes_per_minute,
    max(k.day_writes) filter (where k.day = w.day) as writes_per_day
  from windows w
  left join key_usage k on k.agency_id = $1`)

/** In place of a key: what all keys of the agency share. */
export const noKey = '00000000-0000-0000-0000-000000000000'

/** The limits of an agency and what is used of them: of a limit of keys, by the key that used most. */
export async function findAgencyUsage(
  db: Db,
  agencyId: string,
  defaults: Limits,
  clock: Clock,
): Promise<{ limits: Limits; used: Record<(typeof reportedLimits)[number], number> }> {
  const [{ limits, usage }, [busiest]] = await Promise.all([
    findUsage(db, agencyId, noKey, defaults, clock),
    selectBusiest(db, [agencyId, clock.offsetMs]),
  ])
  const used = reportedLimits.map((name) => [name, busiest?.[name as KeyLimit] ?? usage[name].used])
  return { limits, used: Object.fromEntries(used) as Record<(typeof reportedLimits)[number], number> }
}
