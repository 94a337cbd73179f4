/**
 * Creates a listing (api.md 15.7). `prepareCreation` does the slow work without a transaction; `commitCreation` stores the listing in
 * one.
 */
import { hotStatement, type Statement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { checked, type Problems } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { rateLimited } from '../limits/refusal.ts'
import { findInTheWay } from '../limits/take.ts'
import { failedPhotos, ingestPhotos, type PhotoVerdict } from '../photos/ingest.ts'
import { requestedUrls } from '../photos/source-fingerprint.ts'
import { discardPhotos, referencePhotos } from '../photos/unreferenced.ts'
import { mergePayload, type Merged } from './content.ts'
import { duplicateProperty, listingAtAddress, readAddress } from './duplicates.ts'
import { type Listing, noContent, type Warning } from './listing.ts'
import { applyPin, locate, type Located } from './locate.ts'
import { noNotes } from './photo-sources.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from './publish.ts'
import type { Payload } from './schema.ts'
import type { Trial } from '../writing/trial.ts'
import { rehearse } from '../writing/under-lock.ts'
import { externalIdExists, collectListing, type NewListing, type WriteContext } from './store.ts'
import {
  checkEnoughStored,
  checkPhotoUrls,
  checkSomeStored,
  countDownloads,
  notePhotos,
  type PhotoResult,
  photoResults,
  photoWarnings,
  storedPhotos,
  takeDownloads,
} from './uploads.ts'

/** A validated payload of a creation. */
export type Creation = {
  merged: Merged
  urls: readonly string[]
  publish: boolean
  /** Create the listing even if another one has the same address. */
  force: boolean
  /** The uuid that the listing gets; without it, a new one. */
  id?: string
}

/** The results of a creation's slow work: coordinates and photos. The caller owns the photos until a transaction puts them on a listing. */
export type Fetched = { located: Located; verdicts: readonly PhotoVerdict[] }

/** For a creation without slow work, and for a dry run: each different URL gives a picture, which is named by it. */
export function imaginedFetch({ urls }: Pick<Creation, 'urls'>): Fetched {
  const verdicts = requestedUrls(urls).map((url) => ({
    url,
    status: 'stored' as const,
    photo: url,
    why: null,
    isOurs: false,
  }))
  return { located: null, verdicts }
}

export type PreparedCreation = Creation & Fetched

/** The result of a write: the listing after it, warnings and, for a creation, what became of each photo. */
export type Written = { listing: Listing; warnings: Warning[]; photos?: PhotoResult[] }

/**
 * Checks the payload, geocodes the address and stores the photos. A rehearsal with the transaction's own checks comes first, so that a
 * creation that will be refused costs no time and none of the agency's daily photos. The transaction checks again.
 * @throws ApiError `invalid_parameter`, `not_publishable`, `insufficient_photos`, `too_many_photos`, `external_id_exists`,
 *   `duplicate_property`, `rate_limited`, `photo_ingest_failed`; leaves nothing behind
 */
export async function prepareCreation(
  deps: Deps,
  agencyId: string,
  payload: Payload,
): Promise<PreparedCreation> {
  const creation = checkCreation(deps, payload)
  if (waitsForNothing(deps, payload))
    return { ...creation, verdicts: [], located: await locate(deps.geocoder, creation.merged) }
  const { limits } = deps.config
  await rehearse(
    deps.db,
    agencyId,
    deps.clock,
    (locked, [found]) =>
      admitCreation({ ...locked, limits, clock: deps.clock, trial: null }, creation, found),
    [conflictsStatement(agencyId, creation)],
  )
  return { ...creation, ...(await fetchForCreation(deps, agencyId, creation)) }
}

/** The preparation without slow work: for a creation that needs none, and for a dry run. @throws as `checkCreation` does */
export function imagineCreation(deps: Pick<Deps, 'photos'>, payload: Payload): PreparedCreation {
  const creation = checkCreation(deps, payload)
  return { ...creation, ...imaginedFetch(creation) }
}

/**
 * Geocodes the address and stores the photos, in parallel.
 * @param charge charges the downloads to the agency's daily limit
 * @throws ApiError `insufficient_photos`, `photo_ingest_failed`, `rate_limited`; leaves nothing behind
 */
export async function fetchForCreation(
  deps: Deps,
  agencyId: string,
  { merged, urls, publish }: Creation,
  charge = () => takeDownloads(deps, agencyId, urls),
): Promise<Fetched> {
  const [located, verdicts] = await Promise.all([
    locate(deps.geocoder, merged),
    ingestPhotos(deps.photos, agencyId, urls, { existing: [], charge }),
  ])
  const fetched = { located, verdicts }
  try {
    checkSomeStored(verdicts)
    if (publish) checkEnoughStored(verdicts)
    if (publish)
      checkPublishable(merged.content, storedPhotos(verdicts).length, 'would have', failedPhotos(verdicts))
  } catch (error) {
    await discardFetched(deps, agencyId, fetched)
    throw error
  }
  return fetched
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
  // The same request gives the same picture, which counts once.
  if (publish) checkPublishable(merged.content, requestedUrls(urls).length, 'sent')
  return { merged, urls, publish, force: payload.force_duplicate === true }
}

/**
 * Adds what `checkCreation` refuses in single fields, so that the error of another field names it too.
 * @param sent what was sent as payload: only what has its type is judged
 */
export function foreseeCreation(
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
    problems.add(`${prefix}status`, 'status must be draft or published when a listing is created.')
}

/** Whether a creation needs no slow work: no photos and no geocoding. */
export function createsAtOnce({ photos, address, location }: Payload): boolean {
  const hasCoordinates = location?.lat != null && location.lng != null
  return (photos ?? []).length === 0 && (address == null || hasCoordinates)
}

/** Whether a creation waits for nothing outside the database: it needs no slow work, or there is no geocoder now that could do it. */
export function waitsForNothing({ geocoder }: Pick<Deps, 'geocoder'>, payload: Payload): boolean {
  return createsAtOnce(payload) || ((payload.photos ?? []).length === 0 && !geocoder.isReady())
}

/** Listings that conflict with a creation. `at_address` is the public code of one at the same address. */
type Conflicts = { id_is_taken: boolean; at_address: string | null }

const conflicts = hotStatement<Conflicts>(`
  select exists (select from properties where agency_id = $1 and external_id = $5 and deleted_at is null) as id_is_taken,
    (${listingAtAddress(2)}) as at_address`)

/** Finds the listings that conflict with a creation. The agency must be locked. */
export function conflictsStatement(agencyId: string, { merged, force }: Creation): Statement<Conflicts> {
  const key = force ? null : (readAddress(merged.content)?.key ?? null)
  const { external_id: externalId } = merged.content
  return conflicts.with([agencyId, key?.streetKey ?? null, key?.cityKey ?? null, [], externalId])
}

/**
 * Refuses a creation that conflicts with a listing, and counts it toward the limit of new listings.
 * @param found the rows of `conflictsStatement`
 * @throws ApiError `external_id_exists`, `duplicate_property`, `rate_limited`, in this order
 */
export async function admitCreation(
  context: Counting,
  creation: Creation,
  [found]: readonly Conflicts[],
): Promise<void> {
  const { content } = creation.merged
  if (found?.id_is_taken === true) throw externalIdExists(content.external_id)
  const address = readAddress(content)
  if (address !== null && typeof found?.at_address === 'string')
    throw duplicateProperty(address, found.at_address)
  await countCreation(context, creation)
}

type Counting = Pick<WriteContext, 'tx' | 'agencyId' | 'clock' | 'newListings' | 'limits' | 'trial'>

/**
 * Counts a creation that nothing else refuses. A dry run only notes it, with its downloads.
 * @throws ApiError `rate_limited` naming all windows in the way, those of its photos too
 */
export async function countCreation(context: Counting, { urls }: Creation): Promise<void> {
  const { tx, agencyId, clock, newListings, limits, trial } = context
  const downloads = countDownloads(urls)
  if (trial !== null) {
    trial.cost.new_listings += 1
    trial.cost.photos += downloads
    return
  }
  const full = newListings.inTheWay(limits)
  if (full.length === 0) return newListings.takeOne(limits)
  throw rateLimited([...full, ...(await findInTheWay(tx, 'photos', agencyId, downloads, limits, clock))])
}

/** Stores the prepared listing with its photos, after `admitCreation`. The agency must be locked. */
export async function commitCreation(context: WriteContext, prepared: PreparedCreation): Promise<Written> {
  const photos = storedPhotos(prepared.verdicts)
  if (context.trial === null) await referencePhotos(context.tx, context.agencyId, photos)
  return storeCreation(context, prepared, prepared)
}

/** Stores a listing after `admitCreation` and `referencePhotos`. */
export function storeCreation(context: WriteContext, creation: Creation, fetched: Fetched): Written {
  const { verdicts } = fetched
  const { draft, warnings } = newListing(context.agencyId, creation, fetched, context.trial)
  const listing = collectListing(context, draft)
  const photos = photoResults(verdicts, listing.photos)
  notePhotos(context, listing.id, noNotes, photos, listing.photos)
  return { listing, warnings: [...warnings, ...photoWarnings(verdicts, 'photos')], photos }
}

/** The listing that a creation makes, before it is stored. */
export function newListing(
  agencyId: string,
  { merged, publish, id = uuidv7() }: Creation,
  { located, verdicts }: Fetched,
  trial: Trial | null,
): { draft: NewListing; warnings: Warning[] } {
  const { content, warnings } = applyPin(merged, located, trial)
  const draft: NewListing = {
    ...content,
    agency_id: agencyId,
    id,
    status: publish ? 'published' : 'draft',
    photos: storedPhotos(verdicts),
    reserved: false,
    close_reason: null,
    closed_at: null,
    close_amount: null,
    close_currency: null,
  }
  return { draft, warnings }
}

/** Deletes the stored photos that no listing uses, after a write that failed or did not need them. */
export async function discardFetched(deps: Deps, agencyId: string, { verdicts }: Fetched): Promise<void> {
  await discardPhotos(deps.photos, agencyId, storedPhotos(verdicts))
}
