/** Geocodes the address in a listing's form, as `POST /geocode` does. */
import { testAddress } from '../../../../../listings/writing/test-address.ts'
import { leafAt } from '../../../../../listings/fields/field-lists.ts'
import type { Pin, PostalAddress } from '../../../../../listings/geocoding/geocoder.ts'
import { storeFoundPin } from '../../../../../listings/writing/store-found-pin.ts'
import { actorOf } from '../../../actor.ts'
import { auditByOperator, presentListing } from '../../../requested-listing.ts'
import {
  agencyPages,
  type AgencyRequest,
  jsonResponse,
  statusOf,
  withTestPages,
} from '../../../serving/page.ts'
import { ApiError, invalid } from '../../../../../platform/errors/errors.ts'

/**
 * Responds to the script of the form: `{lat, lng, message}`, without coordinates if the address is unknown. A listing that has this address
 * but no pin gets the pin at once, because the form contains no change that would save it.
 */
async function findPlace(request: AgencyRequest) {
  const { deps, agency, t, form, format } = request
  const texts = t.map
  const text = (name: string, path = `location.${name}`): string | null => {
    const value = form.get(name)?.trim() ?? ''
    if (value.length > (leafAt(path)?.field.max ?? 0)) throw invalid(name, `${name} is too long.`)
    return value === '' ? null : value
  }
  const address = text('address', 'address')
  if (address === null) return jsonResponse({ message: texts.addressFirst }, statusOf('invalid_parameter'))
  try {
    const postal = { address, city: text('city'), province: text('province') }
    const { pin, isUnavailable } = await testAddress(deps, agency.id, postal)
    if (pin === null) return jsonResponse({ message: isUnavailable ? texts.cannotFind : texts.notFound })
    if (form.has('listing')) await placeListing(request, postal, pin)
    const { lat, lng, status } = pin
    return jsonResponse({ lat, lng, message: status === 'resolved' ? texts.foundNumber : texts.foundStreet })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    return jsonResponse(
      { message: texts.tooOften(format.wait(Number(error.extra['retry_after']))) },
      error.status,
      error.headers,
    )
  }
}

async function placeListing(request: AgencyRequest, postal: PostalAddress, pin: Pin): Promise<void> {
  const { deps, agency, form } = request
  const { id, version } = await presentListing(request, form.get('listing') ?? '')
  await storeFoundPin(deps, agency.id, { ...postal, id }, pin, actorOf(request))
  const after = await presentListing(request, id)
  if (after.version !== version) await auditByOperator(request, 'listing_mended', after)
}

export const placePages = withTestPages(agencyPages('POST', '/find-place', 'agency', findPlace))
