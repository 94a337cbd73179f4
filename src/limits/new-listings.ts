/**
 * How many listings an agency makes (spec 'Limits'): counted in the row that locks its writes, so that to take costs no statement. The
 * windows are those of UTC, exact because nobody else writes meanwhile, and only ever go forward.
 */
import { rateLimited } from './take.ts'
import type { LimitName, Limits } from './table.ts'

/** The agency's counters as stored, and the moment at which they are asked for. Moments are ISO 8601. */
export type Counters = {
  now: string
  hour: string
  hour_new_listings: number
  day: string
  day_new_listings: number
}

/** What one transaction takes, listing by listing. */
export type NewListings = {
  /** @throws ApiError `rate_limited` naming each window without room; nothing is taken then */
  takeOne(limits: Limits): Promise<void>
  /** @returns a function that gives back what is taken from here on */
  mark(): () => void
  /** What is to be stored with the next revision: hour, used in it, day, used in it. */
  counted(): Promise<readonly [string, number, string, number]>
}

type Window = { name: LimitName; start: number; used: number; resets: number }

/** @param read gives the stored counters; the agency is locked */
export function newListings(read: () => Promise<Counters>): NewListings {
  let taken = 0
  let windows: readonly [Window, Window] | null = null
  const current = async (): Promise<readonly [Window, Window]> => {
    windows ??= windowsOf(await read())
    return windows
  }
  return {
    async takeOne(limits) {
      const inTheWay = (await current()).filter(({ name, used }) => used + taken + 1 > limits[name].max)
      if (inTheWay.length > 0) throw rateLimited(limits, inTheWay)
      taken += 1
    },
    mark() {
      const was = taken
      return () => {
        taken = was
      }
    },
    async counted() {
      const [hour, day] = await current()
      return [isoOf(hour.start), hour.used + taken, isoOf(day.start), day.used + taken]
    },
  }
}

const isoOf = (moment: number): string => new Date(moment).toISOString()

function windowsOf(counters: Counters): readonly [Window, Window] {
  const now = Date.parse(counters.now)
  const window = (name: LimitName, seconds: number, stored: string, used: number): Window => {
    const length = seconds * 1_000
    const was = Date.parse(stored)
    const start = Math.max(Math.floor(now / length) * length, was)
    const resets = Math.ceil((start + length - now) / 1_000)
    return { name, start, used: start === was ? used : 0, resets }
  }
  return [
    window('new_listings_per_hour', 3_600, counters.hour, counters.hour_new_listings),
    window('new_listings_per_day', 86_400, counters.day, counters.day_new_listings),
  ]
}
