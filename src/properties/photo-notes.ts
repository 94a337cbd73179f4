/**
 * Writes the warnings of a listing's photos (photo-warnings.ts) where nothing else of it is written: a person dismisses them, or a write
 * was refused for what failed.
 */
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { PhotoVerdict } from '../photos/ingest.ts'
import type { Author } from '../writing/author.ts'
import { type Locked, underLock } from '../writing/under-lock.ts'
import type { FetchesOfWrite } from './fetches.ts'
import type { Listing } from './listing.ts'
import { presentSourced, type Sourced, sourcedStatement } from './photo-sources.ts'
import { dismissed, type PhotoWarnings, warningsAfter } from './photo-warnings.ts'
import { writeContext } from './store.ts'

type Writing = Pick<Deps, 'db' | 'clock' | 'config'>

/** @throws ApiError `not_found` */
async function writeWarnings(
  { db, clock, config }: Writing,
  agencyId: string,
  ref: { id: string },
  author: Author,
  change: (locked: Locked, before: Sourced) => PhotoWarnings,
): Promise<Listing> {
  return await underLock(
    db,
    agencyId,
    clock,
    async (locked, [rows]) => {
      const before = presentSourced(rows)
      const { listing, sources } = before
      const warnings = change(locked, before)
      const context = writeContext(locked, { clock, limits: config.limits, author })
      if (warnings !== before.warnings) context.writes.photos(listing.id, { sources, warnings })
      return listing
    },
    { first: [sourcedStatement(agencyId, ref)] },
  )
}

/** @param names fingerprints of URLs, or `photos_kept`; null: all. @throws ApiError `not_found` */
export async function dismissWarnings(
  deps: Writing,
  agencyId: string,
  ref: { id: string },
  author: Author,
  names: ReadonlySet<string> | null,
): Promise<Listing> {
  return await writeWarnings(deps, agencyId, ref, author, (_locked, { warnings }) =>
    dismissed(warnings, names),
  )
}

/**
 * Runs a write of a listing's photos. If it is refused for photos that failed, what failed is kept for the dashboard: the listing is there,
 * and its photos are not.
 */
export async function keepingRefused<T>(
  deps: Writing & Pick<Deps, 'log'>,
  agencyId: string,
  ref: { id: string },
  author: Author,
  fetches: FetchesOfWrite,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof ApiError && 'photos' in error.extra)
      await keepRefused(deps, agencyId, ref, author, fetches.verdicts())
    throw error
  }
}

/**
 * Keeps photos that failed. Those that the service itself was too busy for are not kept, because the refusal says to send them again.
 * Never throws: the refusal is what counts.
 */
export async function keepRefused(
  deps: Writing & Pick<Deps, 'log'>,
  agencyId: string,
  ref: { id: string },
  author: Author,
  verdicts: readonly PhotoVerdict[],
): Promise<void> {
  const outcomes = verdicts.filter(({ why, isOurs }) => why !== null && !isOurs)
  if (outcomes.length === 0) return
  try {
    await writeWarnings(deps, agencyId, ref, author, ({ at }, { listing, warnings }) =>
      warningsAfter(warnings, { at, author, outcomes, photos: listing.photos }),
    )
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return
    deps.log.warn({ err: error, agency_id: agencyId }, 'the failed photos of a refused write are not kept')
  }
}
