/** A pending event as a worker reads it, and its JSON for the marketplace (docs/notifications.md). */
import type { Actor } from '../../writing/actor.ts'
import type { EventType } from './outbox.ts'
import type { MailLanguage } from './preferences.ts'

/** Why a listing is suspended; for one that was sold or rented, with date and price. */
export type EventClosing = {
  reason: string | null
  closed_at: string | null
  close_price: { amount: number; currency: string | null } | null
}

/** The changed fields, by their API names. */
type Changes = Record<string, { from: unknown; to: unknown }>

/** The listing of an event as recipients see it, and what changed. */
export type ListingView = { listing: Record<string, unknown>; closing: EventClosing | null; changes: Changes }

/** Makes the view from the stored row. Passed in, because this folder knows nothing of listings. */
export type ViewOfEvent = (
  event: Pick<PendingEvent, 'listing' | 'is_creation' | 'changes'>,
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
  /** Whether the event is the listing's creation, whose changes are the listing itself. */
  is_creation: boolean
  changes: Changes
  /** Null without an entry in the history. `name`: null if the person was erased. */
  actor: Readonly<{ kind: Actor['kind']; name: string | null }> | null
  attempts: number
  first_attempt_at: string | null
}

/** Emails changes to an agency. Passed in: this folder decides when to send, `mails/` writes the text. */
export type MailChanges = (
  agency: Readonly<{ id: string; email: string | null; name: string; language: MailLanguage }>,
  changes: readonly Readonly<{ event: PendingEvent; view: ListingView }>[],
) => Promise<void>

/** Other changes are left out: a publication at creation would list every field. */
const sentFields = [
  'status',
  'reserved',
  'deleted',
  'external_id',
  'close_reason',
  'closed_at',
  'close_price',
]

/** The body of an event. It is the same for every attempt, unless the agency changes its name. */
export function marketplaceBody(event: PendingEvent, { listing, closing, changes }: ListingView): string {
  return JSON.stringify({
    type: `listing.${event.type}`,
    timestamp: event.at,
    data: {
      event_id: event.event_id,
      sequence: event.sequence,
      changes: Object.fromEntries(Object.entries(changes).filter(([name]) => sentFields.includes(name))),
      closing,
      listing,
    },
  })
}
