/**
 * Sets a listing's photos (api.md 13.7): its own URLs and known sources stay without a download, the rest is downloaded, and photos that
 * are not named are removed. If a download fails, nothing is removed.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../deps.ts'
import { ApiError, checked, type Problems } from '../../platform/errors/errors.ts'
import { failedPhotos, photosDelayed, type PhotoVerdict } from '../photos/ingest.ts'
import { contentHash, namedPhoto, readPhotoUrl, sourceFingerprint } from '../photos/names-and-urls.ts'
import { sizeLimits } from '../../limits/sizes.ts'
import { StaleWrite } from '../../writing/run-until-complete.ts'
import { abandonPhotos } from '../photos/unreferenced.ts'
import type { Listing, Warning } from '../listing.ts'
import type { Sourced } from '../store/photo-sources.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from '../fields/publishable.ts'
import { collectChange, type WriteContext } from '../store/write-context.ts'
import {
  checkPhotoUrls,
  downloadFor,
  notePhotoResults,
  type PhotoResult,
  photoWarnings,
  referenceStored,
} from './uploads.ts'

/** Checks the URLs without the listing: each occurs once, and is a photo of the service or may be fetched. Only strings are checked. */
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

type SetPhotos = Pick<Arranged, 'results' | 'removed'> & { listing: Listing; warnings: Warning[] }

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
  const verdicts = context.fetches.requestPhotos(
    wanted,
    downloadFor(before.agency_id, { listing: before, baseUrl }),
  )
  const ofUrl = new Map(verdicts.map((verdict) => [verdict.url, verdict]))
  const named = meanings.map(({ url, known }) => ({ url, known, download: ofUrl.get(url) ?? null }))

  const { photos, results, removed, behind } = arrange(before.photos, named)
  const failed = failedPhotos(verdicts)
  if (failed.length > 0 && isDeepStrictEqual(photos, before.photos)) throw nothingChanges(verdicts)
  if (before.status === 'published') checkPublishable(before, photos.length, 'would have', failed)
  const listing = collectChange(context, before, 'updated', { photos })
  await referenceStored(context, photos)
  await abandonPhotos(context.tx, before.agency_id, removed, context.clock)
  const downloads = results.filter((_, index) => named[index]?.download != null)
  notePhotoResults(context, before.id, notes, results, photos, { downloads, behind })
  return {
    listing,
    results,
    removed,
    warnings: [...photoWarnings(results, 'urls'), ...keptWarning(behind, removed)],
  }
}

function nothingChanges(verdicts: readonly PhotoVerdict[]): ApiError {
  if (verdicts.some(({ isOurs }) => isOurs)) return photosDelayed(verdicts)
  const photos = failedPhotos(verdicts)
  return new ApiError('photo_ingest_failed', {
    message: `Without the photos that could not be stored, nothing would change. The first: ${photos[0]?.error ?? 'unknown reason'}`,
    extra: { photos },
  })
}

/** The message does not say that the kept photos were not named: a photo that `refresh` replaced is kept too, though its URL was sent. */
function keptWarning(behind: readonly string[], removed: readonly string[]): Warning[] {
  if (behind.length === 0) return []
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  const kept = `${behind.length} photo${behind.length === 1 ? '' : 's'} ${were(behind.length)} kept behind the others because another could not be stored`
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

/** A URL, and what it stands for. */
type Named = {
  url: string
  /** The listing's photo that the URL is, or that came from it. */
  known: string | null
  /** Null if nothing was downloaded; then `known` is a photo. */
  download: PhotoVerdict | null
}

type SetStatus = 'stored' | 'kept' | 'duplicate' | 'failed'

type Arranged = {
  photos: string[]
  /** One for each URL. */
  results: PhotoResult<SetStatus>[]
  /** Photos that the listing had and has no more. */
  removed: string[]
  /** Photos that no URL names, kept behind the others because a download failed. */
  behind: string[]
}

/**
 * Puts the photos in the order of the URLs. Each has the position of the first URL that stands for it.
 * @param before the listing's photos before the write
 * @throws StaleWrite if a photo that a download repeats is gone
 */
function arrange(before: readonly string[], named: readonly Named[]): Arranged {
  const listed = new Set(before)
  const byHash = new Map(before.map((photo) => [contentHash(photo), photo]))
  const order: string[] = []
  const positionOf = (photo: string): number => {
    if (!order.includes(photo)) order.push(photo)
    return order.indexOf(photo)
  }

  const results = named.map(({ url, known, download }): PhotoResult<SetStatus> => {
    if (download?.status === 'failed') {
      if (known !== null) positionOf(known)
      return { url, status: 'failed', photo: null, position: null, why: download.why }
    }
    const photo = download === null ? known : pictureOf(download, byHash)
    if (photo === null) throw new StaleWrite()
    const isFirst = !order.includes(photo)
    const position = positionOf(photo)
    const status =
      isFirst && photo === known ? 'kept' : isFirst && !listed.has(photo) ? 'stored' : 'duplicate'
    return { url, status, photo, position, why: null }
  })

  const hasFailures = results.some(({ status }) => status === 'failed')
  const unnamed = before.filter((photo) => !order.includes(photo))
  const behind = hasFailures ? unnamed.slice(0, sizeLimits.photos_per_listing - order.length) : []
  return { photos: [...order, ...behind], results, removed: unnamed.slice(behind.length), behind }
}

/** The photo that shows what was downloaded: one that the listing has, or else the upload. Null if it repeats one that is gone. */
function pictureOf({ status, photo }: PhotoVerdict, byHash: Map<string, string>): string | null {
  if (photo === null) return null
  const hash = contentHash(photo)
  if (status === 'stored' && !byHash.has(hash)) byHash.set(hash, photo)
  return byHash.get(hash) ?? null
}
