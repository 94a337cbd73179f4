/**
 * The limits of requests without a valid key (api.md 6.5): for each IP, and for all together.
 */
import ipaddr from 'ipaddr.js'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { statement } from '../platform/db/statement.ts'
import { reaper } from '../platform/db/reaper.ts'
import { shareStatement } from '../platform/db/shared-statement.ts'
import { boundedMap } from '../platform/memory/bounded-map.ts'
import type { LimitName, Limits } from './table.ts'
import { inTheWay, type InTheWay, rateLimited } from './refusal.ts'

type Counted = {
  subject: string
  /** How many of the IP's requests its own limit lets pass; null where nothing was counted. */
  granted: number | null
  used: number
  /** How many requests of all these IPs the shared limit lets pass. */
  shared_granted: number
  shared_used: number
  /** Seconds until the minute is over. */
  resets: number
}

/**
 * Counts requests without a valid key, for each IP and for all together. Values: IPs, requests of each, the clock's offset in milliseconds,
 * the limit of an IP, the shared limit.
 *
 * An IP over its own limit no longer counts toward the shared one. If the committed counters leave no room, nothing is written: they
 * only rise within a minute. The shared row is always locked last, and the others in the order of their IPs, so that statements never
 * wait for each other in a circle.
 */
const count = statement<Counted>(`
  with moment as (
    select now, date_bin('1 minute', now, 'epoch') as minute, set_config('synchronous_commit', 'off', true)
    from (select clock_timestamp() + $3::float8 * interval '1 ms' as now) clock
  ), known as (
    select wanted.subject, wanted.requests, coalesce(u.used, 0) as used, coalesce(shared.used, 0) as shared_used
    from moment cross join unnest($1::text[], $2::int[]) as wanted (subject, requests)
    left join keyless_usage u on u.subject = wanted.subject and u.minute >= moment.minute
    left join keyless_usage shared on shared.subject = '*' and shared.minute >= moment.minute
  ), own as (
    insert into keyless_usage as u (subject, minute, used)
    select subject, minute, requests from known cross join moment
    where used < $4::int and shared_used < $5::int order by subject
    on conflict (subject) do update set minute = greatest(u.minute, excluded.minute),
      used = case when u.minute >= excluded.minute then u.used else 0 end + excluded.used
    returning subject, used
  ), granted as (
    select subject, own.used, greatest(0, least(requests, $4 - own.used + requests)) as granted
    from own join known using (subject)
  ), shared as (
    insert into keyless_usage as u (subject, minute, used)
    select '*', minute, sum(granted) from moment cross join granted group by minute having sum(granted) > 0
    on conflict (subject) do update set minute = greatest(u.minute, excluded.minute),
      used = case when u.minute >= excluded.minute then u.used else 0 end + excluded.used
    returning used
  )
  select subject, granted.granted, coalesce(granted.used, known.used) as used,
    coalesce(greatest(0, least(total, $5 - shared.used + total)), 0)::int as shared_granted,
    coalesce(shared.used, known.shared_used) as shared_used,
    extract(epoch from minute + interval '1 minute' - now)::float8 as resets
  from moment cross join known left join granted using (subject) left join shared on true
  cross join (select sum(granted) as total from granted) all_granted`)

const bounds = { mostInFlight: 1, mostAtOnce: 500 }
const mostRemembered = 10_000
const everyone = '*'

/** The name under which an IP is counted: for IPv6 its whole /64, because one subscriber has that much. */
export function subjectOf(ip: string): string {
  // Some proxies add the port.
  const withPort = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip)
  const bare = withPort?.[1] ?? withPort?.[2] ?? ip
  if (!ipaddr.isValid(bare)) return 'unknown'
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Counts a request without a valid key. @throws ApiError `rate_limited` when the limit is exhausted */
export type ChargeKeyless = (ip: string) => Promise<void>

/** The windows in the way. If there are none, the request passes. */
type Refusal = InTheWay[]

/**
 * Makes the function that charges. An exhausted limit is remembered until its minute is over, and needs no statement until then: these
 * limits do not change while the process runs, and no counter falls within its minute.
 */
export function keylessLimit(db: Db, limits: Limits, clock: Clock): ChargeKeyless {
  const ownMost = limits.keyless_per_address_per_minute.max
  const sharedMost = limits.keyless_per_minute.max
  /** When the limit has room again, in milliseconds of this process's clock; `*` for all IPs together. */
  const exhausted = boundedMap<string, number>({ most: mostRemembered })
  const now = (): number => performance.now() + clock.offsetMs

  const refusal = (name: LimitName, resets: number): Refusal => [
    inTheWay(name, limits[name], { used: limits[name].max, resets }),
  ]
  const own = (resets: number) => refusal('keyless_per_address_per_minute', resets)
  const shared = (resets: number) => refusal('keyless_per_minute', resets)
  const remembered = (subject: string): Refusal => {
    const secondsOf = (of: string) => Math.ceil(((exhausted.get(of) ?? 0) - now()) / 1_000)
    const [ownLeft, sharedLeft] = [secondsOf(subject), secondsOf(everyone)]
    return [...(ownLeft > 0 ? own(ownLeft) : []), ...(sharedLeft > 0 ? shared(sharedLeft) : [])]
  }

  const charge = async (subjects: readonly string[]): Promise<Refusal[]> => {
    const requests = new Map<string, number>()
    for (const subject of subjects) requests.set(subject, (requests.get(subject) ?? 0) + 1)
    // The database reads its clock later than this, so nothing is remembered too long.
    const asked = now()
    const rows = await count(db, [
      [...requests.keys()],
      [...requests.values()],
      clock.offsetMs,
      ownMost,
      sharedMost,
    ])
    const [first] = rows as [Counted]
    if (first.shared_used >= sharedMost) exhausted.set(everyone, asked + first.resets * 1_000)
    for (const { subject, used, resets } of rows)
      if (used >= ownMost) exhausted.set(subject, asked + resets * 1_000)

    const counted = new Map(rows.map((row) => [row.subject, { ...row, left: row.granted ?? 0 }]))
    let sharedLeft = first.shared_granted
    return subjects.map((subject) => {
      const found = counted.get(subject) as Counted & { left: number }
      const resets = Math.ceil(found.resets)
      if (found.left > 0 && sharedLeft > 0) {
        found.left -= 1
        sharedLeft -= 1
        return []
      }
      const isOwn = found.left === 0 && found.used >= ownMost
      const isShared = !isOwn || found.shared_used >= sharedMost
      return [...(isOwn ? own(resets) : []), ...(isShared ? shared(resets) : [])]
    })
  }

  const ask = shareStatement(charge, bounds)
  return async (ip) => {
    const subject = subjectOf(ip)
    const known = remembered(subject)
    const refusal = known.length > 0 ? known : await ask(subject)
    if (refusal.length > 0) throw rateLimited(refusal)
  }
}

/** Deletes counters of IPs not seen for an hour. */
export const reapKeyless = reaper({
  table: 'keyless_usage',
  key: 'subject',
  column: 'minute',
  keptFor: '1 hour',
})
