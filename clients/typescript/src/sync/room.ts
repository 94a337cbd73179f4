/**
 * Tracks what remains of the limits, from the last `me()` response and the requests since, and estimates the time that a plan needs.
 */
import type { Me } from '../types.ts'

export type Need = { writes: number; newListings: number; photos: number }

export const nothing: Need = { writes: 0, newListings: 0, photos: 0 }

export function plus(a: Need, b: Need): Need {
  return {
    writes: a.writes + b.writes,
    newListings: a.newListings + b.newListings,
    photos: a.photos + b.photos,
  }
}

/** Limit → the part of a need that it counts. */
const counted: Readonly<Record<string, keyof Need>> = {
  writes_per_minute: 'writes',
  writes_per_day: 'writes',
  new_listings_per_hour: 'newListings',
  new_listings_per_day: 'newListings',
  photos_per_day: 'photos',
}

/** Limits of a single listing. A run does not wait for them. */
export const ofOneListing: ReadonlySet<string> = new Set([
  'state_changes_per_day',
  'disables_per_day',
  'enables_per_day',
])

type Window = { max: number; remaining: number; resetsAt: number; windowMs: number }

export type Estimate = { ms: number; limit: string; max: number } | { never: string }

export class Room {
  #windows = new Map<string, Window>()
  readonly #now: () => number

  constructor(me: Me, now: () => number) {
    this.#now = now
    this.refresh(me)
  }

  refresh(me: Me): void {
    // Another version of the service may not have all of them.
    const limits: Partial<Record<string, Me['limits'][keyof Me['limits']]>> = me.limits
    const usage: Partial<Record<string, Me['usage'][keyof Me['usage']]>> = me.usage
    this.#windows = new Map(
      Object.keys(counted).flatMap((name): [string, Window][] => {
        const limit = limits[name]
        const used = usage[name]
        if (limit?.window_seconds == null || used === undefined) return []
        const windowMs = limit.window_seconds * 1_000
        return [
          [
            name,
            { max: limit.max, remaining: used.remaining, resetsAt: Date.parse(used.resets_at), windowMs },
          ],
        ]
      }),
    )
  }

  /** The limits that have no room for it now. */
  short(need: Need): string[] {
    return this.#each(need).flatMap(([name, window, wanted]) => (wanted > window.remaining ? [name] : []))
  }

  /** The limits that will never have room for it. */
  never(need: Need): string[] {
    return this.#each(need).flatMap(([name, window, wanted]) => (wanted > window.max ? [name] : []))
  }

  /** When the last of these windows opens again. */
  opensAt(names: readonly string[]): number {
    return Math.max(...names.map((name) => this.#windows.get(name)?.resetsAt ?? 0))
  }

  /** The sum of these limits: it grows when one is raised. */
  maxima(names: readonly string[]): number {
    return names.reduce((sum, name) => sum + (this.#windows.get(name)?.max ?? 0), 0)
  }

  charge(need: Need): void {
    for (const [, window, wanted] of this.#each(need)) window.remaining -= wanted
  }

  /** How long the limits make it take, and which of them the longest; null if all of it may be done at once. */
  estimate(need: Need): Estimate | null {
    let longest: Estimate | null = null
    for (const [limit, { max, remaining, resetsAt, windowMs }, wanted] of this.#each(need)) {
      if (wanted <= remaining) continue
      if (max === 0) return { never: limit }
      const windows = Math.ceil((wanted - remaining) / max)
      const ms = resetsAt - this.#now() + (windows - 1) * windowMs
      if (longest === null || ms > longest.ms) longest = { ms, limit, max }
    }
    return longest
  }

  /** The limits that count a part of the need, and how much of it. Starts a new window for each one that has passed. */
  #each(need: Need): [string, Window, number][] {
    const now = this.#now()
    return [...this.#windows].flatMap(([name, window]): [string, Window, number][] => {
      if (now >= window.resetsAt) {
        window.resetsAt += Math.ceil((now - window.resetsAt + 1) / window.windowMs) * window.windowMs
        window.remaining = window.max
      }
      const wanted = need[counted[name] ?? 'writes']
      return wanted > 0 ? [[name, window, wanted]] : []
    })
  }
}
