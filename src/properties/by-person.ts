/**
 * Creates and edits listings for people: the functions of the API, with a person as author instead of a key. There is no Idempotency-Key;
 * a creation brings the uuid of the listing, so that sending it again makes no second one.
 */
import { hotStatement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { Author } from '../writing/author.ts'
import { type Locked, StalePreparation, underLock } from '../writing/under-lock.ts'
import { commitCreation, discardFetched, prepareCreation, type Written } from './create.ts'
import { findAnyListing, getPresent, listingStatement } from './find.ts'
import type { Listing } from './listing.ts'
import type { Payload } from './schema.ts'
import { type WriteContext, writeContext } from './store.ts'
import { commitUpdate, prepareUpdate } from './update.ts'

const maxAttempts = 3

/** A further change of the listing, in the same transaction. */
export type Also = (context: WriteContext, listing: Listing) => Promise<Listing>

const firstVersion = hotStatement<{ revision: number }>(
  'select revision from listing_history where agency_id = $1 and property_id = $2 order by revision limit 1',
)

/**
 * Creates the listing, unless it is there already: then the same form was sent before.
 * @param id its uuid
 * @returns null if it is there already
 * @throws ApiError as `prepareCreation` and `commitCreation` do
 */
export async function createByPerson(
  deps: Deps,
  agencyId: string,
  id: string,
  payload: Payload,
  author: Author,
  also: Also,
): Promise<Written | null> {
  const isThere = async () => (await findAnyListing(deps.db, agencyId, { id })) !== null
  if (await isThere()) return null
  try {
    return await again(async () => {
      const prepared = { ...(await prepareCreation(deps, agencyId, payload)), id }
      try {
        return await underLock(
          deps.db,
          agencyId,
          deps.clock,
          async (locked, [known]) => {
            if (known.length > 0) return null
            const context = contextOf(deps, locked, author)
            const written = await commitCreation(context, prepared)
            return { ...written, listing: await also(context, written.listing) }
          },
          [listingStatement(agencyId, { id })],
        )
      } finally {
        await discardFetched(deps, agencyId, prepared)
      }
    })
  } catch (error) {
    // Sent twice at once: what is in the way of the second may be the first.
    if (error instanceof ApiError && error.status === 409 && (await isThere())) return null
    throw error
  }
}

/** The version that the listing was created with. */
export async function findFirstVersion(deps: Deps, agencyId: string, id: string): Promise<number | null> {
  return (await firstVersion(deps.db, [agencyId, id]))[0]?.revision ?? null
}

/**
 * Edits the listing if it still has this version.
 * @throws ApiError `precondition_failed`, and as `prepareUpdate` and `commitUpdate` do
 */
export async function editByPerson(
  deps: Deps,
  agencyId: string,
  listing: Pick<Listing, 'id' | 'version'>,
  payload: Payload,
  author: Author,
  also: Also,
): Promise<Written> {
  const { id } = listing
  const check = (before: Listing): void => {
    if (before.version !== listing.version) throw new ApiError('precondition_failed')
  }
  return again(async () => {
    const located = await prepareUpdate(deps, agencyId, { id }, payload, { check })
    return underLock(
      deps.db,
      agencyId,
      deps.clock,
      async (locked, [found]) => {
        const before = getPresent(found)
        check(before)
        const context = contextOf(deps, locked, author)
        const written = await commitUpdate(context, before, payload, located, deps.config.publicBaseUrl)
        return { ...written, listing: await also(context, written.listing) }
      },
      [listingStatement(agencyId, { id })],
    )
  })
}

function contextOf({ clock, config }: Deps, locked: Locked, author: Author): WriteContext {
  return writeContext(locked, { clock, limits: config.limits, author })
}

/** Starts over if the preparation turned out to be stale. */
async function again<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof StalePreparation)) throw error
      if (attempt === maxAttempts) {
        throw new ApiError('service_unavailable', {
          message: 'The listing kept changing while it was written. Try again.',
          retryAfter: 1,
          cause: error,
        })
      }
    }
  }
}
