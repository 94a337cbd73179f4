/**
 * Takes from an agency's limits of photos, geocoding, resets and slug changes (api.md 6.1): exact under concurrency, kept across restarts.
 */
import type { Clock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/connection.ts'
import { boundedLock, type Executor, statement } from '../platform/db/statement.ts'
import { limitsInForce, type OwnLimits } from './of-agency.ts'
import { type InTheWay, inTheWay, rateLimited } from './refusal.ts'
import type { LimitName, Limits } from './table.ts'
import { windowAt } from './window.ts'

/** The windows that must all have room, in the order in which their counters are locked. */
const windowsOf = {
  photos: ['photos_per_day'],
  geocoding: ['geocoding_per_day', 'geocoding_per_minute'],
  test_resets: ['test_resets_per_hour'],
  slug_changes: ['slug_changes_per_month'],
} as const satisfies Record<string, readonly LimitName[]>

export type Taken = keyof typeof windowsOf

/** The present, the agency's own limits and one counter; a single row with nulls if there is no counter. */
type Stored = {
  now: string
  own_limits: OwnLimits | null
  name: LimitName | null
  window_start: string | null
  used: number | null
}

/** Reads counters of an agency before they are locked. Values: agency, names of limits, the clock's offset in milliseconds. */
const select = statement<Stored>(`
  select clock_timestamp() + $3::float8 * interval '1 ms' as now, r.limits as own_limits, u.name, u.window_start, u.used,
    ${boundedLock} as bounded
  from agency_revisions r left join agency_usage u on u.agency_id = r.agency_id and u.name = any ($2::text[])
  where r.agency_id = $1`)

/**
 * Adds to a counter of an agency, or restarts it in a later window. Inserts values, because Citus would send an insert from a select to all
 * of its nodes. Values: agency, name of the limit, start of the window, amount.
 */
const add = statement<{ used: number }>(`
  insert into agency_usage as u (agency_id, name, window_start, used) values ($1, $2, $3, $4)
  on conflict (agency_id, name) do update set
    window_start = greatest(u.window_start, excluded.window_start),
    used = case when u.window_start >= excluded.window_start then u.used else 0 end + excluded.used
  returning used`)

/**
 * Takes `amount` in the transaction, so only if that commits. If the committed counters leave no room, nothing is written: within a window
 * they only rise, and a row version slows the row down even when it is rolled back. Otherwise the amount is added, which locks the
 * counters, and the sums decide.
 * @param limits the defaults; the agency's own take precedence
 * @throws ApiError `rate_limited` when a window has no room for all of it; the transaction must not commit then
 */
export async function take(
  tx: Tx,
  taken: Taken,
  agencyId: string,
  amount: number,
  limits: Limits,
  clock: Clock,
): Promise<void> {
  if (amount === 0) return
  const windows = await look(tx, taken, agencyId, amount, limits, clock)
  refuse(windows, amount)
  const counted = await tx.runAll(
    windows.map(({ name, start }) => add.with([agencyId, name, new Date(start).toISOString(), amount])),
  )
  refuse(
    windows.map((window, index) => ({ ...window, used: counted[index]?.[0]?.used ?? window.used })),
    amount,
  )
}

function refuse(windows: readonly Window[], amount: number): void {
  const full = windowsInTheWay(windows, amount)
  if (full.length > 0) throw rateLimited(full)
}

/** The windows without room for `amount`. Takes nothing: for a 429 that another limit causes. */
export async function findInTheWay(
  db: Executor,
  taken: Taken,
  agencyId: string,
  amount: number,
  limits: Limits,
  clock: Clock,
): Promise<InTheWay[]> {
  if (amount === 0) return []
  return windowsInTheWay(await look(db, taken, agencyId, amount, limits, clock), amount)
}

/** The current window of a limit in force. `used` includes this request. `start` in milliseconds, `resets` in seconds. */
type Window = { name: LimitName; limit: Limits[LimitName]; start: number; used: number; resets: number }

async function look(
  db: Executor,
  taken: Taken,
  agencyId: string,
  amount: number,
  defaults: Limits,
  clock: Clock,
): Promise<Window[]> {
  const names: readonly LimitName[] = windowsOf[taken]
  const rows = await select(db, [agencyId, names, clock.offsetMs])
  const [first] = rows
  if (first === undefined) throw new Error(`agency ${agencyId} has no revision`)
  const limits = limitsInForce(defaults, first.own_limits, first.now)
  return names.map((name) => {
    const limit = limits[name]
    const { window_start: start = null, used = 0 } = rows.find((row) => row.name === name) ?? {}
    const stored = { start: start === null ? 0 : Date.parse(start), used: used ?? 0 }
    const window = windowAt(Date.parse(first.now), limit.windowSeconds, stored)
    return { name, limit, ...window, used: window.used + amount }
  })
}

function windowsInTheWay(windows: readonly Window[], amount: number): InTheWay[] {
  return windows
    .filter(({ used, limit }) => used > limit.max)
    .map(({ name, limit, used, resets }) =>
      inTheWay(name, limit, { used: used - amount, needed: amount, resets }),
    )
}
