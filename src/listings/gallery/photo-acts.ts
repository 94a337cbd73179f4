/** Adds, orders and removes photos for people in the dashboard, with the steps, limits and rules of the API. */
import type { Deps } from '../../deps.ts'
import { ApiError, checked } from '../../platform/errors.ts'
import type { PhotoFile } from '../photos/ingest.ts'
import { photoUrl } from '../photos/names-and-urls.ts'
import type { Author } from '../../platform/writing/author.ts'
import { actOnListing, writeAs } from '../act.ts'
import { addPhotoFiles, addPhotoUrls, checkUrlsToAdd } from './add-photos.ts'
import { getExisting, listingStatement } from '../find.ts'
import type { Listing } from '../listing.ts'
import { getSourced, sourcedStatement } from './photo-sources.ts'
import type { WriteContext } from '../store.ts'
import { updateListing } from '../update.ts'
import type { PhotoResult } from './uploads.ts'

/** Has one result for each URL or file, in the order sent; all may have failed. */
export type AddedPhotos = { listing: Listing; results: PhotoResult[] }

/** @throws ApiError `not_found`, `invalid_parameter`, `too_many_photos`, `rate_limited`, `service_unavailable` */
export async function addPhotosByUrl(
  deps: Deps,
  agencyId: string,
  id: string,
  author: Author,
  urls: readonly string[],
): Promise<AddedPhotos> {
  checked((problems) => checkUrlsToAdd(deps, urls, problems))
  return writeAs(deps, agencyId, author, [sourcedStatement(agencyId, { id })], (context, [rows]) =>
    addPhotoUrls(context, deps, getSourced(rows), urls, { mayAllFail: true }),
  )
}

/** @throws as `addPhotosByUrl` */
export function addPhotosFromFiles(
  deps: Deps,
  agencyId: string,
  id: string,
  author: Author,
  files: readonly PhotoFile[],
): Promise<AddedPhotos> {
  return writeAs(deps, agencyId, author, [listingStatement(agencyId, { id })], (context, [rows]) =>
    addPhotoFiles(context, getExisting(rows), files),
  )
}

/**
 * Orders and removes photos, as `PATCH` with `photos` does.
 * @param version the version that the person saw
 * @param wanted the photos in their new order; those left out are removed
 * @throws ApiError `not_found`, `precondition_failed`, `invalid_parameter`, `insufficient_photos`
 */
export function arrangePhotos(
  deps: Deps,
  agencyId: string,
  id: string,
  version: number,
  author: Author,
  wanted: (photos: readonly string[]) => readonly string[],
): Promise<Listing> {
  const context = { db: deps.db, clock: deps.clock, limits: deps.config.limits }
  const base = deps.config.publicBaseUrl
  const act = async (within: WriteContext, before: Listing): Promise<Listing> => {
    const urls = wanted(before.photos).map((photo) =>
      photoUrl(base, agencyId, before.public_id, photo, 'large'),
    )
    return (await updateListing(within, before, { photos: urls }, base)).listing
  }
  return actOnListing(context, agencyId, id, version, author, act)
}

/** The photos with one of them moved to a position, counted from 0. @throws ApiError `precondition_failed` if it is none of them */
export function moved(photos: readonly string[], photo: string, to: number): string[] {
  const others = without(photos, photo)
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, photo)
}

/** @throws ApiError `precondition_failed` if it is none of them */
export function without(photos: readonly string[], photo: string): string[] {
  if (!photos.includes(photo)) throw new ApiError('precondition_failed')
  return photos.filter((other) => other !== photo)
}
