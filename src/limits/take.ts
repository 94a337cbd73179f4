/**
 * Takes from an agency's limits of photos and geocoding (api.md 6.1): exact under concurrency, kept over restarts.
 */
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import { boundedLock, hotStatement } from '../db/statement.ts'
import { ownEnd, ownMaximum } from './of-agency.ts'
import { type InTheWay, inTheWay, rateLimited } from './refusal.ts'
import type { LimitName, Limits } from './table.ts'
import { addTo, secondsLeft, usedSince, windowStart } from './window.ts'

/** Every window of what is taken must have room. */
const windowsOf = {
  photos: ['photos_per_day'],
  geocoding: ['geocoding_per_minute', 'geocoding_per_day'],
  test_resets: ['test_resets_per_hour'],
} as const satisfies Record<string, readonly LimitName[]>

export type Taken = keyof typeof windowsOf

/** `used` includes this request. `usual` is the default, in force again after `ends_in` seconds unless that is in the past. */
type Counted = {
  name: LimitName
  max: number
  usual: number
  ends_in: number | null
  used: number
  resets: number
}

/*
 * Where the committed counters leave no room, nothing is written: within a window they only rise, and a row version slows the row down
 * even when it is rolled back. The others are counted in their locked rows, and judged by the result.
 */
const known = `
  windows as (
    select name, length, max as usual, ${ownEnd('own.limits', 'name', 'now')} as ends_in, coalesce(${ownMaximum('own.limits', 'name', 'now')}, max) as max, now,
      ${windowStart('length', 'now')} as window_start
    from unnest($2::text[], $3::interval[], $6::int[]) as wanted (name, length, max),
      (select clock_timestamp() + $5::float8 * interval '1 ms' as now, ${boundedLock}) moment,
      (select limits from agency_revisions where agency_id = $1) own
  ), known as (
    select w.name, w.length, w.usual, w.ends_in, w.max, w.now, greatest(u.window_start, w.window_start) as window_start,
      ${usedSince('w.window_start', { start: 'u.window_start', used: 'u.used' })} as used
    from windows w left join agency_usage u on u.agency_id = $1 and u.name = w.name
  )`

const count = hotStatement<Counted>(`
  with ${known}, counted as (
    insert into agency_usage as u (agency_id, name, window_start, used)
    select $1, name, window_start, $4 from windows
    where not exists (select from known where used + $4 > max) order by name
    on conflict (agency_id, name) do update set ${addTo('window_start')}
    returning name, used, window_start
  )
  select k.name, k.max, k.usual, k.ends_in, coalesce(c.used, k.used + $4) as used,
    ${secondsLeft('coalesce(c.window_start, k.window_start)', 'k.length', 'k.now')} as resets
  from known k left join counted c on c.name = k.name`)

const judge = hotStatement<Counted>(`
  with ${known}
  select name, max, usual, ends_in, used + $4 as used, ${secondsLeft('window_start', 'length', 'now')} as resets from known`)

/**
 * Takes `amount` in the transaction, and so only if that commits.
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
  const full = refusing(await count(tx, valuesOf(taken, agencyId, amount, limits, clock)), amount)
  if (full.length > 0) throw rateLimited(full)
}

/** The windows without room for `amount`, of which nothing is taken: for a 429 that another limit causes. */
export async function findInTheWay(
  tx: Tx,
  taken: Taken,
  agencyId: string,
  amount: number,
  limits: Limits,
  clock: Clock,
): Promise<InTheWay[]> {
  if (amount === 0) return []
  return refusing(await judge(tx, valuesOf(taken, agencyId, amount, limits, clock)), amount)
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
