/**
 * Sets a listing's photos (api.md 13.7): its own URLs and known sources stay without a download, the rest is downloaded, and photos that
 * are not named are removed. If a download fails, nothing is removed.
 */
import type { Deps } from '../../deps.ts'
import { ApiError, checked, type Problems } from '../../platform/errors.ts'
import { failedPhotos, photosDelayed, type PhotoVerdict } from '../photos/ingest.ts'
import { namedPhoto, readPhotoUrl, sourceFingerprint } from '../photos/names-and-urls.ts'
import { abandonPhotos } from '../photos/unreferenced.ts'
import type { Listing, Warning } from '../listing.ts'
import { arrange, type Arranged } from './photo-order.ts'
import type { Sourced } from './photo-sources.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from '../publishable.ts'
import { collectChange, type WriteContext } from '../store.ts'
import { checkPhotoUrls, downloadFor, notePhotos, photoWarnings, referenceStored } from './uploads.ts'

/** Checks the URLs without the listing: each once, and a photo of the service or fit to be fetched. Skips values that are not strings. */
export function checkPhotosToSet(deps: Deps, urls: readonly unknown[], problems: Problems): void {
  const first = new Map<unknown, number>()
  urls.forEach((url, index) => {
    const earlier = first.get(url)
    if (earlier === undefined) first.set(url, index)
    else if (typeof url === 'string')
      problems.add(
        `urls[${index}]`,
        `urls[${index}] is the same URL as urls[${earlier}]. Send each URL once.`,
      )
  })
  const isPhoto = (url: string) => readPhotoUrl(url, deps.config.publicBaseUrl) !== null
  checkPhotoUrls(urls, 'urls', deps.photos.allow, problems, isPhoto)
}

export type SetPhotos = Pick<Arranged, 'results' | 'removed'> & { listing: Listing; warnings: Warning[] }

/**
 * Sets the listing's photos to those that the URLs stand for. The agency must be locked, and the listing read under the lock.
 * @param refresh download known sources too
 * @throws ApiError `invalid_parameter`, `too_many_photos`, `insufficient_photos`, `photo_ingest_failed`, `rate_limited`,
 *   `service_unavailable`
 */
export async function setPhotoUrls(
  context: WriteContext,
  deps: Deps,
  { listing: before, ...notes }: Sourced,
  urls: readonly string[],
  refresh: boolean,
): Promise<SetPhotos> {
  const baseUrl = deps.config.publicBaseUrl
  const meanings = urls.map((url) => {
    const own = namedPhoto(url, baseUrl, before)?.photo ?? null
    if (own !== null && before.photos.includes(own)) return { url, known: own, isOwn: true }
    const known = notes.sources.get(sourceFingerprint(url)) ?? null
    return { url, known: known !== null && before.photos.includes(known) ? known : null, isOwn: false }
  })
  const isOwnUrl = (url: string) => namedPhoto(url, baseUrl, before) !== null
  checked((problems) => checkPhotoUrls(urls, 'urls', deps.photos.allow, problems, isOwnUrl))
  if (urls.length > maxPhotos) throw tooManyPhotos(urls.length)
  if (before.status === 'published') checkPublishable(before, urls.length, 'sent')
  const wanted = meanings.flatMap(({ url, known, isOwn }) =>
    known === null || (refresh && !isOwn) ? [url] : [],
  )
  const verdicts = context.fetches.photos(wanted, downloadFor(before.agency_id, { listing: before, baseUrl }))
  const ofUrl = new Map(verdicts.map((verdict) => [verdict.url, verdict]))
  const named = meanings.map(({ url, known }) => ({ url, known, download: ofUrl.get(url) ?? null }))

  const { photos, results, removed, behind } = arrange(before.photos, named)
  const failed = failedPhotos(verdicts)
  if (failed.length > 0 && isSame(photos, before.photos)) throw nothingChanges(verdicts)
  if (before.status === 'published') checkPublishable(before, photos.length, 'would have', failed)
  const listing = collectChange(context, before, 'updated', { photos })
  await referenceStored(context, photos)
  await abandonPhotos(context.tx, before.agency_id, removed, context.clock)
  const downloads = results.filter((_, index) => named[index]?.download != null)
  notePhotos(context, before.id, notes, results, photos, { downloads, behind })
  return {
    listing,
    results,
    removed,
    warnings: [...photoWarnings(results, 'urls'), ...keptWarning(behind, removed)],
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((photo, index) => photo === other[index])
}

function nothingChanges(verdicts: readonly PhotoVerdict[]): ApiError {
  if (verdicts.some(({ isOurs }) => isOurs)) return photosDelayed(verdicts)
  const photos = failedPhotos(verdicts)
  return new ApiError('photo_ingest_failed', {
    message: `Without the photos that could not be stored, nothing would change. The first: ${photos[0]?.error ?? 'unknown reason'}`,
    extra: { photos },
  })
}

/** Does not say that the kept photos were not named: a photo that `refresh` replaced is kept too, though its URL was sent. */
function keptWarning(behind: readonly string[], removed: readonly string[]): Warning[] {
  if (behind.length === 0) return []
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  const kept = `${behind.length} ${behind.length === 1 ? 'photo' : 'photos'} ${were(behind.length)} kept behind the others because another could not be stored`
  const beyond =
    removed.length === 0
      ? ''
      : `; ${removed.length} more had no place among the ${maxPhotos} and ${were(removed.length)} removed`
  return [
    {
      code: 'photos_kept',
      message: `${kept}${beyond}. A request whose photos can all be stored removes what was kept; it needs a new Idempotency-Key.`,
      parameter: 'urls',
    },
  ]
}
