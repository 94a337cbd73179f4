/**
 * Writes the warnings of a listing's photos (photo-warnings.ts) when nothing else of the listing is written: a person dismisses them, or a
 * write was refused because photos failed.
 */
import type { Deps } from '../../deps.ts'
import type { LimitDeps } from '../../limits/counters.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { PhotoVerdict } from '../photos/ingest.ts'
import { sourceFingerprint } from '../photos/names-and-urls.ts'
import type { Actor } from '../../writing/actor.ts'
import { type Locked, underLock } from '../../writing/under-lock.ts'
import type { Listing } from '../listing.ts'
import { getSourced, type Sourced, sourcedStatement } from '../store/photo-sources.ts'
import type { Origin, PhotoWarnings } from '../reading/warnings/photo-warnings.ts'
import { writeContext } from '../store/write-context.ts'
import { warningsAfter } from './warnings-after.ts'

/** @throws ApiError `not_found` */
async function writeWarnings(
  deps: LimitDeps,
  agencyId: string,
  ref: { id: string },
  actor: Actor,
  change: (locked: Locked, before: Sourced) => PhotoWarnings,
): Promise<Listing> {
  return await underLock(
    deps.db,
    agencyId,
    deps.clock,
    async (locked, { found }) => {
      const before = getSourced(found)
      const { listing, sources } = before
      const warnings = change(locked, before)
      const context = writeContext(locked, deps, actor)
      if (warnings !== before.warnings) context.writes.collectPhotoNotes(listing.id, { sources, warnings })
      return listing
    },
    { first: { found: sourcedStatement(agencyId, ref) } },
  )
}

/** @param names fingerprints of URLs, or `photos_kept`; null for all. @throws ApiError `not_found` */
export async function dismissWarnings(
  deps: LimitDeps,
  agencyId: string,
  ref: { id: string },
  actor: Actor,
  names: ReadonlySet<string> | null,
): Promise<Listing> {
  return await writeWarnings(deps, agencyId, ref, actor, (_locked, { warnings }) =>
    dismissed(warnings, names),
  )
}

/** The warnings with some dismissed. @param names fingerprints of URLs, or `photos_kept`; null: all */
function dismissed(before: PhotoWarnings, names: ReadonlySet<string> | null): PhotoWarnings {
  const mark = <One extends Origin>(one: One, name: string): One =>
    names === null || names.has(name) ? { ...one, is_dismissed: true } : one
  return {
    failed: before.failed.map((one) => mark(one, sourceFingerprint(one.url))),
    kept: before.kept && mark(before.kept, 'photos_kept'),
  }
}

/**
 * Notes the photos that a refused write lacked, so that the dashboard shows them; not those that the service was too busy for, because the
 * refusal says to send these again. Never throws, so that the client gets the refusal.
 */
export async function noteFailedPhotos(
  deps: LimitDeps & Pick<Deps, 'log'>,
  agencyId: string,
  ref: { id: string },
  actor: Actor,
  verdicts: readonly PhotoVerdict[],
): Promise<void> {
  const outcomes = verdicts.filter(({ why, isOurs }) => why !== null && !isOurs)
  if (outcomes.length === 0) return
  try {
    await writeWarnings(deps, agencyId, ref, actor, ({ at }, { listing, warnings }) =>
      warningsAfter(warnings, { at, actor, outcomes, photos: listing.photos }),
    )
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return
    deps.log.warn({ err: error, agency_id: agencyId }, 'warnings about failed photos could not be stored')
  }
}
