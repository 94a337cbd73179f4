/**
 * The data that search engines read in a page: schema.org's RealEstateListing with its Offer and the property offered, and the agency as
 * RealEstateAgent. Every member is documented by schema.org for its type; unknown values are left out.
 */
import { agencyUrl } from '../../../agencies/agencies.ts'
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import type { Listing } from '../../../listings/listing.ts'
import { logoPath } from '../../../listings/photos/names-and-urls.ts'
import type { PublicListing } from '../../../listings/reading/public.ts'
import { photoUrls } from '../../../listings/reading/shown/serialize.ts'
import { isRental } from '../../../listings/fields/vocabulary.ts'
import type { Crumb } from '../../framework/breadcrumbs.ts'
import { openingHours } from '../agency/about-agency.ts'
import { agencyPath, type Edition, listingPath } from '../frame/site.ts'
import { excerpt, oneLine } from '../../../platform/web/language/text.ts'

const context = 'https://schema.org'
const maxImages = 4
const maxAmenities = 8
const squareMetre = 'MTK'

/** Type of property → schema.org's; `Place` for the others. */
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

type Members = Readonly<Record<string, unknown>>

/** An object of a schema.org type, without the members that have no value. */
function thing(type: string, members: Members): object {
  const known = Object.entries(members).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return { '@type': type, ...Object.fromEntries(known) }
}

const root = (type: string, members: Members) => ({ '@context': context, ...thing(type, members) })

const line = (text: string | null) => (text === null ? null : oneLine(text))

export function listingData(edition: Edition, agency: PublicAgency, listing: PublicListing): object {
  const { publicBaseUrl } = edition.site.deps.config
  const url = edition.url(listingPath(agency.slug, listing.public_id))
  return root('RealEstateListing', {
    '@id': url,
    url,
    name: oneLine(listing.title ?? ''),
    description: listing.description === null ? null : excerpt(listing.description, 200),
    inLanguage: edition.words.locale,
    datePosted: listing.published_at,
    dateModified: listing.updated_at,
    image: photoUrls(listing, publicBaseUrl).slice(0, maxImages),
    leaseLength: leaseLength(listing),
    mainEntity: placeData(listing),
    offers: offerData(listing, url, agentReference(publicBaseUrl, agency)),
  })
}

function leaseLength({ operation, rental }: Listing): object | null {
  if (!isRental(operation) || rental === null) return null
  const { min_lease_months: months, min_stay: nights } = rental
  const [minValue, unitCode] = months === null ? [nights, 'DAY'] : [months, 'MON']
  return minValue === null ? null : thing('QuantitativeValue', { minValue, unitCode })
}

function placeData(listing: PublicListing): object {
  const type = types[listing.type ?? ''] ?? 'Place'
  const { features } = listing
  const area = features['covered_m2'] ?? features['total_m2']
  const ofDwelling = {
    accommodationCategory: oneLine(listing.type ?? ''),
    floorSize: area === undefined ? null : thing('QuantitativeValue', { value: area, unitCode: squareMetre }),
    numberOfRooms: features['rooms'],
    numberOfBedrooms: features['bedrooms'],
    numberOfBathroomsTotal: features['bathrooms'],
    petsAllowed: features['pet_friendly'],
  }
  const areas = (['total_m2', 'covered_m2'] as const)
    .filter((name) => typeof features[name] === 'number')
    .map((name) => thing('PropertyValue', { name, value: features[name], unitCode: squareMetre }))
  return thing(type, {
    name: oneLine(listing.title ?? ''),
    address: thing('PostalAddress', {
      streetAddress: line(listing.address),
      addressLocality: line(listing.city),
      addressRegion: line(listing.province),
      addressCountry: 'AR',
    }),
    geo: geoData(listing),
    amenityFeature: listing.amenities
      .slice(0, maxAmenities)
      .map((name) => thing('LocationFeatureSpecification', { name: oneLine(name), value: true })),
    ...(type === 'House' || type === 'Apartment' ? ofDwelling : { additionalProperty: areas }),
  })
}

/** A point, or a circle if the place is blurred. */
function geoData({ lat, lng, radius }: PublicListing): object | null {
  if (lat === null) return null
  const point = thing('GeoCoordinates', { latitude: lat, longitude: lng })
  return radius === null ? point : thing('GeoCircle', { geoMidpoint: point, geoRadius: radius })
}

function offerData(listing: Listing, url: string, seller: object): object {
  const { price_amount: price, price_currency: priceCurrency, operation } = listing
  const unitCode = periodCodes[listing.price_period ?? '']
  const unitPrice = { price, priceCurrency, unitCode }
  return thing('Offer', {
    url,
    price,
    priceCurrency,
    priceSpecification:
      price === null || unitCode === undefined ? null : thing('UnitPriceSpecification', unitPrice),
    availability: `${context}/${listing.reserved ? 'Reserved' : 'InStock'}`,
    businessFunction: `http://purl.org/goodrelations/v1#${isRental(operation) ? 'LeaseOut' : 'Sell'}`,
    seller,
  })
}

function agentReference(publicBaseUrl: string, { slug, name }: PublicAgency): object {
  const url = agencyUrl(publicBaseUrl, slug)
  return thing('RealEstateAgent', { '@id': `${url}#agency`, name, url })
}

/** The path to a page, as `breadcrumbs` shows it. */
export function breadcrumbData({ url }: Edition, crumbs: readonly Crumb[]): object {
  return root('BreadcrumbList', {
    itemListElement: crumbs.map(([name, path], index) =>
      thing('ListItem', { position: index + 1, name, item: url(path) }),
    ),
  })
}

/** The agency, and the listings on one of its pages in order. */
export function agencyData(
  edition: Edition,
  agency: PublicAgency,
  listings: readonly PublicListing[],
): object[] {
  const { publicBaseUrl } = edition.site.deps.config
  const { logo, about, address, licence_college: college, licence_number: licence } = agency
  const agent = root('RealEstateAgent', {
    ...agentReference(publicBaseUrl, agency),
    url: edition.url(agencyPath(agency.slug)),
    email: agency.email,
    telephone: agency.phone ?? agency.whatsapp,
    logo: logo === null ? null : publicBaseUrl + logoPath(agency.logo_of, logo, 'medium.webp'),
    description: about === null ? null : excerpt(about, 200),
    address:
      address === null
        ? null
        : thing('PostalAddress', { streetAddress: oneLine(address), addressCountry: 'AR' }),
    openingHoursSpecification: openingHours(agency.hours),
    // The broker's licence, by the college that grants it.
    identifier:
      college === null || licence === null
        ? null
        : thing('PropertyValue', { propertyID: oneLine(college), value: oneLine(licence) }),
    sameAs: agency.website,
    areaServed: thing('Country', { name: 'Argentina' }),
  })
  if (listings.length === 0) return [agent]
  const itemListElement = listings.map((listing, index) =>
    thing('ListItem', {
      position: index + 1,
      url: edition.url(listingPath(agency.slug, listing.public_id)),
      name: oneLine(listing.title ?? ''),
    }),
  )
  return [agent, root('ItemList', { numberOfItems: listings.length, itemListElement })]
}
