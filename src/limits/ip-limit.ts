/** The limits of IPs on public pages and map tiles. */
import { boundedMap } from '../platform/memory/bounded-map.ts'
import { currentWindow, secondsUntil, type Window, type WindowDeps } from './counters.ts'
import { blockingLimit, rateLimited } from './refusal.ts'
import { subjectOf } from './subject.ts'
import type { LimitName } from './table.ts'

const maxRemembered = 10_000

/**
 * Limits the requests of one IP in this process alone: for requests so cheap that a statement would cost more. With several processes, an
 * IP has the limit in each.
 * @returns a function that counts a request, and throws ApiError `rate_limited` if the limit is exhausted
 */
export function ipLimit(name: LimitName, { limits, clock }: WindowDeps): (ip: string) => void {
  const limit = limits[name]
  const counters = boundedMap<string, Window>({ max: maxRemembered })
  return (ip) => {
    const subject = subjectOf(ip)
    const now = Date.now() + clock.offsetMs
    const { used, endsAt } = currentWindow(name, now, counters.get(subject) ?? null)
    if (used >= limit.max)
      throw rateLimited([blockingLimit(name, limit, { used, resets: secondsUntil(endsAt, now) })])
    counters.set(subject, { used: used + 1, endsAt })
  }
}
