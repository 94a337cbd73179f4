/** Orders and removes photos for people in the dashboard, by the rules of the API. */
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { Actor } from '../../writing/actor.ts'
import type { Listing } from '../listing.ts'
import { photoUrl } from '../photos/names-and-urls.ts'
import type { WriteContext } from '../store/write-context.ts'
import { updateListing } from './update.ts'
import { actOnListing } from './write-by-person.ts'

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
  actor: Actor,
  wanted: (photos: readonly string[]) => readonly string[],
): Promise<Listing> {
  const base = deps.config.publicBaseUrl
  const act = async (within: WriteContext, before: Listing): Promise<Listing> => {
    const urls = wanted(before.photos).map((photo) =>
      photoUrl(base, agencyId, before.public_id, photo, 'large'),
    )
    return (await updateListing(within, before, { photos: urls }, base)).listing
  }
  return actOnListing(deps, agencyId, id, version, actor, act)
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
