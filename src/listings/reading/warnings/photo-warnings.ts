/**
 * Open photo problems: URLs that gave no photo, and photos that stayed because of them. Kept with the sources of the photos
 * (photo-sources.ts) until a later write stores the picture, a person dismisses the problem, or 90 days pass without a failure.
 */
import { isDeepStrictEqual } from 'node:util'
import { sizeLimits } from '../../../limits/sizes.ts'
import type { PhotoWhy } from '../../photos/failure.ts'
import { requestedUrl, sourceFingerprint } from '../../photos/names-and-urls.ts'
import type { Actor } from '../../../writing/actor.ts'

/** The actor and time of the write. `name`: null if the person was erased. */
type Origin = {
  at: string
  by: { kind: Actor['kind']; name: string | null }
  request_id: string | null
  is_dismissed: boolean
}

/** A URL that gave no photo. `since`: when it first failed; `at`: when it last did. */
export type FailedUrl = Origin & { url: string; why: PhotoWhy; since: string }

/** Photos that a request did not name, and that were kept because another could not be stored. */
type KeptPhotos = Origin & { photos: string[] }

/** The latest failure last. */
export type PhotoWarnings = { failed: readonly FailedUrl[]; kept: KeptPhotos | null }

export const noPhotoWarnings: PhotoWarnings = { failed: [], kept: null }

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

/** The photos that the listing still has: an edit may have removed others since. */
export function stillKept({ photos: kept }: KeptPhotos, photos: readonly string[]): string[] {
  return kept.filter((photo) => photos.includes(photo))
}

/** The warnings with some dismissed. @param names fingerprints of URLs, or `photos_kept`; null: all */
export function dismissed(before: PhotoWarnings, names: ReadonlySet<string> | null): PhotoWarnings {
  const mark = <One extends Origin>(one: One, name: string): One =>
    names === null || names.has(name) ? { ...one, is_dismissed: true } : one
  return {
    failed: before.failed.map((one) => mark(one, sourceFingerprint(one.url))),
    kept: before.kept && mark(before.kept, 'photos_kept'),
  }
}

/** Warnings that nobody has dismissed and that still apply to the listing's photos. */
export function openWarnings({ failed, kept }: PhotoWarnings, photos: readonly string[]): PhotoWarnings {
  const isOpen = kept !== null && !kept.is_dismissed && stillKept(kept, photos).length > 0
  return { failed: failed.filter((one) => !one.is_dismissed), kept: isOpen ? kept : null }
}

/** Whether people with these names sent any of the photos. */
export function isWarnedBy({ failed, kept }: PhotoWarnings, names: ReadonlySet<string>): boolean {
  return [...failed, ...(kept === null ? [] : [kept])].some(({ by }) => isPersonOf(by, names))
}

/** The warnings with the names of these people erased. */
export function withoutSenders({ failed, kept }: PhotoWarnings, names: ReadonlySet<string>): PhotoWarnings {
  const erased = <One extends Origin>(one: One): One =>
    isPersonOf(one.by, names) ? { ...one, by: { ...one.by, name: null } } : one
  return { failed: failed.map(erased), kept: kept && erased(kept) }
}

function isPersonOf({ kind, name }: Origin['by'], names: ReadonlySet<string>): boolean {
  return (kind === 'person' || kind === 'operator') && name !== null && names.has(name)
}

export function warningColumns(warnings: PhotoWarnings) {
  const { failed, kept } = warnings
  const all = [...failed, ...(kept === null ? [] : [kept])]
  const times = all.map(({ at }) => at).toSorted()
  return {
    warnings: all.length === 0 ? null : warnings,
    warned_at: times.at(-1) ?? null,
    to_mend: all.filter((one) => !one.is_dismissed).length,
  }
}
