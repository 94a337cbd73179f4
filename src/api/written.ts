/**
 * The answer of a write of one listing, and the same answer again (api.md 7.2): its Idempotency-Key keeps which version of which listing
 * it showed, and what it showed besides.
 */
import type { Answer, KeptReference } from '../http/answer.ts'
import type { Authenticated } from '../http/endpoint.ts'
import type { Listing, Warning } from '../properties/listing.ts'
import { getListingAt } from '../properties/rewind.ts'
import { shownPhotos, type UrlResult } from './photo-results.ts'
import { etagOf, type Reader, shown } from './shared.ts'

/** What the answer of a write shows besides the listing. `photos`: what became of each URL; the listing has the pictures. */
type Besides = { photos?: readonly UrlResult[]; meta?: object; warnings: readonly Warning[] }

/** For whom a listing was shown: an answer that is to be given again keeps it. */
export type KeptReader = {
  base_url: string
  agency: { name: string; slug: string; profile_version: number }
}

/** What the answer of a write has to keep to be given again, because neither the listing nor its history holds it. */
type KeptRest = Besides & KeptReader

/** The answer of a write: the whole listing, its new ETag, the warnings and, if there are any, what became of each photo. */
export function written(
  reader: Reader,
  listing: Listing,
  warnings: readonly Warning[],
  status = 200,
  photos: readonly UrlResult[] = [],
  meta?: object,
): Answer {
  const results = urlResults(photos)
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

/** What became of each URL, without what the listing holds. */
export function urlResults(photos: readonly UrlResult[]): UrlResult[] {
  return photos.map(({ url, status, position, reason }) => ({ url, status, position, reason }))
}

/** What the answer of a write keeps beside its listing. */
export function keptRest(reader: Reader, besides: Besides): KeptRest {
  return { ...keptAs(reader), ...besides }
}

export function keptAs({ deps, caller }: Reader): KeptReader {
  const { name, slug, profile_version } = caller.agency
  return { base_url: deps.config.publicBaseUrl, agency: { name, slug, profile_version } }
}

/** The reader of the answer that is given again. */
export function readerThen(agencyId: string, { base_url: publicBaseUrl, agency }: KeptReader): Reader {
  return {
    deps: { config: { publicBaseUrl } },
    caller: { agency: { id: agencyId, ...agency } },
  }
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
      ...(photos === undefined || isDry(reader) ? {} : { photos: shownPhotos(reader, listing, photos) }),
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
  const kept = rest as KeptRest
  const { id } = caller.agency
  const listing = await getListingAt(deps.db, id, propertyId, revision)
  return listingAnswer(readerThen(id, kept), listing, status, kept)
}

/** The member `photos` of a creation's answer; nothing without any, and in a dry run. */
export function withPhotos(reader: Reader, listing: Listing, photos: readonly UrlResult[] = []) {
  return photos.length === 0 || isDry(reader) ? {} : { photos: shownPhotos(reader, listing, photos) }
}

function isDry({ dryRun = null }: Reader): boolean {
  return dryRun !== null
}
