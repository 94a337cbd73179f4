/**
 * The photos of one write (api.md 13.4). URLs are checked before anything is fetched, one bad photo does not fail the others, and a
 * failed write keeps no photo.
 */
import { ApiError, type Problems } from '../../platform/errors/errors.ts'
import { checkPhotoUrl, type PhotoSourceAllow } from '../photos/check-url.ts'
import { failedPhotos, ingestPhotos, photosDelayed, type PhotoVerdict } from '../photos/ingest.ts'
import { photoWhyText } from '../photos/failure.ts'
import { contentHash, namedPhoto, requestedUrls } from '../photos/names-and-urls.ts'
import { referencePhotos } from '../photos/unreferenced.ts'
import type { Download } from '../store/fetches.ts'
import type { Listing, Warning } from '../listing.ts'
import { minPhotos } from '../fields/publishable.ts'
import { type PhotoNotes, sourcesAfter, sourcesOf } from '../store/photo-sources.ts'
import type { WriteContext } from '../store/write-context.ts'
import { StaleWrite } from '../../writing/run-until-complete.ts'
import { warningsAfter } from './warnings-after.ts'

/**
 * Checks the URLs without the network. Skips values that are not strings.
 * @param isExempt whether a URL needs no check, because it will not be fetched
 */
export function checkPhotoUrls(
  urls: readonly unknown[],
  parameter: string,
  allow: PhotoSourceAllow,
  problems: Problems,
  isExempt: (url: string) => boolean = () => false,
): void {
  urls.forEach((url, index) => {
    const problem = typeof url !== 'string' || isExempt(url) ? null : checkPhotoUrl(url, allow)
    if (problem !== null) problems.add(`${parameter}[${index}]`, problem)
  })
}

/** Names of the pictures that this write stored, in order. */
export function storedPhotos(verdicts: readonly PhotoVerdict[]): string[] {
  return verdicts.flatMap(({ status, photo }) => (status === 'stored' && photo !== null ? [photo] : []))
}

export function photoWarnings(verdicts: readonly Pick<PhotoVerdict, 'why'>[], parameter: string): Warning[] {
  return verdicts.flatMap(({ why }, index): Warning[] => {
    if (why === null) return []
    const name = `${parameter}[${index}]`
    return [
      { code: 'photo_failed', message: `${name} was not stored: ${photoWhyText(why)}`, parameter: name },
    ]
  })
}

/** The result for one URL (api.md 13.4). */
export type PhotoResult<Status = PhotoVerdict['status']> = Pick<PhotoVerdict, 'url' | 'photo' | 'why'> & {
  status: Status
  /** Position in the listing, from 0; null if the photo failed. */
  position: number | null
}

/**
 * The result for each URL of a write that leaves the listing with `photos`.
 * @throws StaleWrite if the verdict is a duplicate of a picture that was removed from the listing meanwhile
 */
export function photoResults(verdicts: readonly PhotoVerdict[], photos: readonly string[]): PhotoResult[] {
  return verdicts.map(({ url, status, photo, why }) => {
    if (photo === null) return { url, status, photo, position: null, why }
    const position = photos.findIndex((one) => contentHash(one) === contentHash(photo))
    const same = photos[position]
    if (same === undefined) throw new StaleWrite()
    // Another write may have added the same picture to the listing meanwhile.
    const isStored = status === 'stored' && same === photo
    return { url, status: isStored ? 'stored' : 'duplicate', photo: same, position, why }
  })
}

/**
 * Notes where the listing's pictures came from, and which URLs failed.
 * @param photos the listing's, after the write
 * @param set for a write that sets all photos: the results of its downloads, and the photos that it kept after the others
 */
export function notePhotoResults(
  { writes, at, actor }: WriteContext,
  listingId: string,
  before: PhotoNotes,
  results: readonly PhotoResult<string>[],
  photos: readonly string[],
  set?: { downloads: readonly PhotoResult<string>[]; behind: readonly string[] },
): void {
  const sources = sourcesAfter(before.sources, sourcesOf(set?.downloads ?? results), photos)
  const write = { at, actor, outcomes: results, photos, ...(set && { behind: set.behind }) }
  const warnings = warningsAfter(before.warnings, write)
  if (sources !== before.sources || warnings !== before.warnings)
    writes.collectPhotoNotes(listingId, { sources, warnings })
}

/** @throws ApiError `photo_ingest_failed` with every URL, if photos were sent and none could be stored */
export function checkSomeStored(verdicts: readonly PhotoVerdict[]): void {
  if (verdicts.length === 0 || verdicts.some((verdict) => verdict.status !== 'failed')) return
  throw new ApiError('photo_ingest_failed', {
    message: `None of the photos could be stored. The first: ${failedPhotos(verdicts)[0]?.error ?? 'unknown reason'}`,
    extra: { photos: failedPhotos(verdicts) },
  })
}

/** @throws ApiError `service_unavailable` if a listing lacks photos for publishing only because the service was too busy for them */
export function checkEnoughStored(verdicts: readonly PhotoVerdict[]): void {
  const stored = storedPhotos(verdicts).length
  const delayed = verdicts.filter(({ isOurs }) => isOurs).length
  if (stored < minPhotos && stored + delayed >= minPhotos) throw photosDelayed(verdicts)
}

/**
 * Downloads photos for a new listing of an agency, or for one that exists. A URL that belongs to this listing's photos but names none of
 * them fails without a download.
 */
export function downloadFor(agencyId: string, found?: { listing: Listing; baseUrl: string }): Download {
  const existing = found?.listing.photos ?? []
  const isGone = (url: string) => {
    const named = found === undefined ? null : namedPhoto(url, found.baseUrl, found.listing)
    return named !== null && (named.photo === null || !existing.includes(named.photo))
  }
  return async (photos, urls, charge) => {
    const gone = new Set(urls.filter(isGone))
    const wanted = urls.filter((url) => !gone.has(url))
    const downloaded = await ingestPhotos(photos, agencyId, wanted, {
      existing,
      charge: () => charge(requestedUrls(wanted).length),
    })
    let next = 0
    return urls.map((url) =>
      gone.has(url)
        ? { url, status: 'failed', photo: null, why: { kind: 'gone' }, isOurs: false }
        : (downloaded[next++] as PhotoVerdict),
    )
  }
}

/** Marks pictures that were stored for this write as used by a listing. */
export async function referenceStored({ tx, agencyId, fetches }: WriteContext, photos: readonly string[]) {
  await referencePhotos(tx, agencyId, photos.filter(fetches.isStored))
}
