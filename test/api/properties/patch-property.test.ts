/** `PATCH /properties/{id}` (api.md 15.11): JSON Merge Patch of a listing, rejected fields, and unchanged fields. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  historyOf,
  leavingNothing,
  missingOf,
  published,
  refused,
  revisionOf,
  rowOf,
  type Shown,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const patch = (id: string, body: unknown) => t.ask('PATCH', `/properties/${id}`, { body })

/** A rental with every field. */
const full = () => ({
  external_id: randomUUID(),
  title: 'Casa con jardín',
  description: 'Dos plantas.',
  operation: 'rent',
  type: 'Casa',
  price: { amount: 1000, currency: 'USD', period: 'month' },
  expenses: { amount: 50, currency: 'ARS' },
  address: freshAddress(),
  location: { city: 'Azul', province: 'Buenos Aires', lat: -36.77, lng: -59.86 },
  features: { bedrooms: 2, rooms: 3, total_m2: 100.5, orientation: 'N', furnished: false },
  amenities: ['Balcón', 'Ascensor'],
  video_url: 'https://video.example/1',
  video_urls: ['https://video.example/1', 'https://video.example/2'],
  virtual_tour_url: 'https://tour.example/1',
  rental: { min_stay: 2, min_lease_months: 12, services_included: ['Agua', 'Luz'] },
})
const none = { bedrooms: null, rooms: null, total_m2: null, orientation: null, furnished: null }
const rental = { period: 'month', ...full().rental }
const price = { ...full().price, on_request: false }

describe('PATCH merges: objects merge, null clears, lists replace', () => {
  const newId = randomUUID()
  for (const [body, changes] of [
    [{ title: 'Otra' }, { title: 'Otra' }],
    [
      { title: null, description: null },
      { title: null, description: null },
    ],
    [{ external_id: newId }, { external_id: newId }],
    [{ external_id: null }, { external_id: null }],
    [{ type: 'quinta' }, { type: 'Quinta' }],
    [{ type: null }, { type: null }],
    [{ price: { amount: 5.25 } }, { price: { ...price, amount: 5.25 } }],
    [{ price: { currency: 'ARS' } }, { price: { ...price, currency: 'ARS' } }],
    [{ price: { amount: null, currency: null } }, { price: { ...price, amount: null, currency: null } }],
    [
      { price: { on_request: true } },
      { price: { ...price, amount: null, currency: null, on_request: true } },
    ],
    [
      { price: { period: 'week' } },
      { price: { ...price, period: 'week' }, rental: { ...rental, period: 'week' } },
    ],
    [{ price: { period: null } }, {}],
    [{ price: null }, { price: { amount: null, currency: null, period: 'month', on_request: false } }],
    [
      { operation: 'sale', price: { amount: 9 } },
      { operation: 'sale', price: { amount: 9, currency: 'USD', on_request: false }, rental: null },
    ],
    [
      { operation: 'temporary', price: { period: 'night' } },
      {
        operation: 'temporary',
        price: { ...price, period: 'night' },
        rental: { ...rental, period: 'night' },
      },
    ],
    [
      { operation: null, price: null },
      { operation: null, price: { amount: null, currency: null, on_request: false }, rental: null },
    ],
    [{ expenses: { amount: 60 } }, { expenses: { amount: 60, currency: 'ARS' } }],
    [{ expenses: { currency: 'USD' } }, { expenses: { amount: 50, currency: 'USD' } }],
    [{ expenses: { amount: null, currency: null } }, { expenses: null }],
    [{ expenses: null }, { expenses: null }],
    [{ features: { bedrooms: 4, garages: 1 } }, { features: { bedrooms: 4, garages: 1 } }],
    [
      { features: { bedrooms: null, orientation: 'so' } },
      { features: { bedrooms: null, orientation: 'SO' } },
    ],
    [{ features: null }, { features: none }],
    [{ amenities: ['Pileta'] }, { amenities: ['Pileta'] }],
    [{ amenities: [] }, { amenities: [] }],
    [{ amenities: null }, { amenities: [] }],
    [
      { video_url: null, virtual_tour_url: null },
      { video_url: null, virtual_tour_url: null },
    ],
    [{ video_urls: ['https://video.example/3'] }, { video_urls: ['https://video.example/3'] }],
    [{ video_urls: null }, { video_urls: [] }],
    [{ rental: { min_stay: 3 } }, { rental: { ...rental, min_stay: 3 } }],
    [{ rental: { min_lease_months: null } }, { rental: { ...rental, min_lease_months: null } }],
    [{ rental: { services_included: ['Gas'] } }, { rental: { ...rental, services_included: ['Gas'] } }],
    [{ rental: { services_included: null } }, { rental: { ...rental, services_included: [] } }],
    [
      { rental: null },
      { rental: { period: 'month', min_stay: null, min_lease_months: null, services_included: [] } },
    ],
    [
      { price: { period: 'week' }, rental: { period: 'week' } },
      { price: { ...price, period: 'week' }, rental: { ...rental, period: 'week' } },
    ],
    [
      { location: { lat: 0, lng: 0 } },
      { location: { ...full().location, neighborhood: null, lat: 0, lng: 0 } },
    ],
    [{ photos: null }, {}],
    [{ photos: [] }, {}],
  ] as [Record<string, unknown>, Record<string, unknown>][]) {
    test(JSON.stringify(body).replace(newId, 'NEW'), async () => {
      const before = await draft(t, full())
      const revision = await revisionOf(t)
      const response = await patch(before.id, body)
      const after = accepted(response)
      const features = { ...before.features, ...(changes['features'] as object) }
      const { updated_at } = after
      assert.deepEqual(after, { ...before, ...changes, features, updated_at, missing: missingOf(after) })
      assert.deepEqual(accepted(await t.ask('GET', `/properties/${before.id}`)), after)
      const changed = Object.keys(changes).length > 0
      assert.equal(after.updated_at > before.updated_at, changed)
      assert.equal(await revisionOf(t), changed ? revision + 1 : revision)
    })
  }

  test('an amount turns off on_request', async () => {
    const { id } = await draft(t, { operation: 'sale', price: { on_request: true } })
    const after = accepted(await patch(id, { price: { amount: 7, currency: 'ARS' } }))
    assert.deepEqual(after.price, { amount: 7, currency: 'ARS', on_request: false })
  })
})

test('a PATCH that changes nothing keeps version, ETag, updated_at and history', async () => {
  const sent = full()
  const { id } = await published(t, sent)
  const read = await t.ask('GET', `/properties/${id}`)
  const before = accepted(read)
  await leavingNothingChanged(async () => {
    for (const body of [
      {},
      ...Object.entries(sent).map(([name, value]) => ({ [name]: value })),
      { price: {}, expenses: {}, location: {}, features: {}, rental: {} },
      { price: { amount: 1000 }, features: { rooms: 3, garages: null } },
      { type: 'CASA', features: { orientation: 'n' } },
      { photos: before.photos },
      { rental: { period: 'month' } },
      { force_duplicate: true },
    ]) {
      const response = await patch(id, body)
      assert.deepEqual(accepted(response), before, JSON.stringify(body))
      assert.equal(response.headers.get('etag'), read.headers.get('etag'))
    }
  }, id)
})

async function leavingNothingChanged(run: () => Promise<void>, id: string): Promise<void> {
  const state = async () => ({
    revision: await revisionOf(t),
    row: await rowOf(t, id),
    history: await historyOf(t, id),
  })
  const before = await state()
  await run()
  assert.deepEqual(await state(), before)
}

describe('PATCH refuses, naming', () => {
  for (const [parameter, body] of [
    ...['draft', 'published', 'disabled', null].map((status) => ['status', { status }]),
    ['price', { operation: 'sale' }],
    ['price', { operation: null }],
    ['price.period', { operation: 'sale', price: { amount: 1, period: 'month' } }],
    ['price.currency', { price: { currency: null } }],
    ['price.amount', { price: { on_request: true, currency: null, amount: 0 } }],
    ['price.on_request', { price: { on_request: true, amount: 5 } }],
    ['expenses.currency', { expenses: { currency: null } }],
    ['rental', { operation: 'sale', price: {}, rental: { min_stay: 1 } }],
    ['rental.period', { rental: { period: 'week' } }],
    ['location.lng', { location: { lat: 1 } }],
    ['location.lat', { location: { lng: 1 } }],
    ['title', { title: ' ' }],
    ['features.rooms', { features: { rooms: 51 } }],
    ['video_urls[0]', { video_urls: ['x'] }],
    ['external_id', { external_id: 'a b' }],
    ...[
      'id',
      'url',
      'location_status',
      'reserved',
      'agency',
      'published_at',
      'created_at',
      'updated_at',
      'reason',
    ].map((name) => [name, { [name]: 'x' }]),
  ] as [string, object][]) {
    test(`${parameter}: ${JSON.stringify(body)}`, async () => {
      const { id } = await draft(t, full())
      refused(await leavingNothing(t, () => patch(id, body)), 'invalid_parameter', parameter)
    })
  }

  test('the id when it is too short or too long', async () => {
    for (const id of ['ABC', 'A'.repeat(37)]) refused(await patch(id, {}), 'invalid_parameter', 'id')
  })

  test('no field for missing listings', async () => {
    const gone = await draft(t)
    accepted(await t.ask('DELETE', `/properties/${gone.id}`))
    const foreign = accepted(await t.ask('POST', '/properties', { key: t.other.writeKey, body: {} }), 201)
    for (const id of [gone.id, foreign.id, 'ZZZZ9999', randomUUID(), 'no-such']) {
      refused(await patch(id, { title: 'x' }), 'not_found')
    }
  })
})

describe('the external id in a PATCH', () => {
  test('of another listing cannot be taken', async () => {
    const [one, two] = [await draft(t, full()), await draft(t, full())]
    refused(
      await leavingNothing(t, () => patch(one.id, { external_id: two.external_id, title: 'x' })),
      'external_id_exists',
    )
  })

  test('is available once the other listing no longer has it', async () => {
    const [one, two] = [await draft(t, full()), await draft(t, full())]
    accepted(await patch(two.id, { external_id: null }))
    assert.equal(accepted(await patch(one.id, { external_id: two.external_id })).external_id, two.external_id)
  })
})

test('concurrent edits of different fields are all stored, each with its own updated_at', async () => {
  const { id } = await draft(t, { features: { bedrooms: 1 } })
  const names = ['bedrooms', 'bathrooms', 'rooms', 'garages', 'age_years', 'total_m2', 'covered_m2']
  const responses = await Promise.all(
    names.map((name, index) => patch(id, { features: { [name]: index + 2 } })),
  )
  const moments = responses.map((response) => accepted(response).updated_at)
  assert.equal(new Set(moments).size, names.length)
  const read = accepted(await t.ask('GET', `/properties/${id}`))
  names.forEach((name, index) => assert.equal(read.features[name], index + 2))
  assert.equal(read.updated_at, moments.toSorted().at(-1))
  assert.deepEqual(
    (await historyOf(t, id)).map(({ action }) => action),
    ['created', ...names.map(() => 'updated')],
  )
})

test('a PATCH warns about ignored fields', async () => {
  const { id } = await draft(t, { type: 'Lote' })
  const response = await patch(id, { features: { rooms: 3, total_m2: 500 } })
  assert.equal(accepted(response).features['rooms'], null)
  assert.deepEqual(warningsOf(response), ['feature_not_applicable features.rooms'])
})

describe('the address of another listing', () => {
  const pin = { lat: -34.6, lng: -58.4 }
  const ways = {
    PATCH: ({ id }: Shown, body: object) => patch(id, body),
    PUT: ({ external_id }: Shown, body: object) =>
      t.ask('PUT', `/properties/external/${external_id}`, { body }),
  }
  for (const [way, edit] of Object.entries(ways)) {
    // Without coordinates the write runs twice, because it looks the address up in between.
    for (const location of [undefined, pin]) {
      test(`${way} ${location === undefined ? 'without' : 'with'} coordinates is refused, unless force_duplicate is true`, async () => {
        const address = freshAddress()
        const other = await draft(t, { address })
        const own = await draft(t, { external_id: randomUUID(), address: freshAddress() })
        const to = { address: `${address} 3º B`, ...(location === undefined ? {} : { location }) }
        for (const force of [{}, { force_duplicate: false }, { force_duplicate: null }]) {
          await leavingNothingChanged(async () => {
            const error = refused(await edit(own, { ...to, ...force }), 'duplicate_property')
            assert.equal(error['existing_id'], other.id)
            assert.match(String(error['message']), /force_duplicate: true/)
          }, own.id)
        }
        const response = await edit(own, { ...to, force_duplicate: true })
        assert.equal(accepted(response).address, to.address)
        assert.ok(warningsOf(response).every((warning) => !warning.startsWith('force_duplicate')))
        // From here on the address is its own, and edits of other fields are not checked against it.
        accepted(await edit(own, { title: 'Otra', address: to.address.toUpperCase() }))
      })
    }
  }
})
