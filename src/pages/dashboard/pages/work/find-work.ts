/** Finds an agency's to-do list. Parts about listings are read from an index up to a bound, so that large agencies cost no more. */
import { findKeyTroubles, findLastError, type KeyTrouble } from '../../../../access/keys/key-trouble.ts'
import { listKeys } from '../../../../access/keys/keys.ts'
import { findUnmailed } from '../../../../delivery/notifications/deliveries.ts'
import {
  countStale,
  findListingsWithWarnings,
  findMisplaced,
  findNearlyReady,
  findUnplaced,
} from '../../../../listings/reading/warnings/attention.ts'
import { endsSoon } from '../keys/keys.ts'
import type { PageAgency } from '../../serving/page.ts'
import type { Clock } from '../../../../platform/time/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'

/** The number of listings shown of each kind. */
export const maxShown = 3
/** The number of keys with trouble that are shown; an agency has few keys. */
const maxKeys = 5

export type Work = Awaited<ReturnType<typeof findWork>>

export async function findWork(db: Db, clock: Clock, agency: PageAgency) {
  const { id } = agency
  const [keys, photos, pins, unplaced, drafts, stale, unmailed] = await Promise.all([
    listKeys(db, id, clock),
    findListingsWithWarnings(db, id, { limit: maxShown }),
    findMisplaced(db, id),
    findUnplaced(db, id, maxShown),
    findNearlyReady(db, id),
    countStale(db, id, clock),
    findUnmailed(db, id, clock),
  ])
  const troubles = (await findKeyTroubles(db, id, keys, clock)).slice(0, maxKeys)
  const withErrors = await Promise.all(troubles.map((trouble) => withLastError(db, id, trouble)))
  return {
    keys,
    photos,
    pins,
    unplaced,
    drafts,
    stale,
    unmailed,
    troubles: withErrors,
    // Test keys expire without a reminder.
    ending: agency.isTest ? [] : keys.filter((key) => endsSoon(clock, key)),
  }
}

async function withLastError(db: Db, agencyId: string, trouble: KeyTrouble) {
  if (trouble.kind === 'silent') return { ...trouble, last: null }
  return { ...trouble, last: await findLastError(db, agencyId, trouble.key.id) }
}
