/**
 * Actions on the warnings of a listing (listing-warnings.ts), by the functions of the API. Each returns to the page of its button.
 */
import { ApiError } from '../../../platform/errors.ts'
import { likelyPin } from '../../../listings/geocoding/country.ts'
import { sourceFingerprint } from '../../../listings/photos/names-and-urls.ts'
import { actOnListing } from '../../../listings/act.ts'
import type { Listing } from '../../../listings/listing.ts'
import { findPhotoWarnings } from '../../../listings/warnings/attention.ts'
import { addPhotosByUrl, arrangePhotos } from '../../../listings/gallery/add-photos.ts'
import { dismissWarnings } from '../../../listings/gallery/photo-notes.ts'
import { toMend } from '../../../listings/warnings/photo-warnings.ts'
import { lookUpAgain } from '../../../listings/warnings/place-unresolved.ts'
import { updateListing } from '../../../listings/update.ts'
import { safeNext } from '../access.ts'
import { authorOf, note } from '../actor.ts'
import { listingOf, versionOf } from '../requested-listing.ts'
import { failed, type Flash, succeeded } from '../flash.ts'
import { refusalText } from '../problems.ts'
import { agencyPages, type AgencyVisit, type Page, withTestPages } from '../visit.ts'

type Act = (visit: AgencyVisit, listing: Listing) => Promise<Flash>

/** Downloads what failed again, one URL or all. */
async function retry(visit: AgencyVisit, listing: Listing): Promise<Flash> {
  const { deps, agency, form } = visit
  const name = form.get('name') ?? ''
  const { failed: all } = toMend(await findPhotoWarnings(deps.db, agency.id, listing.id), listing.photos)
  const urls = all.flatMap(({ url }) => (name === 'all' || sourceFingerprint(url) === name ? [url] : []))
  // Fixed in the meantime.
  if (urls.length === 0) return failed('refused', visit.t.refusals.changed)
  const { results } = await addPhotosByUrl(deps, agency.id, listing.id, authorOf(visit), urls)
  const failures = results.filter(({ status }) => status === 'failed').length
  const stored = String(results.length - failures)
  return failures === 0
    ? succeeded('photosMended', stored)
    : failed('photosFailAgain', stored, String(failures))
}

/** `name`: the fingerprint of a URL, `photos_kept`, or `failed` for all photos that failed. */
async function dismiss(visit: AgencyVisit, listing: Listing): Promise<Flash> {
  const { deps, agency, form } = visit
  const name = form.get('name') ?? ''
  const { failed: all } = await findPhotoWarnings(deps.db, agency.id, listing.id)
  const names = new Set(name === 'failed' ? all.map(({ url }) => sourceFingerprint(url)) : [name])
  await dismissWarnings(deps, agency.id, listing, authorOf(visit), names)
  return succeeded('warningDismissed')
}

/** Removes photos that stayed because another failed. */
async function removeKept(visit: AgencyVisit, listing: Listing): Promise<Flash> {
  const { deps, agency } = visit
  const { kept } = await findPhotoWarnings(deps.db, agency.id, listing.id)
  await arrangePhotos(deps, agency.id, listing.id, versionOf(visit), authorOf(visit), (photos) =>
    photos.filter((photo) => kept?.photos.includes(photo) !== true),
  )
  return succeeded('keptRemoved')
}

async function place(visit: AgencyVisit, listing: Listing): Promise<Flash> {
  const found = await lookUpAgain(visit.deps, visit.agency.id, listing.id, authorOf(visit))
  if (found === 'found') return succeeded('placeFound')
  return failed(found === 'none' ? 'placeUnknown' : 'placeLater')
}

/** Moves the pin to where it was probably meant. */
async function movePin(visit: AgencyVisit, { id }: Listing): Promise<Flash> {
  const { deps, agency } = visit
  const context = { db: deps.db, clock: deps.clock, limits: deps.config.limits }
  await actOnListing(context, agency.id, id, versionOf(visit), authorOf(visit), async (within, before) => {
    const { lat, lng } = before
    const location = lat === null || lng === null ? null : likelyPin(lat, lng)
    if (location === null) throw new ApiError('precondition_failed')
    return (await updateListing(within, before, { location }, deps.config.publicBaseUrl)).listing
  })
  return succeeded('pinMoved')
}

const acts: Readonly<Record<string, Act>> = { retry, dismiss, kept: removeKept, place, pin: movePin }

function actPages(name: string, act: Act): Page[] {
  return agencyPages('POST', `/listings/:listing/warnings/${name}`, 'agency', async (visit) => {
    const listing = await listingOf(visit)
    if (listing.deleted_at !== null)
      throw new ApiError('not_found', { message: 'A removed listing needs nobody.' })
    const { agency, form, deps, session } = visit
    const own = `${agency.path}/listings/${listing.public_id}`
    const to = form.has('next') ? safeNext(form.get('next')) : own
    try {
      const flash = await act(visit, listing)
      if (session.account.role === 'operator' && flash.kind === 'good')
        await note(deps.db, visit, 'listing_mended', agency.realId, listing.public_id)
      return { to, flash }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw error
      return { to, flash: failed('refused', refusalText(visit, error)) }
    }
  })
}

export const warningPages: readonly Page[] = withTestPages(
  Object.entries(acts).flatMap(([name, act]) => actPages(name, act)),
)
