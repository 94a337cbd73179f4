/**
 * Sets a listing's photos (api.md 13.7): its own URLs and known sources stay without a download, the rest is downloaded, and what is not
 * named is removed. If a download fails, nothing is removed.
 */
import type { Deps } from '../deps.ts'
import { ApiError, checked, type Problems } from '../errors.ts'
import { failedPhotos, photosDelayed, type PhotoVerdict } from '../photos/ingest.ts'
import { readPhotoUrl } from '../photos/names-and-urls.ts'
import { sourceFingerprint } from '../photos/source-fingerprint.ts'
import { abandonPhotos, discardPhotos, referencePhotos } from '../photos/unreferenced.ts'
import type { Author } from '../writing/author.ts'
import type { Listing, Warning } from './listing.ts'
import { keepRefused } from './photo-notes.ts'
import { arrange, type Arranged, type Named } from './photo-order.ts'
import { getSourced, type Sourced } from './photo-sources.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from './publish.ts'
import { collectChange, type WriteContext } from './store.ts'
import { checkPhotoUrls, ingestFor, namedOf, notePhotos, photoWarnings, storedPhotos } from './uploads.ts'

/** What the URLs mean, in the order sent, and the pictures that were downloaded for them. */
export type PreparedPhotos = {
  listing: { id: string }
  named: readonly Named[]
  verdicts: readonly PhotoVerdict[]
  /** Set where the transaction refuses them. */
  isRefused: boolean
}

/** Checks what the URLs alone show: none may be sent twice, or be neither the listing's own nor one to fetch. Judges only text. */
export function checkPhotosToSet(deps: Deps, urls: readonly unknown[], problems: Problems): void {
  const first = new Map<unknown, number>()
  urls.forEach((url, index) => {
    const earlier = first.get(url)
    if (earlier === undefined) first.set(url, index)
    else if (typeof url === 'string')
      problems.add(
        `urls[${index}]`,
        `urls[${index}] is the same URL as urls[${earlier}]. Send each URL once.`,
      )
  })
  const isPhoto = (url: string) => readPhotoUrl(url, deps.config.publicBaseUrl) !== null
  checkPhotoUrls(urls, 'urls', deps.photos.allow, problems, isPhoto)
}

/**
 * Whether the URLs alone show that there is nothing to download: all have the form of the agency's own. One of another listing is
 * downloaded nevertheless; that a retry may do so too, before it finds the stored answer, does no harm.
 */
export function setsAtOnce(deps: Deps, agencyId: string, urls: readonly string[]): boolean {
  return urls.every((url) => readPhotoUrl(url, deps.config.publicBaseUrl)?.agencyId === agencyId)
}

/**
 * Finds out what the URLs mean, and downloads those that need it.
 * @param refresh download known sources too
 * @param check runs on the listing before anything is fetched; may throw
 * @throws ApiError `not_found`, `invalid_parameter`, `too_many_photos`, `insufficient_photos`, `rate_limited`, `service_unavailable`
 */
export async function preparePhotosToSet(
  deps: Deps,
  agencyId: string,
  ref: { id: string },
  urls: readonly string[],
  refresh: boolean,
  check: (listing: Listing) => void,
): Promise<PreparedPhotos> {
  const { listing, sources } = await getSourced(deps.db, agencyId, ref)
  check(listing)
  const meanings = urls.map((url) => {
    const own = namedOf(deps, listing, url)?.photo ?? null
    if (own !== null && listing.photos.includes(own)) return { url, known: own, isOwn: true }
    const known = sources.get(sourceFingerprint(url)) ?? null
    return { url, known: known !== null && listing.photos.includes(known) ? known : null, isOwn: false }
  })
  checked((problems) =>
    checkPhotoUrls(urls, 'urls', deps.photos.allow, problems, (url) => namedOf(deps, listing, url) !== null),
  )
  if (urls.length > maxPhotos) throw tooManyPhotos(urls.length)
  if (listing.status === 'published') checkPublishable(listing, urls.length, 'sent')
  const wanted = meanings.flatMap(({ url, known, isOwn }) =>
    known === null || (refresh && !isOwn) ? [url] : [],
  )
  const verdicts = await ingestFor(deps, listing, wanted)
  const ofUrl = new Map(verdicts.map((verdict) => [verdict.url, verdict]))
  return {
    listing,
    isRefused: false,
    named: meanings.map(({ url, known }) => ({ url, known, download: ofUrl.get(url) ?? null })),
    verdicts,
  }
}

export type SetPhotos = Pick<Arranged, 'results' | 'removed'> & { listing: Listing; warnings: Warning[] }

/**
 * Stores the photos in their order. The agency must be locked, and the listing read under the lock: what the preparation names may be
 * gone, what it downloaded may be there.
 * @throws ApiError `insufficient_photos`, `photo_ingest_failed`, `service_unavailable`
 * @throws StalePreparation if a photo that a URL means was removed meanwhile
 */
export async function commitPhotosToSet(
  context: WriteContext,
  { listing: before, ...notes }: Sourced,
  prepared: PreparedPhotos,
): Promise<SetPhotos> {
  const { named, verdicts } = prepared
  const { photos, results, removed, behind } = arrange(before.photos, named)
  const failed = failedPhotos(verdicts)
  prepared.isRefused = failed.length > 0
  if (failed.length > 0 && isSame(photos, before.photos)) throw nothingChanges(verdicts)
  if (before.status === 'published') checkPublishable(before, photos.length, 'would have', failed)
  prepared.isRefused = false
  await referencePhotos(
    context.tx,
    before.agency_id,
    photos.filter((photo) => !before.photos.includes(photo)),
  )
  const listing = collectChange(context, before, 'updated', { photos })
  await abandonPhotos(context.tx, before.agency_id, removed, context.clock)
  const downloads = results.filter((_, index) => named[index]?.download != null)
  notePhotos(context, before.id, notes, results, photos, { downloads, behind })
  return {
    listing,
    results,
    removed,
    warnings: [...photoWarnings(results, 'urls'), ...keptWarning(behind, removed)],
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((photo, index) => photo === other[index])
}

function nothingChanges(verdicts: readonly PhotoVerdict[]): ApiError {
  if (verdicts.some(({ isOurs }) => isOurs)) return photosDelayed(verdicts)
  const photos = failedPhotos(verdicts)
  return new ApiError('photo_ingest_failed', {
    message: `Without the photos that could not be stored, nothing would change. The first: ${photos[0]?.error ?? 'unknown reason'}`,
    extra: { photos },
  })
}

/** Not all that was kept is unnamed: a refreshed picture replaces that of the same URL. */
function keptWarning(behind: readonly string[], removed: readonly string[]): Warning[] {
  if (behind.length === 0) return []
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  const kept = `${behind.length} ${behind.length === 1 ? 'photo' : 'photos'} ${were(behind.length)} kept behind the others because another could not be stored`
  const beyond =
    removed.length === 0
      ? ''
      : `; ${removed.length} more had no place among the ${maxPhotos} and ${were(removed.length)} removed`
  return [
    {
      code: 'photos_kept',
      message: `${kept}${beyond}. A request whose photos can all be stored removes what was kept; it needs a new Idempotency-Key.`,
      parameter: 'urls',
    },
  ]
}

/** Deletes the pictures that the preparation stored and no listing uses. If the write was refused for others, those are kept to be mended. */
export async function discardPhotosToSet(
  deps: Deps,
  agencyId: string,
  author: Author,
  { listing, verdicts, isRefused }: PreparedPhotos,
): Promise<void> {
  await discardPhotos(deps.photos, agencyId, storedPhotos(verdicts))
  if (isRefused) await keepRefused(deps, agencyId, listing, author, verdicts)
}
