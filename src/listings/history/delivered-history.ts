/**
 * A listing's history, with the deliveries of the notifications that its changes of state caused.
 */
import { originalOf } from '../../agencies/twins.ts'
import type { Db } from '../../platform/db/database.ts'
import { type EventDeliveries, findEventDeliveries } from '../../delivery/notifications/deliveries.ts'
import { isNotified } from './events.ts'
import { findNumberedHistory, type HistoryEntry, type NumberedEntry } from './history.ts'

/** An entry. One that caused notifications has `notification`, which is null once their deliveries are deleted. */
export type DeliveredEntry = HistoryEntry & { notification?: EventDeliveries | null }

/** As `findHistory`, oldest first. `propertyId` is the listing's uuid. */
export async function findDeliveredHistory(
  db: Db,
  agencyId: string,
  propertyId: string,
): Promise<DeliveredEntry[]> {
  return withDeliveries(db, agencyId, propertyId, await findNumberedHistory(db, agencyId, propertyId))
}

/** Adds to entries what became of their notifications. */
export async function withDeliveries(
  db: Db,
  agencyId: string,
  propertyId: string,
  history: readonly NumberedEntry[],
): Promise<DeliveredEntry[]> {
  // Changes in a test environment notify nobody.
  if ((await originalOf(db, agencyId)) !== agencyId) return history.map(({ entry }) => entry)
  const events = await findEventDeliveries(db, agencyId, propertyId)
  return history.map(({ revision, entry }) => {
    if (!isNotified(entry)) return entry
    return { ...entry, notification: events.get(revision) ?? null }
  })
}
