/**
 * A dry run of a write (api.md 19): checked like the real one, then rolled back. It notes what the real one would take from the limits
 * instead of taking it.
 */
import type { Cost } from '../../limits/usage.ts'
import type { LimitName } from '../../limits/table.ts'

export type DryRun = {
  readonly cost: Cost
  /** Limits of state changes that have no room → seconds until they have. */
  readonly exhausted: Map<LimitName, number>
  /** The current photos of the listings that would change, by the listing's uuid. */
  readonly photosNow: Map<string, readonly string[]>
}

/** A dry run that costs one write so far. */
export function newDryRun(): DryRun {
  return {
    cost: { writes: 1, new_listings: 0, photos: 0, state_changes: 0 },
    exhausted: new Map(),
    photosNow: new Map(),
  }
}
