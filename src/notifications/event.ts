/**
 * An event on its way: what a worker reads of it, and the JSON that the marketplace is sent (docs/notifications.md).
 */
import type { EventType } from './outbox.ts'
import type { Language } from './preferences.ts'

/** How a listing closed. */
export type Closing = {
  reason: string | null
  closed_at: string | null
  close_price: { amount: number; currency: string | null } | null
}

/** The listing of an event as others see it. */
export type ListingView = { listing: Record<string, unknown>; closing: Closing | null }

/** Makes that of what the event stored. Passed in, since listings are nothing that is known here. */
export type ViewOfEvent = (
  stored: unknown,
  agency: { id: string; name: string; slug: string },
  baseUrl: string,
) => ListingView

/** One that waits in a lane, with what is told of it. */
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

/** Mails an agency what changed. Passed in: this room knows when to send, `mails/` what is written. */
export type MailChanges = (
  agency: Readonly<{ email: string | null; name: string; language: Language }>,
  changes: readonly Readonly<{ event: PendingEvent; view: ListingView }>[],
) => Promise<void>

/** Of the changed fields, those that make up the state; the rest of a publication is all of the listing. */
const stateFields = [
  'status',
  'reserved',
  'deleted',
  'external_id',
  'close_reason',
  'closed_at',
  'close_price',
]

/** The body of an event. The same for every attempt, unless the agency changes its name meanwhile. */
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
