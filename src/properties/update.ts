/**
 * Edits a listing (api.md 10).
 */
import type { Deps } from '../deps.ts'
import { ApiError, invalid, mostErrors } from '../errors.ts'
import { photoFromUrl } from '../photos/names-and-urls.ts'
import { abandonPhotos } from '../photos/unreferenced.ts'
import { mergePayload } from './content.ts'
import type { Written } from './create.ts'
import { checkAddressIsFree, isAddressChanged } from './duplicates.ts'
import { findListing, getListing, type ListingRef } from './find.ts'
import type { Listing } from './listing.ts'
import { applyPin, locate, type Located, placeToFind } from './locate.ts'
import { checkPublishable } from './publish.ts'
import type { Payload } from './schema.ts'
import { collectChange, externalIdExists, type WriteContext } from './store.ts'

/**
 * Checks the edit against the current listing and geocodes a changed address. The transaction checks again.
 * @param options.check runs on the listing before the edit; may throw
 * @throws ApiError `not_found`, `invalid_parameter`, `duplicate_property`, and the 422s of publishing
 */
export async function prepareUpdate(
  deps: Deps,
  agencyId: string,
  ref: ListingRef,
  payload: Payload,
  options: { check?: (before: Listing) => void } = {},
): Promise<Located> {
  if (updatesAtOnce(payload)) return null
  const before = await getListing(deps.db, agencyId, ref, true)
  options.check?.(before)
  return prepareUpdateOf(deps, before, payload)
}

/** Whether an edit certainly needs no geocoding, whatever the listing. Then the preparation is skipped and only the transaction checks. */
export function updatesAtOnce({ address, location }: Payload): boolean {
  const hasCoordinates = location?.lat != null && location.lng != null
  return hasCoordinates || (address == null && location === undefined)
}

/** As `prepareUpdate`, for a listing that has just been read. */
export async function prepareUpdateOf(deps: Deps, before: Listing, payload: Payload): Promise<Located> {
  const merged = mergePayload(before, payload)
  checkStillPublishable(before, merged.content, photosAfter(before, payload, deps.config.publicBaseUrl))
  if (placeToFind(merged) === null) return null
  // The transaction checks this again. Here it saves a useless query to the geocoder.
  if (isAddressChanged(before, merged.content) && payload.force_duplicate !== true) {
    await checkAddressIsFree(deps.db, before.agency_id, merged.content, before.id)
  }
  return locate(deps.geocoder, merged)
}

/** Stores the edit. `photos` reorders and removes the listing's own. The agency must be locked, and `before` read under the lock. */
export async function commitUpdate(
  context: WriteContext,
  before: Listing,
  payload: Payload,
  located: Located,
  baseUrl: string,
): Promise<Written> {
  const { content, warnings } = applyPin(mergePayload(before, payload), located, context.dryRun)
  const photos = photosAfter(before, payload, baseUrl)
  checkStillPublishable(before, content, photos)
  if (isAddressChanged(before, content) && payload.force_duplicate !== true) {
    const db = { run: context.writes.read }
    await checkAddressIsFree(db, before.agency_id, content, before.id)
  }
  await checkExternalIdIsFree(context, before, content.external_id)
  const removed = before.photos.filter((photo) => !photos.includes(photo))
  const listing = collectChange(context, before, 'updated', { ...content, photos })
  if (removed.length > 0) await abandonPhotos(context.tx, before.agency_id, removed, context.clock)
  return { listing, warnings }
}

async function checkExternalIdIsFree(
  { tx }: WriteContext,
  before: Listing,
  externalId: string | null,
): Promise<void> {
  if (externalId === null || externalId === before.external_id) return
  if ((await findListing(tx, before.agency_id, { external_id: externalId })) !== null)
    throw externalIdExists(externalId)
}

function checkStillPublishable(
  before: Listing,
  content: Parameters<typeof checkPublishable>[0],
  photos: readonly string[],
): void {
  if (before.status === 'published') checkPublishable(content, photos.length, 'would have')
}

/** Each URL has its entry, all of them for the field as a whole. */
function notOwn(urls: readonly string[]): ApiError {
  const errors = urls.slice(0, mostErrors).map((url) => ({
    parameter: 'photos',
    message: `${url} is not a photo of this listing. Send the URLs of its own photos, in the order you want. To add or replace photos, use PUT /properties/{id}/photos.`,
  }))
  return new ApiError('invalid_parameter', { ...errors[0], errors })
}

function photosAfter(before: Listing, payload: Payload, baseUrl: string): string[] {
  if (payload.photos === undefined) return before.photos
  const known = (payload.photos ?? []).map((url) => {
    const photo = photoFromUrl(url, baseUrl, before.agency_id, before.public_id)
    return { url, photo: photo !== null && before.photos.includes(photo) ? photo : null }
  })
  const foreign = new Set(known.flatMap(({ url, photo }) => (photo === null ? url : [])))
  if (foreign.size > 0) throw notOwn([...foreign])
  const photos = known.flatMap(({ photo }) => photo ?? [])
  if (new Set(photos).size < photos.length)
    throw invalid('photos', 'photos has the same photo twice. Send each URL once.')
  return photos
}
