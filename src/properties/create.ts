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
import {
  checkAddressIsFree,
  duplicateProperty,
  type FindAtAddress,
  findAtAddress,
  listingAtAddress,
  readAddress,
} from './duplicates.ts'
import { findListing } from './find.ts'
import { type Content, type Listing, noContent, type Warning } from './listing.ts'
import { applyPin, locate, type Located } from './locate.ts'
import { checkPublishable, maxPhotos, tooManyPhotos } from './publishability.ts'
import type { Payload } from './schema.ts'
import { externalIdExists, insertListing, type WriteContext } from './store.ts'
import {
  checkEnoughStored,
  checkPhotoAddresses,
  checkSomeStored,
  photoWarnings,
  storedPhotos,
  takeDownloads,
} from './uploads.ts'

export type PreparedCreation = {
  merged: Merged
  located: Located
  verdicts: PhotoVerdict[]
  publish: boolean
  /** Listed even where another listing has the address. */
  force: boolean
}

/** What a write answers: the listing as it now is, and what to know about it. */
export type Written = { listing: Listing; warnings: Warning[] }

/**
 * Checks the payload, places the address and stores the photos.
 * @param options.externalIdIs where the caller knows, or lets the transaction alone decide; else it is looked up
 * @param options.moved uuids of listings that will have left their address by then
 * @throws ApiError `invalid_parameter`, `not_publishable`, `insufficient_photos`, `too_many_photos`, `photo_ingest_failed`,
 *   `external_id_exists`, `duplicate_property`, `rate_limited`; nothing is left behind then
 */
export async function prepareCreation(
  deps: Deps,
  agencyId: string,
  payload: Payload,
  options: { externalIdIs?: 'free' | 'taken'; moved?: readonly string[] } = {},
): Promise<PreparedCreation> {
  const checked = checkCreation(deps, payload)
  const { merged, publish, force } = checked
  const { external_id: externalId } = merged.content
  if (externalId !== null && options.externalIdIs === 'taken') throw externalIdExists(externalId)
  if (createsAtOnce(payload)) return checked
  const urls = payload.photos ?? []
  // Told again in the transaction; asked here to spare what takes time.
  if (externalId !== null && options.externalIdIs === undefined) {
    if ((await findListing(deps.db, agencyId, { external_id: externalId })) !== null)
      throw externalIdExists(externalId)
  }
  if (!force) {
    const find: FindAtAddress = (key, except) => findAtAddress(deps.db, agencyId, key, except)
    await checkAddressIsFree(find, merged.content, { moved: options.moved })
  }
  const charge = () => takeDownloads(deps, agencyId, urls)
  const [located, verdicts] = await Promise.all([
    locate(deps.geocoder, merged),
    ingestPhotos(deps.photos, agencyId, urls, { existing: [], charge }),
  ])
  const prepared = { merged, located, verdicts, publish, force }
  try {
    checkSomeStored(verdicts)
    if (publish) checkEnoughStored(verdicts)
    if (publish) checkPublishable(merged.content, storedPhotos(verdicts).length)
  } catch (error) {
    await discardCreation(deps, agencyId, prepared)
    throw error
  }
  return prepared
}

/**
 * Judges the payload by itself, which is all the preparation there is where a creation `createsAtOnce`.
 * @throws ApiError `invalid_parameter`, `not_publishable`, `insufficient_photos`, `too_many_photos`
 */
export function checkCreation(deps: Pick<Deps, 'photos'>, payload: Payload): PreparedCreation {
  const urls = payload.photos ?? []
  if (payload.status === 'disabled')
    throw invalid('status', 'status is draft or published where a listing is created.')
  const publish = payload.status === 'published'
  const merged = mergePayload(noContent, payload)
  checkPhotoAddresses(urls, 'photos', deps.photos.allow)
  if (urls.length > maxPhotos) throw tooManyPhotos(urls.length)
  if (publish) checkPublishable(merged.content, urls.length)
  return { merged, located: null, verdicts: [], publish, force: payload.force_duplicate === true }
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
export function admittingCreation(context: WriteContext, agencyId: string): AdmitCreation {
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
  const { content, warnings } = applyPin(prepared.merged, prepared.located)
  await admit(content, prepared.force)
  const photos = storedPhotos(prepared.verdicts)
  await referencePhotos(context.tx, agencyId, photos)
  const listing = await insertListing(context, {
    ...content,
    agency_id: agencyId,
    id: uuidv7(),
    status: prepared.publish ? 'published' : 'draft',
    photos,
    reserved: false,
    close_reason: null,
    closed_at: null,
    close_amount: null,
    close_currency: null,
  })
  return { listing, warnings: [...warnings, ...photoWarnings(prepared.verdicts, 'photos')] }
}

/** Takes back what the preparation stored, for a write that failed or did not need it. */
export async function discardCreation(
  deps: Deps,
  agencyId: string,
  prepared: PreparedCreation,
): Promise<void> {
  await discardPhotos(deps.photos, agencyId, storedPhotos(prepared.verdicts))
}
