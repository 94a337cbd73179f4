/**
 * Converts a row to the JSON of api.md 9.1. Lists and single reads have the same shape.
 */
import { agencyUrl } from '../agencies/agencies.ts'
import { photoFile, photosUrl } from './photos/names-and-urls.ts'
import type { Content, Listing } from './listing.ts'
import { missingToPublish } from './warnings/missing.ts'
import { type FeatureName, featureNames, fieldNames, isRental } from './vocabulary.ts'

/** The part of an agency that its listings show. */
export type ShownAgency = { id: string; name: string; slug: string }

/** The names in `fields`, or null for all. */
export type FieldSelection = ReadonlySet<string> | null

/** The listing as the API shows it. Always includes `id`; `location` brings `location_status` with it. */
export function toProperty(
  listing: Listing,
  agency: ShownAgency,
  baseUrl: string,
  fields: FieldSelection = null,
): Record<string, unknown> {
  const property: Record<string, unknown> = {}
  for (const name of fieldNames) {
    if (fields !== null && name !== 'id' && !fields.has(name)) continue
    property[name] = show(name, listing, agency, baseUrl)
    if (name === 'location') property['location_status'] = listing.location_status
  }
  return property
}

function show(
  name: (typeof fieldNames)[number],
  listing: Listing,
  agency: ShownAgency,
  baseUrl: string,
): unknown {
  switch (name) {
    case 'id':
      return listing.public_id
    case 'url':
      return listingUrl(baseUrl, agency.slug, listing.public_id)
    case 'price':
      return priceOf(listing)
    case 'expenses':
      return expensesOf(listing)
    case 'location':
      return locationOf(listing)
    case 'features':
      return featuresOf(listing)
    case 'photos':
      return photoUrls(listing, baseUrl)
    case 'rental':
      return rentalOf(listing)
    case 'missing':
      return missingToPublish(listing, listing.photos.length)
    case 'agency':
      return { name: agency.name, slug: agency.slug, url: agencyUrl(baseUrl, agency.slug) }
    default:
      return listing[name]
  }
}

/** URL of a listing's public page. */
export function listingUrl(baseUrl: string, agencySlug: string, publicId: string): string {
  return `${agencyUrl(baseUrl, agencySlug)}/${publicId}`
}

/** Public URLs of a listing's photos, in order. */
export function photoUrls(
  listing: Pick<Listing, 'agency_id' | 'public_id'> & { photos: readonly string[] },
  baseUrl: string,
): string[] {
  const base = photosUrl(baseUrl, listing.agency_id, listing.public_id)
  return listing.photos.map((photo) => base + photoFile(photo, 'large'))
}

export function priceOf(content: Content) {
  return {
    amount: content.price_amount,
    currency: content.price_currency,
    ...(isRental(content.operation) ? { period: content.price_period } : {}),
    on_request: content.price_on_request,
  }
}

export function expensesOf(content: Content) {
  return content.expenses_amount === null
    ? null
    : { amount: content.expenses_amount, currency: content.expenses_currency }
}

export function locationOf(content: Content) {
  return {
    city: content.city,
    province: content.province,
    neighborhood: null,
    lat: content.lat,
    lng: content.lng,
  }
}

function featuresOf(content: Content) {
  const features: Partial<Record<FeatureName, number | string | boolean | null>> = {}
  for (const name of featureNames) features[name] = content.features[name] ?? null
  return features
}

export function rentalOf(content: Content) {
  if (!isRental(content.operation)) return null
  return {
    period: content.price_period,
    min_stay: content.rental?.min_stay ?? null,
    min_lease_months: content.rental?.min_lease_months ?? null,
    services_included: content.rental?.services_included ?? [],
  }
}
