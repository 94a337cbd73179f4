/**
 * People act on a listing: the same functions as the API's operations, in the same one transaction under the agency's lock.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import type { Limits } from '../limits/table.ts'
import { getListing } from './find.ts'
import type { Author } from '../writing/author.ts'
import type { Listing } from './listing.ts'
import { underLock } from '../writing/under-lock.ts'
import { type WriteContext, writeContext } from './store.ts'

/** What is done to the listing, such as `enableListing`. */
export type Act = (context: WriteContext, before: Listing) => Promise<Listing>

/**
 * @param id public code or uuid
 * @param version the one that the person saw, or null where it does not matter
 * @throws ApiError `not_found`; `precondition_failed` when it is not at that version; what the act throws
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
