/**
 * Runs the writes of endpoints: `changeListing` and `changePhotos` find the listing in the path, `writeCreation` chooses how to create one,
 * `writeListings` makes the context, and `commitWithResponse` (http/writes/) commits the changes with the response.
 */
import type { Statement } from '../../platform/db/statements/statement.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { ApiResponse } from '../../http/responses/response.ts'
import { actorOf } from '../../http/admission/authenticate.ts'
import type { WriteRequest } from '../../http/endpoint.ts'
import { checkIfMatch } from '../../http/responses/etag.ts'
import { commitWithResponse } from '../../http/writes/commit-with-response.ts'
import { dryRunFetches, type FetchesOfWrite, openFetches } from '../../listings/store/fetches.ts'
import { getExisting, listingStatement } from '../../listings/reading/find.ts'
import type { Listing } from '../../listings/listing.ts'
import { noteFailedPhotos } from '../../listings/gallery/photo-notes.ts'
import { getSourced, type Sourced, sourcedStatement } from '../../listings/store/photo-sources.ts'
import { writeContext, type WriteContext } from '../../listings/store/write-context.ts'
import type { Creation } from '../../listings/writing/create/check-creation.ts'
import { canCreateAtOnce, createAtOnce } from '../../listings/writing/create/create-at-once.ts'
import { createListing, type Written } from '../../listings/writing/create/create.ts'
import { storedRest } from './write-response.ts'

/** Runs a write with the key as actor. @param first a read that runs once the agency is locked @param run receives its rows */
export function writeListings<Row>(
  request: WriteRequest,
  first: Statement<Row> | null,
  run: (context: WriteContext, rows: readonly Row[]) => Promise<ApiResponse>,
  fetches = fetchesOf(request),
): Promise<ApiResponse> {
  const { deps, caller, requestId, dryRun } = request
  const actor = actorOf(caller, requestId)
  return commitWithResponse(request, fetches, first, (locked, rows) =>
    run(writeContext(locked, deps, actor, { fetches, dryRun }), rows),
  )
}

/** As `writeListings`, for the listing in the path, at the version of If-Match. @throws ApiError `not_found`, `precondition_failed` */
export function changeListing(
  request: WriteRequest<{ id: string }>,
  run: (context: WriteContext, before: Listing) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { caller, params, ifMatch } = request
  return writeListings(request, listingStatement(caller.agency.id, params), async (context, rows) => {
    const before = getExisting(rows)
    checkIfMatch(ifMatch, before)
    return await run(context, before)
  })
}

/**
 * As `changeListing`, for a request that adds or sets photos. If it is refused because photos failed, the dashboard shows them.
 * @param run receives the listing with the notes on its photos
 */
export async function changePhotos(
  request: WriteRequest<{ id: string }>,
  run: (context: WriteContext, before: Sourced) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { deps, caller, requestId, params, ifMatch } = request
  const { id } = caller.agency
  const fetches = fetchesOf(request)
  try {
    return await writeListings(
      request,
      sourcedStatement(id, params),
      async (context, rows) => {
        const before = getSourced(rows)
        checkIfMatch(ifMatch, before.listing)
        return await run(context, before)
      },
      fetches,
    )
  } catch (error) {
    if (error instanceof ApiError && 'photos' in error.extra)
      await noteFailedPhotos(deps, id, params, actorOf(caller, requestId), fetches.fetchedPhotos())
    throw error
  }
}

/**
 * Creates a listing, in one of two ways. Most creations have nothing to fetch: they share a statement, which costs PostgreSQL a third of a
 * transaction (docs/adr/0020-one-function-creates-listings.md). Only a transaction can fetch, wait for the agency's lock, find the stored
 * response of a key, or be rolled back.
 * @param respond makes a `writeResponse` with status 201
 */
export async function writeCreation(
  request: WriteRequest,
  creation: Creation,
  respond: (created: Written) => ApiResponse,
): Promise<ApiResponse> {
  const { deps, caller, requestId, keyed } = request
  const fetches = fetchesOf(request)
  // Only a dry run has no Idempotency-Key.
  if (keyed !== null && canCreateAtOnce(deps, creation)) {
    const actor = actorOf(caller, requestId)
    const created = await createAtOnce(deps, caller.agency.id, actor, creation, fetches, (warnings) => ({
      key: keyed.key,
      hash: keyed.hash,
      token: keyed.token,
      status: 201,
      rest: JSON.stringify(storedRest(request, { warnings })),
    }))
    if (!('rejection' in created)) return respond(created)
    // Another write holds the agency, or the key is in use: only a transaction can decide.
  }
  const create = async (context: WriteContext) =>
    respond(await createListing(context, creation, { isLast: true }))
  return await writeListings(request, null, create, fetches)
}

/** Fetches photos and pins for the request. A dry run fetches nothing. */
function fetchesOf({ deps, caller, dryRun }: WriteRequest): FetchesOfWrite {
  return dryRun === null ? openFetches(deps, caller.agency.id) : dryRunFetches
}
