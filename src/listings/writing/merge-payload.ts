/**
 * Merges a payload into a listing's content like JSON Merge Patch: objects merge, null clears, lists replace. Checks the rules that
 * need both the payload and the listing (api.md 9.2, 10.1). Also decides whether to geocode the address (api.md 12.1).
 */
import { checked, type Problems } from '../../platform/errors/errors.ts'
import { type FeatureName, type FeatureValue, isApplicable } from '../fields/features.ts'
import { emptyOf } from '../fields/field.ts'
import { ownFields } from '../fields/field-lists.ts'
import { isInsideCountry } from '../geocoding/country.ts'
import { type Content, type Features, isSameAddress, type Rental } from '../fields/content.ts'
import type { Warning } from '../listing.ts'
import type { Payload } from '../fields/schema.ts'
import { foldForSearch } from '../addresses/fold.ts'
import { noRental } from '../fields/groups.ts'
import { type Currency, isRental } from '../fields/vocabulary.ts'

export type Merged = {
  content: Content
  warnings: Warning[]
  /** Whether to geocode the address: it is new or changed, and the payload has no coordinates. */
  needsPin: boolean
}

/**
 * Merges the payload into the content. `photos`, `status` and `force_duplicate` are not content; the caller handles them.
 * @throws ApiError `invalid_parameter` naming the fields
 */
export function mergePayload(before: Content, payload: Payload): Merged {
  return checked((problems) => {
    const warnings: Warning[] = []
    const content: Content = { ...before }
    for (const [name, field] of ownFields) {
      const value = payload[name]
      if (value !== undefined) Object.assign(content, { [name]: value ?? emptyOf(field) })
    }
    mergePrice(content, before, payload, problems)
    mergeExpenses(content, payload, problems)
    mergeFeatures(content, payload, warnings)
    mergeRental(content, payload, problems)
    const needsPin = mergeLocation(content, before, payload, warnings)
    return { content, warnings, needsPin }
  })
}

function mergePrice(content: Content, before: Content, payload: Payload, problems: Problems): void {
  const { price } = payload
  if (before.operation !== null && content.operation !== before.operation && price === undefined) {
    problems.add('price', 'To change operation, send price too.')
  }
  if (price === null) {
    const none = { price_amount: null, price_currency: null, price_period: null, price_on_request: false }
    Object.assign(content, none)
  } else if (price !== undefined) {
    if (price.period != null && !isRental(content.operation)) {
      problems.add(
        'price.period',
        'price.period is for rentals only. Leave it out, or send operation rent or temporary.',
      )
    }
    if (price.period !== undefined) content.price_period = price.period
    mergeMoney('price', content, price)
    if (price.on_request === true) Object.assign(content, { price_amount: null, price_currency: null })
    if (price.on_request !== undefined) content.price_on_request = price.on_request === true
    else if (price.amount != null) content.price_on_request = false
    checkMoney('price', content, problems)
  }
  if (!isRental(content.operation)) content.price_period = null
  else if (content.operation === 'rent') content.price_period ??= 'month'
}

function mergeExpenses(content: Content, payload: Payload, problems: Problems): void {
  const { expenses } = payload
  if (expenses === null) Object.assign(content, { expenses_amount: null, expenses_currency: null })
  else if (expenses !== undefined) {
    mergeMoney('expenses', content, expenses)
    checkMoney('expenses', content, problems)
  }
}

type Money = { amount?: number | null; currency?: Currency | null }

function mergeMoney(name: 'price' | 'expenses', content: Content, { amount, currency }: Money): void {
  if (amount !== undefined) content[`${name}_amount`] = amount
  if (currency !== undefined) content[`${name}_currency`] = currency
  else if (amount === null) content[`${name}_currency`] = null
}

function checkMoney(name: 'price' | 'expenses', content: Content, problems: Problems): void {
  const amount = content[`${name}_amount`]
  const currency = content[`${name}_currency`]
  if (amount !== null && currency === null)
    problems.add(`${name}.currency`, `${name}.currency is required with ${name}.amount.`)
  if (amount === null && currency !== null)
    problems.add(`${name}.amount`, `${name}.amount is required with ${name}.currency.`)
}

function mergeFeatures(content: Content, payload: Payload, warnings: Warning[]): void {
  const features: Features = payload.features === null ? {} : { ...content.features }
  const { type } = content
  const sent = Object.entries(payload.features ?? {}) as [FeatureName, FeatureValue | null][]
  for (const [name, value] of sent) {
    if (value == null) delete features[name]
    else if (isApplicable(name, type)) features[name] = value
    else
      warnings.push({
        code: 'feature_not_applicable',
        message: `features.${name} does not apply to a ${type} and was ignored.`,
        parameter: `features.${name}`,
      })
  }
  for (const name of Object.keys(features) as FeatureName[])
    if (!isApplicable(name, type)) delete features[name]
  content.features = features
}

function mergeRental(content: Content, payload: Payload, problems: Problems): void {
  const { rental } = payload
  if (rental != null) {
    if (!isRental(content.operation))
      problems.add('rental', 'rental is for rentals only. Leave it out, or send operation rent or temporary.')
    const { period, ...sent } = rental
    if (period != null && period !== content.price_period) {
      problems.add(
        'rental.period',
        'rental.period must equal price.period. Send price.period alone, or the same value in both.',
      )
    }
    const merged: Record<string, unknown> = { ...noRental, ...content.rental }
    for (const [name, value] of Object.entries(sent)) merged[name] = value ?? noRental[name as keyof Rental]
    content.rental = merged as Rental
  } else if (rental === null || !isRental(content.operation)) content.rental = null
}

function mergeLocation(content: Content, before: Content, payload: Payload, warnings: Warning[]): boolean {
  const location =
    payload.location === null ? { city: null, province: null, lat: null, lng: null } : payload.location
  if (location?.city !== undefined) content.city = location.city
  if (location?.province !== undefined) content.province = location.province
  if (location?.lat != null && location.lng != null) {
    Object.assign(content, { lat: location.lat, lng: location.lng, location_status: 'manual' })
    if (!isInsideCountry(location.lat, location.lng)) {
      warnings.push({
        code: 'location_outside_country',
        message:
          'The coordinates are outside Argentina. They were kept. Check that lat and lng are not swapped.',
        parameter: 'location',
      })
    }
    return false
  }
  const cleared = location?.lat === null && before.lat !== null
  // Coordinates sent by the agency stay until the street or number changes.
  const sameStreet =
    before.address === null || foldForSearch(content.address ?? '') === foldForSearch(before.address)
  const isPinned = before.location_status === 'manual' && sameStreet
  if (!cleared && (isSameAddress(before, content) || isPinned)) return false
  const location_status = content.address === null ? null : 'unresolved'
  Object.assign(content, { lat: null, lng: null, location_status })
  return content.address !== null
}
