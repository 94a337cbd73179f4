/**
 * The place of a listing: finds an address for the form, as `POST /geocode` does, and chooses what public pages show.
 */
import { ApiError, invalid } from '../../../platform/errors.ts'
import type { Pin, PostalAddress } from '../../../listings/geocoding/geocoder.ts'
import { getListing } from '../../../listings/find.ts'
import { placeAt } from '../../../listings/warnings/place-unresolved.ts'
import { blurPlace } from '../../../listings/public.ts'
import { testAddress } from '../../../listings/duplicates.ts'
import { underLock } from '../../../platform/writing/under-lock.ts'
import { listingOf } from '../requested-listing.ts'
import { authorOf, note } from '../actor.ts'
import { failed, succeeded } from '../flash.ts'
import { readPlaceShown } from '../place.ts'
import { refusalText } from '../problems.ts'
import {
  agencyPages,
  type AgencyVisit,
  jsonResponse,
  type Page,
  type PageResponse,
  withTestPages,
} from '../visit.ts'
import { run } from './listing-writes.ts'

/** Maximum lengths, as for the API's fields. */
const longest = { address: 200, city: 80, province: 80 } as const

/**
 * Answers the script of the form: `{lat, lng, said}`; without coordinates where there is no such place. A listing that has the address and
 * no pin gets the one that is found: no change in the form would save it.
 */
async function findPlace(visit: AgencyVisit): Promise<PageResponse> {
  const { deps, agency, t, form, format } = visit
  const texts = t.map
  const text = (name: keyof typeof longest): string | null => {
    const value = form.get(name)?.trim() ?? ''
    if (value.length > longest[name]) throw invalid(name, `${name} is too long.`)
    return value === '' ? null : value
  }
  const address = text('address')
  if (address === null) return jsonResponse({ said: texts.addressFirst }, 400)
  try {
    const place = { address, city: text('city'), province: text('province') }
    const { pin, isUnavailable } = await testAddress(deps, agency.id, place)
    if (pin === null) return jsonResponse({ said: isUnavailable ? texts.cannotFind : texts.notFound })
    if (form.has('listing')) await placeListing(visit, place, pin)
    const { lat, lng, status } = pin
    return jsonResponse({ lat, lng, said: status === 'resolved' ? texts.foundNumber : texts.foundStreet })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    Object.assign(visit.responseHeaders, error.headers)
    return jsonResponse({ said: texts.tooOften(format.wait(Number(error.extra['retry_after']))) }, 429)
  }
}

async function placeListing(visit: AgencyVisit, place: PostalAddress, pin: Pin): Promise<void> {
  const { deps, agency, form } = visit
  const id = form.get('listing') ?? ''
  const before = await getListing(deps.db, agency.id, { id }, true)
  const by = authorOf(visit)
  await underLock(deps.db, agency.id, deps.clock, (locked) =>
    placeAt(deps, locked, { ...place, id: before.id }, pin, by),
  )
  const after = await getListing(deps.db, agency.id, { id }, true)
  if (visit.session.account.role === 'operator' && after.version !== before.version)
    await note(deps.db, visit, 'listing_mended', agency.realId, after.public_id)
}

async function choose(visit: AgencyVisit): Promise<PageResponse> {
  const to = `${visit.agency.path}/listings/${(await listingOf(visit)).public_id}#place`
  const isBlurred = readPlaceShown(visit.form)
  try {
    if (isBlurred === null) throw new ApiError('invalid_parameter', { parameter: 'place_shown' })
    await run(visit, (context, before) => blurPlace(context, before, isBlurred), 'listing_place_shown')
    return { to, flash: succeeded(isBlurred ? 'placeApproximate' : 'placeExact') }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw error
    return { to, flash: failed('refused', refusalText(visit, error)) }
  }
}

export const placePages: readonly Page[] = withTestPages([
  ...agencyPages('POST', '/find-place', 'agency', findPlace),
  ...agencyPages('POST', '/listings/:listing/place', 'agency', choose),
])
