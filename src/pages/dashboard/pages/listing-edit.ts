/**
 * Writing a listing: a new one, an existing one, and the price alone. A draft is saved while somebody types, by a script that sends the
 * form and reads the answer as JSON; everything else is saved by a button.
 */
import { ApiError } from '../../../platform/errors.ts'
import { formBytes } from '../../../limits/table.ts'
import { actOnListing } from '../../../listings/act.ts'
import type { Listing } from '../../../listings/listing.ts'
import { missingToPublish } from '../../../listings/publishable.ts'
import { enableListing } from '../../../listings/states.ts'
import { isRental } from '../../../listings/vocabulary.ts'
import { html } from '../../../platform/web/html.ts'
import { listingOf } from '../requested-listing.ts'
import { authorOf, note } from '../actor.ts'
import { type Flash, succeeded } from '../flash.ts'
import { postForm, problemSummary } from '../forms.ts'
import { pageHead, sectionOf } from '../page-parts.ts'
import { priceFields } from '../listing-form/fields.ts'
import {
  crumbsOf,
  formPage,
  hiddenPart,
  labelsOf,
  photosOf,
  nothingYet,
  pathOf,
  savesItself,
} from '../listing-form/page.ts'
import { conflictPart, duplicatePart, missingCount, missingPart } from '../listing-form/parts.ts'
import { refusalOf } from '../listing-form/refusals.ts'
import { saveEdit, saveNew } from '../listing-form/save.ts'
import { type Saved, unsaved } from '../listing-form/saved.ts'
import {
  agencyPages,
  type AgencyVisit,
  jsonResponse,
  type Page,
  type PageResponse,
  withTestPages,
} from '../visit.ts'
import { titleText } from './listing-parts.ts'
import { mayWrite } from './listing-state.ts'

/** The listing that the path names, for somebody who may write it. @throws ApiError `not_found`, `agency_not_active` */
async function writableOf(visit: AgencyVisit): Promise<Listing> {
  checkMayWrite(visit)
  const listing = await listingOf(visit)
  if (listing.deleted_at !== null)
    throw new ApiError('not_found', { message: 'A removed listing is not edited.' })
  return listing
}

function checkMayWrite(visit: AgencyVisit): void {
  if (!mayWrite(visit)) throw new ApiError('agency_not_active')
}

async function newForm(visit: AgencyVisit): Promise<PageResponse> {
  checkMayWrite(visit)
  return formPage(visit, unsaved(visit, null))
}

async function editForm(visit: AgencyVisit): Promise<PageResponse> {
  return formPage(visit, unsaved(visit, await writableOf(visit)))
}

async function create(visit: AgencyVisit): Promise<PageResponse> {
  checkMayWrite(visit)
  if (visit.wantsJson) return saveResponse(visit, await saveNew(visit, 'valid'))
  const saved = await saveNew(visit, 'all')
  if (saved.listing === null && saved.status === 200) {
    const problems = { '': visit.t.listingForm.empty }
    return formPage(visit, { ...saved, problems, status: 400 })
  }
  return goOn(visit, saved, succeeded('listingCreated'))
}

async function edit(visit: AgencyVisit): Promise<PageResponse> {
  const listing = await writableOf(visit)
  if (visit.wantsJson) return saveResponse(visit, await saveEdit(visit, listing, 'valid'))
  const saved = await saveEdit(visit, listing, 'all')
  return goOn(visit, saved, savedFlash(visit, listing, saved.listing ?? listing))
}

/** A draft is often saved already when its button is pressed. The message then says since when, not that nothing was changed. */
function savedFlash({ format }: AgencyVisit, before: Listing, after: Listing): Flash {
  if (after.status === 'draft') return succeeded('draftSaved', format.plainMoment(after.updated_at))
  return succeeded(after.version === before.version ? 'listingSame' : 'listingSaved')
}

/** After a save by a button: publishes if that was the button, then goes to the listing, or shows what prevents it. */
async function goOn(visit: AgencyVisit, saved: Saved, flash: Flash): Promise<PageResponse> {
  const { listing } = saved
  if (listing === null || !saved.isWhole) return formPage(visit, saved)
  const to = pathOf(visit, listing)
  if (visit.form.get('after') !== 'publish') return { to, flash }
  try {
    await publish(visit, listing)
    return { to, flash: succeeded('published') }
  } catch (error) {
    const { problems, status } = refusalOf(visit, error)
    return formPage(visit, { ...saved, problems: neededHere(visit, listing, problems), status })
  }
}

/** Puts what is missing beside its fields. */
function neededHere(visit: AgencyVisit, listing: Listing, problems: Saved['problems']): Saved['problems'] {
  const isMissing = missingToPublish(listing, listing.photos.length).length > 0
  const needed = visit.t.listingForm.neededToPublish
  return isMissing
    ? Object.fromEntries(Object.entries(problems).map(([name, text]) => [name, name === '' ? text : needed]))
    : problems
}

async function publish(visit: AgencyVisit, { id, version, public_id: code }: Listing): Promise<void> {
  const { deps, agency, session } = visit
  const context = { db: deps.db, clock: deps.clock, limits: deps.config.limits }
  await actOnListing(context, agency.id, id, version, authorOf(visit), enableListing)
  if (session.account.role === 'operator')
    await note(deps.db, visit, 'listing_published', agency.realId, code)
}

/** Response to a save while somebody types: what the script changes on the page. */
async function saveResponse(visit: AgencyVisit, saved: Saved): Promise<PageResponse> {
  const { listing, typed, problems, reworded, taken, isWhole } = saved
  const textsOf = (those: typeof taken) =>
    Object.fromEntries(those.flatMap(({ fields }) => fields.map((field) => [field, typed[field] ?? ''])))
  const parts = [
    missingPart(visit, listing ?? nothingYet),
    missingCount(visit, listing ?? nothingYet),
    await duplicatePart(visit, saved),
    await conflictPart(visit, saved),
    // A new listing has photos once it is saved.
    ...(listing === null || visit.params['listing'] !== undefined ? [] : [photosOf(visit, listing)]),
  ]
  return jsonResponse({
    version: listing?.version ?? null,
    action: listing === null ? null : `${visit.base}${pathOf(visit, listing)}/edit`,
    savesItself: savesItself(visit, listing),
    isWhole,
    placeShown: listing === null || saved.isPlaceOpen ? null : visit.form.get('place_shown'),
    pin:
      listing?.lat == null || listing.location_status === 'manual'
        ? null
        : { lat: listing.lat, lng: listing.lng },
    problems,
    reworded: textsOf(reworded),
    taken: textsOf(taken),
    parts: parts.map((part) => part.markup),
  })
}

/** The price alone. */
async function pricePage(visit: AgencyVisit, listing: Listing, saved: Saved): Promise<PageResponse> {
  const { t, base } = visit
  const title = t.listingForm.priceOf(titleText(visit, listing))
  const path = pathOf(visit, listing)
  return {
    title,
    section: sectionOf(visit, 'listings'),
    status: saved.status,
    body: html`${pageHead(visit, { title, crumbs: crumbsOf(visit, listing) })}
      <div class="card narrow">
        ${postForm(
          visit,
          `${path}/price`,
          html`${hiddenPart(visit, listing)}
            <div class="stack-l">
              ${problemSummary(visit, saved.problems, { labels: labelsOf(visit, saved) })}
              ${await conflictPart(visit, saved)}
              <div class="stack">${priceFields({ visit, saved }, isRental(listing.operation))}</div>
              <div class="form-actions">
                <button class="button button-primary">${t.listingForm.correctPrice}</button>
                <a class="button button-quiet" href="${base}${path}">${t.common.cancel}</a>
              </div>
            </div>`,
        )}
      </div>`,
  }
}

async function priceForm(visit: AgencyVisit): Promise<PageResponse> {
  const listing = await writableOf(visit)
  return pricePage(visit, listing, unsaved(visit, listing))
}

async function correctPrice(visit: AgencyVisit): Promise<PageResponse> {
  const before = await writableOf(visit)
  const saved = await saveEdit(visit, before, 'all')
  const listing = saved.listing ?? before
  if (!saved.isWhole) return pricePage(visit, listing, saved)
  const isSame = listing.version === before.version
  return { to: pathOf(visit, listing), flash: succeeded(isSame ? 'listingSame' : 'priceCorrected') }
}

const ofMembers = (method: Page['method'], path: string, handle: Page['handle']): Page[] =>
  agencyPages(method, path, 'agency', handle)

export const listingEditPages: readonly Page[] = withTestPages([
  ...ofMembers('GET', '/listings/new', newForm),
  ...ofMembers('POST', '/listings/new', create),
  ...ofMembers('GET', '/listings/:listing/edit', editForm),
  ...ofMembers('POST', '/listings/:listing/edit', edit),
  ...ofMembers('GET', '/listings/:listing/price', priceForm),
  ...ofMembers('POST', '/listings/:listing/price', correctPrice),
]).map((page) => ({ ...page, formBytes: formBytes.listing }))
