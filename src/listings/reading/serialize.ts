/** Converts a row to the JSON of api.md 9.1. Lists and single reads have the same shape. */
import { agencyUrl } from '../../agencies/agencies.ts'
import { type FeatureName, featureNames, type FeatureValue } from '../fields/features.ts'
import { emptyOf, type Field } from '../fields/field.ts'
import { fieldNames, type GroupName } from '../fields/field-lists.ts'
import { fields } from '../fields/fields.ts'
import { photoFile, photosUrl } from '../photos/names-and-urls.ts'
import type { Content, Listing, Rental } from '../listing.ts'
import { missingToPublish } from '../fields/publishable.ts'
import { isRental } from '../fields/vocabulary.ts'

/** The part of an agency that its listings show. */
export type ShownAgency = { id: string; name: string; slug: string }

/** The listing as the API shows it, with all fields. */
export function toProperty(listing: Listing, agency: ShownAgency, baseUrl: string): Record<string, unknown> {
  const property: Record<string, unknown> = {}
  for (const name of fieldNames) {
    property[name] = show(name, listing, agency, baseUrl)
    if (name === 'location') property['location_status'] = listing.location_status
  }
  return property
}

function show(name: (typeof fieldNames)[number], listing: Listing, agency: ShownAgency, baseUrl: string) {
  switch (name) {
    case 'id':
      return listing.public_id
    case 'url':
      return listingUrl(baseUrl, agency.slug, listing.public_id)
    case 'photos':
      return photoUrls(listing, baseUrl)
    case 'missing':
      return missingToPublish(listing, listing.photos.length)
    case 'agency':
      return { name: agency.name, slug: agency.slug, url: agencyUrl(baseUrl, agency.slug) }
    case 'price':
    case 'expenses':
    case 'location':
    case 'features':
    case 'rental':
      return groupReaders[name](listing)
    default:
      return listing[name]
  }
}

export function listingUrl(baseUrl: string, agencySlug: string, publicId: string): string {
  return `${agencyUrl(baseUrl, agencySlug)}/${publicId}`
}

export function photoUrls(
  listing: Pick<Listing, 'agency_id' | 'public_id'> & { photos: readonly string[] },
  baseUrl: string,
): string[] {
  const base = photosUrl(baseUrl, listing.agency_id, listing.public_id)
  return listing.photos.map((photo) => base + photoFile(photo, 'large'))
}

export const noRental = Object.fromEntries(
  Object.entries<Field>(fields.rental.parts).map(([name, field]) => [name, emptyOf(field)]),
) as Rental

/** The groups as the API shows them. */
export const groupReaders = {
  price: (content: Content) => ({
    amount: content.price_amount,
    currency: content.price_currency,
    ...(isRental(content.operation) ? { period: content.price_period } : {}),
    on_request: content.price_on_request,
  }),
  expenses: ({ expenses_amount: amount, expenses_currency: currency }: Content) =>
    amount === null ? null : { amount, currency },
  location: ({ city, province, lat, lng }: Content) => ({ city, province, neighborhood: null, lat, lng }),
  features: ({ features }: Content) =>
    Object.fromEntries(featureNames.map((name) => [name, features[name] ?? null])) as Partial<
      Record<FeatureName, FeatureValue | null>
    >,
  rental: (content: Content) =>
    isRental(content.operation) ? { period: content.price_period, ...noRental, ...content.rental } : null,
} satisfies Record<GroupName, (content: Content) => unknown>
