/** Whether the limits have room for what a dry run would take (api.md 19.3). */
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { LimitName, Limits, reportedLimits } from './table.ts'
import { inTheWay } from './refusal.ts'
import { findUsage } from './usage.ts'

/** The amounts that a write takes from the limits. */
export type Cost = { writes: number; new_listings: number; photos: number; state_changes: number }

/** `retryAfter` in seconds: the end of the last window that has no room; null if all have. */
type Room = { ok: boolean; limits: LimitName[]; retry_after: number | null }

/** The windows that each part of a cost is taken from. The windows of state changes belong to the listing. */
const windowsOf = {
  writes: ['writes_per_minute', 'writes_per_day'],
  new_listings: ['new_listings_per_hour', 'new_listings_per_day'],
  photos: ['photos_per_day'],
} as const satisfies Partial<Record<keyof Cost, readonly (typeof reportedLimits)[number][]>>

/**
 * Compares the cost with what the key and its agency have left now.
 * @param exhausted limits of state changes that have no room → seconds until they have
 */
export async function findRoom(
  db: Db,
  agencyId: string,
  keyId: string,
  defaults: Limits,
  clock: Clock,
  { cost, exhausted }: { cost: Cost; exhausted: ReadonlyMap<LimitName, number> },
): Promise<Room> {
  const { now, limits, usage } = await findUsage(db, agencyId, keyId, defaults, clock)
  const ofWindows = Object.entries(windowsOf).flatMap(([part, names]) => {
    const needed = cost[part as keyof typeof windowsOf]
    return names
      .filter((name) => usage[name].remaining < needed)
      .map((name): [LimitName, number] => {
        const { used, resets_at: resetsAt } = usage[name]
        const resets = secondsBetween(now, resetsAt)
        return [name, inTheWay(name, limits[name], { used, needed, resets }).resets]
      })
  })
  const full = new Map([...ofWindows, ...exhausted])
  if (full.size === 0) return { ok: true, limits: [], retry_after: null }
  return { ok: false, limits: [...full.keys()], retry_after: Math.max(1, ...full.values()) }
}

const secondsBetween = (from: string, to: string): number =>
  Math.ceil((Date.parse(to) - Date.parse(from)) / 1_000)
