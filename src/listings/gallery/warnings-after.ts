/** The warnings of a listing's photos (photo-warnings.ts) after a write of them: new failures are added, old ones are settled. */
import { isDeepStrictEqual } from 'node:util'
import { sizeLimits } from '../../limits/sizes.ts'
import type { Actor } from '../../writing/actor.ts'
import type { PhotoWhy } from '../photos/failure.ts'
import { requestedUrl } from '../photos/names-and-urls.ts'
import {
  type FailedUrl,
  type KeptPhotos,
  type Origin,
  type PhotoWarnings,
  stillKept,
} from '../reading/warnings/photo-warnings.ts'

/** The outcome of a URL: `why` is null unless it failed. */
type Outcome = { url: string; why: PhotoWhy | null }

type PhotoWrite = {
  at: string
  actor: Actor
  outcomes: readonly Outcome[]
  /** The listing's photos after it. */
  photos: readonly string[]
  /** For a write that names all photos of the listing: the photos that it kept although it did not name them. */
  behind?: readonly string[]
}

/** @returns `before` itself if nothing changes */
export function warningsAfter(before: PhotoWarnings, write: PhotoWrite): PhotoWarnings {
  const { at, actor, photos, behind } = write
  const { kind, name, requestId } = actor
  const origin = { at, by: { kind, name }, request_id: requestId, is_dismissed: false }
  // An uploaded file has no URL.
  const outcomes = new Map(
    write.outcomes.flatMap((one) => (URL.canParse(one.url) ? [[requestedUrl(one.url), one] as const] : [])),
  )
  const known = new Map(before.failed.map((one) => [requestedUrl(one.url), one]))
  // A write of all photos settles the URLs that it does not name.
  const left = before.failed.filter(({ url }) => behind === undefined && !outcomes.has(requestedUrl(url)))
  const failed = [...outcomes].flatMap(([requested, { url, why }]): FailedUrl[] => {
    if (why === null) return []
    const earlier = known.get(requested)
    // A dismissed failure stays dismissed while its reason is the same: a system sends the same URL every night.
    const isDismissed = earlier?.is_dismissed === true && isDeepStrictEqual(earlier.why, why)
    return [{ ...origin, url, why, since: earlier?.since ?? at, is_dismissed: isDismissed }]
  })
  const isUnchanged = failed.length === 0 && left.length === before.failed.length
  const kept = keptAfter(before.kept, photos, behind, origin)
  if (isUnchanged && kept === before.kept) return before
  return { failed: [...left, ...failed].slice(-sizeLimits.photos_per_listing), kept }
}

function keptAfter(
  before: KeptPhotos | null,
  photos: readonly string[],
  behind: readonly string[] | undefined,
  origin: Origin,
): KeptPhotos | null {
  if (behind === undefined) return before !== null && stillKept(before, photos).length > 0 ? before : null
  if (behind.length === 0) return null
  const isDismissed = before?.is_dismissed === true && isDeepStrictEqual(before.photos, behind)
  return { ...origin, photos: [...behind], is_dismissed: isDismissed }
}
