/**
 * Takes from the limits of photos and geocoding, which an agency has beside those of its keys (spec 'Limits'): fixed windows, exact under
 * concurrency, kept over restarts.
 */
import type { Clock } from '../clock.ts'
import { boundedLock, hotStatement, type Tx } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { limitRefusals } from '../figures.ts'
import type { LimitName, Limits } from './table.ts'

/** What is taken together: every window of it has to have room. */
const windowsOf = {
  photos: ['photos_per_day'],
  geocoding: ['geocoding_per_minute', 'geocoding_per_day'],
} as const satisfies Record<string, readonly LimitName[]>

export type Taken = keyof typeof windowsOf

type Counted = { name: LimitName; used: number; resets: number }

/*
 * What has no room by what is committed is refused without a write: within a window the counters only rise, and a row version that is
 * rolled back makes the row slower all the same. The others are counted in their locked rows, and judged by what these say then.
 */
const count = hotStatement<Counted>(`
  with windows as (
    select name, seconds, max, now, case seconds
      when 60 then date_trunc('minute', now) when 3600 then date_trunc('hour', now, 'UTC') else date_trunc('day', now, 'UTC')
    end as window_start
    from unnest($2::text[], $3::int[], $6::int[]) as wanted (name, seconds, max),
      (select clock_timestamp() + $5::float8 * interval '1 ms' as now, ${boundedLock}) moment
  ), known as (
    select w.name, w.seconds, w.max, w.now, greatest(u.window_start, w.window_start) as window_start,
      case when u.window_start >= w.window_start then u.used else 0 end as used
    from windows w left join agency_usage u on u.agency_id = $1 and u.name = w.name
  ), counted as (
    insert into agency_usage as u (agency_id, name, window_start, used)
    select $1, name, window_start, $4 from windows
    where not exists (select from known where used + $4 > max) order by name
    on conflict (agency_id, name) do update set
      window_start = greatest(u.window_start, excluded.window_start),
      used = case when u.window_start >= excluded.window_start then u.used else 0 end + excluded.used
    returning name, used, window_start
  )
  select k.name, coalesce(c.used, k.used + $4) as used,
    ceil(extract(epoch from coalesce(c.window_start, k.window_start) + k.seconds * interval '1 second' - k.now))::int as resets
  from known k left join counted c on c.name = k.name`)

/**
 * Takes `amount` in the transaction; what it takes lasts only if that commits.
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
  const seconds = names.map((name) => limits[name].windowSeconds)
  const maxima = names.map((name) => limits[name].max)
  const counted = await count(tx, [agencyId, names, seconds, amount, clock.offsetMs, maxima])
  const inTheWay = counted.filter(({ name, used }) => used > limits[name].max)
  if (inTheWay.length > 0) throw rateLimited(limits, inTheWay)
}

/** 429 naming the limits in the way; seconds until the last of them reopens. */
export function rateLimited(
  limits: Limits,
  inTheWay: readonly { name: LimitName; resets: number }[],
): ApiError {
  for (const { name } of inTheWay) limitRefusals.add(name)
  const retryAfter = Math.max(1, ...inTheWay.map(({ resets }) => resets))
  const names = inTheWay.map(({ name }) => `${name} (${limits[name].max})`).join(' and ')
  return new ApiError('rate_limited', {
    message: `The limit ${names} is exhausted. Try again in ${retryAfter} seconds.`,
    headers: { 'retry-after': String(retryAfter) },
    extra: { retry_after: retryAfter },
  })
}
