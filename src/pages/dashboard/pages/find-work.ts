/**
 * An agency's to-do list, for its first page and the page of all of it. Each part is found in a partial index and up to a
 * bound, so the page costs the same for large agencies.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { findKeyTroubles, findLastError, type KeyTrouble } from '../../../access/keys/key-trouble.ts'
import { type ListedKey, listKeys } from '../../../access/keys/keys.ts'
import { findUnmailed } from '../../../delivery/notifications/deliveries.ts'
import { findListingsToMend } from '../../../listings/warnings/listings-to-mend.ts'
import { countStale, findNearlyReady } from '../../../listings/warnings/nearly-ready.ts'
import { findMisplaced, findUnplaced } from '../../../listings/warnings/unplaced.ts'
import type { PageAgency } from '../visit.ts'
import { endsSoon } from './keys.ts'

/** Listings shown of each kind. */
export const mostShown = 3
/** Keys with trouble; an agency has few keys. */
const mostKeys = 5

export type Work = Awaited<ReturnType<typeof findWork>>

export async function findWork(db: Db, clock: Clock, agency: PageAgency) {
  const { id } = agency
  const [keys, photos, pins, places, drafts, stale, unmailed] = await Promise.all([
    listKeys(db, id, clock),
    findListingsToMend(db, id, { limit: mostShown }),
    findMisplaced(db, id),
    findUnplaced(db, id, mostShown),
    findNearlyReady(db, id),
    countStale(db, id, clock),
    findUnmailed(db, id, clock),
  ])
  const troubles = (await findKeyTroubles(db, id, keys, clock)).slice(0, mostKeys)
  const withErrors = await Promise.all(troubles.map((trouble) => withLastError(db, id, trouble)))
  return {
    keys,
    photos,
    pins,
    places,
    drafts,
    stale,
    unmailed,
    troubles: withErrors,
    ending: endingOf(keys, agency),
  }
}

async function withLastError(db: Db, agencyId: string, trouble: KeyTrouble) {
  if (trouble.kind === 'silent') return { ...trouble, last: null }
  return { ...trouble, last: await findLastError(db, agencyId, trouble.key.id) }
}

/** Nobody is reminded of test keys before they expire. */
function endingOf(keys: readonly ListedKey[], { isTest }: PageAgency): ListedKey[] {
  return isTest ? [] : keys.filter(endsSoon)
}

/** How many things there are to do, by kind. */
export function countWork({ photos, pins, places, drafts, stale, unmailed, troubles, ending }: Work): number {
  const kinds = [photos.length, pins.length, places.length, drafts.length, stale, unmailed === null ? 0 : 1]
  return kinds.filter((count) => count > 0).length + troubles.length + ending.length
}
