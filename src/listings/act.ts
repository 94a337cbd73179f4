/**
 * Runs an action of the dashboard or the operator on a listing: the same functions as the API's, in one transaction under the agency's
 * lock.
 */
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { ApiError } from '../platform/errors.ts'
import type { Limits } from '../limits/table.ts'
import { getListing } from './find.ts'
import type { Author } from '../platform/writing/author.ts'
import type { Listing } from './listing.ts'
import { underLock } from '../platform/writing/under-lock.ts'
import { type WriteContext, writeContext } from './store.ts'

/** An action on a listing, such as `enableListing`. */
export type Act = (context: WriteContext, before: Listing) => Promise<Listing>

/**
 * @param id public code or uuid
 * @param version the version that the person saw, or null to act on any version
 * @throws ApiError `not_found`; `precondition_failed` if the listing has another version; what `act` throws
 */
export async function actOnListing(
  deps: { db: Db; clock: Clock; limits: Limits },
  agencyId: string,
  id: string,
  version: number | null,
  author: Author,
  act: Act,
): Promise<Listing> {
  const { db, clock, limits } = deps
  return await underLock(db, agencyId, clock, async (locked) => {
    const listing = await getListing(locked.tx, agencyId, { id }, true)
    if (version !== null && listing.version !== version) throw new ApiError('precondition_failed')
    return await act(writeContext(locked, { clock, limits, author }), listing)
  })
}
