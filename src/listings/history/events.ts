/**
 * Defines which writes cause notifications (api.md 17.1) and what their events contain, and shows their deliveries in a listing's history.
 */
import { realAgencyId } from '../../limits/real-agency.ts'
import type { Db } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/names/ids.ts'
import { type EventDeliveries, findEventDeliveries } from '../../delivery/notifications/deliveries.ts'
import { type EventType, eventTypes, type OutboxEvent } from '../../delivery/notifications/outbox.ts'
import type { ViewOfEvent } from '../../delivery/notifications/event.ts'
import {
  type Action,
  changesBetween,
  describedState,
  findNumberedHistory,
  type HistoryEntry,
  type NumberedEntry,
} from './history.ts'
import type { Listing } from '../listing.ts'
import { toProperty } from '../reading/shown/serialize.ts'

/** The event of a write, or null if the state did not change. @param after the listing after the write */
export function eventOf(action: Action, after: Listing): OutboxEvent | null {
  const type = typeOf(action, after.status)
  if (type === null) return null
  const { agency_id, id, version, updated_at } = after
  return { agency_id, id: uuidv7(), property_id: id, type, revision: version, at: updated_at, listing: after }
}

/** Whether an entry of the history causes notifications. */
export function isNotified({ action, changes }: Pick<HistoryEntry, 'action' | 'changes'>): boolean {
  return typeOf(action, changes['status']?.to) !== null
}

function typeOf(action: Action, status: unknown): EventType | null {
  if (action === 'created') return status === 'published' ? 'published' : null
  return eventTypes.find((type) => type === action) ?? null
}

/** The contents of a notification: the listing as the API shows it, how it closed, and what changed. */
export const viewOfEvent: ViewOfEvent = (event, agency, baseUrl) => {
  const listing = event.listing as Listing
  const { close_reason: reason, closed_at, close_price } = describedState(listing)
  const hasReason = listing.status === 'disabled' && reason !== null
  return {
    listing: toProperty(listing, agency, baseUrl),
    closing: hasReason ? { reason, closed_at, close_price } : null,
    changes: event.is_creation ? changesBetween(null, listing) : event.changes,
  }
}

/** An entry. One that caused notifications has `notification`, which is null once their deliveries are deleted. */
export type DeliveredEntry = HistoryEntry & { notification?: EventDeliveries | null }

/** The history of a listing, oldest first. @param listingId its uuid */
export async function findDeliveredHistory(db: Db, agencyId: string, listingId: string) {
  return withDeliveries(db, agencyId, listingId, await findNumberedHistory(db, agencyId, listingId))
}

export async function withDeliveries(
  db: Db,
  agencyId: string,
  listingId: string,
  history: readonly NumberedEntry[],
): Promise<DeliveredEntry[]> {
  // Changes in a test environment notify nobody.
  if ((await realAgencyId(db, agencyId)) !== agencyId) return history.map(({ entry }) => entry)
  const events = await findEventDeliveries(db, agencyId, listingId)
  return history.map(({ revision, entry }) => {
    if (!isNotified(entry)) return entry
    return { ...entry, notification: events.get(revision) ?? null }
  })
}
