/**
 * Limits requests of one IP in this process alone: for requests so cheap that a statement would cost more. With several processes an IP
 * has the limit in each.
 */
import type { Clock } from '../platform/clock.ts'
import { boundedMap } from '../platform/memory/bounded-map.ts'
import { subjectOf } from './keyless.ts'
import { inTheWay, rateLimited } from './refusal.ts'
import type { LimitName, Limits } from './table.ts'
import { secondsUntil, type Window, windowAt } from './window.ts'

const mostRemembered = 10_000

/** @returns counts a request. @throws ApiError `rate_limited` */
export function ipLimit(name: LimitName, limits: Limits, clock: Clock): (ip: string) => void {
  const limit = limits[name]
  const counters = boundedMap<string, Window>({ most: mostRemembered })
  return (ip) => {
    const subject = subjectOf(ip)
    const now = Date.now() + clock.offsetMs
    const { used, endsAt } = windowAt(name, now, counters.get(subject) ?? null)
    if (used >= limit.max)
      throw rateLimited([inTheWay(name, limit, { used, resets: secondsUntil(endsAt, now) })])
    counters.set(subject, { used: used + 1, endsAt })
  }
}
