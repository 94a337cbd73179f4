/** The values that each field rejects (api.md 9.2), and the path in the error. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { features } from '../../support/app/fields.ts'
import { leavingNothing, refused } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const smiley = '😀'
const usd = (amount: unknown) => ({ amount, currency: 'USD' })
const rent = (changes: object) => ({ operation: 'rent', ...changes })
const long = (length: number) => `https://video.example/${'a'.repeat(length - 22)}`

const texts = (field: string, max: number): [unknown, string][] =>
  [
    '',
    ' ',
    '\t\n',
    '\u00a0\u3000',
    'a'.repeat(max + 1),
    smiley.repeat(max + 1),
    'e\u0301'.repeat(max / 2 + 1),
    'a\0b',
    5,
    true,
    [],
    {},
  ].map((value) => [nested(field, value), field])
const webAddresses = (field: string): [unknown, string][] =>
  [
    '',
    ' ',
    'video.example/a',
    '/a',
    'ftp://video.example/a',
    'javascript:alert(1)',
    'https://',
    'https://a b.example/',
    'https://video.example/a b',
    long(2049),
    5,
  ].map((value) => [nested(field, value), field])

function nested(path: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.')
  return { [name]: rest.length === 0 ? value : nested(rest.join('.'), value) }
}

/** A body and the parameter named by the error. */
const refusals: Record<string, [body: unknown, parameter: string][]> = {
  external_id: ['', ' ', 'a'.repeat(65), 'a b', 'añ', 'a/b', 'a\n', 5, []].map((value) => [
    { external_id: value },
    'external_id',
  ]),
  title: texts('title', 200),
  description: texts('description', 20_000),
  address: texts('address', 200),
  city: texts('location.city', 80),
  province: texts('location.province', 80),
  operation: ['', 'Sale', 'venta', 1, ['sale']].map((value) => [{ operation: value }, 'operation']),
  type: ['', 'Chalet', 'Casas', 'Fondo', 1, ['Casa']].map((value) => [{ type: value }, 'type']),
  price: [
    ...[0, -1, 1e12 + 0.01, 1e13, 10.001, 0.001, '100', true, []].map((amount): [unknown, string] => [
      { price: usd(amount) },
      'price.amount',
    ]),
    [{ price: { amount: 5 } }, 'price.currency'],
    [{ price: { amount: 5, currency: null } }, 'price.currency'],
    [{ price: { currency: 'USD' } }, 'price.amount'],
    [{ price: { amount: 5, currency: 'EUR' } }, 'price.currency'],
    [{ price: { amount: 5, currency: 'usd' } }, 'price.currency'],
    [{ price: { ...usd(5), on_request: true } }, 'price.on_request'],
    [{ price: { amount: 5, on_request: true } }, 'price.on_request'],
    [{ price: { currency: 'USD', on_request: true } }, 'price.on_request'],
    [{ price: { on_request: 'yes' } }, 'price.on_request'],
    [{ price: { period: 'month' } }, 'price.period'],
    [{ operation: 'sale', price: { ...usd(5), period: 'month' } }, 'price.period'],
    [rent({ price: { ...usd(5), period: 'day' } }), 'price.period'],
    [{ price: { ...usd(5), tax: 1 } }, 'price.tax'],
    ...[5, 'USD 5', [], true].map((price): [unknown, string] => [{ price }, 'price']),
  ],
  expenses: [
    ...[-0.01, 1e12 + 1, 1.234, '5'].map((amount): [unknown, string] => [
      { expenses: usd(amount) },
      'expenses.amount',
    ]),
    [{ expenses: { amount: 5 } }, 'expenses.currency'],
    [{ expenses: { currency: 'ARS' } }, 'expenses.amount'],
    [{ expenses: { ...usd(5), period: 'month' } }, 'expenses.period'],
    [{ expenses: 5 }, 'expenses'],
  ],
  location: [
    ...[90.001, -90.001, '1', []].map((lat): [unknown, string] => [
      { location: { lat, lng: 0 } },
      'location.lat',
    ]),
    ...[180.001, -180.001, '1', []].map((lng): [unknown, string] => [
      { location: { lat: 0, lng } },
      'location.lng',
    ]),
    [{ location: { lat: 1 } }, 'location.lng'],
    [{ location: { lng: 1 } }, 'location.lat'],
    [{ location: { lat: 1, lng: null } }, 'location.lng'],
    [{ location: { lat: null, lng: 1 } }, 'location.lat'],
    [{ location: { neighborhood: 'Centro' } }, 'location.neighborhood'],
    [{ location: 'La Plata' }, 'location'],
  ],
  amenities: [
    [{ amenities: Array.from({ length: 101 }, (_, index) => `a${index}`) }, 'amenities'],
    [{ amenities: 'Balcón' }, 'amenities'],
    [{ amenities: ['a', smiley.repeat(81)] }, 'amenities[1]'],
    [{ amenities: [' '] }, 'amenities[0]'],
    [{ amenities: ['a', 'b', ''] }, 'amenities[2]'],
    [{ amenities: [null] }, 'amenities[0]'],
    [{ amenities: ['a', 'b\0'] }, 'amenities[1]'],
  ],
  videos: [
    ...webAddresses('video_url'),
    ...webAddresses('virtual_tour_url'),
    [{ video_urls: ['https://a.example', 'ftp://a.example'] }, 'video_urls[1]'],
    [{ video_urls: ['https://a.example', 'https://'] }, 'video_urls[1]'],
    [{ video_urls: [''] }, 'video_urls[0]'],
    [{ video_urls: [5] }, 'video_urls[0]'],
    [{ video_urls: Array(4).fill('https://a.example') }, 'video_urls'],
    [{ video_urls: 'https://a.example' }, 'video_urls'],
  ],
  rental: [
    [{ operation: 'sale', rental: {} }, 'rental'],
    [{ operation: 'sale', rental: { min_stay: 2 } }, 'rental'],
    [{ rental: { min_stay: 2 } }, 'rental'],
    [rent({ rental: 'month' }), 'rental'],
    [rent({ rental: { period: 'week' } }), 'rental.period'],
    [rent({ price: { period: 'night' }, rental: { period: 'month' } }), 'rental.period'],
    [{ operation: 'temporary', rental: { period: 'week' } }, 'rental.period'],
    [rent({ rental: { period: 'year' } }), 'rental.period'],
    ...[-1, 1.5, '3'].map((value): [unknown, string] => [
      rent({ rental: { min_stay: value } }),
      'rental.min_stay',
    ]),
    ...[-1, 1.5, '3'].map((value): [unknown, string] => [
      rent({ rental: { min_lease_months: value } }),
      'rental.min_lease_months',
    ]),
    [rent({ rental: { services_included: 'Agua' } }), 'rental.services_included'],
    [rent({ rental: { services_included: ['Agua', ' '] } }), 'rental.services_included[1]'],
    [rent({ rental: { deposit: 1 } }), 'rental.deposit'],
  ],
  features: [
    ...Object.entries(features).flatMap(([name, { refuses }]) =>
      refuses.map((value): [unknown, string] => [nested(`features.${name}`, value), `features.${name}`]),
    ),
    [{ features: { pool: true } }, 'features.pool'],
    [{ features: [] }, 'features'],
    [{ features: 'x' }, 'features'],
  ],
  status: ['', 'disabled', 'deleted', 'Published', true].map((status) => [{ status }, 'status']),
  force_duplicate: ['true', 1, []].map((value) => [{ force_duplicate: value }, 'force_duplicate']),
  photos: [
    [{ photos: 'https://photos.example/1.jpg' }, 'photos'],
    [{ photos: [5] }, 'photos[0]'],
    [{ photos: ['https://photos.example/1.jpg', ''] }, 'photos[1]'],
    [{ photos: ['https://photos.example/1.jpg', null] }, 'photos[1]'],
    [{ photos: [long(2049)] }, 'photos[0]'],
  ],
  'fields that are read only or do not exist': [
    'id',
    'uuid',
    'url',
    'location_status',
    'reserved',
    'agency',
    'agency_id',
    'published_at',
    'created_at',
    'updated_at',
    'deleted_at',
    'public_id',
    'version',
    'neighborhood',
    'Title',
    'action',
    'constructor',
  ].map((name) => [{ title: 'Casa', [name]: null }, name]),
}

describe('a creation refuses', () => {
  for (const [field, rows] of Object.entries(refusals)) {
    test(field, async () => {
      await leavingNothing(t, async () => {
        const responses = await Promise.all(rows.map(([body]) => t.ask('POST', '/properties', { body })))
        rows.forEach(([body, parameter], index) => {
          const response = responses[index]
          assert.ok(
            response !== undefined && response.status === 400,
            `${JSON.stringify(body).slice(0, 200)}: ${response?.text}`,
          )
          refused(response, 'invalid_parameter', parameter)
        })
        return responses[0] as (typeof responses)[number]
      })
    })
  }

  for (const [field, raw] of [
    ['title', String.raw`{"title":"a\ud800b"}`],
    ['title', String.raw`{"title":"a\u0000b"}`],
    ['amenities[1]', String.raw`{"amenities":["a","\udc00"]}`],
    ['location.city', String.raw`{"location":{"city":"\ud83d"}}`],
    [
      'rental.services_included[0]',
      String.raw`{"operation":"rent","rental":{"services_included":["\u0000"]}}`,
    ],
    ['title', '{"title":"a","title":"b"}'],
    ['price.amount', '{"price":{"amount":1,"currency":"USD","amount":1}}'],
    ['body', ''],
    ['body', '[]'],
    ['body', 'null'],
    ['body', '"title"'],
    ['body', '{"title":'],
  ] as const) {
    test(`${raw === '' ? 'an empty body' : raw} naming ${field}`, async () => {
      refused(await t.ask('POST', '/properties', { raw }), 'invalid_parameter', field)
    })
  }
})
