/**
 * The general limit of requests without a valid key (spec 'Authentication' 8): so many together, and so many from one address.
 */
import ipaddr from 'ipaddr.js'
import type { Clock } from '../clock.ts'
import { hotStatement, type Db } from '../db/database.ts'
import { reaper } from '../db/reaper.ts'
import type { LimitName, Limits } from './table.ts'
import { rateLimited } from './take.ts'

/* What one address may not do any more is not counted against all. */
const count = hotStatement<{ own: number; everyone: number | null; resets: number }>(`
  with moment as (
    select now, date_trunc('minute', now) as minute, set_config('synchronous_commit', 'off', true)
    from (select clock_timestamp() + $2::float8 * interval '1 ms' as now) clock
  ), own as (
    insert into keyless_usage as u (subject, minute, used) select $1, minute, 1 from moment
    on conflict (subject) do update set minute = greatest(u.minute, excluded.minute),
      used = case when u.minute >= excluded.minute then u.used else 0 end + 1
    returning used
  ), everyone as (
    insert into keyless_usage as u (subject, minute, used) select '*', minute, 1 from moment, own where own.used <= $3
    on conflict (subject) do update set minute = greatest(u.minute, excluded.minute),
      used = case when u.minute >= excluded.minute then u.used else 0 end + 1
    returning used
  )
  select (select used from own) as own, (select used from everyone) as everyone,
    ceil(extract(epoch from minute + interval '1 minute' - now))::int as resets
  from moment`)

/** One subscriber has a whole /64 of IPv6 addresses, so these count as one. */
export function subjectOf(sent: string): string {
  // Some proxies tell the port too.
  const address = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(sent)
  const bare = address?.[1] ?? address?.[2] ?? sent
  if (!ipaddr.isValid(bare)) return 'unknown'
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/**
 * Counts a request without a valid key.
 * @param address of the client
 * @throws ApiError `rate_limited` when the limit is exhausted
 */
export async function takeKeyless(db: Db, address: string, limits: Limits, clock: Clock): Promise<void> {
  const own = limits.keyless_per_address_per_minute.max
  const [row] = await count(db, [subjectOf(address), clock.offsetMs, own])
  if (row === undefined) throw new Error('the statement of keyless requests always gives a row')
  const name: LimitName | null =
    row.own > own
      ? 'keyless_per_address_per_minute'
      : (row.everyone ?? 0) > limits.keyless_per_minute.max
        ? 'keyless_per_minute'
        : null
  if (name !== null) throw rateLimited(limits, [{ name, resets: row.resets }])
}

/** Deletes counters of addresses that have not been seen for an hour. */
export const reapKeyless = reaper({
  table: 'keyless_usage',
  key: 'subject',
  column: 'minute',
  keptFor: '1 hour',
})
