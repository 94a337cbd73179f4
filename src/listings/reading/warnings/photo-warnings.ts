/**
 * Open photo problems: URLs that gave no photo, and photos that stayed because of them. Kept with the sources of the photos
 * (photo-sources.ts) until a later write stores the picture, a person dismisses the problem, or 90 days pass without a failure.
 */
import type { PhotoWhy } from '../../photos/failure.ts'
import type { Actor } from '../../../writing/actor.ts'

/** The actor and time of the write. `name`: null if the person was erased. */
export type Origin = {
  at: string
  by: { kind: Actor['kind']; name: string | null }
  request_id: string | null
  is_dismissed: boolean
}

/** A URL that gave no photo. `since`: when it first failed; `at`: when it last did. */
export type FailedUrl = Origin & { url: string; why: PhotoWhy; since: string }

/** Photos that a request did not name, and that were kept because another could not be stored. */
export type KeptPhotos = Origin & { photos: string[] }

/** The latest failure last. */
export type PhotoWarnings = { failed: readonly FailedUrl[]; kept: KeptPhotos | null }

export const noPhotoWarnings: PhotoWarnings = { failed: [], kept: null }

/** The photos that the listing still has: an edit may have removed others since. */
export function stillKept({ photos: kept }: KeptPhotos, photos: readonly string[]): string[] {
  return kept.filter((photo) => photos.includes(photo))
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
