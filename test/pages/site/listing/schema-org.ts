/**
 * Validates JSON-LD against schema.org: every type is known, every property is documented for its type or a parent, and every value has a
 * type that the property accepts. Contains only the part of the vocabulary that the pages use.
 */

type Expectation = 'Text' | 'Time' | 'URL' | 'Number' | 'Integer' | 'Boolean' | 'DateTime' | (string & {})
type Vocabulary = Readonly<
  Record<string, { from: readonly string[]; properties: Readonly<Record<string, readonly Expectation[]>> }>
>

/** Types with the properties that schema.org documents for them, and their parents. */
const vocabulary: Vocabulary = {
  Thing: {
    from: [],
    properties: {
      name: ['Text'],
      description: ['Text'],
      url: ['URL'],
      image: ['URL'],
      sameAs: ['URL'],
      additionalType: ['Text', 'URL'],
      identifier: ['PropertyValue', 'Text', 'URL'],
    },
  },
  CreativeWork: {
    from: ['Thing'],
    properties: {
      dateModified: ['DateTime'],
      inLanguage: ['Text'],
      mainEntity: ['Thing'],
      offers: ['Offer'],
      provider: ['Organization'],
      publisher: ['Organization'],
    },
  },
  WebPage: { from: ['CreativeWork'], properties: { lastReviewed: ['DateTime'] } },
  RealEstateListing: {
    from: ['WebPage'],
    properties: { datePosted: ['DateTime'], leaseLength: ['QuantitativeValue'] },
  },
  Intangible: { from: ['Thing'], properties: {} },
  Offer: {
    from: ['Intangible'],
    properties: {
      price: ['Number'],
      priceCurrency: ['Text'],
      priceSpecification: ['PriceSpecification'],
      availability: ['ItemAvailability'],
      businessFunction: ['BusinessFunction'],
      seller: ['Organization'],
    },
  },
  PriceSpecification: {
    from: ['Intangible'],
    properties: { price: ['Number'], priceCurrency: ['Text'] },
  },
  UnitPriceSpecification: { from: ['PriceSpecification'], properties: { unitCode: ['Text'] } },
  QuantitativeValue: {
    from: ['Intangible'],
    properties: { value: ['Number'], minValue: ['Number'], unitCode: ['Text'] },
  },
  PropertyValue: {
    from: ['Intangible'],
    properties: { value: ['Number', 'Text'], unitCode: ['Text'], propertyID: ['Text', 'URL'] },
  },
  OpeningHoursSpecification: {
    from: ['Intangible'],
    properties: { dayOfWeek: ['DayOfWeek'], opens: ['Time'], closes: ['Time'] },
  },
  LocationFeatureSpecification: { from: ['PropertyValue'], properties: { value: ['Boolean'] } },
  PostalAddress: {
    from: ['Intangible'],
    properties: {
      streetAddress: ['Text'],
      addressLocality: ['Text'],
      addressRegion: ['Text'],
      addressCountry: ['Text'],
    },
  },
  GeoCircle: {
    from: ['Intangible'],
    properties: { geoMidpoint: ['GeoCoordinates'], geoRadius: ['Distance', 'Number', 'Text'] },
  },
  GeoCoordinates: { from: ['Intangible'], properties: { latitude: ['Number'], longitude: ['Number'] } },
  Place: {
    from: ['Thing'],
    properties: {
      address: ['PostalAddress'],
      geo: ['GeoCoordinates', 'GeoCircle'],
      amenityFeature: ['LocationFeatureSpecification'],
      additionalProperty: ['PropertyValue'],
      telephone: ['Text'],
      openingHoursSpecification: ['OpeningHoursSpecification'],
    },
  },
  Country: { from: ['Place'], properties: {} },
  Accommodation: {
    from: ['Place'],
    properties: {
      accommodationCategory: ['Text'],
      floorSize: ['QuantitativeValue'],
      numberOfRooms: ['Number'],
      numberOfBedrooms: ['Number'],
      numberOfBathroomsTotal: ['Integer'],
      petsAllowed: ['Boolean', 'Text'],
    },
  },
  House: { from: ['Accommodation'], properties: {} },
  Apartment: { from: ['Accommodation'], properties: {} },
  Residence: { from: ['Place'], properties: {} },
  ApartmentComplex: { from: ['Residence'], properties: { petsAllowed: ['Boolean', 'Text'] } },
  Organization: {
    from: ['Thing'],
    properties: { email: ['Text'], telephone: ['Text'], areaServed: ['Place'], logo: ['URL'] },
  },
  LocalBusiness: { from: ['Organization', 'Place'], properties: {} },
  LodgingBusiness: { from: ['LocalBusiness'], properties: { petsAllowed: ['Boolean', 'Text'] } },
  Hotel: { from: ['LodgingBusiness'], properties: {} },
  RealEstateAgent: { from: ['LocalBusiness'], properties: {} },
  ItemList: {
    from: ['Intangible'],
    properties: { numberOfItems: ['Integer'], itemListElement: ['ListItem'] },
  },
  BreadcrumbList: { from: ['ItemList'], properties: {} },
  ListItem: { from: ['Intangible'], properties: { position: ['Integer'], item: ['URL', 'Thing'] } },
}

/** The minimal properties of a type; `a|b` means either. */
const required: Readonly<Record<string, readonly string[]>> = {
  RealEstateListing: ['@id', 'url', 'name', 'datePosted', 'image', 'mainEntity', 'offers'],
  Offer: ['url', 'availability', 'businessFunction', 'seller'],
  RealEstateAgent: ['@id', 'name', 'url'],
  ListItem: ['position', 'url|item', 'name'],
  PostalAddress: ['addressCountry'],
}

const members: Readonly<Record<string, readonly string[]>> = {
  ItemAvailability: ['https://schema.org/InStock', 'https://schema.org/Reserved'],
  DayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
    (day) => `https://schema.org/${day}`,
  ),
  BusinessFunction: ['http://purl.org/goodrelations/v1#Sell', 'http://purl.org/goodrelations/v1#LeaseOut'],
}

/** The problems of a document; none if it conforms to schema.org. */
export function schemaOrgProblems(document: unknown): string[] {
  if (!isObject(document)) return ['it is no object']
  const { '@context': context, ...rest } = document
  const problems = context === 'https://schema.org' ? [] : [`@context is ${String(context)}`]
  return [...problems, ...objectProblems(rest, 'Thing', '')]
}

function objectProblems(value: Record<string, unknown>, expected: string, path: string): string[] {
  const type = value['@type']
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  if (typeof type !== 'string' || !(type in vocabulary))
    return [`${path} has no known @type: ${String(type)}`]
  if (!inherits(type, expected)) return [`${path} is a ${type}, not a ${expected}`]
  const problems = (required[type] ?? [])
    .filter((names) => !names.split('|').some((name) => name in value))
    .map((name) => `${at(name)} is missing`)
  for (const [name, member] of Object.entries(value)) {
    if (name === '@type') continue
    const expectations = name === '@id' ? (['URL'] as const) : propertyOf(type, name)
    if (expectations === null) problems.push(`${at(name)} is no property of ${type}`)
    else if (Array.isArray(member) && member.length === 0) problems.push(`${at(name)} is empty`)
    else for (const one of [member].flat()) problems.push(...valueProblems(one, expectations, at(name)))
  }
  return problems
}

function valueProblems(value: unknown, expectations: readonly Expectation[], path: string): string[] {
  const fits = expectations.some((expectation) => {
    if (expectation in members) return typeof value === 'string' && members[expectation]?.includes(value)
    switch (expectation) {
      case 'Text':
        return typeof value === 'string' && value.trim() !== ''
      case 'Time':
        return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
      case 'URL':
        return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
      case 'Number':
        return typeof value === 'number' && Number.isFinite(value)
      case 'Integer':
        return Number.isInteger(value)
      case 'Boolean':
        return typeof value === 'boolean'
      case 'DateTime':
        return typeof value === 'string' && new Date(value).toISOString() === value
      default:
        return isObject(value)
    }
  })
  if (!fits) return [`${path} is ${JSON.stringify(value)}, not ${expectations.join(' or ')}`]
  if (!isObject(value)) return []
  const type = expectations.find((expectation) => inherits(String(value['@type']), expectation))
  return objectProblems(value, type ?? String(expectations[0]), path)
}

function propertyOf(type: string, name: string): readonly Expectation[] | null {
  const own = vocabulary[type]?.properties[name]
  if (own !== undefined) return own
  for (const parent of vocabulary[type]?.from ?? []) {
    const inherited = propertyOf(parent, name)
    if (inherited !== null) return inherited
  }
  return null
}

function inherits(type: string, from: string): boolean {
  return type === from || (vocabulary[type]?.from ?? []).some((parent) => inherits(parent, from))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
