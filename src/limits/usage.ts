/** The limits of a key and its agency with their usage, for `/me` (api.md 15.5), and their room for a dry run. */
import { statement } from '../platform/db/statements/statement.ts'
import { nilUuid } from '../platform/names/ids.ts'
import {
  currentWindow,
  type LimitDeps,
  secondsUntil,
  type StoredCounter,
  storedWindow,
  windowFromStart,
} from './counters.ts'
import { limitsInForce, type OwnLimits } from './of-agency.ts'
import { type LimitName, reportedLimits } from './table.ts'
import { blockingLimit } from './refusal.ts'
import { limitsOf } from './take.ts'

export type Usage = { used: number; remaining: number; resets_at: string }

/** Counters, each with the start of its window. The key's are null if it was never charged. */
type UsageRow = {
  now: string
  own_limits: OwnLimits | null
  minute: string | null
  minute_reads: number | null
  minute_writes: number | null
  day: string | null
  day_reads: number | null
  day_writes: number | null
  listings_hour: string
  hour_new_listings: number
  listings_day: string
  day_new_listings: number
  /** The counters of the agency's other limits. */
  others: Partial<Record<LimitName, StoredCounter>>
}

/** Reads all counters of a key and its agency. Values: agency, key, the clock's offset in milliseconds. */
const selectUsage = statement<UsageRow>(`
  select clock_timestamp() + $3::float8 * interval '1 ms' as now, r.limits as own_limits,
    k.minute, k.minute_reads, k.minute_writes, k.day, k.day_reads, k.day_writes,
    r.hour as listings_hour, r.hour_new_listings, r.day as listings_day, r.day_new_listings,
    coalesce((
      select jsonb_object_agg(u.name, jsonb_build_object('ends_at', u.ends_at, 'used', u.used)) from agency_usage u where u.agency_id = $1
    ), '{}') as others
  from agency_revisions r left join key_usage k on k.agency_id = r.agency_id and k.key_id = $2
  where r.agency_id = $1`)

type UsageByLimit = Record<(typeof reportedLimits)[number], Usage>

/** Reads the limits in force and their usage in the current windows. `now`: the time by the database's clock, ISO 8601. */
export async function getUsage({ db, limits: defaults, clock }: LimitDeps, agencyId: string, keyId: string) {
  const [row] = await selectUsage(db, [agencyId, keyId, clock.offsetMs])
  if (row === undefined) throw new Error(`agency ${agencyId} has no revision`)
  const limits = limitsInForce(defaults, row.own_limits, row.now)
  const started: Partial<Record<LimitName, [start: string | null, used: number | null]>> = {
    reads_per_minute: [row.minute, row.minute_reads],
    reads_per_day: [row.day, row.day_reads],
    writes_per_minute: [row.minute, row.minute_writes],
    writes_per_day: [row.day, row.day_writes],
    new_listings_per_hour: [row.listings_hour, row.hour_new_listings],
    new_listings_per_day: [row.listings_day, row.day_new_listings],
  }
  const usage = reportedLimits.map((name): [string, Usage] => {
    const [start = null, count = null] = started[name] ?? []
    const stored = start === null ? storedWindow(row.others[name]) : windowFromStart(name, start, count ?? 0)
    const { used, endsAt } = currentWindow(name, Date.parse(row.now), stored)
    const remaining = Math.max(0, limits[name].max - used)
    return [name, { used, remaining, resets_at: new Date(endsAt).toISOString() }]
  })
  return { now: row.now, limits, usage: Object.fromEntries(usage) as UsageByLimit }
}

/** The limits that each key has for itself. */
type KeyLimit = 'reads_per_minute' | 'reads_per_day' | 'writes_per_minute' | 'writes_per_day'

/** Reads the most that any key of an agency has used of each limit. Values: agency, the clock's offset in milliseconds. */
const selectBusiest = statement<Record<KeyLimit, number | null>>(`
  select max(minute_reads) filter (where minute = date_bin('1 minute', now, 'epoch')) as reads_per_minute,
    max(day_reads) filter (where day = date_bin('1 day', now, 'epoch')) as reads_per_day,
    max(minute_writes) filter (where minute = date_bin('1 minute', now, 'epoch')) as writes_per_minute,
    max(day_writes) filter (where day = date_bin('1 day', now, 'epoch')) as writes_per_day
  from key_usage, (select clock_timestamp() + $2::float8 * interval '1 ms' as now) moment
  where agency_id = $1`)

/** Stands for a key that was never charged, to read only the limits that an agency's keys share. */
export const noKey = nilUuid

/** The limits of an agency and how much of them is used; for limits of single keys, by the key that used most. */
export async function getAgencyUsage(deps: LimitDeps, agencyId: string) {
  const [{ limits, usage }, [busiest]] = await Promise.all([
    getUsage(deps, agencyId, noKey),
    selectBusiest(deps.db, [agencyId, deps.clock.offsetMs]),
  ])
  const used = reportedLimits.map((name) => [name, busiest?.[name as KeyLimit] ?? usage[name].used])
  return { limits, used: Object.fromEntries(used) as Record<(typeof reportedLimits)[number], number> }
}

/** The amounts that a write takes from the limits. */
export type Cost = { writes: number; new_listings: number; photos: number; state_changes: number }

/** `retry_after`: seconds until all windows have room; null if all have it now. */
type Room = { ok: boolean; limits: LimitName[]; retry_after: number | null }

/** The limits that each part of a cost is taken from. The limits of state changes belong to the listing. */
const limitsOfCost = {
  writes: ['writes_per_minute', 'writes_per_day'],
  new_listings: ['new_listings_per_hour', 'new_listings_per_day'],
  photos: limitsOf.photos,
} as const satisfies Partial<Record<keyof Cost, readonly (typeof reportedLimits)[number][]>>

/**
 * Compares the cost of a dry run with what the key and its agency have left now (api.md 19.3).
 * @param exhausted limits of state changes that have no room → seconds until they have
 */
export async function getRoom(
  deps: LimitDeps,
  agencyId: string,
  keyId: string,
  { cost, exhausted }: { cost: Cost; exhausted: ReadonlyMap<LimitName, number> },
): Promise<Room> {
  const { now, limits, usage } = await getUsage(deps, agencyId, keyId)
  const ofWindows = Object.entries(limitsOfCost).flatMap(([part, names]) => {
    const needed = cost[part as keyof typeof limitsOfCost]
    return names
      .filter((name) => usage[name].remaining < needed)
      .map((name): [LimitName, number] => {
        const { used, resets_at: resetsAt } = usage[name]
        const resets = secondsUntil(Date.parse(resetsAt), Date.parse(now))
        return [name, blockingLimit(name, limits[name], { used, needed, resets }).resets]
      })
  })
  const full = new Map([...ofWindows, ...exhausted])
  if (full.size === 0) return { ok: true, limits: [], retry_after: null }
  return { ok: false, limits: [...full.keys()], retry_after: Math.max(1, ...full.values()) }
}
