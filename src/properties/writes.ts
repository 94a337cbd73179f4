/**
 * What a transaction under the agency's lock has still to store: listings with their history, the agency's revision and the events of
 * changed states, collected and sent together, all rows in one statement. Whoever reads in between what was written sends first.
 */
import type { Tx } from '../db/database.ts'
import type { Part } from '../db/statement-parts.ts'
import type { NewListings } from '../limits/new-listings.ts'
import type { OutboxEvent } from '../notifications/outbox.ts'
import { eventOf } from './events.ts'
import type { Entry } from './history.ts'
import type { Listing } from './listing.ts'
import type { Revision } from './revision.ts'
import { sendAlone, sendWrite, type WriteKind } from './write-statements.ts'

export type Writes = {
  insert(listing: Listing, entry: Entry): void
  update(listing: Listing, entry: Entry): void
  /** Whether something of the listing has not been sent yet. */
  holds(listingId: string): boolean
  /** @returns a function that takes back what is collected from here on; none of it may have been sent */
  mark(): () => void
  /** Adds a write to what is sent last. Where it writes no row the transaction fails, by a division by zero. */
  accompany(companion: Part): void
  /** Sends what was collected, ahead of the next statement: what it violates, `commit` tells at the latest. */
  send(): Promise<void>
}

/** By the listing's uuid, as it is after all its entries; the events hold it as it was after each. */
type Collected = { listings: Map<string, Listing>; entries: Entry[]; events: OutboxEvent[] }

const nothing = (): Collected => ({ listings: new Map(), entries: [], events: [] })
const copyOf = ({ listings, entries, events }: Collected): Collected => ({
  listings: new Map(listings),
  entries: [...entries],
  events: [...events],
})

export function collectWrites(tx: Tx, agencyId: string, newListings: NewListings): Writes {
  let inserted = nothing()
  let updated = nothing()
  let sendings = 0
  let companion: Part | null = null

  const add = (collected: Collected, listing: Listing, entry: Entry): void => {
    collected.listings.set(listing.id, listing)
    collected.entries.push(entry)
    const event = eventOf(entry.action, listing)
    if (event !== null) collected.events.push(event)
  }
  const sendOne = async (
    kind: WriteKind,
    { listings, entries, events }: Collected,
    last: Revision,
    isLast: boolean,
  ): Promise<void> => {
    if (entries.length === 0) return
    const along = isLast ? companion : null
    if (along !== null) companion = null
    const state = { id: agencyId, last, counters: await newListings.counted() }
    await sendWrite(tx, kind, state, { listings: [...listings.values()], entries, events }, along)
  }

  return {
    insert: (listing, entry) => add(inserted, listing, entry),
    // What is not stored yet is stored as it is now.
    update: (listing, entry) => add(inserted.listings.has(listing.id) ? inserted : updated, listing, entry),
    holds: (id) => inserted.listings.has(id) || updated.listings.has(id),
    mark() {
      const was = { sendings, collected: [copyOf(inserted), copyOf(updated)] as const }
      return () => {
        // What was collected before may have been sent since.
        ;[inserted, updated] = was.sendings === sendings ? was.collected : [nothing(), nothing()]
      }
    },
    accompany(added) {
      companion = added
    },
    async send() {
      sendings += 1
      const ends = [inserted, updated].flatMap(({ entries }) => entries.at(-1) ?? [])
      const [last] = ends.sort((a, b) => b.revision - a.revision)
      if (last === undefined) {
        if (companion !== null) await sendAlone(tx, companion)
        companion = null
        return
      }
      // First what may free an external id, then what may take it.
      await sendOne('update', updated, last, inserted.entries.length === 0)
      await sendOne('insert', inserted, last, true)
      inserted = nothing()
      updated = nothing()
    },
  }
}
