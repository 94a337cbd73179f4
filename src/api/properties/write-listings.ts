/**
 * Runs the writes of endpoints: `changeListing` and `changePhotos` find the listing in the path, `writeListings` makes the context, and
 * `commitWithResponse` (http/writes/) commits the changes with the response.
 */
import type { Statement } from '../../platform/db/statements/statement.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { ApiResponse } from '../../http/responses/response.ts'
import { authorOf } from '../../http/admission/authenticate.ts'
import type { WriteRequest } from '../../http/endpoint.ts'
import { checkIfMatch } from '../../http/responses/etag.ts'
import { commitWithResponse } from '../../http/writes/commit-with-response.ts'
import { dryRunFetches, type FetchesOfWrite, openFetches } from '../../listings/store/fetches.ts'
import { getExisting, listingStatement } from '../../listings/reading/find.ts'
import type { Listing } from '../../listings/listing.ts'
import { noteFailedPhotos } from '../../listings/gallery/photo-notes.ts'
import { getSourced, type Sourced, sourcedStatement } from '../../listings/store/photo-sources.ts'
import { writeContext, type WriteContext } from '../../listings/store/store.ts'

/** Runs a write with the key as author. @param first a read that runs once the agency is locked @param run receives its rows */
export function writeListings<Row>(
  request: WriteRequest,
  first: Statement<Row> | null,
  run: (context: WriteContext, rows: readonly Row[]) => Promise<ApiResponse>,
  fetches = fetchesOf(request),
): Promise<ApiResponse> {
  const { deps, caller, requestId, dryRun } = request
  const { clock, config } = deps
  const given = { clock, limits: config.limits, author: authorOf(caller, requestId), fetches, dryRun }
  return commitWithResponse(request, fetches, first, (locked, rows) => run(writeContext(locked, given), rows))
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
      await noteFailedPhotos(deps, id, params, authorOf(caller, requestId), fetches.fetchedPhotos())
    throw error
  }
}

/** Fetches photos and pins for the request. A dry run fetches nothing. */
export function fetchesOf({ deps, caller, dryRun }: WriteRequest): FetchesOfWrite {
  return dryRun === null ? openFetches(deps, caller.agency.id) : dryRunFetches
}
