/** The result of each photo URL of a write (api.md 13.4): schemas, and results as the API shows them. */
import Type, { type TInteger } from 'typebox'
import { photoBudgets, sizeLimits } from '../../limits/sizes.ts'
import { photoWhyText } from '../../listings/photos/failure.ts'
import { photoUrl } from '../../listings/photos/names-and-urls.ts'
import type { Listing } from '../../listings/listing.ts'
import { nullable } from '../../listings/fields/schema.ts'
import type { PhotoResult } from '../../listings/gallery/uploads.ts'
import { exampleProperty } from '../examples/examples.ts'

const megabytes = sizeLimits.photo_bytes / 1_048_576

/** The accepted files and the time for their downloads, for descriptions. */
export const acceptedFiles = `JPEG, PNG or WebP, up to ${megabytes} MB and ${photoBudgets.megapixels} megapixels each. A download has ${photoBudgets.downloadSeconds} seconds, all photos of a request together ${photoBudgets.writeSeconds}.`

/** The schema of one result. */
export function photoResultSchema<const Status extends string>(statuses: readonly Status[], title: string) {
  return Type.Object(
    {
      url: Type.String({ description: 'As sent.' }),
      status: Type.Unsafe<Status>({ type: 'string', enum: [...statuses] }),
      position: nullable<number>({
        type: 'integer',
        description: 'Position in the listing, from 0; null if it failed.',
      }),
      stored_url: nullable<string>({
        type: 'string',
        description: 'URL of the stored photo; null if it failed.',
      }),
      error: nullable<string>({ type: 'string', description: 'Why it failed, else null.' }),
    },
    { title },
  )
}

/** The schema of the results of `POST …/photos` and of creations. */
export const addedPhotos = Type.Array(photoResultSchema(['stored', 'duplicate', 'failed'], 'PhotoResult'), {
  description: 'A result for each URL, in the order sent.',
})

/** The entries of an error's `photos`. */
export const failedPhotosSchema = Type.Array(photoResultSchema(['failed'], 'FailedPhoto'), {
  description: 'With errors after a download that failed: the photos that could not be stored, and why.',
})

/** An example: a photo of `exampleProperty`. */
export const exampleResult = (url: string, status: string, position: number) => ({
  url,
  status,
  position,
  stored_url: exampleProperty.photos[position] ?? null,
  error: null,
})

/** The result of a URL as an Idempotency-Key stores it: the outcome, its position among the listing's photos, and why it failed. */
export type UrlResult = Omit<PhotoResult<string>, 'photo' | 'why'> & { reason: string | null }

export function urlResults(photos: readonly PhotoResult<string>[]): UrlResult[] {
  return photos.map(({ url, status, position, why }) => ({
    url,
    status,
    position,
    reason: why === null ? null : photoWhyText(why),
  }))
}

/** Results as the API shows them. @param listing the listing after the write */
export function shownPhotos(baseUrl: string, listing: Listing, results: readonly UrlResult[]) {
  return results.map(({ url, status, position, reason }) => {
    const photo = position === null ? undefined : listing.photos[position]
    return {
      url,
      status,
      position,
      stored_url:
        photo === undefined ? null : photoUrl(baseUrl, listing.agency_id, listing.public_id, photo, 'large'),
      error: reason,
    }
  })
}

/** The schema of `meta`: how many URLs were sent, and how many of them have each status. */
export function countsSchema<const Status extends string>(statuses: readonly Status[]) {
  const counts = ['requested', ...statuses].map((name) => [name, Type.Integer()])
  return Type.Object(Object.fromEntries(counts) as Record<'requested' | Status, TInteger>)
}

/** How many URLs were sent, and how many of them have each status, for `meta`. */
export function countResults<const Status extends string>(
  results: readonly PhotoResult<Status>[],
  statuses: readonly Status[],
): { requested: number } & Record<Status, number> {
  const counts = statuses.map((status) => [
    status,
    results.filter((result) => result.status === status).length,
  ])
  return { requested: results.length, ...(Object.fromEntries(counts) as Record<Status, number>) }
}
