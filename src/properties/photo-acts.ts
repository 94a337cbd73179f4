/**
 * What people do with a listing's photos in the dashboard: add, order and remove them. The same steps, limits and rules as the API's.
 */
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { PhotoFile, PhotoVerdict } from '../photos/ingest.ts'
import { photoUrl } from '../photos/names-and-urls.ts'
import type { Author } from '../writing/author.ts'
import { startingOver, underLock } from '../writing/under-lock.ts'
import { actOnListing } from './act.ts'
import { commitFiles, commitPhotos, discardUploads, takeFiles, takePhotos } from './add-photos.ts'
import { getListing } from './find.ts'
import type { Listing } from './listing.ts'
import { presentSourced, sourcedStatement } from './photo-sources.ts'
import { type WriteContext, writeContext } from './store.ts'
import { commitUpdate } from './update.ts'
import { type PhotoResult, toldWhy } from './uploads.ts'

/** One result for each URL or file, in the order sent; all may have failed. */
export type AddedPhotos = { listing: Listing; results: PhotoResult[] }

/** @throws ApiError `not_found`, `invalid_parameter`, `too_many_photos`, `rate_limited`, `service_unavailable` */
export function addPhotosByUrl(
  deps: Deps,
  agencyId: string,
  id: string,
  author: Author,
  urls: readonly string[],
): Promise<AddedPhotos> {
  const take = () => takePhotos(deps, agencyId, { id }, urls, author)
  return add(deps, agencyId, id, take, (verdicts) =>
    underLock(
      deps.db,
      agencyId,
      deps.clock,
      async (locked, [rows]) =>
        await commitPhotos(contextOf(deps, locked, author), presentSourced(rows), verdicts),
      [sourcedStatement(agencyId, { id })],
    ),
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
  const take = () => takeFiles(deps, agencyId, { id }, files)
  return add(deps, agencyId, id, take, (verdicts) =>
    underLock(deps.db, agencyId, deps.clock, async (locked) => {
      const before = await getListing(locked.tx, agencyId, { id }, true)
      return await commitFiles(contextOf(deps, locked, author), before, verdicts)
    }),
  )
}

/** Takes the pictures, then puts them on the listing; or neither. */
function add(
  deps: Deps,
  agencyId: string,
  id: string,
  take: () => Promise<PhotoVerdict[]>,
  commit: (verdicts: readonly PhotoVerdict[]) => Promise<AddedPhotos>,
): Promise<AddedPhotos> {
  return startingOver(async () => {
    const verdicts = await take()
    try {
      if (verdicts.some(({ status }) => status !== 'failed')) return await commit(verdicts)
      const listing = await getListing(deps.db, agencyId, { id }, true)
      const results = verdicts.map(({ url, status, photo, why }) => {
        return { url, status, photo, position: null, ...toldWhy({ why }) }
      })
      return { listing, results }
    } finally {
      await discardUploads(deps, agencyId, verdicts)
    }
  })
}

function contextOf({ clock, config }: Deps, locked: Parameters<typeof writeContext>[0], author: Author) {
  return writeContext(locked, { clock, limits: config.limits, author })
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
    return (await commitUpdate(within, before, { photos: urls }, null, base)).listing
  }
  return actOnListing(context, agencyId, id, version, author, act)
}

/** The photos with one of them moved to a place, counted from 0. @throws ApiError `precondition_failed` if it is none of them */
export function moved(photos: readonly string[], photo: string, to: number): string[] {
  const others = without(photos, photo)
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, photo)
}

/** @throws ApiError `precondition_failed` if it is none of them */
export function without(photos: readonly string[], photo: string): string[] {
  if (!photos.includes(photo)) throw new ApiError('precondition_failed')
  return photos.filter((other) => other !== photo)
}
