/**
 * Takes from an agency's limits of photos and geocoding (api.md 6.1): exact under concurrency, kept over restarts.
 */
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import { boundedLock, type Executor, hotStatement } from '../db/statement.ts'
import { ownEnd } from './of-agency.ts'
import { type InTheWay, inTheWay, rateLimited } from './refusal.ts'
import type { LimitName, Limits } from './table.ts'
import { addTo, secondsLeft, usedSince, windowStart } from './window.ts'

/** Every window of what is taken must have room. */
const windowsOf = {
  photos: ['photos_per_day'],
  geocoding: ['geocoding_per_minute', 'geocoding_per_day'],
  test_resets: ['test_resets_per_hour'],
  slug_changes: ['slug_changes_per_month'],
} as const satisfies Record<string, readonly LimitName[]>

export type Taken = keyof typeof windowsOf

/** `used` includes this request. `usual` is the default, in force again after `ends_in` seconds unless that is in the past. */
type Counted = {
  name: LimitName
  max: number
  usual: number
  ends_in: number | null
  used: number
  window_start: string
  resets: number
}

const known = `
  windows as (
    select name, length, max as usual, ${ownEnd('own.limits', 'name', 'now')} as ends_in, limit_in_force(own.limits, name, max, now) as max, now,
      ${windowStart('length', 'now')} as window_start
    from unnest($2::text[], $3::interval[], $6::int[]) as wanted (name, length, max),
      (select clock_timestamp() + $5::float8 * interval '1 ms' as now, ${boundedLock}) moment,
      (select limits from agency_revisions where agency_id = $1) own
  ), known as (
    select w.name, w.length, w.usual, w.ends_in, w.max, w.now, greatest(u.window_start, w.window_start) as window_start,
      ${usedSince('w.window_start', { start: 'u.window_start', used: 'u.used' })} as used
    from windows w left join agency_usage u on u.agency_id = $1 and u.name = w.name
  )`

const look = hotStatement<Counted>(`
  with ${known}
  select name, max, usual, ends_in, used + $4 as used, window_start, ${secondsLeft('window_start', 'length', 'now')} as resets
  from known order by name`)

/** Of values alone: what Citus has to select first it sends to all of its nodes. */
const add = hotStatement<Pick<Counted, 'used'>>(`
  insert into agency_usage as u (agency_id, name, window_start, used) values ($1, $2, $3, $4)
  on conflict (agency_id, name) do update set ${addTo('window_start')}
  returning used`)

/**
 * Takes `amount` in the transaction, and so only if that commits. Where the committed counters leave no room, nothing is written: within a
 * window they only rise, and a row version slows the row down even when it is rolled back. The others are counted in their locked rows, and
 * judged by the result.
 * @param limits the defaults; the agency's own go before them
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
  const windows = await look(tx, valuesOf(taken, agencyId, amount, limits, clock))
  refuse(windows, amount)
  const counted = await tx.runAll(
    windows.map(({ name, window_start: start }) => add.with([agencyId, name, start, amount])),
  )
  refuse(
    windows.map((window, index) => ({ ...window, used: counted[index]?.[0]?.used ?? window.used })),
    amount,
  )
}

function refuse(counted: readonly Counted[], amount: number): void {
  const full = refusing(counted, amount)
  if (full.length > 0) throw rateLimited(full)
}

/** The windows without room for `amount`, of which nothing is taken: for a 429 that another limit causes. */
export async function findInTheWay(
  db: Executor,
  taken: Taken,
  agencyId: string,
  amount: number,
  limits: Limits,
  clock: Clock,
): Promise<InTheWay[]> {
  if (amount === 0) return []
  return refusing(await look(db, valuesOf(taken, agencyId, amount, limits, clock)), amount)
}

function valuesOf(taken: Taken, agencyId: string, amount: number, limits: Limits, clock: Clock): unknown[] {
  const names = windowsOf[taken]
  const lengths = names.map((name) => `${limits[name].windowSeconds} seconds`)
  const maxima = names.map((name) => limits[name].max)
  return [agencyId, names, lengths, amount, clock.offsetMs, maxima]
}

function refusing(counted: readonly Counted[], amount: number): InTheWay[] {
  return counted
    .filter(({ used, max }) => used > max)
    .map(({ name, max, usual, ends_in: endsIn, used, resets }) =>
      inTheWay(name, { max, usual, endsIn }, { used: used - amount, needed: amount, resets }),
    )
}
