/**
 * Adds photos by URL (api.md 15.15) or, in the dashboard, from files: new pictures are appended in the given order, and a picture that the
 * listing has already is not added again.
 */
import type { Deps } from '../../deps.ts'
import { checked, type Problems } from '../../platform/errors/errors.ts'
import { ingestFiles, type PhotoFile, type PhotoVerdict } from '../photos/ingest.ts'
import { contentHash } from '../photos/names-and-urls.ts'
import type { Actor } from '../../writing/actor.ts'
import { writeAs } from '../store/write-as.ts'
import { getExisting, listingStatement } from '../reading/find.ts'
import type { Listing, Warning } from '../listing.ts'
import { getSourced, type Sourced, sourcedStatement } from '../store/photo-sources.ts'
import { maxPhotos, tooManyPhotos } from '../fields/publishable.ts'
import { collectChange, type WriteContext } from '../store/write-context.ts'
import {
  checkPhotoUrls,
  checkSomeStored,
  downloadFor,
  notePhotoResults,
  type PhotoResult,
  photoResults,
  photoWarnings,
  referenceStored,
  storedPhotos,
} from './uploads.ts'

/** `results`: one for each URL or file, in the order sent; all may have failed. */
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
  const verdicts = context.fetches.requestPhotos(
    urls,
    downloadFor(before.agency_id, { listing: before, baseUrl: deps.config.publicBaseUrl }),
  )
  if (!mayAllFail) checkSomeStored(verdicts)
  const { listing, results } = await append(context, before, verdicts)
  notePhotoResults(context, before.id, notes, results, listing.photos)
  return { listing, results, warnings: photoWarnings(verdicts, 'urls') }
}

/** Like `addPhotoUrls`, from files. Each is charged as a download, before it is decoded. Succeeds even if all fail. */
async function addPhotoFiles(context: WriteContext, before: Listing, files: readonly PhotoFile[]) {
  checkRoom(before, files.length)
  const { agency_id: agencyId, photos: existing } = before
  const names = files.map(({ name }) => name)
  const verdicts = context.fetches.requestPhotos(names, (photos, _names, charge) =>
    ingestFiles(photos, agencyId, files, { existing, charge: () => charge(files.length) }),
  )
  return await append(context, before, verdicts)
}

/** @throws ApiError `too_many_photos` if the listing has no room for that many more */
export function checkRoom({ photos }: Listing, more: number): void {
  const count = photos.length + more
  if (count > maxPhotos) throw tooManyPhotos(count)
}

async function append(context: WriteContext, before: Listing, verdicts: readonly PhotoVerdict[]) {
  const known = new Set(before.photos.map(contentHash))
  const fresh = storedPhotos(verdicts).filter((photo) => !known.has(contentHash(photo)))
  const photos = [...before.photos, ...fresh]
  if (photos.length > maxPhotos) throw tooManyPhotos(photos.length)
  await referenceStored(context, fresh)
  const listing = collectChange(context, before, 'photos_added', { photos })
  return { listing, results: photoResults(verdicts, photos) }
}

/** @throws ApiError `not_found`, `invalid_parameter`, `too_many_photos`, `rate_limited`, `service_unavailable` */
export async function addPhotosByUrl(
  deps: Deps,
  agencyId: string,
  id: string,
  actor: Actor,
  urls: readonly string[],
): Promise<Added> {
  checked((problems) => checkUrlsToAdd(deps, urls, problems))
  const first = { found: sourcedStatement(agencyId, { id }) }
  return writeAs(deps, agencyId, actor, first, (context, { found }) =>
    addPhotoUrls(context, deps, getSourced(found), urls, { mayAllFail: true }),
  )
}

/** @throws as `addPhotosByUrl` */
export function addPhotosFromFiles(
  deps: Deps,
  agencyId: string,
  id: string,
  actor: Actor,
  files: readonly PhotoFile[],
): Promise<Added> {
  const first = { found: listingStatement(agencyId, { id }) }
  return writeAs(deps, agencyId, actor, first, (context, { found }) =>
    addPhotoFiles(context, getExisting(found), files),
  )
}
