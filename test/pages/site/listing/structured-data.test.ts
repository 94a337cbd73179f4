/** The structured data of the pages: schema.org's vocabulary, and no unknown values. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setAgencyDetails } from '../../../../src/agencies/details.ts'
import { types } from '../../../../src/listings/fields/vocabulary.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { published } from '../../../support/app/listings.ts'
import { schemaOrgProblems } from './schema-org.ts'
import { attributes, dataOf, readable, shown } from '../visit.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const everything = {
  description: 'Luminosa.\nCon patio.',
  price: { amount: 120_000.5, currency: 'USD' },
  expenses: { amount: 90_000, currency: 'ARS' },
  features: {
    bedrooms: 2,
    bathrooms: 1,
    rooms: 3,
    total_m2: 120,
    covered_m2: 95.5,
    garages: 1,
    age_years: 10,
    pet_friendly: true,
  },
  amenities: ['Parrilla', 'Patio "andaluz"'],
}

async function dataOfListing(url: unknown): Promise<Record<string, unknown>> {
  const [listing, way = {}, ...others] = dataOf(await shown(t, String(url)))
  assert.deepEqual([schemaOrgProblems(way), others], [[], []])
  return listing ?? {}
}

describe('the validator of structured data', () => {
  test('finds types and properties that schema.org does not know', () => {
    const listing = { '@context': 'https://schema.org', '@type': 'RealEstateListing' }
    assert.match(schemaOrgProblems(listing).join(), /offers is missing/)
    const wrong = (members: object) => schemaOrgProblems({ '@context': 'https://schema.org', ...members })
    assert.match(wrong({ '@type': 'Villa' }).join(), /no known @type/)
    assert.match(wrong({ '@type': 'Offer', floorSize: 3 }).join(), /floorSize is no property of Offer/)
    assert.match(wrong({ '@type': 'House', petsAllowed: 3 }).join(), /petsAllowed is 3/)
    assert.match(wrong({ '@type': 'House', geo: { '@type': 'Offer' } }).join(), /geo is a Offer/)
    assert.match(wrong({ '@type': 'House', amenityFeature: [] }).join(), /amenityFeature is empty/)
    assert.match(schemaOrgProblems({ '@type': 'House' }).join(), /@context/)
    assert.deepEqual(wrong({ '@type': 'House', name: 'x', numberOfRooms: 3 }), [])
  })
})

describe('the structured data of a listing', () => {
  for (const type of types) {
    test(`of type ${type} conforms to schema.org`, async () => {
      const { url } = await published(t, { ...everything, type })
      assert.deepEqual(schemaOrgProblems(await dataOfListing(url)), [])
    })
  }

  test('states price, location and offer', async () => {
    const listing = await published(t, { ...everything, type: 'Departamento', title: 'Tres ambientes' })
    const data = await dataOfListing(listing['url'])
    const { offers, mainEntity, ...page } = data as Record<string, Record<string, unknown>>
    const seller = {
      '@type': 'RealEstateAgent',
      '@id': `https://listings.test/inmobiliarias/${t.agency.slug}#agency`,
      name: t.agency.name,
      url: `https://listings.test/inmobiliarias/${t.agency.slug}`,
    }
    assert.deepEqual(offers, {
      '@type': 'Offer',
      url: listing['url'],
      price: 120_000.5,
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      businessFunction: 'http://purl.org/goodrelations/v1#Sell',
      seller,
    })
    assert.deepEqual(mainEntity, {
      '@type': 'Apartment',
      name: 'Tres ambientes',
      address: {
        '@type': 'PostalAddress',
        streetAddress: listing.address,
        addressLocality: 'La Plata',
        addressRegion: 'Buenos Aires',
        addressCountry: 'AR',
      },
      geo: { '@type': 'GeoCoordinates', latitude: -34.92, longitude: -57.95 },
      amenityFeature: ['Parrilla', 'Patio "andaluz"'].map((name) => ({
        '@type': 'LocationFeatureSpecification',
        name,
        value: true,
      })),
      accommodationCategory: 'Departamento',
      floorSize: { '@type': 'QuantitativeValue', value: 95.5, unitCode: 'MTK' },
      numberOfRooms: 3,
      numberOfBedrooms: 2,
      numberOfBathroomsTotal: 1,
      petsAllowed: true,
    })
    assert.deepEqual(page, {
      '@context': 'https://schema.org',
      '@type': 'RealEstateListing',
      '@id': listing['url'],
      url: listing['url'],
      name: 'Tres ambientes',
      description: 'Luminosa. Con patio.',
      inLanguage: 'es-AR',
      datePosted: listing.published_at,
      dateModified: listing.updated_at,
      image: listing.photos.slice(0, 4),
    })
  })

  test('for rent states its price and period', async () => {
    const { url } = await published(t, {
      operation: 'temporary',
      price: { amount: 80, currency: 'USD', period: 'night' },
      rental: { min_stay: 3 },
    })
    const data = await dataOfListing(url)
    assert.deepEqual(schemaOrgProblems(data), [])
    const offer = data['offers'] as Record<string, unknown>
    assert.equal(offer['businessFunction'], 'http://purl.org/goodrelations/v1#LeaseOut')
    assert.deepEqual(offer['priceSpecification'], {
      '@type': 'UnitPriceSpecification',
      price: 80,
      priceCurrency: 'USD',
      unitCode: 'DAY',
    })
    assert.deepEqual(data['leaseLength'], { '@type': 'QuantitativeValue', minValue: 3, unitCode: 'DAY' })
  })

  test('without a price states none', async () => {
    const { url } = await published(t, { price: { on_request: true } })
    const data = await dataOfListing(url)
    assert.deepEqual(schemaOrgProblems(data), [])
    const offer = data['offers'] as Record<string, unknown>
    for (const name of ['price', 'priceCurrency', 'priceSpecification']) assert.ok(!(name in offer), name)
  })
})

test('the breadcrumbs of a listing match those on its page', async () => {
  const listing = await published(t, { ...everything, type: 'Departamento', title: 'Dos "ambientes"' })
  for (const prefix of ['', '/en']) {
    const page = await shown(t, String(listing['url']).replace('/inmobiliarias', `${prefix}/inmobiliarias`))
    const way = dataOf(page).at(1) as { itemListElement: { position: number; name: string; item: string }[] }
    const agency = `https://listings.test${prefix}/inmobiliarias/${t.agency.slug}`
    assert.deepEqual(
      way.itemListElement.map(({ position, name, item }) => [position, name, item]),
      [
        [1, t.agency.name, agency],
        [
          2,
          prefix === '' ? 'Departamentos en venta' : 'Apartments for sale',
          `${agency}?operation=sale&type=Departamento`,
        ],
        [3, 'Dos "ambientes"', `${agency}/${listing.id}`],
      ],
    )
    const [shownWay = ''] = /<nav class="crumbs"[\s\S]*?<\/nav>/.exec(page) ?? []
    assert.deepEqual(
      attributes(shownWay, 'href').map((path) => `https://listings.test${path}`),
      way.itemListElement.slice(0, -1).map(({ item }) => item),
    )
    for (const { name, item } of way.itemListElement) {
      assert.ok(readable(`<body>${shownWay}`).includes(name), name)
      await shown(t, item)
    }
  }
})

describe('the structured data of an agency', () => {
  test('is a RealEstateAgent with the listings of the page', async () => {
    const contact = { phone: '+54 11 5555-0142', whatsapp: null, website: 'https://agency.example' }
    await setAgencyDetails(t.deps.db, t.agency.id, contact, t.clock)
    const [agent = {}, list = {}] = dataOf(await shown(t, `/inmobiliarias/${t.agency.slug}`))
    assert.deepEqual([schemaOrgProblems(agent), schemaOrgProblems(list)], [[], []])
    assert.equal(agent['telephone'], contact.phone)
    assert.equal(agent['sameAs'], contact.website)
    assert.equal((list['itemListElement'] as unknown[]).length, list['numberOfItems'])
    for (const name of ['address', 'description', 'openingHoursSpecification', 'identifier', 'logo'])
      assert.ok(!(name in agent), name)
  })

  test('states its office, opening hours and license holder', async () => {
    const hours = [
      ...Array.from({ length: 5 }, () => [['09:30', '13:00'] as const, ['15:00', '19:00'] as const]),
      [['10:00', '13:00'] as const],
      [],
    ]
    const details = {
      address: 'Av. Siempreviva 742, Tandil',
      about: 'Desde 1998.\nEn todo el barrio.',
      licence_college: 'CUCICBA',
      licence_number: '1234',
      hours,
    }
    await setAgencyDetails(t.deps.db, t.agency.id, details, t.clock)
    const [agent = {}] = dataOf(await shown(t, `/inmobiliarias/${t.agency.slug}`))
    assert.deepEqual(schemaOrgProblems(agent), [])
    assert.equal(agent['description'], 'Desde 1998. En todo el barrio.')
    assert.equal((agent['address'] as Record<string, unknown>)['streetAddress'], details.address)
    assert.deepEqual(agent['identifier'], {
      '@type': 'PropertyValue',
      propertyID: 'CUCICBA',
      value: '1234',
    })
    const spans = agent['openingHoursSpecification'] as Record<string, string[]>[]
    assert.deepEqual(
      spans.map(({ dayOfWeek, opens, closes }) => [dayOfWeek?.length, opens, closes]),
      [
        [5, '09:30', '13:00'],
        [5, '15:00', '19:00'],
        [1, '10:00', '13:00'],
      ],
    )
  })
})
