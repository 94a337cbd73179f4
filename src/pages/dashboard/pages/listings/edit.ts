/**
 * Writing a listing: a new one, an existing one, and the price alone. A script saves drafts during typing: it sends the form and reads the
 * response as JSON. Everything else is saved by a button.
 */
import { ApiError } from '../../../../platform/errors.ts'
import { formBytes } from '../../../../limits/table.ts'
import type { Listing } from '../../../../listings/listing.ts'
import { missingToPublish } from '../../../../listings/publishable.ts'
import { enableListing } from '../../../../listings/states.ts'
import { isRental } from '../../../../listings/vocabulary.ts'
import { html } from '../../../../platform/web/html.ts'
import { type Flash, succeeded } from '../../flash.ts'
import { fieldForm } from '../../forms.ts'
import { changeListing } from '../../listing-acts.ts'
import { priceFields } from '../../listing-form/fields.ts'
import { formPage, hiddenPart, labelsOf, photosOf, savesItself } from '../../listing-form/page.ts'
import { conflictPart, duplicatePart, missingCount, missingPart } from '../../listing-form/parts.ts'
import { refusalOf } from '../../listing-form/read.ts'
import { type Saved, saveEdit, saveNew, unsaved } from '../../listing-form/save.ts'
import { framed } from '../../page-parts.ts'
import { listingPath, mayWrite, presentListing } from '../../requested-listing.ts'
import { agencyPages, type AgencyVisit, jsonResponse, type Page, withTestPages } from '../../visit.ts'
import { listingCrumbs, titleText } from './parts.ts'

/** @throws ApiError `not_found`, `agency_not_active` */
async function writableOf(visit: AgencyVisit): Promise<Listing> {
  checkMayWrite(visit)
  return await presentListing(visit)
}

function checkMayWrite(visit: AgencyVisit): void {
  if (!mayWrite(visit)) throw new ApiError('agency_not_active')
}

async function newForm(visit: AgencyVisit) {
  checkMayWrite(visit)
  return formPage(visit, unsaved(visit, null))
}

async function editForm(visit: AgencyVisit) {
  return formPage(visit, unsaved(visit, await writableOf(visit)))
}

async function create(visit: AgencyVisit) {
  checkMayWrite(visit)
  const saved = await saveNew(visit)
  if (visit.wantsJson) return saveResponse(visit, saved)
  if (saved.listing === null && saved.status === 200) {
    const problems = { '': visit.t.listingForm.empty }
    return formPage(visit, { ...saved, problems, status: 400 })
  }
  return afterSave(visit, saved, succeeded('listingCreated'))
}

async function edit(visit: AgencyVisit) {
  const listing = await writableOf(visit)
  const saved = await saveEdit(visit, listing)
  if (visit.wantsJson) return saveResponse(visit, saved)
  return afterSave(visit, saved, savedFlash(visit, listing, saved.listing ?? listing))
}

/** A draft is often saved already when its button is pressed. The message then gives the time instead of denying a change. */
function savedFlash({ format }: AgencyVisit, before: Listing, after: Listing): Flash {
  if (after.status === 'draft') return succeeded('draftSaved', format.plainMoment(after.updated_at))
  return succeeded(after.version === before.version ? 'listingSame' : 'listingSaved')
}

/** After a save by a button: publishes if that was the button, and goes to the listing, or shows the problems. */
async function afterSave(visit: AgencyVisit, saved: Saved, flash: Flash) {
  const { listing } = saved
  if (listing === null || !saved.isWhole) return formPage(visit, saved)
  const to = listingPath(visit, listing)
  if (visit.form.get('after') !== 'publish') return { to, flash }
  try {
    await changeListing(visit, listing, enableListing, 'listing_published', listing.version)
    return { to, flash: succeeded('published') }
  } catch (error) {
    const { problems, status } = refusalOf(visit, error)
    return formPage(visit, { ...saved, problems: neededHere(visit, listing, problems), status })
  }
}

/** Shows problems beside missing fields in the words of the form. */
function neededHere(visit: AgencyVisit, listing: Listing, problems: Saved['problems']): Saved['problems'] {
  const isMissing = missingToPublish(listing, listing.photos.length).length > 0
  const needed = visit.t.listingForm.neededToPublish
  return isMissing
    ? Object.fromEntries(Object.entries(problems).map(([name, text]) => [name, name === '' ? text : needed]))
    : problems
}

/** The response to a script: the changes that it makes to the page. */
async function saveResponse(visit: AgencyVisit, saved: Saved) {
  const { listing, problems, reworded, taken, isWhole } = saved
  const parts = [
    missingPart(visit, listing),
    missingCount(visit, listing),
    await duplicatePart(visit, saved),
    await conflictPart(visit, saved),
    // A new listing takes photos once it is saved.
    ...(listing === null || visit.params['listing'] !== undefined ? [] : [photosOf(visit, listing)]),
  ]
  return jsonResponse({
    version: listing?.version ?? null,
    action: listing === null ? null : `${visit.base}${listingPath(visit, listing)}/edit`,
    savesItself: savesItself(visit, listing),
    isWhole,
    placeShown: listing === null || saved.isPlaceOpen ? null : visit.form.get('place_shown'),
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

async function pricePage(visit: AgencyVisit, listing: Listing, saved: Saved) {
  const texts = visit.t.listingForm
  const path = listingPath(visit, listing)
  return framed(
    { ...visit, refusal: saved },
    {
      title: texts.priceOf(titleText(visit, listing)),
      section: 'listings',
      crumbs: listingCrumbs(visit, listing),
      labels: labelsOf(visit, saved),
    },
    html`<div class="card narrow">
      ${fieldForm(
        visit,
        `${path}/price`,
        html`${hiddenPart(visit, listing)} ${await conflictPart(visit, saved)}
        ${priceFields({ visit, saved }, isRental(listing.operation))}`,
        texts.correctPrice,
        { cancel: path },
      )}
    </div>`,
  )
}

async function priceForm(visit: AgencyVisit) {
  const listing = await writableOf(visit)
  return pricePage(visit, listing, unsaved(visit, listing))
}

async function correctPrice(visit: AgencyVisit) {
  const before = await writableOf(visit)
  const saved = await saveEdit(visit, before)
  const listing = saved.listing ?? before
  if (!saved.isWhole) return pricePage(visit, listing, saved)
  const isSame = listing.version === before.version
  return { to: listingPath(visit, listing), flash: succeeded(isSame ? 'listingSame' : 'priceCorrected') }
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
