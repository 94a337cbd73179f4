/**
 * The requirements of publishing (api.md 11.2), which a published listing always meets. The API shows the fields that a listing lacks as
 * `missing`, publishing is refused without them, and the dashboard shows them.
 */
import { ApiError } from '../../platform/errors/errors.ts'
import { sizeLimits } from '../../limits/sizes.ts'
import type { FailedPhoto } from '../photos/ingest.ts'
import { neededNames } from './field-lists.ts'
import type { Content } from './content.ts'

export const minPhotos = sizeLimits.photos_to_publish
export const maxPhotos = sizeLimits.photos_per_listing

const priceColumns = ['price_amount', 'price_on_request', 'price_period'] as const
/** The columns that decide whether a listing may be published, besides its photos. */
export const publishableColumns = [...neededNames, ...priceColumns] as const
export type Publishable = Pick<Content, (typeof publishableColumns)[number]> & Partial<Content>

/** The fields that the listing still needs before it can be published, by their API names. */
export function missingToPublish(content: Publishable, photoCount: number): string[] {
  const missing: string[] = neededNames.filter((name) => content[name] === null)
  if (content.price_amount === null && !content.price_on_request) missing.push('price')
  if (content.operation === 'temporary' && content.price_period === null) missing.push('price.period')
  if (photoCount < minPhotos) missing.push('photos')
  return missing
}

/** Which photos are counted: those of the listing, those it would have after the write, or the URLs sent, before any download. */
type Counted = 'has' | 'would have' | 'sent'

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

export function tooManyPhotos(count: number): ApiError {
  return new ApiError('too_many_photos', {
    message: `A listing can have up to ${maxPhotos} photos; this would make ${count}.`,
  })
}
