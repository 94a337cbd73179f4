/** Actions on the warnings of a listing (warnings.ts), with the API's functions. */
import { type Act, actOnListing } from '../../../../../listings/writing/write-by-person.ts'
import { addPhotosByUrl } from '../../../../../listings/gallery/add-photos.ts'
import { arrangePhotos } from '../../../../../listings/writing/arrange-photos.ts'
import { dismissWarnings } from '../../../../../listings/gallery/photo-notes.ts'
import { likelyPin } from '../../../../../listings/geocoding/country.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { sourceFingerprint } from '../../../../../listings/photos/names-and-urls.ts'
import { updateListing } from '../../../../../listings/writing/update.ts'
import { findPhotoWarnings } from '../../../../../listings/reading/warnings/attention.ts'
import { openWarnings } from '../../../../../listings/reading/warnings/photo-warnings.ts'
import { lookUpAgain } from '../../../../../listings/writing/store-found-pin.ts'
import { actorOf } from '../../../actor.ts'
import { failed, type Flash, succeeded } from '../../../serving/flash.ts'
import { auditByOperator, versionOf } from '../../../requested-listing.ts'
import type { AgencyRequest } from '../../../serving/page.ts'
import { ApiError } from '../../../../../platform/errors/errors.ts'

/** Downloads failed photos again: one URL, or all. */
async function retry(request: AgencyRequest, listing: Listing): Promise<Flash> {
  const { deps, agency, form } = request
  const name = form.get('name') ?? ''
  const warnings = await findPhotoWarnings(deps.db, agency.id, listing.id)
  const { failed: all } = openWarnings(warnings, listing.photos)
  const urls = all.flatMap(({ url }) => (name === 'all' || sourceFingerprint(url) === name ? [url] : []))
  // The photos were fixed in the meantime.
  if (urls.length === 0) return failed('refused', request.t.refusals.changed)
  const { results } = await addPhotosByUrl(deps, agency.id, listing.id, actorOf(request), urls)
  const failures = results.filter(({ status }) => status === 'failed').length
  const stored = String(results.length - failures)
  return failures === 0
    ? succeeded('photosFixed', stored)
    : failed('photosFailAgain', stored, String(failures))
}

/** `name`: the fingerprint of a URL, `photos_kept`, or `failed` for all photos that failed. */
async function dismiss(request: AgencyRequest, listing: Listing): Promise<Flash> {
  const { deps, agency, form } = request
  const name = form.get('name') ?? ''
  const { failed: all } = await findPhotoWarnings(deps.db, agency.id, listing.id)
  const names = new Set(name === 'failed' ? all.map(({ url }) => sourceFingerprint(url)) : [name])
  await dismissWarnings(deps, agency.id, listing, actorOf(request), names)
  return succeeded('warningDismissed')
}

async function removeKept(request: AgencyRequest, listing: Listing): Promise<Flash> {
  const { deps, agency } = request
  const { kept } = await findPhotoWarnings(deps.db, agency.id, listing.id)
  await arrangePhotos(deps, agency.id, listing.id, versionOf(request), actorOf(request), (photos) =>
    photos.filter((photo) => kept?.photos.includes(photo) !== true),
  )
  return succeeded('keptRemoved')
}

async function place(request: AgencyRequest, listing: Listing): Promise<Flash> {
  const found = await lookUpAgain(request.deps, request.agency.id, listing.id, actorOf(request))
  if (found === 'found') return succeeded('placeFound')
  return failed(found === 'none' ? 'placeUnknown' : 'placeLater')
}

/** Moves the pin to where it was probably meant. */
async function movePin(request: AgencyRequest, { id }: Listing): Promise<Flash> {
  const { deps, agency } = request
  const act: Act = async (within, before) => {
    const { lat, lng } = before
    const location = lat === null || lng === null ? null : likelyPin(lat, lng)
    if (location === null) throw new ApiError('precondition_failed')
    return (await updateListing(within, before, { location }, deps.config.publicBaseUrl)).listing
  }
  await actOnListing(deps, agency.id, id, versionOf(request), actorOf(request), act)
  return succeeded('pinMoved')
}

const remedies = { retry, dismiss, kept: removeKept, place, pin: movePin }

/** The end of an action's path → the action. */
export const warningActs = Object.fromEntries(
  Object.entries(remedies).map(([name, remedy]) => {
    const act = async (request: AgencyRequest, listing: Listing): Promise<Flash> => {
      const flash = await remedy(request, listing)
      if (flash.kind === 'good') await auditByOperator(request, 'listing_mended', listing)
      return flash
    }
    return [`warnings/${name}`, act]
  }),
)
