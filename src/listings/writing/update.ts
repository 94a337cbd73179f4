/** Edits a listing (api.md 10). */
import { ApiError, invalid } from '../../platform/errors/errors.ts'
import { maxErrors } from '../../limits/sizes.ts'
import { namedPhoto } from '../photos/names-and-urls.ts'
import { abandonPhotos } from '../photos/unreferenced.ts'
import { applyPin } from './apply-pin.ts'
import { mergePayload } from './merge-payload.ts'
import type { Written } from './create/create.ts'
import { checkAddressIsFree, isAddressChanged } from './duplicates.ts'
import { checkExternalIdIsFree } from './external-id.ts'
import type { Listing } from '../listing.ts'
import { checkPublishable } from '../fields/publishable.ts'
import type { Payload } from '../fields/schema.ts'
import { collectChange, type WriteContext } from '../store/write-context.ts'

/**
 * Edits a listing. `photos` can only reorder and remove the listing's own. The agency must be locked, and `before` read under the lock.
 * @throws ApiError `invalid_parameter`, `duplicate_property`, `external_id_exists`, and the 422s of publishing
 */
export async function updateListing(
  context: WriteContext,
  before: Listing,
  payload: Payload,
  baseUrl: string,
): Promise<Written> {
  const merged = mergePayload(before, payload)
  const { content, warnings } = applyPin(merged, context.fetches)
  const photos = photosAfter(before, payload, baseUrl)
  if (before.status === 'published') checkPublishable(content, photos.length, 'would have')
  if (isAddressChanged(before, content) && payload.force_duplicate !== true) {
    // An earlier item of a batch may have taken or freed the address.
    const db = { run: context.writes.runAfter }
    await checkAddressIsFree(db, before.agency_id, content, before.id)
  }
  // No collected write can hold a new external id, because items of a batch cannot change it.
  if (content.external_id !== null && content.external_id !== before.external_id)
    await checkExternalIdIsFree(context.tx, before.agency_id, content.external_id)
  const removed = before.photos.filter((photo) => !photos.includes(photo))
  const listing = collectChange(context, before, 'updated', { ...content, photos })
  if (removed.length > 0) await abandonPhotos(context.tx, before.agency_id, removed, context.clock)
  return { listing, warnings }
}

/** One entry for each URL. `Problems` would keep only the first, because all have the parameter `photos`. */
function notOwn(urls: readonly string[]): ApiError {
  const errors = urls.slice(0, maxErrors).map((url) => ({
    parameter: 'photos',
    message: `${url} is not a photo of this listing. Send the URLs of its own photos, in the order you want. To add or replace photos, use PUT /properties/{id}/photos.`,
  }))
  return new ApiError('invalid_parameter', { ...errors[0], errors })
}

function photosAfter(before: Listing, payload: Payload, baseUrl: string): string[] {
  if (payload.photos === undefined) return before.photos
  const known = (payload.photos ?? []).map((url) => {
    const photo = namedPhoto(url, baseUrl, before)?.photo ?? null
    return { url, photo: photo !== null && before.photos.includes(photo) ? photo : null }
  })
  const foreign = new Set(known.flatMap(({ url, photo }) => (photo === null ? url : [])))
  if (foreign.size > 0) throw notOwn([...foreign])
  const photos = known.flatMap(({ photo }) => photo ?? [])
  if (new Set(photos).size < photos.length)
    throw invalid('photos', 'photos has the same photo twice. Send each URL once.')
  return photos
}
