/**
 * A listing's history with what became of the notifications of each change of state.
 */
import type { Db } from '../db/database.ts'
import { type EventDeliveries, findEventDeliveries } from '../notifications/queue.ts'
import { isNotified } from './events.ts'
import { findNumberedHistory, type HistoryEntry } from './history.ts'

/**
 * An entry; `notification` is there where the entry is a change of state that others are told of, and null where that was so long ago
 * that what became of it is no longer kept.
 */
export type DeliveredEntry = HistoryEntry & { notification?: EventDeliveries | null }

/** As `findHistory`, oldest first. `propertyId` is the listing's uuid. */
export async function findDeliveredHistory(
  db: Db,
  agencyId: string,
  propertyId: string,
): Promise<DeliveredEntry[]> {
  const history = await findNumberedHistory(db, agencyId, propertyId)
  const events = await findEventDeliveries(db, agencyId, propertyId)
  return history.map(({ revision, entry }) => {
    if (!isNotified(entry)) return entry
    return { ...entry, notification: events.get(revision) ?? null }
  })
}
