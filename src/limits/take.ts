/**
 * Takes from an agency's limits of photos and geocoding (api.md 6.1): exact under concurrency, kept over restarts.
 */
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import { boundedLock, hotStatement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import { limitRefusals } from '../figures.ts'
import { ownMaximum } from './of-agency.ts'
import type { LimitName, Limits } from './table.ts'
import { addTo, secondsLeft, usedSince, windowStart } from './window.ts'

/** Every window of what is taken must have room. */
const windowsOf = {
  photos: ['photos_per_day'],
  geocoding: ['geocoding_per_minute', 'geocoding_per_day'],
  test_resets: ['test_resets_per_hour'],
} as const satisfies Record<string, readonly LimitName[]>

export type Taken = keyof typeof windowsOf

type Counted = { name: LimitName; max: number; used: number; resets: number }

/*
 * Where the committed counters leave no room, nothing is written: within a window they only rise, and a row version slows the row down
 * even when it is rolled back. The others are counted in their locked rows, and judged by the result.
 */
const count = hotStatement<Counted>(`
  with windows as (
    select name, length, coalesce(${ownMaximum('own.limits', 'name', 'now')}, max) as max, now,
      ${windowStart('length', 'now')} as window_start
    from unnest($2::text[], $3::interval[], $6::int[]) as wanted (name, length, max),
      (select clock_timestamp() + $5::float8 * interval '1 ms' as now, ${boundedLock}) moment,
      (select limits from agency_revisions where agency_id = $1) own
  ), known as (
    select w.name, w.length, w.max, w.now, greatest(u.window_start, w.window_start) as window_start,
      ${usedSince('w.window_start', { start: 'u.window_start', used: 'u.used' })} as used
    from windows w left join agency_usage u on u.agency_id = $1 and u.name = w.name
  ), counted as (
    insert into agency_usage as u (agency_id, name, window_start, used)
    select $1, name, window_start, $4 from windows
    where not exists (select from known where used + $4 > max) order by name
    on conflict (agency_id, name) do update set ${addTo('window_start')}
    returning name, used, window_start
  )
  select k.name, k.max, coalesce(c.used, k.used + $4) as used,
    ${secondsLeft('coalesce(c.window_start, k.window_start)', 'k.length', 'k.now')} as resets
  from known k left join counted c on c.name = k.name`)

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
  const names = windowsOf[taken]
  const lengths = names.map((name) => `${limits[name].windowSeconds} seconds`)
  const maxima = names.map((name) => limits[name].max)
  const counted = await count(tx, [agencyId, names, lengths, amount, clock.offsetMs, maxima])
  const inTheWay = counted.filter(({ used, max }) => used > max)
  if (inTheWay.length === 0) return
  const withLeft = inTheWay.map((window) => ({ ...window, left: window.max - (window.used - amount) }))
  throw rateLimited(withLeft, amount)
}

type Refusing = { name: LimitName; max: number; resets: number; left?: number }

/**
 * 429 naming the limits in the way, with the seconds until the last of them reopens. One that has some `left`, but less than `amount`, is
 * not exhausted: fewer may pass.
 */
export function rateLimited(inTheWay: readonly Refusing[], amount = 1): ApiError {
  for (const { name } of inTheWay) limitRefusals.add(name)
  const retryAfter = Math.max(1, ...inTheWay.map(({ resets }) => resets))
  return new ApiError('rate_limited', {
    message: messageOf(inTheWay, amount, retryAfter),
    retryAfter,
    extra: { retry_after: retryAfter, limits: inTheWay.map(({ name }) => name) },
  })
}

function messageOf(inTheWay: readonly Refusing[], amount: number, retryAfter: number): string {
  const short = inTheWay.filter(({ left = 0 }) => left > 0)
  if (short.length < inTheWay.length) {
    const names = inTheWay
      .filter((limit) => !short.includes(limit))
      .map(({ name, max }) => `${name} (${max})`)
    const exhausted = names.length === 1 ? `limit ${names[0]} is` : `limits ${names.join(' and ')} are`
    return `The ${exhausted} exhausted. Try again in ${retryAfter} seconds.`
  }
  const needs = short.map(
    ({ name, max, left }) =>
      `${name} (${max}) has ${left} left until its window ends, and ${amount} are needed.`,
  )
  const mayPass = short.every(({ max }) => amount <= max)
  return `${needs.join(' ')} Send fewer${mayPass ? `, or try again in ${retryAfter} seconds` : ''}.`
}
