/**
 * Runs writes of the dashboard, the operator and the demonstration data: the same functions as the API's, under the agency's lock, and
 * without an Idempotency-Key.
 */
import type { Clock } from '../platform/clock.ts'
import type { RowsOf } from '../platform/db/connection.ts'
import type { Db } from '../platform/db/database.ts'
import type { Statement } from '../platform/db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors.ts'
import type { Limits } from '../limits/table.ts'
import { openFetches } from './fetches.ts'
import { findAnyListing, getListing } from './find.ts'
import type { Author } from '../platform/writing/author.ts'
import type { Listing } from './listing.ts'
import { restoreListing } from './states.ts'
import { underLock } from '../platform/writing/under-lock.ts'
import { write } from '../platform/writing/write.ts'
import { type WriteContext, writeContext } from './store.ts'

/** For a write that fetches nothing. */
type ActDeps = { db: Db; clock: Clock; limits: Limits }

/** An action on a listing, such as `enableListing`. */
export type Act = (context: WriteContext, before: Listing) => Promise<Listing>

/**
 * @param id public code or uuid
 * @param version the version that the person saw, or null to act on any version
 * @throws ApiError `not_found`; `precondition_failed` if the listing has another version; what `act` throws
 */
export async function actOnListing(
  { db, clock, limits }: ActDeps,
  agencyId: string,
  id: string,
  version: number | null,
  author: Author,
  act: Act,
): Promise<Listing> {
  return await underLock(db, agencyId, clock, async (locked) => {
    const listing = await getListing(locked.tx, agencyId, { id })
    if (version !== null && listing.version !== version) throw new ApiError('precondition_failed')
    return await act(writeContext(locked, { clock, limits, author }), listing)
  })
}

/**
 * Restores the listing as a draft if it was one, otherwise as suspended.
 * @param id public code or uuid
 * @param externalId another external id, null for none, undefined for the one it had
 * @throws ApiError `not_found` if there is no such removed listing; `external_id_exists` if its external id has been taken meanwhile
 */
export async function restoreRemoved(
  { db, clock, limits }: ActDeps,
  agencyId: string,
  id: string,
  externalId: string | null | undefined,
  author: Author,
): Promise<Listing> {
  return underLock(db, agencyId, clock, async (locked) => {
    const listing = await findAnyListing(locked.tx, agencyId, { id })
    if (listing === null) throw new ApiError('not_found', { message: `The agency has no listing ${id}.` })
    return restoreListing(writeContext(locked, { clock, limits, author }), listing, externalId)
  })
}

/**
 * Runs a write that may fetch photos and locations.
 * @param first statements that run once the agency is locked
 * @param run receives their rows; it may run several times
 * @throws ApiError what `run` throws; `service_unavailable`
 */
export async function writeAs<T, const First extends readonly Statement[]>(
  deps: Deps,
  agencyId: string,
  author: Author,
  first: First,
  run: (context: WriteContext, rows: RowsOf<First>) => Promise<T>,
): Promise<T> {
  const fetches = openFetches(deps, agencyId)
  const { clock, config } = deps
  return await write(deps, agencyId, { outside: fetches, first }, (locked, rows) =>
    run(writeContext(locked, { clock, limits: config.limits, author, fetches }), rows),
  )
}
