/**
 * A pending event as a worker reads it, and its JSON for the marketplace (docs/notifications.md).
 */
import type { EventType } from './outbox.ts'
import type { MailLanguage } from './preferences.ts'

/** How a listing closed. */
export type Closing = {
  reason: string | null
  closed_at: string | null
  close_price: { amount: number; currency: string | null } | null
}

/** The listing of an event as recipients see it. */
export type ListingView = { listing: Record<string, unknown>; closing: Closing | null }

/** Makes the view from the stored row. Passed in, because this folder knows nothing of listings. */
export type ViewOfEvent = (
  stored: unknown,
  agency: { id: string; name: string; slug: string },
  baseUrl: string,
) => ListingView

/** An event pending in a lane. */
export type PendingEvent = {
  event_id: string
  property_id: string
  sequence: number
  type: EventType
  revision: number
  at: string
  /** The stored row of the listing; `ViewOfEvent` reads it. */
  listing: unknown
  changes: Record<string, { from: unknown; to: unknown }>
  actor_name: string
  attempts: number
  first_attempt_at: string | null
}

/** Emails changes to an agency. Passed in: this folder decides when to send, `mails/` what to write. */
export type MailChanges = (
  agency: Readonly<{ email: string | null; name: string; language: MailLanguage }>,
  changes: readonly Readonly<{ event: PendingEvent; view: ListingView }>[],
) => Promise<void>

/** Changed fields that are sent. A publication changes all others too. */
const stateFields = [
  'status',
  'reserved',
  'deleted',
  'external_id',
  'close_reason',
  'closed_at',
  'close_price',
]

/** The body of an event. It is the same for every attempt, unless the agency changes its name. */
export function marketplaceBody(event: PendingEvent, { listing, closing }: ListingView): string {
  return JSON.stringify({
    type: `listing.${event.type}`,
    timestamp: event.at,
    data: {
      event_id: event.event_id,
      sequence: event.sequence,
      changes: Object.fromEntries(
        Object.entries(event.changes).filter(([name]) => stateFields.includes(name)),
      ),
      closing,
      listing,
    },
  })
}
