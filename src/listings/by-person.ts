/**
 * Creates and edits listings for people, by the functions of the API with a person as author instead of a key. There is no Idempotency-Key:
 * a creation brings the listing's uuid, so that sending it again creates no second listing.
 */
import { statement } from '../platform/db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors.ts'
import type { Author } from '../platform/writing/author.ts'
import { checkCreation, createListing, type Written } from './create.ts'
import { findAnyListing, getExisting, listingStatement } from './find.ts'
import type { Listing } from './listing.ts'
import type { Payload } from './schema.ts'
import type { WriteContext } from './store.ts'
import { updateListing } from './update.ts'
import { writeAs } from './act.ts'

/** A further change of the listing, in the same transaction. */
export type Also = (context: WriteContext, listing: Listing) => Promise<Listing>

const firstVersion = statement<{ revision: number }>(
  'select revision from listing_history where agency_id = $1 and property_id = $2 order by revision limit 1',
)

/**
 * Creates the listing.
 * @param id its uuid
 * @returns null if it exists already: then the same form was sent before
 * @throws ApiError as `checkCreation` and `createListing` do
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
  const creation = { ...checkCreation(deps, payload), id }
  try {
    return await writeAs(
      deps,
      agencyId,
      author,
      [listingStatement(agencyId, { id })],
      async (context, [known]) => {
        if (known.length > 0) return null
        const written = await createListing(context, creation)
        return { ...written, listing: await also(context, written.listing) }
      },
    )
  } catch (error) {
    // If a form is sent twice at once, the second creation may conflict with the first.
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
 * @throws ApiError `precondition_failed`, and as `updateListing` does
 */
export async function editByPerson(
  deps: Deps,
  agencyId: string,
  { id, version }: Pick<Listing, 'id' | 'version'>,
  payload: Payload,
  author: Author,
  also: Also,
): Promise<Written> {
  return await writeAs(
    deps,
    agencyId,
    author,
    [listingStatement(agencyId, { id })],
    async (context, [found]) => {
      const before = getExisting(found)
      if (before.version !== version) throw new ApiError('precondition_failed')
      const written = await updateListing(context, before, payload, deps.config.publicBaseUrl)
      return { ...written, listing: await also(context, written.listing) }
    },
  )
}
