/** Stores changes of listings with their history, each at a new revision of the agency. Changes are collected and sent with the commit. */
import type { Statement } from '../../platform/db/statements/statement.ts'
import type { WindowDeps } from '../../limits/counters.ts'
import type { OutboxEvent } from '../../delivery/notifications/outbox.ts'
import type { Actor } from '../../writing/actor.ts'
import type { DryRun } from '../../writing/dry-run.ts'
import type { Locked } from '../../writing/under-lock.ts'
import { eventOf } from '../history/events.ts'
import { type Fetches, noFetches } from './fetches.ts'
import { type Action, type Changes, changesBetween, type Entry, entryOf } from '../history/history.ts'
import type { Listing } from '../listing.ts'
import { type PhotoNotes, photoNotesStatement } from './photo-sources.ts'
import { storeStatements } from './write-statements.ts'

/** The context of every write of a listing. */
export type WriteContext = Locked &
  WindowDeps & {
    actor: Actor
    writes: Writes
    /** Photos and pins; a write without them has `noFetches`. */
    fetches: Fetches
    /** Null unless the write is a dry run. */
    dryRun: DryRun | null
  }

/**
 * The unsent writes of a transaction: changed listings, their history and events, and notes on photos. Until the commit, the database does
 * not have them.
 * - A statement that must see them runs by `runAfter`, or after `send`. If only one listing matters, `holds` saves a needless `send`.
 * - Every other read runs at once, by `tx`.
 * - A write of other rows or columns (`abandonPhotos`, `setPlaceBlurred`, `referenceStored`) also runs at once. An item of a batch runs
 *   it after everything that may fail, because its error drops collected writes but cannot undo a statement. Any other error rolls all
 *   back.
 */
type Writes = {
  collectUpdate(listing: Listing, entry: Entry): void
  /** Collects the event of a listing that the database has created. */
  collectEvent(created: Listing): void
  /** Collects notes on a listing's photos. They are no change of the listing: no revision, no history. */
  collectPhotoNotes(listingId: string, notes: PhotoNotes): void
  /** Whether the listing has unsent writes. */
  holds(listingId: string): boolean
  /** @returns a function that drops the writes collected after this call; none of them may have been sent */
  mark(): () => void
  /** Runs a statement that has to see the collected writes, which are sent with it. */
  runAfter<Row>(statement: Statement<Row>): Promise<Row[]>
  send(): Promise<void>
}

/** The context for writes of listings in a transaction under the agency's lock. */
export function writeContext(
  locked: Locked,
  { clock, limits }: WindowDeps,
  actor: Actor,
  { fetches = noFetches, dryRun = null }: { fetches?: Fetches; dryRun?: DryRun | null } = {},
): WriteContext {
  return { ...locked, clock, limits, actor, fetches, dryRun, writes: collectWrites(locked) }
}

function collectWrites({ tx, agencyId, isTest, revisions, atCommit }: Locked): Writes {
  /** The listings after each write, in order. */
  let states: Listing[] = []
  let entries: Entry[] = []
  let events: OutboxEvent[] = []
  let notes = new Map<string, PhotoNotes>()
  let sendings = 0

  const clear = (): void => {
    states = []
    entries = []
    events = []
    notes = new Map()
  }
  const note = (action: Action, listing: Listing): void => {
    const event = isTest ? null : eventOf(action, listing)
    if (event !== null) events.push(event)
  }
  /** The statements that store the collected writes. Empties the collection. */
  const drain = (): Statement[] => {
    sendings += 1
    const last = revisions.last()
    const listings = [...new Map(states.map((listing) => [listing.id, listing])).values()]
    const statements = [
      ...(last === null || entries.length + events.length === 0
        ? []
        : storeStatements(agencyId, last, { listings, entries, events })),
      ...(notes.size === 0 ? [] : [photoNotesStatement(agencyId, notes)]),
    ]
    clear()
    return statements
  }
  atCommit(drain)

  return {
    collectUpdate(listing, entry) {
      states.push(listing)
      entries.push(entry)
      note(entry.action, listing)
    },
    collectEvent: (created) => note('created', created),
    collectPhotoNotes: (id, ofListing) => void notes.set(id, ofListing),
    holds: (id) => states.some((listing) => listing.id === id),
    mark() {
      const counts = [states, entries, events].map(({ length }) => length)
      const was = { sendings, notes: new Map(notes), counts }
      return () => {
        // If the writes before the mark have been sent since, only later ones are left.
        if (was.sendings !== sendings) return clear()
        for (const [index, all] of [states, entries, events].entries()) all.length = was.counts[index] ?? 0
        notes = was.notes
      }
    },
    async runAfter<Row>(statement: Statement<Row>) {
      return (await tx.runAll([...drain(), statement])).at(-1) as Row[]
    },
    async send() {
      const statements = drain()
      if (statements.length > 0) await tx.runAll(statements)
    },
  }
}

/**
 * Collects a change of a listing, to be stored with the commit. If nothing differs, it collects nothing and makes no revision. The caller
 * has checked under the lock that a new external id is free.
 * @param change columns with their new values; a function gets the time of the write and always makes a revision
 * @param beside changes for the history that no column of the listing holds
 */
export function collectChange(
  context: WriteContext,
  before: Listing,
  action: Action,
  change: Partial<Listing> | ((at: string) => Partial<Listing>),
  beside: Changes = {},
): Listing {
  const { dryRun, revisions, writes, actor } = context
  dryRun?.rememberPhotos(before)
  if (typeof change !== 'function') {
    const changes = changesBetween(before, { ...before, ...change })
    if (Object.keys(changes).length === 0) return before
  }
  const { revision, at } = revisions.next()
  const columns = typeof change === 'function' ? change(at) : change
  const after: Listing = { ...before, ...columns, version: revision, updated_at: at }
  writes.collectUpdate(after, entryOf(after, action, actor, { ...changesBetween(before, after), ...beside }))
  return after
}
