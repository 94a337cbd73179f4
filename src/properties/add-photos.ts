/**
 * Adds photos by URL (api.md 15.15) or, in the dashboard, from files. New pictures are appended in the given order; a picture that the
 * listing has already is not added again.
 */
import type { Deps } from '../deps.ts'
import { checked, invalid } from '../errors.ts'
import { contentHash } from '../photos/names-and-urls.ts'
import type { PhotoFile, PhotoVerdict } from '../photos/ingest.ts'
import { discardPhotos, referencePhotos } from '../photos/unreferenced.ts'
import type { Author } from '../writing/author.ts'
import { getListing, type ListingRef } from './find.ts'
import type { Listing, Warning } from './listing.ts'
import { keepRefused } from './photo-notes.ts'
import type { Sourced } from './photo-sources.ts'
import { maxPhotos, tooManyPhotos } from './publish.ts'
import { collectChange, type WriteContext } from './store.ts'
import {
  checkPhotoUrls,
  checkSomeStored,
  ingestFilesFor,
  ingestFor,
  notePhotos,
  type PhotoResult,
  photoResults,
  photoWarnings,
  storedPhotos,
} from './uploads.ts'

/**
 * Checks the URLs and stores the pictures.
 * @param check runs on the listing before anything is fetched; may throw
 * @throws ApiError `not_found`, `invalid_parameter`, `too_many_photos`, `photo_ingest_failed`, `rate_limited`
 */
export async function preparePhotos(
  deps: Deps,
  agencyId: string,
  ref: ListingRef,
  urls: readonly string[],
  author: Author,
  check: (listing: Listing) => void,
): Promise<PhotoVerdict[]> {
  const verdicts = await takePhotos(deps, agencyId, ref, urls, author, check)
  checkSomeStored(verdicts)
  return verdicts
}

/** As `preparePhotos`, where it is no failure of the write that all photos failed. Then they are kept to be mended. */
export async function takePhotos(
  deps: Deps,
  agencyId: string,
  ref: ListingRef,
  urls: readonly string[],
  author: Author,
  check: (listing: Listing) => void = () => {},
): Promise<PhotoVerdict[]> {
  if (urls.length === 0) throw invalid('urls', 'urls is empty. Send at least one URL.')
  checked((problems) => checkPhotoUrls(urls, 'urls', deps.photos.allow, problems))
  const listing = await getListing(deps.db, agencyId, ref, true)
  check(listing)
  if (urls.length > maxPhotos) throw tooManyPhotos(urls.length)
  checkRoom(listing, urls.length)
  const verdicts = await ingestFor(deps, listing, urls)
  if (verdicts.every(({ why }) => why !== null)) await keepRefused(deps, agencyId, listing, author, verdicts)
  return verdicts
}

/** As `takePhotos`, for files. */
export async function takeFiles(
  deps: Deps,
  agencyId: string,
  ref: ListingRef,
  files: readonly PhotoFile[],
): Promise<PhotoVerdict[]> {
  const listing = await getListing(deps.db, agencyId, ref, true)
  checkRoom(listing, files.length)
  return await ingestFilesFor(deps, listing, files)
}

/** @throws ApiError `too_many_photos` where the listing has no room for so many more */
export function checkRoom({ photos }: Listing, more: number): void {
  const count = photos.length + more
  if (count > maxPhotos) throw tooManyPhotos(count)
}

/** Appends the stored pictures. The agency must be locked, and the listing read under the lock: it may have got photos meanwhile. */
export async function commitPhotos(
  context: WriteContext,
  { listing: before, ...notes }: Sourced,
  verdicts: readonly PhotoVerdict[],
): Promise<{ listing: Listing; results: PhotoResult[]; warnings: Warning[] }> {
  const { listing, results } = await commitFiles(context, before, verdicts)
  notePhotos(context, before.id, notes, results, listing.photos)
  return { listing, results, warnings: photoWarnings(verdicts, 'urls') }
}

/** As `commitPhotos`, for pictures that came from no URL. */
export async function commitFiles(
  context: WriteContext,
  before: Listing,
  verdicts: readonly PhotoVerdict[],
): Promise<{ listing: Listing; results: PhotoResult[] }> {
  const present = new Map(before.photos.map((photo) => [contentHash(photo), photo]))
  const fresh = storedPhotos(verdicts).filter((photo) => !present.has(contentHash(photo)))
  const photos = [...before.photos, ...fresh]
  if (photos.length > maxPhotos) throw tooManyPhotos(photos.length)
  await referencePhotos(context.tx, before.agency_id, fresh)
  const listing = collectChange(context, before, 'photos_added', { photos })
  return { listing, results: photoResults(verdicts, photos) }
}

/** Deletes the pictures that the preparation stored and no listing uses. */
export async function discardUploads(
  deps: Deps,
  agencyId: string,
  verdicts: readonly PhotoVerdict[],
): Promise<void> {
  await discardPhotos(deps.photos, agencyId, storedPhotos(verdicts))
}
