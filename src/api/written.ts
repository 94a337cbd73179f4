/**
 * The answer of a write of one listing, and the same answer again (api.md 7.2): its Idempotency-Key keeps which version of which listing
 * it showed, and what it showed besides.
 */
import type { Answer, Authenticated, KeptReference } from '../http/endpoint.ts'
import type { Listing, Warning } from '../properties/listing.ts'
import { listingAt } from '../properties/rewind.ts'
import { shownPhotos, type UrlResult } from './photo-results.ts'
import { etagOf, type Reader, shown } from './shared.ts'

/** What the answer of a write shows besides the listing. `photos`: what became of each URL; the listing has the pictures. */
type Besides = { photos?: readonly UrlResult[]; meta?: object; warnings: readonly Warning[] }

/** What the answer of a write has to keep to be given again, because neither the listing nor its history holds it. */
type KeptRest = Besides & {
  base_url: string
  agency: { name: string; slug: string; profile_version: number }
}

/** The answer of a write: the whole listing, its new ETag, the warnings and, if there are any, what became of each photo. */
export function written(
  reader: Reader,
  listing: Listing,
  warnings: readonly Warning[],
  status = 200,
  photos: readonly UrlResult[] = [],
  meta?: object,
): Answer {
  const results = photos.map(({ url, status: became, position, reason }) => ({
    url,
    status: became,
    position,
    reason,
  }))
  const besides: Besides = {
    ...(results.length === 0 && meta === undefined ? {} : { photos: results }),
    ...(meta === undefined ? {} : { meta }),
    warnings,
  }
  return {
    ...listingAnswer(reader, listing, status, besides),
    kept: { propertyId: listing.id, revision: listing.version, rest: keptRest(reader, besides) },
  }
}

/** What the answer of a write keeps beside its listing. */
export function keptRest({ deps, caller }: Reader, besides: Besides): KeptRest {
  const { name, slug, profile_version } = caller.agency
  return { base_url: deps.config.publicBaseUrl, agency: { name, slug, profile_version }, ...besides }
}

/** An answer that shows a listing. Makes the same bytes of the same values. */
function listingAnswer(
  reader: Reader,
  listing: Listing,
  status: number,
  { photos, meta, warnings }: Besides,
): Answer {
  return {
    status,
    body: {
      data: shown(reader, listing),
      ...(photos === undefined || reader.trial !== null
        ? {}
        : { photos: shownPhotos(reader, listing, photos) }),
      ...(meta === undefined ? {} : { meta }),
      warnings,
    },
    headers: { etag: etagOf(reader, listing) },
  }
}

/** The answer as `written` gave it first, whatever became of listing and agency since. */
export async function replayWritten(
  { deps, caller }: Pick<Authenticated<unknown, unknown, unknown>, 'deps' | 'caller'>,
  { status, propertyId, revision, rest }: KeptReference,
): Promise<Answer> {
  const { base_url: publicBaseUrl, agency, ...besides } = rest as KeptRest
  const { id } = caller.agency
  const listing = await listingAt(deps.db, id, propertyId, revision)
  if (listing === null) throw new Error(`listing ${propertyId} has no version ${revision}`)
  const then = { deps: { config: { publicBaseUrl } }, caller: { agency: { id, ...agency } }, trial: null }
  return listingAnswer(then, listing, status, besides)
}

/** The member `photos` of a creation's answer; nothing without any, and in a dry run. */
export function withPhotos(reader: Reader, listing: Listing, photos: readonly UrlResult[] = []) {
  return photos.length === 0 || reader.trial !== null ? {} : { photos: shownPhotos(reader, listing, photos) }
}
