/**
 * Creates listings (api.md 15.7). `prepareCreation` does the slow work without a transaction; `createListing` stores the listing in one.
 */
import type { Executor } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError, checked, type Problems } from '../errors.ts'
import { newPublicId, placeholderPublicId, uuidv7 } from '../ids.ts'
import { fullWindows } from '../limits/new-listings.ts'
import { rateLimited } from '../limits/refusal.ts'
import { findInTheWay } from '../limits/take.ts'
import { failedPhotos, ingestPhotos, type PhotoVerdict } from '../photos/ingest.ts'
import { requestedUrls } from '../photos/source-fingerprint.ts'
import { discardPhotos, referencePhotos } from '../photos/unreferenced.ts'
import { mergePayload, type Merged } from './content.ts'
import { asCreated, type Created, createStatement, type Draft } from './create-listings.ts'
import { duplicateProperty, readAddress } from './duplicates.ts'
import { type Listing, noContent, type Warning } from './listing.ts'
import { applyPin, locate, type Located } from './locate.ts'
import { noNotes } from './photo-sources.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from './publish.ts'
import type { Payload } from './schema.ts'
import type { Author } from '../writing/author.ts'
import type { DryRun } from '../writing/dry-run.ts'
import { dryRunUnderLock, StalePreparation } from '../writing/under-lock.ts'
import { externalIdExists, type WriteContext, writeContext } from './store.ts'
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

/** Instead of slow work, where there is none to do and in a dry run: each different URL counts as a picture, which is named by it. */
export function nothingFetched({ urls }: Pick<Creation, 'urls'>): Fetched {
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
 * Checks the payload, geocodes the address and stores the photos. A dry run comes first, so that a creation that will be refused costs no
 * time and none of the agency's daily photos.
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
  await dryRunUnderLock(deps.db, agencyId, deps.clock, (locked) =>
    createListing(
      writeContext(locked, { clock: deps.clock, limits: deps.config.limits, author: nobody }),
      creation,
      nothingFetched(creation),
    ),
  )
  return { ...creation, ...(await fetchForCreation(deps, agencyId, creation)) }
}

/** The author of a creation that is rolled back. */
const nobody: Author = { kind: 'system', id: null, name: '', requestId: null }

/** The preparation without slow work: for a creation that needs none, and for a dry run. @throws as `checkCreation` does */
export function prepareWithoutFetching(deps: Pick<Deps, 'photos'>, payload: Payload): PreparedCreation {
  const creation = checkCreation(deps, payload)
  return { ...creation, ...nothingFetched(creation) }
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

/**
 * Creates the prepared listing with its photos. The agency must be locked.
 * @throws ApiError `external_id_exists`, `duplicate_property`, `rate_limited`, in this order; then nothing is stored
 */
export async function commitCreation(
  context: WriteContext,
  prepared: PreparedCreation,
  options: { isCounted?: boolean } = {},
): Promise<Written> {
  if (context.dryRun === null)
    await referencePhotos(context.tx, context.agencyId, storedPhotos(prepared.verdicts))
  return createListing(context, prepared, prepared, options)
}

/** As `commitCreation`, for photos that are referenced already. */
export async function createListing(
  context: WriteContext,
  creation: Creation,
  fetched: Fetched,
  options: { isCounted?: boolean } = {},
): Promise<Written> {
  const [outcome] = await createListings(context, [{ creation, fetched }], options)
  if (outcome instanceof ApiError) throw outcome
  return outcome as Written
}

/**
 * Creates listings that differ in external id and street, by one statement. The agency must be locked.
 * @param options.isCounted whether they count toward the limit of new listings
 * @returns what was written, or the error, of each
 */
export async function createListings(
  context: WriteContext,
  wanted: readonly { creation: Creation; fetched: Fetched }[],
  { isCounted = true }: { isCounted?: boolean } = {},
): Promise<(Written | ApiError)[]> {
  const { agencyId, author, clock, limits, writes, dryRun } = context
  const drafted = wanted.map((one) => {
    const { listing, warnings } = newListing(agencyId, one.creation, one.fetched, dryRun)
    const draft: Draft = { listing, comparesAddress: !one.creation.force, author, response: null }
    return { ...one, draft, warnings }
  })
  const drafts = drafted.map(({ draft }) => draft)
  // A dry run reports limits instead of being refused by them.
  const counted = isCounted && dryRun === null ? limits : null
  const rows = await writes.read(createStatement(drafts, clock, counted))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const outcomes: (Written | ApiError)[] = []
  for (const { creation, fetched, draft, warnings } of drafted) {
    const created = byId.get(draft.listing.id)
    if (created === undefined) throw new Error('create_listings always gives a row')
    if (created.rejection !== null) {
      outcomes.push(await errorOf({ ...context, db: context.tx }, creation, created))
      continue
    }
    const listing = asCreated(draft.listing, created)
    context.revisions.follow(created)
    writes.announce(listing)
    if (dryRun !== null) {
      dryRun.cost.new_listings += 1
      dryRun.cost.photos += countDownloads(creation.urls)
    }
    const photos = photoResults(fetched.verdicts, listing.photos)
    notePhotos({ ...context, at: created.at }, listing.id, noNotes, photos, listing.photos)
    outcomes.push({
      listing,
      warnings: [...warnings, ...photoWarnings(fetched.verdicts, 'photos')],
      photos,
    })
  }
  return outcomes
}

/** The error of a rejected creation. Where a limit is in the way, it names all windows without room, those of its photos too. */
export async function errorOf(
  { db, agencyId, limits, clock }: Pick<WriteContext, 'agencyId' | 'limits' | 'clock'> & { db: Executor },
  { merged: { content }, urls }: Creation,
  rejected: Extract<Created, { rejection: string }>,
): Promise<ApiError> {
  const address = readAddress(content)
  switch (rejected.rejection) {
    case 'external_id_exists':
      return externalIdExists(content.external_id)
    case 'duplicate_property':
      if (address === null || rejected.existing_id === null) throw new Error('no address is compared')
      return duplicateProperty(address, rejected.existing_id)
    case 'rate_limited':
      return rateLimited([
        ...fullWindows(rejected, limits),
        ...(await findInTheWay(db, 'photos', agencyId, countDownloads(urls), limits, clock)),
      ])
    default:
      // Citus has moved the agency.
      throw new StalePreparation()
  }
}

/** What the database sets, and what no new listing has. */
const epoch = new Date(0).toISOString()
const unnumbered = { version: 0, created_at: epoch, updated_at: epoch, published_at: null, deleted_at: null }

/** The listing that a creation makes, before it is stored. */
export function newListing(
  agencyId: string,
  { merged, publish, id = uuidv7() }: Creation,
  { located, verdicts }: Fetched,
  dryRun: DryRun | null,
): { listing: Listing; warnings: Warning[] } {
  const { content, warnings } = applyPin(merged, located, dryRun)
  const listing: Listing = {
    ...content,
    ...unnumbered,
    agency_id: agencyId,
    id,
    public_id: dryRun === null ? newPublicId() : placeholderPublicId(),
    status: publish ? 'published' : 'draft',
    photos: storedPhotos(verdicts),
    reserved: false,
    close_reason: null,
    closed_at: null,
    close_amount: null,
    close_currency: null,
  }
  return { listing, warnings }
}

/** Deletes the stored photos that no listing uses, after a write that failed or did not need them. */
export async function discardFetched(deps: Deps, agencyId: string, { verdicts }: Fetched): Promise<void> {
  await discardPhotos(deps.photos, agencyId, storedPhotos(verdicts))
}
