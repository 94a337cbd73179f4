/**
 * Adds photos by URL (api.md 15.15) or, in the dashboard, from files. New pictures are appended in the given order; a picture that the
 * listing has already is not added again.
 */
import type { Deps } from '../../deps.ts'
import type { Problems } from '../../platform/errors.ts'
import { contentHash } from '../photos/names-and-urls.ts'
import type { PhotoFile, PhotoVerdict } from '../photos/ingest.ts'
import type { Listing, Warning } from '../listing.ts'
import type { Sourced } from './photo-sources.ts'
import { maxPhotos, tooManyPhotos } from '../publishable.ts'
import { collectChange, type WriteContext } from '../store.ts'
import {
  checkPhotoUrls,
  checkSomeStored,
  decodeFor,
  downloadFor,
  notePhotos,
  type PhotoResult,
  photoResults,
  photoWarnings,
  referenceStored,
  storedPhotos,
} from './uploads.ts'

type Added = { listing: Listing; results: PhotoResult[] }

/** Checks the URLs without the listing. Skips values that are not strings. */
export function checkUrlsToAdd(
  { photos }: Pick<Deps, 'photos'>,
  urls: readonly unknown[],
  problems: Problems,
): void {
  if (urls.length === 0) problems.add('urls', 'urls is empty. Send at least one URL.')
  checkPhotoUrls(urls, 'urls', photos.allow, problems)
}

/**
 * Adds pictures by URL. The agency must be locked, and the listing read under the lock.
 * @param options.mayAllFail whether the write succeeds even if no photo could be stored
 * @throws ApiError `too_many_photos`, `photo_ingest_failed`, `rate_limited`, `service_unavailable`
 */
export async function addPhotoUrls(
  context: WriteContext,
  deps: Pick<Deps, 'config'>,
  { listing: before, ...notes }: Sourced,
  urls: readonly string[],
  { mayAllFail = false }: { mayAllFail?: boolean } = {},
): Promise<Added & { warnings: Warning[] }> {
  if (urls.length > maxPhotos) throw tooManyPhotos(urls.length)
  checkRoom(before, urls.length)
  const verdicts = context.fetches.photos(
    urls,
    downloadFor(before.agency_id, { listing: before, baseUrl: deps.config.publicBaseUrl }),
  )
  if (!mayAllFail) checkSomeStored(verdicts)
  const { listing, results } = await append(context, before, verdicts)
  notePhotos(context, before.id, notes, results, listing.photos)
  return { listing, results, warnings: photoWarnings(verdicts, 'urls') }
}

/** Like `addPhotoUrls`, from files. Succeeds even if all fail. */
export async function addPhotoFiles(
  context: WriteContext,
  before: Listing,
  files: readonly PhotoFile[],
): Promise<Added> {
  checkRoom(before, files.length)
  const names = files.map(({ name }) => name)
  return await append(context, before, context.fetches.photos(names, decodeFor(before, files)))
}

/** @throws ApiError `too_many_photos` if the listing has no room for that many more */
export function checkRoom({ photos }: Listing, more: number): void {
  const count = photos.length + more
  if (count > maxPhotos) throw tooManyPhotos(count)
}

async function append(
  context: WriteContext,
  before: Listing,
  verdicts: readonly PhotoVerdict[],
): Promise<Added> {
  const known = new Set(before.photos.map(contentHash))
  const fresh = storedPhotos(verdicts).filter((photo) => !known.has(contentHash(photo)))
  const photos = [...before.photos, ...fresh]
  if (photos.length > maxPhotos) throw tooManyPhotos(photos.length)
  await referenceStored(context, fresh)
  const listing = collectChange(context, before, 'photos_added', { photos })
  return { listing, results: photoResults(verdicts, photos) }
}
