/**
 * The notes of a dry run (api.md 19): a write like the real one, whose commit rolls back. It is not charged, but notes what the real one
 * would take from the limits.
 */
import type { BlockingLimit } from '../limits/refusal.ts'
import type { LimitName } from '../limits/table.ts'
import type { Cost } from '../limits/usage.ts'

export type DryRun = {
  /** Forgets the notes of an earlier run. */
  begin(): void
  readonly cost: Readonly<Cost>
  /** Limits of state changes that have no room → seconds until they have. */
  readonly exhausted: ReadonlyMap<LimitName, number>
  /** The stored photos of the listings that would change, by the listing's uuid. */
  readonly photosNow: ReadonlyMap<string, readonly string[]>
  addCost(more: Partial<Cost>): void
  addExhausted(limits: readonly BlockingLimit[]): void
  /** Notes the photos of a listing before a change. Only its first change has those that are stored. */
  rememberPhotos(before: { id: string; photos: readonly string[] }): void
}

const oneWrite: Readonly<Cost> = { writes: 1, new_listings: 0, photos: 0, state_changes: 0 }

/** A dry run that costs one write so far. */
export function newDryRun(): DryRun {
  const cost = { ...oneWrite }
  const exhausted = new Map<LimitName, number>()
  const photosNow = new Map<string, readonly string[]>()
  return {
    cost,
    exhausted,
    photosNow,
    begin() {
      Object.assign(cost, oneWrite)
      exhausted.clear()
      photosNow.clear()
    },
    addCost(more) {
      for (const [part, amount] of Object.entries(more)) cost[part as keyof Cost] += amount
    },
    addExhausted(limits) {
      for (const { name, resets } of limits) exhausted.set(name, Math.max(resets, exhausted.get(name) ?? 0))
    },
    rememberPhotos({ id, photos }) {
      if (!photosNow.has(id)) photosNow.set(id, photos)
    },
  }
}
