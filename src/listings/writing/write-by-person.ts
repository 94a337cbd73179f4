/**
 * The writes of a person at the dashboard or of the operator, at the version that the person saw. A form that creates brings the listing's
 * uuid, so that sending it again creates no second listing.
 */
import { statement } from '../../platform/db/statements/statement.ts'
import type { Deps } from '../../deps.ts'
import type { ErrorCode } from '../../platform/errors/error-catalogue.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { setPlaceBlurred } from './set-place-blurred.ts'
import { checkCreation } from './create/check-creation.ts'
import { createListing, type Written } from './create/create.ts'
import { writeAs } from '../store/write-as.ts'
import { findAnyListing, getExisting, listingStatement } from '../reading/find.ts'
import type { Actor } from '../../writing/actor.ts'
import type { Listing } from '../listing.ts'
import type { Payload } from '../fields/schema.ts'
import type { WriteContext } from '../store/write-context.ts'
import { updateListing } from './update.ts'

/** An action on a listing, such as `enableListing`. It may run several times. */
export type Act<T = Listing> = (context: WriteContext, before: Listing) => Promise<T>

/**
 * @param id public code or uuid
 * @param version the version that the person saw, or null to act on any version
 * @throws ApiError `not_found`; `precondition_failed` if the listing has another version; what `act` throws
 */
export async function actOnListing<T>(
  deps: Deps,
  agencyId: string,
  id: string,
  version: number | null,
  actor: Actor,
  act: Act<T>,
): Promise<T> {
  const first = { found: listingStatement(agencyId, { id }) }
  return await writeAs(deps, agencyId, actor, first, async (context, { found }) => {
    const before = getExisting(found)
    if (version !== null && before.version !== version) throw new ApiError('precondition_failed')
    return await act(context, before)
  })
}

/** The changes of a form. `isBlurred`: whether public pages are to blur the place; null leaves that as it is. */
export type PersonEdit = Readonly<{ payload: Payload; isBlurred: boolean | null }>

/** The errors of a creation whose listing exists already. */
const conflicts: ReadonlySet<ErrorCode> = new Set(['duplicate_property', 'external_id_exists'])

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
  { payload, isBlurred }: PersonEdit,
  actor: Actor,
): Promise<Written | null> {
  const existsAlready = async () => (await findAnyListing(deps.db, agencyId, { id })) !== null
  if (await existsAlready()) return null
  const creation = { ...checkCreation(deps, payload), id }
  try {
    const first = { known: listingStatement(agencyId, { id }) }
    return await writeAs(deps, agencyId, actor, first, async (context, { known }) => {
      if (known.length > 0) return null
      const written = await createListing(context, creation)
      return await setWrittenBlurred(context, written, isBlurred)
    })
  } catch (error) {
    // If a form is sent twice at once, the second creation may conflict with the first.
    if (error instanceof ApiError && conflicts.has(error.code) && (await existsAlready())) return null
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
  { payload, isBlurred }: PersonEdit,
  actor: Actor,
): Promise<Written> {
  return await actOnListing(deps, agencyId, id, version, actor, async (context, before) => {
    const written = await updateListing(context, before, payload, deps.config.publicBaseUrl)
    return await setWrittenBlurred(context, written, isBlurred)
  })
}

async function setWrittenBlurred(
  context: WriteContext,
  written: Written,
  isBlurred: boolean | null,
): Promise<Written> {
  if (isBlurred === null) return written
  return { ...written, listing: await setPlaceBlurred(context, written.listing, isBlurred) }
}
