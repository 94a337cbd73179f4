/**
 * Counts an agency's new listings (api.md 6.1) in the row that locks its writes: that costs no statement of its own, and is exact
 * because nobody else writes meanwhile.
 */
import { limitsInForce, type OwnLimits } from './of-agency.ts'
import { type InTheWay, inTheWay, rateLimited } from './refusal.ts'
import { defaultLimits, type LimitName, type Limits } from './table.ts'
import { windowAt } from './window.ts'

/** The agency's counters as stored, and the present. Moments are ISO 8601. */
export type Counters = {
  now: string
  hour: string
  hour_new_listings: number
  day: string
  day_new_listings: number
  limits: OwnLimits | null
}

/** New listings of one transaction, taken one by one. */
export type NewListings = {
  /**
   * @param defaults the agency's own limits go before them
   * @throws ApiError `rate_limited` naming each exhausted window; then nothing is taken
   */
  takeOne(defaults: Limits): void
  /** The windows without room for one more. */
  inTheWay(defaults: Limits): InTheWay[]
  /** @returns a function that gives back what is taken from here on */
  mark(): () => void
  /** To be stored with the next revision: hour, used in it, day, used in it. */
  counted(): readonly [string, number, string, number]
}

type Window = ReturnType<typeof windowAt> & { name: LimitName }

/** @param stored counters of the agency, which is locked */
export function newListings(stored: Counters): NewListings {
  let taken = 0
  const windows = windowsOf(stored)
  const findFull = (defaults: Limits): InTheWay[] => {
    const limits = limitsInForce(defaults, stored.limits, stored.now)
    return windows.flatMap(({ name, used, resets }) => {
      const usedNow = used + taken
      return usedNow < limits[name].max ? [] : [inTheWay(name, limits[name], { used: usedNow, resets })]
    })
  }
  return {
    inTheWay: findFull,
    takeOne(defaults) {
      const full = findFull(defaults)
      if (full.length > 0) throw rateLimited(full)
      taken += 1
    },
    mark() {
      const was = taken
      return () => {
        taken = was
      }
    },
    counted() {
      const [hour, day] = windows
      return [isoOf(hour.start), hour.used + taken, isoOf(day.start), day.used + taken]
    },
  }
}

const isoOf = (moment: number): string => new Date(moment).toISOString()

function windowsOf(counters: Counters): readonly [Window, Window] {
  const window = (name: LimitName, start: string, used: number): Window => {
    const stored = { start: Date.parse(start), used }
    return { name, ...windowAt(Date.parse(counters.now), defaultLimits[name].windowSeconds, stored) }
  }
  return [
    window('new_listings_per_hour', counters.hour, counters.hour_new_listings),
    window('new_listings_per_day', counters.day, counters.day_new_listings),
  ]
}
