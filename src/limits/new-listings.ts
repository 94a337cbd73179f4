/** The limits of an agency's new listings (api.md 6.1), counted where they are created (listings/create-listings.ts). */
import { limitsInForce, type OwnLimits } from './of-agency.ts'
import { type InTheWay, inTheWay } from './refusal.ts'
import { defaultLimits, type LimitName, type Limits } from './table.ts'
import { windowAt } from './window.ts'

/** The agency's counters of the current hour and day, and the present. Moments are ISO 8601. */
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
    const stored = { start: Date.parse(start), used: count }
    const { used, resets } = windowAt(Date.parse(counters.now), defaultLimits[name].windowSeconds, stored)
    return used < limits[name].max ? [] : [inTheWay(name, limits[name], { used, resets })]
  })
}
