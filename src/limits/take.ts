/**
 * Takes from the limits of agencies (photos, geocoding, test resets, slug changes) and of other subjects, such as sign-ins (api.md 6.1).
 * The counters are exact under concurrency and survive restarts.
 */
import type { Tx } from '../platform/db/statements/connection.ts'
import { boundedLock, type Executor, statement } from '../platform/db/statements/statement.ts'
import {
  addStatement,
  currentWindow,
  readWindows,
  secondsUntil,
  type StoredCounter,
  storedWindow,
  type SubjectLimit,
  type Window,
  type WindowDeps,
  windowFromStart,
} from './counters.ts'
import { limitsInForce, type OwnLimits } from './of-agency.ts'
import { type BlockingLimit, blockingLimit, rateLimited } from './refusal.ts'
import type { LimitName, Limits } from './table.ts'

/** The limits that must all have room, in the order in which their counters are locked. */
export const limitsOf = {
  photos: ['photos_per_day'],
  geocoding: ['geocoding_per_day', 'geocoding_per_minute'],
  test_resets: ['test_resets_per_hour'],
  slug_changes: ['slug_changes_per_month'],
} as const satisfies Record<string, readonly LimitName[]>

type Taken = keyof typeof limitsOf

/** The present, the agency's own limits and one counter; a single row with nulls if there is no counter. */
type CounterRow = StoredCounter & { now: string; own_limits: OwnLimits | null; name: LimitName | null }

/** Reads counters of an agency before they are locked. Values: agency, names of limits, the clock's offset in milliseconds. */
const selectCounters = statement<CounterRow>(`
  select clock_timestamp() + $3::float8 * interval '1 ms' as now, r.limits as own_limits, u.name, u.ends_at, u.used,
    ${boundedLock} as bounded
  from agency_revisions r left join agency_usage u on u.agency_id = r.agency_id and u.name = any ($2::text[])
  where r.agency_id = $1`)

/**
 * Takes `amount`, which takes effect only if the transaction commits. If the committed counters leave no room, nothing is written: within a
 * window they only rise, and even an update that is rolled back leaves a dead row version. Otherwise the amount is added, which locks the
 * counters, and the sums decide.
 * @throws ApiError `rate_limited` when a window has no room for all of it; the transaction must not commit then
 */
export async function take(
  tx: Tx,
  taken: Taken,
  agencyId: string,
  amount: number,
  deps: WindowDeps,
): Promise<void> {
  if (amount === 0) return
  const { now, windows } = await look(tx, taken, agencyId, amount, deps)
  refuse(windows, now, amount)
  const owner = { kind: 'agency', id: agencyId } as const
  const counted = await tx.runAll(
    windows.map((window) => addStatement(owner, window.name, now, window, amount)),
  )
  refuse(
    windows.map((window, index) => ({ ...window, used: counted[index]?.[0]?.used ?? window.used })),
    now,
    amount,
  )
}

function refuse(windows: readonly LimitWindow[], now: number, amount: number): void {
  const full = blockingLimits(windows, now, amount)
  if (full.length > 0) throw rateLimited(full)
}

/** The windows without room for `amount`. Takes nothing: for a 429 that another limit causes. */
export async function findBlocking(
  db: Executor,
  taken: Taken,
  agencyId: string,
  amount: number,
  deps: WindowDeps,
): Promise<BlockingLimit[]> {
  if (amount === 0) return []
  const { now, windows } = await look(db, taken, agencyId, amount, deps)
  return blockingLimits(windows, now, amount)
}

/** The current window of a limit in force. `used` includes this request. */
type LimitWindow = Window & Readonly<{ name: LimitName; limit: Limits[LimitName] }>

async function look(
  db: Executor,
  taken: Taken,
  agencyId: string,
  amount: number,
  { limits: defaults, clock }: WindowDeps,
): Promise<{ now: number; windows: LimitWindow[] }> {
  const names: readonly LimitName[] = limitsOf[taken]
  const rows = await selectCounters(db, [agencyId, names, clock.offsetMs])
  const [first] = rows
  if (first === undefined) throw new Error(`agency ${agencyId} has no revision`)
  const limits = limitsInForce(defaults, first.own_limits, first.now)
  const now = Date.parse(first.now)
  const windows = names.map((name) => {
    const window = currentWindow(name, now, storedWindow(rows.find((row) => row.name === name)))
    return { name, limit: limits[name], ...window, used: window.used + amount }
  })
  return { now, windows }
}

function blockingLimits(windows: readonly LimitWindow[], now: number, amount: number): BlockingLimit[] {
  return windows
    .filter(({ used, limit }) => used > limit.max)
    .map(({ name, limit, used, endsAt }) =>
      blockingLimit(name, limit, { used: used - amount, needed: amount, resets: secondsUntil(endsAt, now) }),
    )
}

/**
 * Takes one from each limit of subjects other than agencies, one after another: sign-ins, resets, invitations, enquiries, saves. An
 * exhausted limit is not written, and those after it count nothing.
 * @throws ApiError `rate_limited`
 */
export async function takeFromEach(
  db: Executor,
  counters: readonly SubjectLimit[],
  { limits, clock }: WindowDeps,
): Promise<void> {
  const { now, windows } = await readWindows(db, counters, clock)
  for (const [index, window] of windows.entries()) {
    const { name, subject } = counters[index] as SubjectLimit
    const { max } = limits[name]
    const exhausted = () => rateLimited([{ name, max, resets: secondsUntil(window.endsAt, now) }])
    if (window.used >= max) throw exhausted()
    const [counted] = await db.run(addStatement({ kind: 'subject', id: subject }, name, now, window, 1))
    // Others took the last of it since it was read.
    if (counted !== undefined && counted.used > max) throw exhausted()
  }
}

/** The present, and an agency's counters of new listings, maintained by the statement that creates listings. Timestamps are ISO 8601. */
export type Counters = {
  now: string
  hour: string
  hour_new_listings: number
  day: string
  day_new_listings: number
  limits: OwnLimits | null
}

/** The windows without room for another new listing. @param defaults the agency's own limits take precedence */
export function fullWindows(counters: Counters, defaults: Limits): BlockingLimit[] {
  const limits = limitsInForce(defaults, counters.limits, counters.now)
  const windows: [LimitName, string, number][] = [
    ['new_listings_per_hour', counters.hour, counters.hour_new_listings],
    ['new_listings_per_day', counters.day, counters.day_new_listings],
  ]
  return windows.flatMap(([name, start, count]) => {
    const now = Date.parse(counters.now)
    const { used, endsAt } = currentWindow(name, now, windowFromStart(name, start, count))
    if (used < limits[name].max) return []
    return [blockingLimit(name, limits[name], { used, resets: secondsUntil(endsAt, now) })]
  })
}
