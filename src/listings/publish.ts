/**
 * Publishes a listing that meets the requirements (api.md 11.2). A published listing always meets them.
 */
import { ApiError } from '../platform/errors.ts'
import { sizeLimits } from '../limits/table.ts'
import type { FailedPhoto } from './photos/ingest.ts'
import type { Content, Listing } from './listing.ts'
import { minPhotos, missingToPublish } from './warnings/missing.ts'
import { checkStateChanges } from './state-changes.ts'
import { collectChange, type WriteContext } from './store.ts'

export const maxPhotos = sizeLimits.photos_per_listing

/** Which photos are counted: those of the listing, those it would have after the write, or the URLs sent, before any download. */
export type Counted = 'has' | 'would have' | 'sent'

function countText(count: number, counted: Counted): string {
  if (counted === 'sent') return `${count} ${count === 1 ? 'was' : 'were'} sent`
  return `this one ${counted} ${count}`
}

/**
 * @param failed photos that could not be stored; the error lists them
 * @throws ApiError `too_many_photos`, `insufficient_photos` (only photos are missing) or `not_publishable`, with `missing`
 */
export function checkPublishable(
  content: Content,
  photoCount: number,
  counted: Counted,
  failed: readonly FailedPhoto[] = [],
): void {
  if (photoCount > maxPhotos) throw tooManyPhotos(photoCount)
  const missing = missingToPublish(content, photoCount)
  if (missing.length === 0) return
  const extra = failed.length > 0 ? { missing, photos: failed } : { missing }
  if (missing.length === 1 && missing[0] === 'photos') {
    throw new ApiError('insufficient_photos', {
      message: `A published listing needs at least ${minPhotos} photos; ${countText(photoCount, counted)}.${failed.length > 0 ? ` ${failed.length} of those sent could not be stored.` : ''}`,
      extra,
    })
  }
  throw new ApiError('not_publishable', {
    message: `A published listing needs ${missing.join(', ')}.${photoCount < minPhotos ? ` It has ${photoCount} of at least ${minPhotos} photos.` : ''}`,
    extra,
  })
}

/** 422 `too_many_photos`. */
export function tooManyPhotos(count: number): ApiError {
  return new ApiError('too_many_photos', {
    message: `A listing can have up to ${maxPhotos} photos; this would make ${count}.`,
  })
}

/** The closing columns of a listing that is not closed. */
export const notClosed = { close_reason: null, closed_at: null, close_amount: null, close_currency: null }

/** Publishes a draft or a suspended listing. Leaves a published one unchanged. @throws ApiError the 422s of publishing */
export async function enableListing(context: WriteContext, before: Listing): Promise<Listing> {
  if (before.status === 'published') return before
  checkPublishable(before, before.photos.length, 'has')
  await checkStateChanges(context, before, 'published')
  return collectChange(context, before, 'published', (at) => ({
    ...notClosed,
    status: 'published',
    published_at: at,
  }))
}
