/** The limits of an agency's new listings (api.md 6.1), counted where they are created (listings/create-listings.ts). */
import { limitsInForce, type OwnLimits } from './of-agency.ts'
import { type InTheWay, inTheWay } from './refusal.ts'
import type { LimitName, Limits } from './table.ts'
import { secondsUntil, windowAt, windowFrom } from './window.ts'

/** The agency's counters of the current hour and day, and the present. Timestamps are ISO 8601. */
export type Counters = {
  now: string
  hour: string
  hour_new_listings: number
  day: string
  day_new_listings: number
  limits: OwnLimits | null
}

/** The windows without room for another new listing. @param defaults the agency's own limits take precedence */
export function fullWindows(counters: Counters, defaults: Limits): InTheWay[] {
  const limits = limitsInForce(defaults, counters.limits, counters.now)
  const windows: [LimitName, string, number][] = [
    ['new_listings_per_hour', counters.hour, counters.hour_new_listings],
    ['new_listings_per_day', counters.day, counters.day_new_listings],
  ]
  return windows.flatMap(([name, start, count]) => {
    const now = Date.parse(counters.now)
    const { used, endsAt } = windowAt(name, now, windowFrom(name, start, count))
    if (used < limits[name].max) return []
    return [inTheWay(name, limits[name], { used, resets: secondsUntil(endsAt, now) })]
  })
}
