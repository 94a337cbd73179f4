/**
 * Keys whose systems need attention: most requests fail, an expired key is still used, or requests have stopped. Derived from the daily
 * counts of the request log.
 */
import type { Clock } from '../../platform/time/clock.ts'
import { dayMs } from '../../platform/time/days.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import type { ListedKey } from './keys.ts'

/** Not a failure: systems use it to check whether a listing exists. */
const harmless = new Set(['', 'not_found'])
/** Fewer failures than these, or a smaller share, may be chance. */
const minFailures = 20
const minShare = 0.25
const minOfEnded = 3

/** The days examined for a key's habit, and the number of days on which it must have been used. */
const habitDays = 28
const minActiveDays = 8

export type KeyTrouble =
  /** `requests`: since yesterday, 0:00 UTC. `code`: the most frequent error. */
  | { kind: 'failing'; key: ListedKey; failures: number; requests: number; code: string }
  | { kind: 'ended'; key: ListedKey; failures: number; code: string }
  /** `since`: the last UTC day with a request that succeeded. */
  | { kind: 'silent'; key: ListedKey; since: string }

const moment = `moment as materialized (
    select date_trunc('day', clock_timestamp() + $2::float8 * interval '1 ms', 'UTC') as today)`

/** Requests of today and yesterday in UTC; the code is empty if they succeeded. Values: agency, the clock's offset. */
const recentCounts = statement<{ key_id: string; code: string; requests: number }>(`
  with ${moment}
  select key_id, code, sum(requests)::int as requests from request_days
  where agency_id = $1 and day >= (select today - interval '1 day' from moment) group by key_id, code`)

/** `ages`: in days, the latest first. */
const habits = statement<{ key_id: string; today: string; ages: number[] }>(`
  with ${moment}
  select key_id, (select today from moment)::timestamptz(3) as today,
    array_agg(extract(day from (select today from moment) - day)::int order by day desc) as ages
  from request_days
  where agency_id = $1 and code = '' and day >= (select today - interval '${habitDays} days' from moment) group by key_id`)

type LastError = { request_id: string; code: string; at: string }

/** Finds a key's latest error among its last 500 requests: an error that matters recurs. */
const lastError = statement<LastError>(`
  select request_id, code, at from (
    select request_id, code, at from request_log where agency_id = $1 and key_id = $2 order by request_id desc limit 500) latest
  where code is not null and code <> 'not_found' order by request_id desc limit 1`)

/** The latest error of a key that is in the request log; null where there is none. */
export async function findLastError(db: Db, agencyId: string, keyId: string): Promise<LastError | null> {
  return (await lastError(db, [agencyId, keyId]))[0] ?? null
}

/** @param keys all of the agency */
export async function findKeyTroubles(db: Db, agencyId: string, keys: readonly ListedKey[], clock: Clock) {
  const values = [agencyId, clock.offsetMs]
  const [counts, active] = await Promise.all([recentCounts(db, values), habits(db, values)])
  const ofKeys = Map.groupBy(counts, (one) => one.key_id)
  return keys.flatMap((key): KeyTrouble[] => {
    const failing = failingOf(key, ofKeys.get(key.id) ?? [])
    if (failing !== null) return [failing]
    const habit = active.find((one) => one.key_id === key.id)
    if (key.status !== 'active' || !key.scopes.includes('properties:write')) return []
    if (habit === undefined || !isSilent(habit.ages)) return []
    const since = new Date(Date.parse(habit.today) - (habit.ages[0] ?? 0) * dayMs).toISOString()
    return [{ kind: 'silent', key, since }]
  })
}

function failingOf(key: ListedKey, counts: readonly { code: string; requests: number }[]): KeyTrouble | null {
  const wrong = counts.filter(({ code }) => !harmless.has(code))
  const failures = sum(wrong)
  const [worst] = wrong.toSorted((one, other) => other.requests - one.requests)
  if (worst === undefined) return null
  const { code } = worst
  if (key.status !== 'active') return failures < minOfEnded ? null : { kind: 'ended', key, failures, code }
  const requests = sum(counts)
  if (failures < minFailures || failures < minShare * requests) return null
  return { kind: 'failing', key, failures, requests, code }
}

const sum = (counts: readonly { requests: number }[]): number =>
  counts.reduce((total, { requests }) => total + requests, 0)

/**
 * Whether a key that was used often has now been silent for at least a whole day longer than ever in these weeks. A key that rests at
 * weekends is not silent on a Monday.
 * @param ages days ago, the latest first
 */
export function isSilent(ages: readonly number[]): boolean {
  const [latest] = ages
  if (latest === undefined || ages.length < minActiveDays) return false
  const pauses = ages.slice(1).map((age, index) => age - (ages[index] ?? 0))
  return latest >= Math.max(...pauses) + 2
}
