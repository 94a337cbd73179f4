/**
 * The data that search engines read in a page: schema.org's RealEstateListing with its Offer and the place offered, and the agency as
 * RealEstateAgent. Every property is documented by schema.org for its type; unknown values are left out.
 */
import type { PublicAgency } from '../../agencies/public-agency.ts'
import { agencyUrl } from '../../agencies/agencies.ts'
import { logoPath } from '../../listings/photos/names-and-urls.ts'
import type { Listing } from '../../listings/listing.ts'
import type { PublicListing } from '../../listings/public.ts'
import { photoUrls } from '../../listings/serialize.ts'
import { isRental } from '../../listings/vocabulary.ts'
import { excerpt, oneLine } from '../../platform/web/text.ts'
import { openingHours } from './about-agency.ts'
import type { Crumb } from '../framework/breadcrumbs.ts'
import { agencyPath, type Edition, listingPath, type Site } from './site.ts'

const context = 'https://schema.org'
const mostImages = 4
const mostAmenities = 8
const squareMetre = 'MTK'

/** The listing's type → schema.org's. What is not a dwelling is a Place. */
const types: Readonly<Record<string, string>> = {
  Casa: 'House',
  PH: 'House',
  Quinta: 'House',
  Departamento: 'Apartment',
  Edificio: 'ApartmentComplex',
  Emprendimiento: 'ApartmentComplex',
  Hotel: 'Hotel',
}
/** The period of a rent → its UN/CEFACT code. */
const periodCodes: Readonly<Record<string, string>> = { month: 'MON', week: 'WEE', night: 'DAY' }

/** An object without the members that have no value. */
function known(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

export function listingData(edition: Edition, agency: PublicAgency, listing: PublicListing): object {
  const { site } = edition
  const url = edition.url(listingPath(agency.slug, listing.public_id))
  return known({
    '@context': context,
    '@type': 'RealEstateListing',
    '@id': url,
    url,
    name: oneLine(listing.title ?? ''),
    description: listing.description === null ? null : excerpt(listing.description, 200),
    inLanguage: edition.words.locale,
    datePosted: listing.published_at,
    dateModified: listing.updated_at,
    image: photoUrls(listing, site.deps.config.publicBaseUrl).slice(0, mostImages),
    leaseLength: leaseLength(listing),
    mainEntity: placeData(listing),
    offers: offerData(site, listing, agency, url),
  })
}

function leaseLength({ operation, rental }: Listing): object | null {
  if (!isRental(operation) || rental === null) return null
  if (rental.min_lease_months !== null)
    return { '@type': 'QuantitativeValue', minValue: rental.min_lease_months, unitCode: 'MON' }
  return rental.min_stay === null
    ? null
    : { '@type': 'QuantitativeValue', minValue: rental.min_stay, unitCode: 'DAY' }
}

function placeData(listing: PublicListing): object {
  const type = types[listing.type ?? ''] ?? 'Place'
  const { features } = listing
  const isDwelling = type === 'House' || type === 'Apartment'
  const area = features['covered_m2'] ?? features['total_m2']
  const { city, province } = listing
  return known({
    '@type': type,
    name: oneLine(listing.title ?? ''),
    address: known({
      '@type': 'PostalAddress',
      streetAddress: listing.address === null ? null : oneLine(listing.address),
      addressLocality: city === null ? null : oneLine(city),
      addressRegion: province === null ? null : oneLine(province),
      addressCountry: 'AR',
    }),
    geo: geoData(listing),
    amenityFeature: listing.amenities.slice(0, mostAmenities).map((name) => ({
      '@type': 'LocationFeatureSpecification',
      name: oneLine(name),
      value: true,
    })),
    ...(isDwelling
      ? {
          accommodationCategory: oneLine(listing.type ?? ''),
          floorSize:
            area === undefined ? null : { '@type': 'QuantitativeValue', value: area, unitCode: squareMetre },
          numberOfRooms: features['rooms'],
          numberOfBedrooms: features['bedrooms'],
          numberOfBathroomsTotal: features['bathrooms'],
          petsAllowed: features['pet_friendly'],
        }
      : { additionalProperty: areas(listing) }),
  })
}

/** A point, or a circle where the place is shown approximately. */
function geoData({ lat, lng, radius }: PublicListing): object | null {
  if (lat === null) return null
  const point = { '@type': 'GeoCoordinates', latitude: lat, longitude: lng }
  return radius === null ? point : { '@type': 'GeoCircle', geoMidpoint: point, geoRadius: radius }
}

function areas({ features }: Listing): object[] {
  return (['total_m2', 'covered_m2'] as const)
    .filter((name) => typeof features[name] === 'number')
    .map((name) => ({
      '@type': 'PropertyValue',
      name,
      value: features[name],
      unitCode: squareMetre,
    }))
}

function offerData(site: Site, listing: Listing, agency: PublicAgency, url: string): object {
  const { price_amount: price, price_currency: priceCurrency, operation } = listing
  const unitCode = periodCodes[listing.price_period ?? '']
  return known({
    '@type': 'Offer',
    url,
    price,
    priceCurrency,
    priceSpecification:
      price === null || unitCode === undefined
        ? null
        : { '@type': 'UnitPriceSpecification', price, priceCurrency, unitCode },
    availability: `${context}/${listing.reserved ? 'Reserved' : 'InStock'}`,
    businessFunction: `http://purl.org/goodrelations/v1#${isRental(operation) ? 'LeaseOut' : 'Sell'}`,
    seller: agentReference(site, agency),
  })
}

function agentReference(site: Site, agency: PublicAgency): object {
  const url = agencyUrl(site.deps.config.publicBaseUrl, agency.slug)
  return { '@type': 'RealEstateAgent', '@id': `${url}#agency`, name: agency.name, url }
}

/** The way to a page, as `breadcrumbs` shows it. */
export function breadcrumbData({ url }: Edition, crumbs: readonly Crumb[]): object {
  return {
    '@context': context,
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: url(path),
    })),
  }
}

/** The agency, and the listings on one of its pages in order. */
export function agencyData(
  edition: Edition,
  agency: PublicAgency,
  listings: readonly PublicListing[],
): object[] {
  const url = agencyUrl(edition.site.deps.config.publicBaseUrl, agency.slug)
  const agent = known({
    '@context': context,
    '@type': 'RealEstateAgent',
    '@id': `${url}#agency`,
    name: agency.name,
    url: edition.url(agencyPath(agency.slug)),
    email: agency.email,
    telephone: agency.phone ?? agency.whatsapp,
    logo:
      agency.logo === null
        ? null
        : `${edition.site.deps.config.publicBaseUrl}${logoPath(agency.logo_of, agency.logo, 'medium.webp')}`,
    description: agency.about === null ? null : excerpt(agency.about, 200),
    address:
      agency.address === null
        ? null
        : { '@type': 'PostalAddress', streetAddress: oneLine(agency.address), addressCountry: 'AR' },
    openingHoursSpecification: openingHours(agency.hours),
    identifier: licenceData(agency),
    sameAs: agency.website,
    areaServed: { '@type': 'Country', name: 'Argentina' },
  })
  if (listings.length === 0) return [agent]
  const items = {
    '@context': context,
    '@type': 'ItemList',
    numberOfItems: listings.length,
    itemListElement: listings.map((listing, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: edition.url(listingPath(agency.slug, listing.public_id)),
      name: oneLine(listing.title ?? ''),
    })),
  }
  return [agent, items]
}

/** The broker's licence, by the college that keeps it. */
function licenceData({ licence_college: college, licence_number: value }: PublicAgency): object | null {
  return college === null || value === null
    ? null
    : { '@type': 'PropertyValue', propertyID: oneLine(college), value: oneLine(value) }
}
