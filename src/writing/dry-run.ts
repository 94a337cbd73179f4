/**
 * A dry run of a write (api.md 19): it is judged as the real one and then rolled back. Notes what the real one would take from the limits
 * instead of taking it.
 */
import type { Cost } from '../limits/room.ts'
import type { LimitName } from '../limits/table.ts'

export type DryRun = {
  readonly cost: Cost
  /** Limits of state changes that have no room → seconds until they have. */
  readonly exhausted: Map<LimitName, number>
  /** The photos that changed listings have now, by the listing's uuid. */
  readonly photosNow: Map<string, readonly string[]>
}

/** A dry run that has taken nothing yet but one write. */
export function newDryRun(): DryRun {
  return {
    cost: { writes: 1, new_listings: 0, photos: 0, state_changes: 0 },
    exhausted: new Map(),
    photosNow: new Map(),
  }
}
