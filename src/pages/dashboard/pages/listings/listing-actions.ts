/** Carries out the actions of a listing, with the API's functions, rules and limits. */
import type { AuditAction } from '../../../../access/audit-log/entries.ts'
import { numberLimits } from '../../../../limits/sizes.ts'
import type { Act } from '../../../../listings/writing/write-by-person.ts'
import { restoreRemoved } from '../../../../listings/writing/states/restore.ts'
import {
  checkClosing,
  type Closing,
  readClosing,
  type SentClosing,
} from '../../../../listings/writing/states/closing.ts'
import type { Listing } from '../../../../listings/listing.ts'
import { setPlaceBlurred } from '../../../../listings/writing/set-place-blurred.ts'
import { isExternalId } from '../../../../listings/fields/schema.ts'
import {
  deleteListing,
  disableListing,
  enableListing,
  releaseListing,
  reserveListing,
} from '../../../../listings/writing/states/states.ts'
import { type DisableReason, disableReasons } from '../../../../listings/fields/vocabulary.ts'
import { safeNext } from '../../serving/access.ts'
import { actorOf, auditRequest } from '../../actor.ts'
import { failed, type Flash, type FlashName, succeeded } from '../../serving/flash.ts'
import { formHandler } from '../../forms/form-handlers.ts'
import { warningActs } from './warnings/warning-acts.ts'
import { listingPage } from './listing.ts'
import { readPlaceShown } from '../../parts/place.ts'
import { problemsOf, refusalText } from '../../forms/problems.ts'
import { changeByPerson, listingOf, listingPath, presentListing } from '../../requested-listing.ts'
import { agencyPages, type AgencyRequest, operatorAgencyPage, withTestPages } from '../../serving/page.ts'
import { dayOf } from '../../../../platform/time/days.ts'
import { ApiError, checked, invalid } from '../../../../platform/errors/errors.ts'
import { typedCurrency, typedMoney } from '../../../../platform/web/language/typed-money.ts'

type ButtonAct = (request: AgencyRequest, listing: Listing) => Promise<Flash>

const changeOf =
  (act: Act, flash: FlashName, action: AuditAction): ButtonAct =>
  async (request, listing) => {
    await changeByPerson(request, listing, act, action)
    return succeeded(flash)
  }

async function showPlace(request: AgencyRequest, listing: Listing): Promise<Flash> {
  const isBlurred = readPlaceShown(request.form)
  if (isBlurred === null) throw new ApiError('invalid_parameter', { parameter: 'place_shown' })
  const act: Act = (context, before) => setPlaceBlurred(context, before, isBlurred)
  await changeByPerson(request, listing, act, 'listing_place_shown')
  return succeeded(isBlurred ? 'placeBlurred' : 'placeExact')
}

const acts: Readonly<Record<string, ButtonAct>> = {
  publish: changeOf(enableListing, 'published', 'listing_published'),
  reserve: changeOf(reserveListing, 'reserved', 'listing_reserved'),
  release: changeOf(releaseListing, 'released', 'listing_released'),
  delete: changeOf(deleteListing, 'deleted', 'listing_deleted'),
  place: showPlace,
  ...warningActs,
}

/** Each returns to the page of its button, which shows the outcome or the refusal. */
function actPages([name, act]: [string, ButtonAct]) {
  return agencyPages('POST', `/listings/:listing/${name}`, 'agency', async (request) => {
    const listing = await presentListing(request)
    const own = `${listingPath(request, listing)}${name === 'place' ? '#place' : ''}`
    const to = request.form.has('next') ? safeNext(request.form.get('next')) : own
    try {
      return { to, flash: await act(request, listing) }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') throw error
      return { to, flash: failed('refused', refusalText(request, error)) }
    }
  })
}

/** Noon in Argentina, so that the day stays the same in UTC. Validation refuses texts that are not a day. */
function timeOf(day: string | null): string | null {
  if (day === null || day === '') return null
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T12:00:00-03:00` : day
}

/** A day that nobody changed keeps the time that a system sent with it. */
function withSameDay(closing: Closing, { closed_at: was }: Listing, day: string | null): Closing {
  return was !== null && day === dayOf(Date.parse(was)) ? { ...closing, closed_at: was } : closing
}

async function suspend(request: AgencyRequest) {
  const { form } = request
  const listing = await listingOf(request)
  // For a suspended listing, this corrects the reason.
  const isCorrection = listing.status === 'disabled'
  const closing = closingOf(form)
  const act: Act = (context, before) =>
    disableListing(context, before, withSameDay(closing, before, form.get('closed_at')))
  await changeByPerson(request, listing, act, isCorrection ? 'listing_edited' : 'listing_disabled')
  const flash = succeeded(isCorrection ? 'closingRecorded' : 'suspended')
  return { to: listingPath(request, listing), flash }
}

/** The form's field for each parameter of the domain. */
const fieldOf = { status: '', 'close_price.amount': 'close_price' }

/** @throws ApiError `invalid_parameter` */
function closingOf(form: URLSearchParams): Closing {
  const reason = form.get('reason') ?? ''
  const typed = form.get('close_price') ?? ''
  const amount = typedMoney(typed)
  if (!(disableReasons as readonly string[]).includes(reason))
    throw new ApiError('invalid_parameter', { parameter: 'reason' })
  if (typed !== '' && (amount === null || amount <= 0 || amount > numberLimits.amount))
    throw invalid('close_price', 'This is not an amount.', 'amount_odd')
  const chosen = form.get('close_currency') === 'ARS' ? 'ARS' : 'USD'
  const sent: SentClosing = {
    reason: reason as DisableReason,
    close_price: amount === null ? null : { amount, currency: typedCurrency(typed) ?? chosen },
    closed_at: timeOf(form.get('closed_at')),
  }
  checked((problems) => checkClosing(sent, new Set(), problems))
  return readClosing(sent)
}

async function restore(request: AgencyRequest) {
  const { deps, agency, form } = request
  const { id } = await listingOf(request)
  const typed = (form.get('external_id') ?? '').trim()
  const wanted = form.get('choice') === 'none' ? null : form.get('choice') === 'other' ? typed : undefined
  if (typeof wanted === 'string' && !isExternalId(wanted))
    throw new ApiError('invalid_parameter', { parameter: 'external_id', reason: 'external_id_odd' })
  const listing = await restoreRemoved(deps, agency.id, id, wanted, actorOf(request))
  const { public_id: code, external_id } = listing
  await auditRequest(deps.db, request, 'listing_restored', agency.realId, code, { external_id })
  return { to: listingPath(request, listing), flash: succeeded('restored') }
}

export const listingActions = withTestPages([
  ...agencyPages('GET', '/listings/:listing', 'agency', listingPage),
  ...Object.entries(acts).flatMap(actPages),
  ...agencyPages(
    'POST',
    '/listings/:listing/suspend',
    'agency',
    formHandler(suspend, listingPage, (request, error) => problemsOf(request, error, fieldOf)),
  ),
  operatorAgencyPage('POST', '/listings/:listing/restore', formHandler(restore, listingPage)),
])
