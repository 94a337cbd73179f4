/**
 * Takes from the limits that an agency has beside those of its keys (spec 'Limits'): fixed windows, exact under concurrency, kept
 * over restarts.
 */
import type { Clock } from '../clock.ts'
import { aheadStatement, boundedLock, type Sent, type Tx } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { limitRefusals } from '../figures.ts'
import type { LimitName, Limits } from './table.ts'

/** What is taken together: every window of it has to have room. */
const windowsOf = {
  new_listings: ['new_listings_per_hour', 'new_listings_per_day'],
  photos: ['photos_per_day'],
  geocoding: ['geocoding_per_minute', 'geocoding_per_day'],
} as const satisfies Record<string, readonly LimitName[]>

export type Taken = keyof typeof windowsOf

type Counted = { name: LimitName; used: number; resets: number }

/** @param more further columns, of which every row has the same */
const counting = (more = ''): string => `
  with windows as (
    select name, seconds, now, case seconds
      when 60 then date_trunc('minute', now) when 3600 then date_trunc('hour', now, 'UTC') else date_trunc('day', now, 'UTC')
    end as window_start
    from unnest($2::text[], $3::int[]) as wanted (name, seconds),
      (select clock_timestamp() + $5::float8 * interval '1 ms' as now, ${boundedLock}) moment
  ), counted as (
    insert into agency_usage as u (agency_id, name, window_start, used)
    select $1, name, window_start, $4 from windows order by name
    on conflict (agency_id, name) do update set
      window_start = greatest(u.window_start, excluded.window_start),
      used = case when u.window_start >= excluded.window_start then u.used else 0 end + excluded.used
    returning name, used, window_start
  )
  select c.name, c.used, ceil(extract(epoch from c.window_start + w.seconds * interval '1 second' - w.now))::int as resets${more}
  from counted c join windows w on w.name = c.name`
const count = aheadStatement<Counted>(counting())

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
  const sent = await sendCount(tx, taken, agencyId, amount, limits, clock)
  judge(await sent.rows(), 0, limits)
}

/**
 * Declares a statement that takes as `take` does, and in the same round asks something else: ahead of the next statement.
 * @param columns of one row, with parameters from $6 on
 * @returns a function that sends it; what that gives waits for the row, and a function that judges what became of the take: it throws
 *   what `take` throws
 */
export function takeAsking<Row>(columns: string) {
  const statement = aheadStatement<Counted & Row>(counting(`, ${columns}`))
  return async (
    tx: Tx,
    taken: Taken,
    agencyId: string,
    amount: number,
    { limits, clock }: { limits: Limits; clock: Clock },
    values: readonly unknown[],
  ): Promise<() => Promise<{ found: Row; judge: () => void }>> => {
    const sent = await statement(tx, [...countValues(taken, agencyId, amount, limits, clock), ...values])
    return async () => {
      const rows = await sent.rows()
      return { found: rows[0] as Row, judge: () => judge(rows, 0, limits) }
    }
  }
}

/** What one transaction takes of a limit, one by one, and counts at once in the end. */
export type Allotment = {
  /** @throws ApiError `rate_limited` */
  takeOne(): Promise<void>
  /** @returns a function that gives back what is taken from here on */
  mark(): () => void
  /** Counts what was taken, ahead of the next statement. */
  settle(): Promise<void>
}

/** Nobody else may take from the limit before the transaction ends. Where nothing is taken, nothing is asked. */
export function allot(tx: Tx, taken: Taken, agencyId: string, limits: Limits, clock: Clock): Allotment {
  let amount = 0
  let counted: readonly Counted[] | null = null
  return {
    async takeOne() {
      counted ??= await (await sendCount(tx, taken, agencyId, 0, limits, clock)).rows()
      judge(counted, amount + 1, limits)
      amount += 1
    },
    mark() {
      const was = amount
      return () => {
        amount = was
      }
    },
    async settle() {
      if (amount > 0) await sendCount(tx, taken, agencyId, amount, limits, clock)
    },
  }
}

function sendCount(
  tx: Tx,
  taken: Taken,
  agencyId: string,
  amount: number,
  limits: Limits,
  clock: Clock,
): Promise<Sent<Counted>> {
  return count(tx, countValues(taken, agencyId, amount, limits, clock))
}

function countValues(
  taken: Taken,
  agencyId: string,
  amount: number,
  limits: Limits,
  clock: Clock,
): unknown[] {
  const names = windowsOf[taken]
  return [agencyId, names, names.map((name) => limits[name].windowSeconds), amount, clock.offsetMs]
}

/** @throws ApiError `rate_limited` when `more` than what was counted has no room */
function judge(counted: readonly Counted[], more: number, limits: Limits): void {
  const inTheWay = counted.filter(({ name, used }) => used + more > limits[name].max)
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
