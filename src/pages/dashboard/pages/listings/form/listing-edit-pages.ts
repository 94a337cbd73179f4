/**
 * Writing a listing: a new one, an existing one, and the price alone. A script saves drafts during typing: it sends the form and reads the
 * response as JSON. Everything else is saved by a button.
 */
import { ApiError } from '../../../../../platform/errors/errors.ts'
import { formBytes } from '../../../../../limits/sizes.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { missingToPublish } from '../../../../../listings/fields/publishable.ts'
import { enableListing } from '../../../../../listings/writing/states/states.ts'
import { isRental } from '../../../../../listings/fields/vocabulary.ts'
import { html } from '../../../../../platform/web/html.ts'
import { type Flash, succeeded } from '../../../serving/flash.ts'
import { fieldForm } from '../../../forms/forms.ts'
import { priceFields } from './listing-fields.ts'
import { formPage, hiddenPart, labelsOf, photosOf, savesItself } from './form-page.ts'
import { conflictPart, duplicatePart, missingCount, missingPart } from './form-parts.ts'
import { formRefusalOf } from './read-form.ts'
import { type Saved, saveEdit, saveNew, unsaved } from './save.ts'
import { framed } from '../../../parts/page-parts.ts'
import { changeByPerson, listingPath, mayChangeListings, presentListing } from '../../../requested-listing.ts'
import {
  agencyPages,
  type AgencyRequest,
  jsonResponse,
  type Page,
  withTestPages,
} from '../../../serving/page.ts'
import { listingCrumbs, titleText } from '../listing-parts.ts'

/** @throws ApiError `not_found`, `agency_not_active` */
async function writableOf(request: AgencyRequest): Promise<Listing> {
  checkMayWrite(request)
  return await presentListing(request)
}

function checkMayWrite(request: AgencyRequest): void {
  if (!mayChangeListings(request)) throw new ApiError('agency_not_active')
}

async function newForm(request: AgencyRequest) {
  checkMayWrite(request)
  return formPage(request, unsaved(request, null))
}

async function editForm(request: AgencyRequest) {
  return formPage(request, unsaved(request, await writableOf(request)))
}

async function create(request: AgencyRequest) {
  checkMayWrite(request)
  const saved = await saveNew(request)
  if (request.wantsJson) return saveResponse(request, saved)
  if (saved.listing === null && saved.code === null) {
    const problems = { '': request.t.listingForm.empty }
    return formPage(request, { ...saved, problems, code: 'invalid_parameter' })
  }
  return afterSave(request, saved, succeeded('listingCreated'))
}

async function edit(request: AgencyRequest) {
  const listing = await writableOf(request)
  const saved = await saveEdit(request, listing)
  if (request.wantsJson) return saveResponse(request, saved)
  return afterSave(request, saved, savedFlash(request, listing, saved.listing ?? listing))
}

/** A draft is often saved already when its button is pressed. The message then gives the time instead of saying that nothing changed. */
function savedFlash({ format }: AgencyRequest, before: Listing, after: Listing): Flash {
  if (after.status === 'draft') return succeeded('draftSaved', format.plainMoment(after.updated_at))
  return succeeded(after.version === before.version ? 'listingSame' : 'listingSaved')
}

/** After a save by a button: publishes if that was the button, and goes to the listing, or shows the problems. */
async function afterSave(request: AgencyRequest, saved: Saved, flash: Flash) {
  const { listing } = saved
  if (listing === null || !saved.isWhole) return formPage(request, saved)
  const to = listingPath(request, listing)
  if (request.form.get('after') !== 'publish') return { to, flash }
  try {
    await changeByPerson(request, listing, enableListing, 'listing_published', listing.version)
    return { to, flash: succeeded('published') }
  } catch (error) {
    const { problems, code } = formRefusalOf(request, error)
    return formPage(request, { ...saved, problems: neededHere(request, listing, problems), code })
  }
}

/** Shows problems beside missing fields in the words of the form. */
function neededHere(request: AgencyRequest, listing: Listing, problems: Saved['problems']) {
  const isMissing = missingToPublish(listing, listing.photos.length).length > 0
  const needed = request.t.listingForm.neededToPublish
  return isMissing
    ? Object.fromEntries(Object.entries(problems).map(([name, text]) => [name, name === '' ? text : needed]))
    : problems
}

/** The response to a script: the changes that it makes to the page. */
async function saveResponse(request: AgencyRequest, saved: Saved) {
  const { listing, problems, reworded, taken, isWhole } = saved
  const parts = [
    missingPart(request, listing),
    missingCount(request, listing),
    await duplicatePart(request, saved),
    await conflictPart(request, saved),
    // A new listing takes photos once it is saved.
    ...(listing === null || request.params['listing'] !== undefined ? [] : [photosOf(request, listing)]),
  ]
  return jsonResponse({
    version: listing?.version ?? null,
    action: listing === null ? null : `${request.base}${listingPath(request, listing)}/edit`,
    savesItself: savesItself(request, listing),
    isWhole,
    placeShown: listing === null || saved.isPlaceOpen ? null : request.form.get('place_shown'),
    pin:
      listing?.lat == null || listing.location_status === 'manual'
        ? null
        : { lat: listing.lat, lng: listing.lng },
    problems,
    reworded,
    taken,
    parts: parts.map((part) => part.markup),
  })
}

async function pricePage(request: AgencyRequest, listing: Listing, saved: Saved) {
  const texts = request.t.listingForm
  const path = listingPath(request, listing)
  return framed(
    { ...request, refusal: saved },
    {
      title: texts.priceOf(titleText(request, listing)),
      section: 'listings',
      crumbs: listingCrumbs(request, listing),
      labels: labelsOf(request, saved),
    },
    html`<div class="card narrow">
      ${fieldForm(
        request,
        `${path}/price`,
        html`${hiddenPart(request, listing)} ${await conflictPart(request, saved)}
        ${priceFields({ request, saved }, isRental(listing.operation))}`,
        texts.correctPrice,
        { cancel: path },
      )}
    </div>`,
  )
}

async function priceForm(request: AgencyRequest) {
  const listing = await writableOf(request)
  return pricePage(request, listing, unsaved(request, listing))
}

async function correctPrice(request: AgencyRequest) {
  const before = await writableOf(request)
  const saved = await saveEdit(request, before)
  const listing = saved.listing ?? before
  if (!saved.isWhole) return pricePage(request, listing, saved)
  const isSame = listing.version === before.version
  return { to: listingPath(request, listing), flash: succeeded(isSame ? 'listingSame' : 'priceCorrected') }
}

const pagesAt = (path: string, show: Page['handle'], save: Page['handle']) => [
  ...agencyPages('GET', path, 'agency', show),
  ...agencyPages('POST', path, 'agency', save),
]

export const listingEditPages = withTestPages([
  ...pagesAt('/listings/new', newForm, create),
  ...pagesAt('/listings/:listing/edit', editForm, edit),
  ...pagesAt('/listings/:listing/price', priceForm, correctPrice),
]).map((page) => ({ ...page, formBytes: formBytes.listing }))
