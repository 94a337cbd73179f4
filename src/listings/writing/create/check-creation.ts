/** Checks of a creation that need no database (api.md 15.7). */
import type { Deps } from '../../../deps.ts'
import { noContent } from '../../fields/content.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from '../../fields/publishable.ts'
import type { Payload } from '../../fields/schema.ts'
import { checkPhotoUrls } from '../../gallery/uploads.ts'
import { requestedUrls } from '../../photos/names-and-urls.ts'
import { checked, type Problems } from '../../../platform/errors/errors.ts'
import { type Merged, mergePayload } from '../merge-payload.ts'

/** A validated payload of a creation. */
export type Creation = {
  merged: Merged
  urls: readonly string[]
  publish: boolean
  /** Create the listing even if another one has the same address. */
  force: boolean
  /** The listing's uuid; absent for a new one. */
  id?: string
}

/**
 * Checks everything that needs no database.
 * @throws ApiError `invalid_parameter`, `not_publishable`, `insufficient_photos`, `too_many_photos`
 */
export function checkCreation(deps: Pick<Deps, 'photos'>, payload: Payload): Creation {
  const urls = payload.photos ?? []
  const merged = checked((problems) => {
    checkSent(payload, problems)
    const content = problems.attempt(() => mergePayload(noContent, payload))
    checkPhotoUrls(urls, 'photos', deps.photos.allow, problems)
    return content
  }) as Merged
  const publish = payload.status === 'published'
  if (urls.length > maxPhotos) throw tooManyPhotos(urls.length)
  // URLs that differ only in spelling give one picture, which counts once.
  if (publish) checkPublishable(merged.content, requestedUrls(urls).length, 'sent')
  return { merged, urls, publish, force: payload.force_duplicate === true }
}

/**
 * Adds the problems of single fields that `checkCreation` would find, so that a 400 for another field names them too.
 * @param sent the payload as sent; skips values of a wrong type
 */
export function checkCreationFields(
  deps: Pick<Deps, 'photos'>,
  sent: unknown,
  problems: Problems,
  prefix = '',
): void {
  if (typeof sent !== 'object' || sent === null) return
  checkSent(sent, problems, prefix)
  const { photos } = sent as { photos?: unknown }
  if (Array.isArray(photos)) checkPhotoUrls(photos, `${prefix}photos`, deps.photos.allow, problems)
}

function checkSent(sent: { readonly status?: unknown }, problems: Problems, prefix = ''): void {
  if (sent.status === 'disabled')
    problems.add(`${prefix}status`, `${prefix}status must be draft or published when a listing is created.`)
}
