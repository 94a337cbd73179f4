/** The JSON of a row (api.md 9.1). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Listing } from '../../../../src/listings/listing.ts'
import { noContent } from '../../../../src/listings/fields/content.ts'
import { groupReaders } from '../../../../src/listings/fields/groups.ts'
import { listingUrl, photoUrls, toProperty } from '../../../../src/listings/reading/shown/serialize.ts'
import { noContent as shownEmpty, noFeatures } from '../../../support/app/fields.ts'

const { price: priceOf, rental: rentalOf } = groupReaders
const agency = { id: '019ab0c4-6d2e-7c31-9a55-0d1f7be3a901', name: 'Río Propiedades', slug: 'rio' }
const base = 'https://listings.example'
const photo = `${'a'.repeat(43)}.k3Jd9Qx2`

const empty: Listing = {
  ...noContent,
  agency_id: agency.id,
  id: '019ab0c4-7f10-7d42-8a01-5c9e1b2d3f40',
  public_id: '7KQ2M9XA',
  version: 3,
  status: 'draft',
  photos: [],
  reserved: false,
  close_reason: null,
  closed_at: null,
  close_amount: null,
  close_currency: null,
  published_at: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  deleted_at: null,
}

const full: Listing = {
  ...empty,
  external_id: 'CRM-1',
  status: 'disabled',
  title: '<b>Casa</b> & jardín',
  description: 'Uno\r\n\r\nDos\t"tres"',
  operation: 'rent',
  type: 'Galpón',
  price_amount: 1250.5,
  price_currency: 'ARS',
  price_period: 'week',
  expenses_amount: 0,
  expenses_currency: 'ARS',
  address: 'Av. Corrientes 4820',
  city: 'Buenos Aires',
  province: 'CABA',
  lat: -34.5998,
  lng: 0,
  location_status: 'resolved',
  features: { bedrooms: 0, total_m2: 74.5, pet_friendly: false, orientation: 'NE' },
  amenities: ['Balcón'],
  photos: [photo],
  video_url: 'https://v.example/1',
  video_urls: ['https://v.example/2'],
  virtual_tour_url: 'https://t.example',
  rental: { min_stay: 2, min_lease_months: 24, services_included: ['Agua'] },
  reserved: true,
  close_reason: 'rented',
  closed_at: '2026-11-20T10:00:00.000Z',
  close_amount: 1200,
  close_currency: 'ARS',
  published_at: '2026-11-20T10:00:00.000Z',
  version: 12,
}

const shownAgency = { name: 'Río Propiedades', slug: 'rio', url: `${base}/inmobiliarias/rio` }

describe('toProperty', () => {
  test('shows missing values as null or an empty list', () => {
    assert.deepEqual(toProperty(empty, agency, base), {
      ...shownEmpty,
      id: '7KQ2M9XA',
      status: 'draft',
      url: `${base}/inmobiliarias/rio/7KQ2M9XA`,
      agency: shownAgency,
      published_at: null,
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T09:30:00.000Z',
    })
  })

  test('shows everything as sent, and nothing internal', () => {
    const shown = toProperty(full, agency, base)
    assert.deepEqual(shown, {
      ...shownEmpty,
      id: '7KQ2M9XA',
      external_id: 'CRM-1',
      status: 'disabled',
      url: `${base}/inmobiliarias/rio/7KQ2M9XA`,
      title: '<b>Casa</b> & jardín',
      description: 'Uno\r\n\r\nDos\t"tres"',
      operation: 'rent',
      type: 'Galpón',
      price: { amount: 1250.5, currency: 'ARS', period: 'week', on_request: false },
      expenses: { amount: 0, currency: 'ARS' },
      address: 'Av. Corrientes 4820',
      location: { city: 'Buenos Aires', province: 'CABA', neighborhood: null, lat: -34.5998, lng: 0 },
      location_status: 'resolved',
      features: { ...noFeatures, bedrooms: 0, total_m2: 74.5, pet_friendly: false, orientation: 'NE' },
      amenities: ['Balcón'],
      photos: [`${base}/photos/${agency.id}/7KQ2M9XA/${photo}/large.webp`],
      video_url: 'https://v.example/1',
      video_urls: ['https://v.example/2'],
      virtual_tour_url: 'https://t.example',
      rental: { period: 'week', min_stay: 2, min_lease_months: 24, services_included: ['Agua'] },
      reserved: true,
      agency: shownAgency,
      published_at: '2026-11-20T10:00:00.000Z',
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T09:30:00.000Z',
      missing: ['photos'],
    })
    const text = JSON.stringify(shown)
    for (const hidden of [full.id, '1200', 'version', 'close', 'deleted'])
      assert.ok(!text.includes(hidden), hidden)
  })
})

describe('parts of a shown listing', () => {
  test('only a rental has a period and rental terms', () => {
    for (const operation of ['rent', 'temporary'] as const) {
      const listing = { ...empty, operation }
      assert.deepEqual(priceOf(listing), { amount: null, currency: null, period: null, on_request: false })
      assert.deepEqual(rentalOf(listing), {
        period: null,
        min_stay: null,
        min_lease_months: null,
        services_included: [],
      })
    }
    for (const operation of ['sale', null] as const) {
      assert.equal('period' in priceOf({ ...full, operation }), false)
      assert.equal(rentalOf({ ...full, operation }), null)
    }
  })

  test('URLs start with the public one, and photos keep their order', () => {
    assert.equal(
      listingUrl('https://x.example/sub', 'rio', '7KQ2M9XA'),
      'https://x.example/sub/inmobiliarias/rio/7KQ2M9XA',
    )
    const photos = ['b', 'a', 'c'].map((letter) => `${letter.repeat(43)}.k3Jd9Qx2`)
    const urls = photoUrls({ agency_id: agency.id, public_id: '7KQ2M9XA', photos }, base)
    assert.deepEqual(
      urls.map((url) => url.split('/').at(-2)),
      photos,
    )
  })

  test('money and areas are printed without trailing zeros', () => {
    const text = JSON.stringify(
      toProperty({ ...full, price_amount: 100, expenses_amount: 10.1 }, agency, base),
    )
    assert.match(text, /"price":\{"amount":100,/)
    assert.match(text, /"expenses":\{"amount":10\.1,/)
    assert.equal(JSON.stringify(priceOf({ ...full, price_amount: 1e12 })).includes('1000000000000'), true)
  })
})
