/**
 * A listing's history, with the deliveries of the notifications that its changes of state caused.
 */
import { originalOf } from '../agencies/twins.ts'
import type { Db } from '../db/database.ts'
import { type EventDeliveries, findEventDeliveries } from '../notifications/deliveries.ts'
import { isNotified } from './events.ts'
import { findHistoryPage, findNumberedHistory, type HistoryEntry, type NumberedEntry } from './history.ts'

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

/** A page of it, latest first. */
export async function findDeliveredPage(
  db: Db,
  agencyId: string,
  propertyId: string,
  window: { limit: number; offset: number },
): Promise<{ entries: DeliveredEntry[]; hasMore: boolean }> {
  const found = await findHistoryPage(db, agencyId, propertyId, { ...window, limit: window.limit + 1 })
  const shown = found.slice(0, window.limit)
  const entries = await withDeliveries(db, agencyId, propertyId, shown)
  return { entries, hasMore: found.length > window.limit }
}

async function withDeliveries(
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
