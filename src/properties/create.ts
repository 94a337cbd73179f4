/**
 * Creating a listing (spec 'POST /properties'): `prepareCreation` does what takes time, with no transaction open;
 * `commitCreation` stores it whole or not at all.
 */
import { aheadStatement } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { ingestPhotos, type PhotoVerdict } from '../photos/ingest.ts'
import { discardPhotos, referencePhotos } from '../photos/unreferenced.ts'
import { mergePayload, type Merged } from './content.ts'
import { duplicateProperty, listingAtAddress, readAddress } from './duplicates.ts'
import { type Content, type Listing, noContent, type Warning } from './listing.ts'
import { applyPin, locate, type Located } from './locate.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from './publishability.ts'
import type { Payload } from './schema.ts'
import { externalIdExists, insertListing, rehearse, type WriteContext } from './store.ts'
import {
  checkEnoughStored,
  checkPhotoUrls,
  checkSomeStored,
  failedPhotos,
  photoWarnings,
  storedPhotos,
  takeDownloads,
} from './uploads.ts'

/** A creation as its payload says it. */
export type Creation = {
  merged: Merged
  urls: readonly string[]
  publish: boolean
  /** Listed even where another listing has the address. */
  force: boolean
}

/** What of a creation takes time: its place, and its photos. They are the caller's until a transaction puts them on a listing. */
export type Fetched = { located: Located; verdicts: readonly PhotoVerdict[] }

export const nothingFetched: Fetched = { located: null, verdicts: [] }

export type PreparedCreation = Creation & Fetched

/** What a write answers: the listing as it now is, and what to know about it. */
export type Written = { listing: Listing; warnings: Warning[] }

/**
 * Checks the payload, places the address and stores the photos. Whatever else can refuse the creation is judged before that takes time
 * or photos of the agency's day, by what the transaction judges by, which judges again.
 * @throws ApiError `invalid_parameter`, `not_publishable`, `insufficient_photos`, `too_many_photos`, `external_id_exists`,
 *   `duplicate_property`, `rate_limited`, `photo_ingest_failed`; nothing is left behind then
 */
export async function prepareCreation(
  deps: Deps,
  agencyId: string,
  payload: Payload,
): Promise<PreparedCreation> {
  const creation = checkCreation(deps, payload)
  if (createsAtOnce(payload)) return { ...creation, ...nothingFetched }
  const { limits } = deps.config
  await rehearse(deps.db, agencyId, deps.clock, (locked) =>
    admittingCreation({ ...locked, limits }, agencyId)(creation.merged.content, creation.force),
  )
  return { ...creation, ...(await fetchForCreation(deps, agencyId, creation)) }
}

/**
 * Places the address and stores the photos.
 * @param charge takes the downloads from the agency's day
 * @throws ApiError `insufficient_photos`, `photo_ingest_failed`, `rate_limited`; nothing is left behind then
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
    if (publish) checkPublishable(merged.content, storedPhotos(verdicts).length, failedPhotos(verdicts))
  } catch (error) {
    await discardFetched(deps, agencyId, fetched)
    throw error
  }
  return fetched
}

/**
 * Judges the payload by itself.
 * @throws ApiError `invalid_parameter`, `not_publishable`, `insufficient_photos`, `too_many_photos`
 */
export function checkCreation(deps: Pick<Deps, 'photos'>, payload: Payload): Creation {
  const urls = payload.photos ?? []
  if (payload.status === 'disabled')
    throw invalid('status', 'status must be draft or published when a listing is created.')
  const publish = payload.status === 'published'
  const merged = mergePayload(noContent, payload)
  checkPhotoUrls(urls, 'photos', deps.photos.allow)
  if (urls.length > maxPhotos) throw tooManyPhotos(urls.length)
  // The same address gives the same picture, which has one place.
  if (publish) checkPublishable(merged.content, new Set(urls).size)
  return { merged, urls, publish, force: payload.force_duplicate === true }
}

/** Whether a creation has nothing to wait for: neither photos nor a place to look for. */
export function createsAtOnce({ photos, address, location }: Payload): boolean {
  const isPlaced = location?.lat != null && location.lng != null
  return (photos ?? []).length === 0 && (address == null || isPlaced)
}

/**
 * Lets a listing be created, and counts it.
 * @throws ApiError `external_id_exists`, `duplicate_property`, `rate_limited`, in this order
 */
export type AdmitCreation = (content: Content, force: boolean) => Promise<void>

const findInTheWay = aheadStatement<{ id_is_taken: boolean; at_address: string | null }>(`
  select exists (select from properties where agency_id = $1 and external_id = $5 and deleted_at is null) as id_is_taken,
    (${listingAtAddress(2)}) as at_address`)

/** Asks the database, about all at once. The agency must be locked. */
export function admittingCreation(
  context: Pick<WriteContext, 'tx' | 'newListings' | 'limits'>,
  agencyId: string,
): AdmitCreation {
  return async (content, force) => {
    const address = force ? null : readAddress(content)
    const { external_id: externalId } = content
    const key = address?.key ?? null
    const asked = await findInTheWay(context.tx, [
      agencyId,
      key?.streetKey ?? null,
      key?.cityKey ?? null,
      [],
      externalId,
    ])
    const [inTheWay] = await asked.rows()
    if (inTheWay?.id_is_taken === true) throw externalIdExists(externalId)
    if (address !== null && typeof inTheWay?.at_address === 'string')
      throw duplicateProperty(address, inTheWay.at_address, true)
    await context.newListings.takeOne(context.limits)
  }
}

/** Stores the prepared listing. The agency must be locked. @throws ApiError whatever `admit` throws */
export async function commitCreation(
  context: WriteContext,
  agencyId: string,
  prepared: PreparedCreation,
  admit: AdmitCreation,
): Promise<Written> {
  await admit(prepared.merged.content, prepared.force)
  await referencePhotos(context.tx, agencyId, storedPhotos(prepared.verdicts))
  return storeCreation(context, agencyId, prepared, prepared)
}

/** Stores a listing that was admitted, and whose photos were referenced. */
export async function storeCreation(
  context: WriteContext,
  agencyId: string,
  { merged, publish }: Creation,
  { located, verdicts }: Fetched,
): Promise<Written> {
  const { content, warnings } = applyPin(merged, located)
  const listing = await insertListing(context, {
    ...content,
    agency_id: agencyId,
    id: uuidv7(),
    status: publish ? 'published' : 'draft',
    photos: storedPhotos(verdicts),
    reserved: false,
    close_reason: null,
    closed_at: null,
    close_amount: null,
    close_currency: null,
  })
  return { listing, warnings: [...warnings, ...photoWarnings(verdicts, 'photos')] }
}

/** Takes back what was stored, for a write that failed or did not need it. */
export async function discardFetched(deps: Deps, agencyId: string, { verdicts }: Fetched): Promise<void> {
  await discardPhotos(deps.photos, agencyId, storedPhotos(verdicts))
}
