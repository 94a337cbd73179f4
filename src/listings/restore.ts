/**
 * Restores a removed listing, for the operator (api.md 11.4).
 */
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { ApiError } from '../platform/errors.ts'
import type { Limits } from '../limits/table.ts'
import { findAnyListing } from './find.ts'
import type { Author } from '../platform/writing/author.ts'
import type { Listing } from './listing.ts'
import { restoreListing } from './states.ts'
import { underLock } from '../platform/writing/under-lock.ts'
import { writeContext } from './store.ts'

/**
 * Restores the listing as a draft if it was one, otherwise as suspended.
 * @param id public code or uuid
 * @param externalId another external id, null for none, undefined for the one it had
 * @throws ApiError `not_found` if there is no such removed listing; `external_id_exists` if its external id has been taken meanwhile
 */
export async function restoreRemoved(
  deps: { db: Db; clock: Clock; limits: Limits },
  agencyId: string,
  id: string,
  externalId: string | null | undefined,
  author: Author,
): Promise<Listing> {
  const { db, clock, limits } = deps
  return underLock(db, agencyId, clock, async (locked) => {
    const listing = await findAnyListing(locked.tx, agencyId, { id })
    if (listing === null) throw new ApiError('not_found', { message: `The agency has no listing ${id}.` })
    return restoreListing(writeContext(locked, { clock, limits, author }), listing, externalId)
  })
}
