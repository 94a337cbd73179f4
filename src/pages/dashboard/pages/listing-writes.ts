/**
 * The actions of a listing, by the functions of the API, with the same rules and limits.
 */
import { dayOf } from '../../../platform/days.ts'
import { ApiError, checked, invalid } from '../../../platform/errors.ts'
import { type Act, actOnListing, restoreRemoved } from '../../../listings/act.ts'
import { checkClosing, readClosing, type SentClosing } from '../../../listings/closing.ts'
import type { Listing } from '../../../listings/listing.ts'
import { isExternalId } from '../../../listings/schema.ts'
import {
  type Closing,
  deleteListing,
  disableListing,
  enableListing,
  releaseListing,
  reserveListing,
} from '../../../listings/states.ts'
import { type DisableReason, disableReasons } from '../../../listings/vocabulary.ts'
import type { AuditAction } from '../../../access/accounts/audit.ts'
import { authorOf, note } from '../actor.ts'
import { listingOf, versionOf } from '../requested-listing.ts'
import { failed, type FlashName, succeeded } from '../flash.ts'
import { typedCurrency, typedMoney } from '../../../platform/web/typed-money.ts'
import { problemsOf, refusalText } from '../problems.ts'
import {
  agencyPages,
  type AgencyVisit,
  operatorAgencyPage,
  type Page,
  type PageResponse,
  withTestPages,
} from '../visit.ts'
import { listingPage } from './listing.ts'

const acts: Readonly<Record<string, { act: Act; flash: FlashName; audit: AuditAction }>> = {
  publish: { act: enableListing, flash: 'published', audit: 'listing_published' },
  reserve: { act: reserveListing, flash: 'reserved', audit: 'listing_reserved' },
  release: { act: releaseListing, flash: 'released', audit: 'listing_released' },
  delete: { act: deleteListing, flash: 'deleted', audit: 'listing_deleted' },
}

export async function run(visit: AgencyVisit, act: Act, done: AuditAction): Promise<Listing> {
  const { deps, agency } = visit
  const { id } = await listingOf(visit)
  const version = visit.form.has('version') ? versionOf(visit) : null
  const context = { db: deps.db, clock: deps.clock, limits: deps.config.limits }
  const listing = await actOnListing(context, agency.id, id, version, authorOf(visit), act)
  if (visit.session.account.role === 'operator')
    await note(deps.db, visit, done, agency.realId, listing.public_id)
  return listing
}

/** An action of one button. A refusal is shown on the listing's page. */
function simpleAct(name: string, { act, flash, audit }: (typeof acts)[string]): Page[] {
  return agencyPages('POST', `/listings/:listing/${name}`, 'agency', async (visit) => {
    const to = `${visit.agency.path}/listings/${(await listingOf(visit)).public_id}`
    try {
      await run(visit, act, audit)
      return { to, flash: succeeded(flash) }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw error
      return { to, flash: failed('refused', refusalText(visit, error)) }
    }
  })
}

/** Noon in Argentina, so that the day stays the same in UTC. Anything else is left for validation to refuse. */
function momentOf(day: string | null): string | null {
  if (day === null || day === '') return null
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T12:00:00-03:00` : day
}

/** A day that nobody changed keeps the time that a system sent with it. */
function withSameDay(closing: Closing, { closed_at: was }: Listing, day: string | null): Closing {
  return was !== null && day === dayOf(Date.parse(was)) ? { ...closing, closed_at: was } : closing
}

async function suspend(visit: AgencyVisit): Promise<PageResponse> {
  const { form, agency } = visit
  const reason = form.get('reason') ?? ''
  const isClosed = reason === 'sold' || reason === 'rented'
  const typed = form.get('close_price') ?? ''
  const amount = typedMoney(typed)
  try {
    if (!(disableReasons as readonly string[]).includes(reason))
      throw new ApiError('invalid_parameter', { parameter: 'reason' })
    if (typed !== '' && (amount === null || amount <= 0 || amount > 1e12))
      throw invalid('close_price', 'This is no amount.', 'amount_odd')
    for (const name of ['close_price', 'closed_at'])
      if (form.get(name) && !isClosed) throw invalid(name, 'Nothing was closed.', 'closing_apart')
    const sent: SentClosing = {
      reason: reason as DisableReason,
      close_price:
        amount === null
          ? null
          : {
              amount,
              currency: typedCurrency(typed) ?? (form.get('close_currency') === 'ARS' ? 'ARS' : 'USD'),
            },
      closed_at: momentOf(form.get('closed_at')),
    }
    checked((problems) => checkClosing(sent, new Set(), problems))
    const closing = readClosing(sent)
    // For a suspended listing, this corrects the reason.
    const isCorrection = (await listingOf(visit)).status === 'disabled'
    const listing = await run(
      visit,
      (context, before) =>
        disableListing(context, before, withSameDay(closing, before, form.get('closed_at'))),
      isCorrection ? 'listing_edited' : 'listing_disabled',
    )
    const flash = succeeded(isCorrection ? 'closingRecorded' : 'suspended')
    return { to: `${agency.path}/listings/${listing.public_id}`, flash }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw error
    return await listingPage(
      visit,
      problemsOf(visit, error, { status: '', 'close_price.amount': 'close_price' }),
    )
  }
}

async function restore(visit: AgencyVisit): Promise<PageResponse> {
  const { deps, agency, form } = visit
  const { id } = await listingOf(visit)
  const typed = (form.get('external_id') ?? '').trim()
  const wanted = form.get('choice') === 'none' ? null : form.get('choice') === 'other' ? typed : undefined
  try {
    if (typeof wanted === 'string' && !isExternalId(wanted))
      throw new ApiError('invalid_parameter', { parameter: 'external_id', reason: 'external_id_odd' })
    const context = { db: deps.db, clock: deps.clock, limits: deps.config.limits }
    const listing = await restoreRemoved(context, agency.id, id, wanted, authorOf(visit))
    await note(deps.db, visit, 'listing_restored', agency.realId, listing.public_id, {
      external_id: listing.external_id,
    })
    return { to: `${agency.path}/listings/${listing.public_id}`, flash: succeeded('restored') }
  } catch (error) {
    return await listingPage(visit, problemsOf(visit, error))
  }
}

export const listingPages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/listings/:listing', 'agency', (visit) => listingPage(visit)),
  ...Object.entries(acts).flatMap(([name, act]) => simpleAct(name, act)),
  ...agencyPages('POST', '/listings/:listing/suspend', 'agency', suspend),
  operatorAgencyPage('POST', '/listings/:listing/restore', restore),
])
