/**
 * The response of a batch, and its replay (api.md 7.2). The Idempotency-Key stores which version of which listing each item showed.
 * Results that show no listing are stored whole.
 */
import { errorMembers } from '../../http/responses/error-handler.ts'
import type { ApiResponse, StoredReference } from '../../http/responses/response.ts'
import type { Authenticated } from '../../http/endpoint.ts'
import { isStorable } from '../../http/input/strict-json.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { ItemOutcome } from '../../listings/writing/batch.ts'
import type { Listing, Warning } from '../../listings/listing.ts'
import { getListingAt } from '../../listings/history/rewind.ts'
import { type UrlResult, urlResults } from '../writes/photo-results.ts'
import {
  contextFrom,
  render,
  type RenderContext,
  shownDeleted,
  type StoredContext,
  storedContextOf,
  withPhotos,
} from '../writes/write-response.ts'

/** An item's result. Its index, external id and action come from the request, which is the same in a replay. */
type Result = ReturnType<typeof toResult>
type StoredResult =
  | { whole: Result }
  | {
      status: number
      id: string
      version: number
      photos?: readonly UrlResult[]
      warnings: readonly Warning[]
    }

type StoredBatch = StoredContext & { results: StoredResult[] }

/** The response of a batch. @param outcomes one for each item sent */
export function batchResponse(
  context: RenderContext,
  sent: readonly unknown[],
  outcomes: readonly ItemOutcome[],
): ApiResponse {
  const shown = outcomes.map(toShown)
  const results = shown.map((outcome, index) => toResult(context, sent[index], index, outcome))
  const stored = shown.map((outcome, index) => toStored(outcome, results[index] as Result))
  return {
    ...responseWith(200, results),
    reference: { listingId: null, revision: null, rest: { ...storedContextOf(context), results: stored } },
  }
}

/** Replays a `batchResponse`, even if the listings or the agency have changed since. */
export async function replayBatch(
  { deps, caller, body }: Authenticated<unknown, unknown, { items: unknown[] }>,
  { status, rest }: StoredReference,
): Promise<ApiResponse> {
  const { results: stored, ...then } = rest as StoredBatch
  const agencyId = caller.agency.id
  const context = contextFrom(agencyId, then)
  const results: Result[] = []
  for (const [index, one] of stored.entries()) {
    if ('whole' in one) {
      results.push(one.whole)
      continue
    }
    const { id, version, ...outcome } = one
    const listing = await getListingAt(deps.db, agencyId, id, version)
    results.push(toResult(context, body.items[index], index, { ...outcome, listing }))
  }
  return responseWith(status, results)
}

function responseWith(status: number, results: readonly Result[]): ApiResponse {
  const succeeded = results.filter((result) => result.status < 400).length
  return {
    status,
    body: { results, meta: { total: results.length, succeeded, failed: results.length - succeeded } },
  }
}

function toStored(outcome: Shown, whole: Result): StoredResult {
  if ('error' in outcome || outcome.listing.deleted_at !== null) return { whole }
  const { status, listing, photos = [], warnings } = outcome
  return { status, id: listing.id, version: listing.version, ...(photos.length > 0 && { photos }), warnings }
}

type Shown =
  | { error: ApiError }
  | { status: number; listing: Listing; photos?: readonly UrlResult[]; warnings: readonly Warning[] }

function toShown(outcome: ItemOutcome): Shown {
  if ('error' in outcome) return outcome
  const { created, listing, photos = [], warnings } = outcome
  return { status: created ? 201 : 200, listing, photos: urlResults(photos), warnings }
}

function toResult(context: RenderContext, item: unknown, index: number, outcome: Shown) {
  const sent = item as { external_id?: unknown; action?: unknown } | null
  const shownText = (value: unknown) => (typeof value === 'string' && isStorable(value) ? value : null)
  const named = {
    index,
    external_id: shownText(sent?.external_id),
    action: sent?.action === undefined ? 'upsert' : shownText(sent.action),
  }
  if ('error' in outcome) {
    const error = errorMembers(ofItem(outcome.error, index), context.deps.config.publicBaseUrl)
    return { ...named, status: outcome.error.status, error, warnings: [] }
  }
  const { status, listing, warnings, photos } = outcome
  const data = listing.deleted_at === null ? render(context, listing) : shownDeleted(listing)
  return {
    ...named,
    status,
    data,
    ...withPhotos(context, listing, photos?.length === 0 ? undefined : photos),
    warnings,
  }
}

/** Prefixes the error's paths with the item: `price.period`, as in the single operation, → `items[3].price.period`. */
function ofItem(error: ApiError, index: number): ApiError {
  const inBatch = (path: string) => (path.startsWith('items[') ? path : `items[${index}].${path}`)
  const { code, message, parameter, extra } = error
  const errors = error.errors.map((entry) => ({ ...entry, parameter: inBatch(entry.parameter) }))
  return new ApiError(code, {
    message,
    extra,
    ...(parameter === undefined ? {} : { parameter: inBatch(parameter), errors }),
  })
}
