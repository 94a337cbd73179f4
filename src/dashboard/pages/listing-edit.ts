/**
 * Writing a listing: a new one, an existing one, and the price alone. A draft is saved while somebody types, by a script that sends the
 * form and reads the answer as JSON; everything else is saved by a button.
 */
import { ApiError } from '../../errors.ts'
import { uuidv7 } from '../../ids.ts'
import { formBytes } from '../../limits/table.ts'
import { actOnListing } from '../../properties/act.ts'
import { type Listing, noContent } from '../../properties/listing.ts'
import { missingToPublish } from '../../properties/missing.ts'
import { isPlaceBlurred } from '../../properties/place-shown.ts'
import { enableListing } from '../../properties/publish.ts'
import { isRental } from '../../properties/vocabulary.ts'
import { html, type Html } from '../../web/html.ts'
import { authorOf, note } from '../actor.ts'
import { type FlashName, succeeded } from '../flash.ts'
import { postForm, type Problems, problemSummary } from '../forms.ts'
import { agencyCrumbs, pageHead, sectionOf } from '../layout.ts'
import { labelOf, listingFields, priceFields } from '../listing-form/fields.ts'
import { conflictPart, duplicatePart, missingCount, missingPart } from '../listing-form/parts.ts'
import { refusalOf } from '../listing-form/refusals.ts'
import { type Saved, saveEdit, saveNew, unsaved } from '../listing-form/save.ts'
import {
  agencyPages,
  type AgencyVisit,
  jsonAnswer,
  type Page,
  type PageAnswer,
  withTestPages,
} from '../visit.ts'
import { formPhotosPart } from './listing-gallery.ts'
import { listingOf } from './listing.ts'
import { statusBadges, titleText } from './listing-parts.ts'
import { mayWrite } from './listing-state.ts'

/** A listing that is still to be made. */
const nothingYet = { ...noContent, photos: [] }

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

/** Drafts alone, because what is half typed must not become public; and not for operators, whose every save is in the audit log. */
function savesItself({ session }: AgencyVisit, listing: Listing | null): boolean {
  return session.account.role !== 'operator' && (listing === null || listing.status === 'draft')
}

const pathOf = ({ agency }: AgencyVisit, { public_id: code }: Listing): string =>
  `${agency.path}/listings/${code}`

/** The whole form. */
async function formPage(visit: AgencyVisit, saved: Saved): Promise<PageAnswer> {
  const { t, deps, agency } = visit
  const texts = t.listingForm
  const { listing } = saved
  const isBlurred = listing !== null && (await isPlaceBlurred(deps.db, agency.id, listing.id))
  const title = listing === null ? texts.create : texts.editOf(titleText(visit, listing))
  const action = listing === null ? `${agency.path}/listings/new` : `${pathOf(visit, listing)}/edit`
  return {
    title,
    section: sectionOf(visit, 'listings'),
    status: saved.status,
    scripts: ['place-field.js', 'listing-form.js'],
    body: html`${pageHead(visit, { title, crumbs: crumbsOf(visit, listing) })}
    ${postForm(
      visit,
      action,
      html`${hiddenPart(visit, listing)}${enterPart}
        <div class="stack-l">
          ${savePart(visit, listing)}
          ${problemSummary(visit, saved.problems, { labels: labelsOf(visit, saved) })}
          ${await duplicatePart(visit, saved)} ${await conflictPart(visit, saved)}
          <div class="listing-form">
            <div class="stack-l">
              ${listingFields({ visit, saved, isBlurred })} ${await formPhotosPart(visit, listing)}
            </div>
            <aside class="stack-l">${endPart(visit, listing)}</aside>
          </div>
        </div>`,
      html` data-listing-form data-autosave="${savesItself(visit, listing) ? 'yes' : 'no'}" novalidate`,
    )}`,
  }
}

const labelsOf = (visit: AgencyVisit, { problems }: Saved): Problems =>
  Object.fromEntries(Object.keys(problems).map((name) => [name, labelOf(visit, name)]))

function crumbsOf(visit: AgencyVisit, listing: Listing | null): (readonly [string, string])[] {
  const { t, agency } = visit
  const all = [...agencyCrumbs(visit), [t.listings.title, `${agency.path}/listings`] as const]
  return listing === null ? all : [...all, [titleText(visit, listing), pathOf(visit, listing)]]
}

/** What the form is of: a version of a listing, or one that is still to be made. */
function hiddenPart({ form }: AgencyVisit, listing: Listing | null): Html {
  return listing === null
    ? html`<input type="hidden" name="new_id" value="${form.get('new_id') ?? uuidv7()}" />`
    : html`<input type="hidden" name="version" value="${listing.version}" />`
}

/** The button that the Enter key presses: the first of a form. It saves, whatever other buttons do. */
const enterPart = html`<button class="visually-hidden" tabindex="-1" aria-hidden="true"></button>`

/** Whether and when it was saved. */
function savePart(visit: AgencyVisit, listing: Listing | null): Html {
  const texts = visit.t.listingForm
  const words = listing?.status === 'published' ? texts.isPublic : texts.byButton
  return html`<p
    class="save-line row"
    data-auto="${texts.autosave}"
    data-unsaved="${texts.unsaved}"
    data-saving="${texts.saving}"
    data-saved="${texts.saved('{time}')}"
    data-saved-but="${texts.savedBut('{time}')}"
    data-failed="${texts.failed}"
    data-sign-in="${texts.signInAgain}"
  >
    ${listing === null ? html`<span class="badge badge-dot">${texts.draft}</span>` : statusBadges(visit, listing)}
    <span class="small" role="status" data-save-state>${words}</span>
    ${listing?.status !== 'published' && missingCount(visit, listing ?? nothingYet)}
  </p>`
}

/** What is missing, and the buttons. */
function endPart(visit: AgencyVisit, listing: Listing | null): Html {
  const { t } = visit
  const texts = t.listingForm
  const isDraft = listing === null || listing.status === 'draft'
  const save = isDraft ? texts.saveDraft : texts.saveChanges
  const isOut = listing?.status === 'published'
  return html`<section class="card stack">
    ${!isOut && missingPart(visit, listing ?? nothingYet)}
    ${!isOut && html`<button class="button button-primary button-wide" name="after" value="publish">${texts.publish}</button>`}
    <button class="button button-wide ${isOut && 'button-primary'}" name="after" value="">${save}</button>
  </section>`
}

async function newForm(visit: AgencyVisit): Promise<PageAnswer> {
  checkMayWrite(visit)
  return formPage(visit, unsaved(visit, null))
}

async function editForm(visit: AgencyVisit): Promise<PageAnswer> {
  return formPage(visit, unsaved(visit, await writableOf(visit)))
}

async function create(visit: AgencyVisit): Promise<PageAnswer> {
  checkMayWrite(visit)
  if (visit.wantsJson) return saveAnswer(visit, await saveNew(visit, 'valid'))
  const saved = await saveNew(visit, 'all')
  if (saved.listing === null && saved.status === 200) {
    const problems = { '': visit.t.listingForm.empty }
    return formPage(visit, { ...saved, problems, status: 400 })
  }
  return goOn(visit, saved, 'listingCreated')
}

async function edit(visit: AgencyVisit): Promise<PageAnswer> {
  const listing = await writableOf(visit)
  if (visit.wantsJson) return saveAnswer(visit, await saveEdit(visit, listing, 'valid'))
  const saved = await saveEdit(visit, listing, 'all')
  const isSame = saved.listing?.version === listing.version
  return goOn(visit, saved, isSame ? 'listingSame' : 'listingSaved')
}

/** After a save by a button: publishes if that was the button, and goes to the listing; or shows what is in the way. */
async function goOn(visit: AgencyVisit, saved: Saved, flash: FlashName): Promise<PageAnswer> {
  const { listing } = saved
  if (listing === null || !saved.isWhole) return formPage(visit, saved)
  const to = pathOf(visit, listing)
  if (visit.form.get('after') !== 'publish') return { to, flash: succeeded(flash) }
  try {
    await publish(visit, listing)
    return { to, flash: succeeded('published') }
  } catch (error) {
    const { problems, status } = refusalOf(visit, error)
    return formPage(visit, { ...saved, problems: neededHere(visit, listing, problems), status })
  }
}

/** What is missing, beside its fields. */
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

/** A save while somebody types: what the script has to change on the page. */
async function saveAnswer(visit: AgencyVisit, saved: Saved): Promise<PageAnswer> {
  const { listing, typed, problems, written, taken, isWhole } = saved
  const textsOf = (those: typeof written) =>
    Object.fromEntries(those.flatMap(({ fields }) => fields.map((field) => [field, typed[field] ?? ''])))
  const parts = [
    missingPart(visit, listing ?? nothingYet),
    missingCount(visit, listing ?? nothingYet),
    await duplicatePart(visit, saved),
    await conflictPart(visit, saved),
  ]
  return jsonAnswer({
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
    written: textsOf(written),
    taken: textsOf(taken),
    parts: parts.map((part) => part.markup),
  })
}

/** The price alone. */
async function pricePage(visit: AgencyVisit, listing: Listing, saved: Saved): Promise<PageAnswer> {
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

async function priceForm(visit: AgencyVisit): Promise<PageAnswer> {
  const listing = await writableOf(visit)
  return pricePage(visit, listing, unsaved(visit, listing))
}

async function correctPrice(visit: AgencyVisit): Promise<PageAnswer> {
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
