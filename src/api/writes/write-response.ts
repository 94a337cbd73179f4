/**
 * The response of a write of one listing, and its replay (api.md 7.2). The Idempotency-Key stores which version of which listing was shown,
 * and the rest of the response.
 */
import type { ApiResponse, StoredReference } from '../../http/responses/response.ts'
import type { Authenticated } from '../../http/endpoint.ts'
import { listingEtag } from '../../http/responses/etag.ts'
import type { Listing, Warning } from '../../listings/listing.ts'
import type { PhotoResult } from '../../listings/gallery/uploads.ts'
import { getListingAt } from '../../listings/history/rewind.ts'
import { shownPhotos, type UrlResult, urlResults } from './photo-results.ts'
import type { Config } from '../../platform/config/config.ts'
import { isPlaceholder } from '../../platform/names/ids.ts'
import type { DryRun } from '../../writing/dry-run.ts'
import { photoUrls, type ShownAgency, toProperty } from '../../listings/reading/shown/serialize.ts'

/** Everything besides the listing that its JSON depends on. */
export type RenderContext = {
  deps: { config: Pick<Config, 'publicBaseUrl'> }
  caller: { agency: ShownAgency & { profile_version: number } }
  dryRun?: DryRun | null
}

/** The listing as the API shows it to the caller. */
export function render({ deps, caller, dryRun = null }: RenderContext, listing: Listing) {
  const { publicBaseUrl } = deps.config
  const property = toProperty(listing, caller.agency, publicBaseUrl)
  return dryRun === null ? property : { ...property, ...dryRunOverrides(dryRun, listing, publicBaseUrl) }
}

/** A removed listing in the response of a write; without a code if a dry run would create it. */
export function shownDeleted({ public_id: id, external_id, deleted_at }: Listing) {
  return { id: isPlaceholder(id) ? null : id, external_id, deleted: true, deleted_at }
}

/** The members that a dry run shows differently: the current photos, and no code or URL for a listing that is not stored. */
function dryRunOverrides({ photosNow }: DryRun, listing: Listing, baseUrl: string) {
  if (isPlaceholder(listing.public_id)) return { id: null, url: null, photos: [] }
  return { photos: photoUrls({ ...listing, photos: photosNow.get(listing.id) ?? listing.photos }, baseUrl) }
}

/** Everything in the response except the listing. `photos` has the outcome of each URL; the stored pictures are in the listing. */
type Besides = {
  photos?: readonly UrlResult[] | undefined
  meta?: object | undefined
  warnings: readonly Warning[]
}

/** A `RenderContext` as it is stored, so that a replay shows the agency as it was. */
export type StoredContext = {
  base_url: string
  agency: { name: string; slug: string; profile_version: number }
}

type WrittenParts = {
  listing: Listing
  warnings?: readonly Warning[]
  photos?: readonly PhotoResult<string>[]
}

/** The response of a write: the whole listing, its new ETag, the warnings and, if URLs were sent, the outcome of each. */
export function writeResponse(
  context: RenderContext,
  { listing, warnings = [], photos = [] }: WrittenParts,
  { status = 200, meta }: { status?: number; meta?: object } = {},
): ApiResponse {
  const results = urlResults(photos)
  const besides = { photos: results.length === 0 && meta === undefined ? undefined : results, meta, warnings }
  return {
    ...listingResponse(context, listing, status, besides),
    reference: {
      listingId: listing.id,
      revision: listing.version,
      rest: storedRest(context, besides),
    },
  }
}

/** The part of a response that an Idempotency-Key stores besides its listing. */
export function storedRest(context: RenderContext, besides: Besides): StoredContext & Besides {
  return { ...storedContextOf(context), ...besides }
}

export function storedContextOf({ deps, caller }: RenderContext): StoredContext {
  const { name, slug, profile_version } = caller.agency
  return { base_url: deps.config.publicBaseUrl, agency: { name, slug, profile_version } }
}

/** The context of a stored response. */
export function contextFrom(id: string, { base_url: publicBaseUrl, agency }: StoredContext): RenderContext {
  return { deps: { config: { publicBaseUrl } }, caller: { agency: { id, ...agency } } }
}

/** A response that shows a listing. Replays rely on the same values giving the same bytes. */
function listingResponse(
  context: RenderContext,
  listing: Listing,
  status: number,
  { photos, meta, warnings }: Besides,
): ApiResponse {
  return {
    status,
    body: { data: render(context, listing), ...withPhotos(context, listing, photos), meta, warnings },
    headers: { etag: listingEtag(listing, context.caller.agency.profile_version) },
  }
}

/** Replays a `writeResponse`, even if the listing or the agency has changed since. */
export async function replayWrite(
  { deps, caller }: Pick<Authenticated<unknown, unknown, unknown>, 'deps' | 'caller'>,
  { status, listingId, revision, rest }: StoredReference,
): Promise<ApiResponse> {
  const stored = rest as Besides & StoredContext
  const { id } = caller.agency
  const listing = await getListingAt(deps.db, id, listingId, revision)
  return listingResponse(contextFrom(id, stored), listing, status, stored)
}

/** The member `photos` of a response or of an item's result; none in a dry run. */
export function withPhotos(context: RenderContext, listing: Listing, photos: Besides['photos']) {
  const isDry = context.dryRun != null
  return photos === undefined || isDry
    ? {}
    : { photos: shownPhotos(context.deps.config.publicBaseUrl, listing, photos) }
}
