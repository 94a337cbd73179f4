/**
 * Creates listings (api.md 15.7): checks everything that needs no database, requests photos and coordinates, and calls the function
 * `create_listings`, which decides the rest. Every new listing is created here.
 */
import type { Deps } from '../../deps.ts'
import { rateLimited } from '../../limits/refusal.ts'
import { findBlocking, fullWindows } from '../../limits/take.ts'
import { applyPin } from './apply-pin.ts'
import { type Merged, mergePayload } from './merge-payload.ts'
import { asCreated, type Created, createStatement, type Draft } from './create-listings.ts'
import { duplicateProperty } from './duplicates.ts'
import { readAddress } from '../addresses/read-address.ts'
import type { Fetches } from './fetches.ts'
import { noNotes } from '../gallery/photo-sources.ts'
import {
  checkEnoughStored,
  checkPhotoUrls,
  checkSomeStored,
  downloadFor,
  notePhotos,
  type PhotoResult,
  photoResults,
  photoWarnings,
  referenceStored,
  storedPhotos,
} from '../gallery/uploads.ts'
import type { Listing, Warning } from '../listing.ts'
import { noContent } from '../fields/content.ts'
import { failedPhotos, type PhotoVerdict } from '../photos/ingest.ts'
import { requestedUrls } from '../photos/names-and-urls.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from '../fields/publishable.ts'
import type { Payload } from '../fields/schema.ts'
import { externalIdExists, type WriteContext } from './store.ts'
import type { Executor } from '../../platform/db/statements/statement.ts'
import { ApiError, asApiError, checked, type Problems } from '../../platform/errors/errors.ts'
import { newPublicId, placeholderPublicId, uuidv7 } from '../../platform/ids.ts'
import { StaleWrite } from '../../platform/writing/run-until-complete.ts'

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

/** The result of a write: the listing after it, warnings and, for a creation, the outcome of each photo. */
export type Written = { listing: Listing; warnings: Warning[]; photos?: PhotoResult[] }

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
    problems.add(`${prefix}status`, 'status must be draft or published when a listing is created.')
}

type CreateOptions = {
  /** Whether the listings count toward the limit of new listings; true by default. */
  isCounted?: boolean
  /** Whether nothing later in the transaction depends on their rows. Then a run that is rolled back writes none. */
  isLast?: boolean
}

/** Creates a listing. The agency must be locked. @throws the ApiError that `createListings` returns; nothing is stored then */
export async function createListing(
  context: WriteContext,
  creation: Creation,
  options: CreateOptions = {},
): Promise<Written> {
  const wanted = [{ creation, fetches: context.fetches }]
  const [outcome] = await createListings(context, wanted, options)
  if (outcome instanceof ApiError) throw outcome
  return outcome as Written
}

/**
 * Creates listings that differ in external id and street, by one statement. The agency must be locked.
 * @returns for each, the result or its error: that of its photos, or else the first of `external_id_exists`, `duplicate_property` and
 *   `rate_limited`
 */
export async function createListings(
  context: WriteContext,
  wanted: readonly { creation: Creation; fetches: Fetches }[],
  { isCounted = true, isLast = false }: CreateOptions = {},
): Promise<(Written | ApiError)[]> {
  const { clock, limits, writes, dryRun } = context
  const drafts = wanted.map(({ creation, fetches }) => {
    try {
      return draftOf(context, creation, fetches)
    } catch (error) {
      return asApiError(error)
    }
  })
  const sent = drafts.flatMap((draft) => (draft instanceof ApiError ? [] : [draft]))
  // A dry run is not refused by limits: it reports those that have no room for its cost.
  const counted = isCounted && dryRun === null ? limits : null
  const stores = !isLast || context.willCommit()
  const rows = sent.length === 0 ? [] : await writes.read(createStatement(sent, clock, counted, stores))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const outcomes: (Written | ApiError)[] = []
  for (const [index, draft] of drafts.entries()) {
    const outcome =
      draft instanceof ApiError ? draft : await outcomeOf(context, draft, byId.get(draft.listing.id))
    if (outcome instanceof ApiError) wanted[index]?.fetches.cancel()
    outcomes.push(outcome)
  }
  const created = outcomes.flatMap((outcome) => (outcome instanceof ApiError ? [] : outcome.listing.photos))
  await referenceStored(context, created)
  return outcomes
}

/** A listing to create, with the outcome of its photos and the warnings about its address. */
type PreparedDraft = Draft & { creation: Creation; warnings: Warning[]; verdicts: PhotoVerdict[] }

/** A stand-in for timestamps that the database sets. */
const epoch = new Date(0).toISOString()
const unnumbered = { version: 0, created_at: epoch, updated_at: epoch, published_at: null, deleted_at: null }

/**
 * The listing that a creation makes, before it is stored. Requests its photos and its coordinates.
 * @throws ApiError `photo_ingest_failed`, `insufficient_photos`, `rate_limited`, `service_unavailable`
 */
export function draftOf(
  { agencyId, author, dryRun }: Pick<WriteContext, 'agencyId' | 'author' | 'dryRun'>,
  creation: Creation,
  fetches: Fetches,
): PreparedDraft {
  const { merged, publish, id = uuidv7() } = creation
  const verdicts = fetches.requestPhotos(creation.urls, downloadFor(agencyId))
  const photos = storedPhotos(verdicts)
  checkSomeStored(verdicts)
  if (publish) {
    checkEnoughStored(verdicts)
    checkPublishable(merged.content, photos.length, 'would have', failedPhotos(verdicts))
  }
  const { content, warnings } = applyPin(merged, fetches)
  const listing: Listing = {
    ...content,
    ...unnumbered,
    agency_id: agencyId,
    id,
    // By its placeholder, later items of a dry run's batch recognise a listing that will have another code.
    public_id: dryRun === null ? newPublicId() : placeholderPublicId(),
    status: publish ? 'published' : 'draft',
    photos,
    reserved: false,
    close_reason: null,
    closed_at: null,
    close_amount: null,
    close_currency: null,
  }
  return { creation, verdicts, warnings, listing, author, comparesAddress: !creation.force, response: null }
}

async function outcomeOf(
  context: WriteContext,
  { creation, listing: draft, verdicts, warnings }: PreparedDraft,
  created: Created | undefined,
): Promise<Written | ApiError> {
  if (created === undefined) throw new Error('create_listings always gives a row')
  if (created.rejection !== null) return await errorOf({ ...context, db: context.tx }, creation, created)
  const listing = asCreated(draft, created)
  context.revisions.follow(created)
  context.writes.announce(listing)
  context.dryRun?.addCost({ new_listings: 1, photos: requestedUrls(creation.urls).length })
  const photos = photoResults(verdicts, listing.photos)
  notePhotos({ ...context, at: created.at }, listing.id, noNotes, photos, listing.photos)
  return { listing, warnings: [...warnings, ...photoWarnings(verdicts, 'photos')], photos }
}

/** The error of a rejected creation. A 429 names all full windows, including those for its photos. */
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
        ...(await findBlocking(db, 'photos', agencyId, requestedUrls(urls).length, limits, clock)),
      ])
    default:
      // A transaction holds the lock, so `busy` means that Citus has moved the agency.
      throw new StaleWrite()
  }
}
