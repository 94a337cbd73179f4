/**
 * Writes listings together with their history, each at a new revision of the agency, in a transaction under the agency's lock.
 */
import type { Clock } from '../clock.ts'
import { type Db, type Tx, violatedConstraint } from '../db/database.ts'
import type { Part } from '../db/statement-parts.ts'
import { inTransaction } from '../db/transactions.ts'
import { ApiError } from '../errors.ts'
import type { Limits } from '../limits/table.ts'
import { newPublicId } from '../ids.ts'
import type { FindAtAddress } from './duplicates.ts'
import { type Action, type Author, changesBetween, entryOf } from './history.ts'
import type { Listing } from './listing.ts'
import { type AgencyRow, lockAgency } from './revision.ts'
import { inTurn } from './turns.ts'
import { collectWrites, type Writes } from './writes.ts'

/** An open transaction under the agency's lock. */
export type Locked = AgencyRow & { tx: Tx; writes: Writes }

/** What every write needs to know besides its subject. */
export type WriteContext = Locked & {
  clock: Clock
  limits: Limits
  author: Author
  /** Finds listings at an address where not all that was written has been sent; else the database does. */
  findAtAddress?: FindAtAddress
}

/** What was prepared no longer fits what the transaction found: the write is prepared again from the start. */
export class StalePreparation extends Error {
  override readonly name = 'StalePreparation'
}

/**
 * Runs a transaction that writes listings of the agency, after all others that do.
 * @param along a query for at most one row, asked with the lock
 * @throws StalePreparation when the whole is to be run again
 */
export async function underLock<T>(
  db: Db,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked) => Promise<T>,
  along: Part | null = null,
): Promise<T> {
  try {
    return await inTurn(db, agencyId, () =>
      inTransaction(db, async (tx) => {
        const row = await lockAgency(tx, agencyId, clock, along)
        const writes = collectWrites(tx, agencyId, row.newListings)
        const result = await run({ ...row, tx, writes })
        await writes.send()
        return result
      }),
    )
  } catch (error) {
    // Codes are random: one in a thousand millions is taken, and then another is tried.
    if (violatedConstraint(error) === 'properties_agency_public_id_key') throw new StalePreparation()
    throw error
  }
}

/** Takes a rehearsed transaction back. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
  readonly result: unknown
  constructor(result: unknown) {
    super('rehearsed')
    this.result = result
  }
}

/**
 * Runs a transaction as `underLock` does and takes all of it back: tells what it would come to, as things are now, before what takes
 * time is done for it.
 * @throws whatever the transaction would
 */
export async function rehearse<T>(
  db: Db,
  agencyId: string,
  clock: Clock,
  run: (locked: Locked) => Promise<T>,
): Promise<T> {
  try {
    return await underLock(db, agencyId, clock, async (locked) => {
      throw new Rehearsed(await run(locked))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T
    throw error
  }
}

/** A listing not yet stored: its code, version and moments are given here. */
export type NewListing = Omit<
  Listing,
  'public_id' | 'version' | 'created_at' | 'updated_at' | 'published_at' | 'deleted_at'
>

/** Stores a new listing. Its external id is free: the caller looked, under the lock. */
export async function insertListing(context: WriteContext, draft: NewListing): Promise<Listing> {
  const { revision, at } = await context.revisions.next()
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
export async function changeListing(
  context: WriteContext,
  before: Listing,
  action: Action,
  change: Partial<Listing> | ((at: string) => Partial<Listing>),
): Promise<Listing> {
  if (typeof change !== 'function') {
    const changes = changesBetween(before, { ...before, ...change })
    if (Object.keys(changes).length === 0) return before
    const { revision, at } = await context.revisions.next()
    const after: Listing = { ...before, ...change, version: revision, updated_at: at }
    context.writes.update(after, entryOf(after, action, context.author, changes))
    return after
  }
  const { revision, at } = await context.revisions.next()
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
