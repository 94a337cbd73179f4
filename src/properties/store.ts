/**
 * Stores listings with their history, each at a new revision of the agency. What is to be stored is collected and leaves with the commit,
 * all rows in one statement; code that reads what was written in between sends it first.
 */
import type { Clock } from '../clock.ts'
import type { Statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import type { Limits } from '../limits/table.ts'
import { newPublicId } from '../ids.ts'
import type { OutboxEvent } from '../notifications/outbox.ts'
import type { Revision } from '../writing/agency-lock.ts'
import type { Author } from '../writing/author.ts'
import type { Locked } from '../writing/under-lock.ts'
import type { FindAtAddress } from './duplicates.ts'
import { eventOf } from './events.ts'
import { type Action, changesBetween, type Entry, entryOf } from './history.ts'
import type { Listing } from './listing.ts'
import { storeStatement, type WriteKind } from './write-statements.ts'

/** What every write of a listing needs besides its subject. */
export type WriteContext = Locked & {
  clock: Clock
  limits: Limits
  author: Author
  writes: Writes
  /** Finds listings at an address where not everything written has been sent; else the database does. */
  findAtAddress?: FindAtAddress
}

/** What a transaction has still to store. */
export type Writes = {
  insert(listing: Listing, entry: Entry): void
  update(listing: Listing, entry: Entry): void
  /** Whether something of the listing has not been sent yet. */
  holds(listingId: string): boolean
  /** @returns a function that takes back what is collected from here on; none of it may have been sent */
  mark(): () => void
  /** Sends what was collected, for a statement that is to find it. */
  send(): Promise<void>
}

/** Opens a transaction under the agency's lock for writes of listings. */
export function writeContext(
  locked: Locked,
  given: { clock: Clock; limits: Limits; author: Author },
): WriteContext {
  const { clock, limits, author } = given
  return { ...locked, clock, limits, author, writes: collectWrites(locked) }
}

/** By the listing's uuid, as it is after all its entries; the events hold it as it was after each. */
type Collected = { listings: Map<string, Listing>; entries: Entry[]; events: OutboxEvent[] }

const nothing = (): Collected => ({ listings: new Map(), entries: [], events: [] })
const copyOf = ({ listings, entries, events }: Collected): Collected => ({
  listings: new Map(listings),
  entries: [...entries],
  events: [...events],
})

function collectWrites({ tx, agencyId, newListings, atCommit }: Locked): Writes {
  let inserted = nothing()
  let updated = nothing()
  let sendings = 0

  const add = (collected: Collected, listing: Listing, entry: Entry): void => {
    collected.listings.set(listing.id, listing)
    collected.entries.push(entry)
    const event = eventOf(entry.action, listing)
    if (event !== null) collected.events.push(event)
  }
  /** What stores all that was collected, which is collected no more. */
  const take = (): Statement[] => {
    sendings += 1
    const ends = [inserted, updated].flatMap(({ entries }) => entries.at(-1) ?? [])
    const [last] = ends.sort((a, b) => b.revision - a.revision)
    if (last === undefined) return []
    const state = { id: agencyId, last: last satisfies Revision, counters: newListings.counted() }
    // First what may free an external id, then what may take it.
    const kinds: [WriteKind, Collected][] = [
      ['update', updated],
      ['insert', inserted],
    ]
    const statements = kinds.flatMap(([kind, { listings, entries, events }]) =>
      entries.length === 0
        ? []
        : [storeStatement(kind, state, { listings: [...listings.values()], entries, events })],
    )
    inserted = nothing()
    updated = nothing()
    return statements
  }
  atCommit(take)

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
    async send() {
      await tx.runAll(take())
    },
  }
}

/** A listing not yet stored: its code, version and moments are given here. */
type NewListing = Omit<
  Listing,
  'public_id' | 'version' | 'created_at' | 'updated_at' | 'published_at' | 'deleted_at'
>

/** Stores a new listing. Its external id is free: the caller looked, under the lock. */
export function collectListing(context: WriteContext, draft: NewListing): Listing {
  const { revision, at } = context.revisions.next()
  const listing: Listing = {
    ...draft,
    public_id: newPublicId(),
    version: revision,
    created_at: at,
    updated_at: at,
    published_at: draft.status === 'published' ? at : null,
    deleted_at: null,
  }
  context.writes.insert(listing, entryOf(listing, 'created', context.author, changesBetween(null, listing)))
  return listing
}

/**
 * Stores what changed of a listing; nothing is written, and no revision made, where nothing did. Another external id is free: the
 * caller looked, under the lock.
 * @param change columns with their new values; a function is given the moment of the write
 */
export function collectChange(
  context: WriteContext,
  before: Listing,
  action: Action,
  change: Partial<Listing> | ((at: string) => Partial<Listing>),
): Listing {
  if (typeof change !== 'function') {
    const changes = changesBetween(before, { ...before, ...change })
    if (Object.keys(changes).length === 0) return before
    const { revision, at } = context.revisions.next()
    const after: Listing = { ...before, ...change, version: revision, updated_at: at }
    context.writes.update(after, entryOf(after, action, context.author, changes))
    return after
  }
  const { revision, at } = context.revisions.next()
  const after: Listing = { ...before, ...change(at), version: revision, updated_at: at }
  context.writes.update(after, entryOf(after, action, context.author, changesBetween(before, after)))
  return after
}

/** 409 `external_id_exists`. */
export function externalIdExists(externalId: string | null): ApiError {
  return new ApiError('external_id_exists', {
    parameter: 'external_id',
    message: `Another listing of the agency already has external_id "${externalId ?? ''}". Update that one with PUT /properties/external/{external_id}, or send another external_id.`,
  })
}
