/** The values that each field accepts (api.md 9.2), at its limits, and how they are returned. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { types } from '../../../src/listings/fields/vocabulary.ts'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import { allFeatures, features, noFeatures } from '../../support/app/fields.ts'
import { accepted } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const smiley = '😀'
const usd = (amount: unknown) => ({ amount, currency: 'USD' })
const rent = (changes: object) => ({ operation: 'rent', ...changes })
const long = (length: number) => `https://video.example/${'a'.repeat(length - 22)}`

/** A body and the expected values afterwards, by the path of their field. */
const taken: Record<string, [body: Record<string, unknown>, reads?: Record<string, unknown>][]> = {
  external_id: [
    [{ external_id: `A.b_C:d-${randomUUID().slice(0, 8)}` }],
    [{ external_id: randomUUID().padEnd(64, 'x') }],
    [{ external_id: null }],
  ],
  title: [
    [{ title: 'a' }],
    [{ title: 'a'.repeat(200) }],
    [{ title: smiley.repeat(200) }],
    [{ title: 'e\u0301'.repeat(100) }],
    [{ title: '  <b>Casa &amp; jardín</b>\t\n ' }],
    [{ title: null }],
  ],
  description: [
    [{ description: 'Una línea.\r\n\n  Otra.\n' }],
    [{ description: smiley.repeat(20_000) }],
    [{ description: null }],
  ],
  operation: [
    [{ operation: 'sale' }],
    [{ operation: 'rent' }],
    [{ operation: 'temporary' }],
    [{ operation: null }],
  ],
  type: [
    ...types.map((type): [Record<string, unknown>] => [{ type }]),
    [{ type: 'galpon' }, { type: 'Galpón' }],
    [{ type: 'GALPÓN' }, { type: 'Galpón' }],
    [{ type: 'Galpo\u0301n' }, { type: 'Galpón' }],
    [{ type: 'fondo de comercio' }, { type: 'Fondo de Comercio' }],
    [{ type: 'ph' }, { type: 'PH' }],
    [{ type: null }],
  ],
  price: [
    [{ price: null }, { price: { amount: null, currency: null, on_request: false } }],
    [{ price: {} }, { price: { amount: null, currency: null, on_request: false } }],
    [{ price: usd(0.01) }, { price: { ...usd(0.01), on_request: false } }],
    [{ price: usd(1e12) }, { price: { ...usd(1e12), on_request: false } }],
    [
      { price: { amount: 999_999_999_999.99, currency: 'ARS' } },
      { price: { amount: 999_999_999_999.99, currency: 'ARS', on_request: false } },
    ],
    [{ price: { on_request: true } }, { price: { amount: null, currency: null, on_request: true } }],
    [
      { price: { on_request: true, amount: null, currency: null } },
      { price: { amount: null, currency: null, on_request: true } },
    ],
    [{ price: { ...usd(5), on_request: null, period: null } }, { price: { ...usd(5), on_request: false } }],
    [rent({ price: usd(5) }), { price: { ...usd(5), period: 'month', on_request: false } }],
    [rent({}), { price: { amount: null, currency: null, period: 'month', on_request: false } }],
    [
      rent({ price: { ...usd(5), period: 'night' } }),
      { price: { ...usd(5), period: 'night', on_request: false } },
    ],
    [
      rent({ price: { period: 'week', on_request: true } }),
      { price: { amount: null, currency: null, period: 'week', on_request: true } },
    ],
    [{ operation: 'temporary', price: usd(5) }, { price: { ...usd(5), period: null, on_request: false } }],
    [
      { operation: 'temporary', price: { ...usd(5), period: 'month' } },
      { price: { ...usd(5), period: 'month', on_request: false } },
    ],
  ],
  expenses: [
    [{ expenses: usd(1200.5) }],
    [{ expenses: { amount: 1e12, currency: 'ARS' } }],
    [{ expenses: null }],
    [{ expenses: {} }, { expenses: null }],
    [{ expenses: { amount: null, currency: null } }, { expenses: null }],
  ],
  location: [
    [
      { location: null },
      {
        location: { city: null, province: null, neighborhood: null, lat: null, lng: null },
        location_status: null,
      },
    ],
    [
      { location: { city: smiley.repeat(80), province: 'p'.repeat(80) } },
      {
        location: {
          city: smiley.repeat(80),
          province: 'p'.repeat(80),
          neighborhood: null,
          lat: null,
          lng: null,
        },
      },
    ],
    ...[
      [90, 180],
      [-90, -180],
      [0, 0],
      [-34.603722, -58.381592],
    ].map(([lat, lng]): [Record<string, unknown>, Record<string, unknown>] => [
      { address: freshAddress(), location: { lat, lng } },
      { location: { city: null, province: null, neighborhood: null, lat, lng }, location_status: 'manual' },
    ]),
    [
      { location: { city: 'Azul', province: null, lat: null, lng: null } },
      { location: { city: 'Azul', province: null, neighborhood: null, lat: null, lng: null } },
    ],
  ],
  amenities: [
    [{ amenities: [] }],
    [{ amenities: null }, { amenities: [] }],
    [{ amenities: [smiley.repeat(80), ' Balcón '] }],
    [{ amenities: Array.from({ length: 100 }, (_, index) => `Servicio ${index}`) }],
  ],
  videos: [
    [{ video_url: 'http://video.example/a?b=c#d' }],
    [{ video_url: long(2048), virtual_tour_url: long(2048) }],
    [{ video_url: 'HTTPS://Video.Example' }],
    [
      { video_url: null, virtual_tour_url: null, video_urls: null },
      { video_url: null, virtual_tour_url: null, video_urls: [] },
    ],
    [{ video_urls: [] }],
    [{ video_urls: ['https://a.example/1', 'http://a.example/2', long(2048)] }],
  ],
  rental: [
    [
      rent({}),
      { rental: { period: 'month', min_stay: null, min_lease_months: null, services_included: [] } },
    ],
    [
      rent({ rental: { min_stay: 3, min_lease_months: 24, services_included: ['Agua', ' Luz '] } }),
      {
        rental: { period: 'month', min_stay: 3, min_lease_months: 24, services_included: ['Agua', ' Luz '] },
      },
    ],
    [
      rent({ rental: { period: 'month', min_stay: null, services_included: null } }),
      { rental: { period: 'month', min_stay: null, min_lease_months: null, services_included: [] } },
    ],
    [
      rent({ price: { ...usd(1), period: 'week' }, rental: { period: 'week', min_stay: 0 } }),
      { rental: { period: 'week', min_stay: 0, min_lease_months: null, services_included: [] } },
    ],
    [
      { operation: 'temporary', rental: { min_stay: 2 } },
      { rental: { period: null, min_stay: 2, min_lease_months: null, services_included: [] } },
    ],
    [{ operation: 'sale', rental: null }],
  ],
  'status and force_duplicate': [
    [{ status: 'draft' }],
    [{ status: null }, { status: 'draft' }],
    [{ force_duplicate: true }, { status: 'draft' }],
    [{ force_duplicate: false }, { status: 'draft' }],
    [{ force_duplicate: null }, { status: 'draft' }],
  ],
  photos: [[{ photos: [] }], [{ photos: null }, { photos: [] }]],
}

describe('a creation accepts', () => {
  for (const [field, rows] of Object.entries(taken)) {
    test(field, async () => {
      for (const [body, reads = body] of rows) {
        const made = accepted(await t.ask('POST', '/properties', { body }), 201)
        const read = accepted(await t.ask('GET', `/properties/${made.id}`))
        assert.deepEqual(read, made)
        for (const [name, value] of Object.entries(reads))
          assert.deepEqual(read[name], value, JSON.stringify(body).slice(0, 200))
      }
    })
  }
})

test('features of a new listing are each returned as sent, or null if not sent', async () => {
  const make = async (body: object) => accepted(await t.ask('POST', '/properties', { body }), 201).features
  for (const [name, { takes }] of Object.entries(features))
    for (const value of takes)
      assert.deepEqual(await make({ features: { [name]: value } }), { ...noFeatures, [name]: value })
  assert.deepEqual(await make({ features: allFeatures }), allFeatures)
  for (const body of [{}, { features: null }, { features: {} }, { features: noFeatures }])
    assert.deepEqual(await make(body), noFeatures)
})

test('disposition and orientation are accepted in any case, with or without accents', async () => {
  for (const [disposition, orientation, canonical] of [
    ['frente', 'ne', ['Frente', 'NE']],
    ['CONTRAFRENTE', 'n', ['Contrafrente', 'N']],
    ['Íntérnö', 'So', ['Interno', 'SO']],
    ['lateral', 'sE', ['Lateral', 'SE']],
  ]) {
    const made = accepted(
      await t.ask('POST', '/properties', { body: { features: { disposition, orientation } } }),
      201,
    )
    assert.deepEqual([made.features['disposition'], made.features['orientation']], canonical)
  }
})

test('numbers of a new listing are returned without trailing zeros', async () => {
  const raw = `{"operation":"rent","price":{"amount":100000.50,"currency":"ARS"},"expenses":{"amount":1.0e12,"currency":"ARS"},
    "address":"${freshAddress()}","location":{"lat":-34.9200,"lng":-58.0},"features":{"total_m2":250.00,"covered_m2":12.340,"rooms":3.0}}`
  const { text } = await t.ask('POST', '/properties', { raw })
  for (const printed of [
    '"amount":100000.5,',
    '"amount":1000000000000,',
    '"lat":-34.92,',
    '"lng":-58}',
    '"total_m2":250,',
    '"covered_m2":12.34,',
    '"rooms":3,',
  ]) {
    assert.ok(text.includes(printed), `${printed} in ${text}`)
  }
})
