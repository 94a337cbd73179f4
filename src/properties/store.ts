/**
 * Stores listings with their history, each write at a new revision of the agency. Writes are collected and sent with the commit: one
 * statement for all inserts, one for all updates. Code that has to read its own writes before that calls `send` first.
 */
import type { Clock } from '../clock.ts'
import type { Statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import type { Limits } from '../limits/table.ts'
import { imaginedPublicId, newPublicId } from '../ids.ts'
import type { OutboxEvent } from '../notifications/outbox.ts'
import type { Author } from '../writing/author.ts'
import type { Trial } from '../writing/trial.ts'
import type { Locked } from '../writing/under-lock.ts'
import type { FindAtAddress } from './duplicates.ts'
import { eventOf } from './events.ts'
import { type Action, type Changes, changesBetween, derivedChanges, type Entry, entryOf } from './history.ts'
import type { Listing } from './listing.ts'
import { type PhotoNotes, photoNotesStatement } from './photo-sources.ts'
import { storeStatements, type WriteKind } from './write-statements.ts'

/** The context of every write of a listing. */
export type WriteContext = Locked & {
  clock: Clock
  limits: Limits
  author: Author
  writes: Writes
  /** Null unless the write is a dry run. */
  trial: Trial | null
  /** Finds listings at an address while writes are unsent. Without it, the database is asked. */
  findAtAddress?: FindAtAddress
}

/** The unsent writes of a transaction. */
export type Writes = {
  insert(listing: Listing, entry: Entry): void
  update(listing: Listing, entry: Entry): void
  /** Notes on a listing's photos. They are no change of the listing: no revision, no history. */
  photos(listingId: string, notes: PhotoNotes): void
  /** Whether the listing has unsent writes. */
  holds(listingId: string): boolean
  /** @returns a function that drops the writes collected after this call; none of them may have been sent */
  mark(): () => void
  /** Sends the collected writes, for a statement that has to see them. */
  send(): Promise<void>
}

/** The context for writes of listings in a transaction under the agency's lock. */
export function writeContext(
  locked: Locked,
  given: { clock: Clock; limits: Limits; author: Author; trial?: Trial | null },
): WriteContext {
  const { clock, limits, author, trial = null } = given
  return { ...locked, clock, limits, author, trial, writes: collectWrites(locked) }
}

/** `states` has a listing after each of its writes; each event has the state after its own entry. */
type Collected = { states: Listing[]; entries: Entry[]; events: OutboxEvent[] }

const nothing = (): Collected => ({ states: [], entries: [], events: [] })
const hasListing = ({ states }: Collected, listingId: string): boolean =>
  states.some(({ id }) => id === listingId)
/** The latest state of each listing. */
const listingsIn = ({ states }: Collected): Listing[] => [
  ...new Map(states.map((listing) => [listing.id, listing])).values(),
]

/** @returns a function that drops what was collected after this call */
function markIn({ states, entries, events }: Collected): () => void {
  const counts = [states.length, entries.length, events.length] as const
  return () => {
    ;[states.length, entries.length, events.length] = counts
  }
}

function collectWrites({ tx, agencyId, newListings, isTest, atCommit }: Locked): Writes {
  let inserted = nothing()
  let updated = nothing()
  let notes = new Map<string, PhotoNotes>()
  let sendings = 0

  const add = (collected: Collected, listing: Listing, entry: Entry): void => {
    collected.states.push(listing)
    collected.entries.push(entry)
    const event = isTest ? null : eventOf(entry.action, listing)
    if (event !== null) collected.events.push(event)
  }
  /** The statements that store the collected writes. Empties the collection. */
  const take = (): Statement[] => {
    sendings += 1
    const ends = [inserted, updated].flatMap(({ entries }) => entries.at(-1) ?? [])
    const [last] = ends.sort((a, b) => b.revision - a.revision)
    const ofPhotos = notes.size === 0 ? [] : [photoNotesStatement(agencyId, notes)]
    notes = new Map()
    if (last === undefined) return ofPhotos
    const state = { id: agencyId, last, counters: newListings.counted() }
    // Updates first: they may free an external id that an insert takes.
    const kinds: [WriteKind, Collected][] = [
      ['update', updated],
      ['insert', inserted],
    ]
    const statements = kinds.flatMap(([kind, collected]) => {
      const { entries, events } = collected
      return entries.length === 0
        ? []
        : storeStatements(kind, state, { listings: listingsIn(collected), entries, events }, tx.isDistributed)
    })
    inserted = nothing()
    updated = nothing()
    return [...statements, ...ofPhotos]
  }
  atCommit(take)

  return {
    insert: (listing, entry) => add(inserted, listing, entry),
    // A listing whose insert is unsent is inserted in its latest state.
    update: (listing, entry) => add(hasListing(inserted, listing.id) ? inserted : updated, listing, entry),
    photos: (id, ofListing) => void notes.set(id, ofListing),
    holds: (id) => hasListing(inserted, id) || hasListing(updated, id),
    mark() {
      const was = { sendings, notes: new Map(notes), collected: [markIn(inserted), markIn(updated)] }
      return () => {
        // If the writes before the mark have been sent since, only later ones are left.
        if (was.sendings !== sendings) [inserted, updated, notes] = [nothing(), nothing(), new Map()]
        else {
          for (const dropLater of was.collected) dropLater()
          notes = was.notes
        }
      }
    },
    async send() {
      await tx.runAll(take())
    },
  }
}

/** A listing before it is stored. `collectListing` sets its code, version and timestamps. */
export type NewListing = Omit<
  Listing,
  'public_id' | 'version' | 'created_at' | 'updated_at' | 'published_at' | 'deleted_at'
>

/** Collects a new listing, to be stored with the commit. The caller has checked under the lock that its external id is free. */
export function collectListing(context: WriteContext, draft: NewListing): Listing {
  const { revision, at } = context.revisions.next()
  const listing: Listing = {
    ...draft,
    public_id: context.trial === null ? newPublicId() : imaginedPublicId(),
    version: revision,
    created_at: at,
    updated_at: at,
    published_at: draft.status === 'published' ? at : null,
    deleted_at: null,
  }
  context.writes.insert(listing, entryOf(listing, 'created', context.author, derivedChanges))
  return listing
}

/**
 * Collects a change of a listing, to be stored with the commit. Without any difference it collects nothing and makes no revision. The
 * caller has checked under the lock that a new external id is free.
 * @param change columns with their new values; a function gets the time of the write and always makes a revision
 * @param beside what the entry tells that no column of the listing does
 */
export function collectChange(
  context: WriteContext,
  before: Listing,
  action: Action,
  change: Partial<Listing> | ((at: string) => Partial<Listing>),
  beside: Changes = {},
): Listing {
  const photosNow = context.trial?.photosNow
  if (photosNow?.has(before.id) === false) photosNow.set(before.id, before.photos)
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
  const changes = { ...changesBetween(before, after), ...beside }
  context.writes.update(after, entryOf(after, action, context.author, changes))
  return after
}

/** 409 `external_id_exists`. */
export function externalIdExists(externalId: string | null): ApiError {
  return new ApiError('external_id_exists', {
    parameter: 'external_id',
    message: `Another listing of the agency already has external_id "${externalId ?? ''}". Update that one with PUT /properties/external/{external_id}, or send another external_id.`,
  })
}
