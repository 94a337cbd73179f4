/** `POST /properties` (api.md 11.1, 15.7): new listings. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { noContent } from '../../support/app/fields.ts'
import { freshAddress, photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  historyOf,
  leavingNothing,
  listingOf,
  published,
  refused,
  revisionOf,
  rowOf,
  tally,
  usageOf,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp({
    geocoder: async ({ address }) => {
      if (address.startsWith('Nowhere')) return null
      return { lat: -31.5, lng: -60.25, status: address.startsWith('Street') ? 'approximate' : 'resolved' }
    },
  })
})
after(() => t.close())

const create = (body: unknown) => t.ask('POST', '/properties', { body })
const usedPhotos = async () => (await usageOf(t)).photos_per_day.used

describe('a draft', () => {
  test('needs no field, and is returned with every field: null, an empty list, or an object', async () => {
    const made = accepted(await create({}), 201)
    assert.match(made.id, /^[2-9A-HJKMNP-TV-Z]{8}$/)
    assert.match(made.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(made.updated_at, made.created_at)
    const { name, slug } = t.agency
    const agencyUrl = (made['agency'] as { url: string }).url
    assert.ok(agencyUrl.startsWith('https://listings.test/'))
    assert.ok(made['url']?.toString().startsWith('https://listings.test/'))
    assert.deepEqual(made, {
      ...noContent,
      id: made.id,
      status: 'draft',
      url: made['url'],
      agency: { name, slug, url: agencyUrl },
      published_at: null,
      created_at: made.created_at,
      updated_at: made.updated_at,
    })
  })

  test('returns warnings and the listing’s ETag, and adds one history entry at one new revision', async () => {
    const revision = await revisionOf(t)
    const response = await create({ title: 'Casa' })
    const { id } = listingOf(response)
    assert.deepEqual(warningsOf(response), [])
    assert.equal(response.headers.get('etag'), (await t.ask('GET', `/properties/${id}`)).headers.get('etag'))
    assert.equal(await revisionOf(t), revision + 1)
    assert.equal((await rowOf(t, id)).version, revision + 1)
    const [entry, ...more] = await historyOf(t, id)
    assert.equal(more.length, 0)
    assert.equal(entry?.action, 'created')
    assert.equal(entry?.request_id, response.headers.get('x-request-id'))
    assert.equal(entry?.actor.kind, 'key')
    assert.deepEqual(entry?.changes['title'], { from: null, to: 'Casa' })
  })

  test('is returned by code and uuid, but not to a read-only key or another agency', async () => {
    const { id } = await draft(t)
    const { id: uuid } = await rowOf(t, id)
    for (const ref of [id, id.toLowerCase(), uuid]) accepted(await t.ask('GET', `/properties/${ref}`))
    refused(await t.ask('GET', `/properties/${id}`, { key: t.readKey }), 'not_found')
    refused(await t.ask('GET', `/properties/${id}`, { key: t.other.writeKey }), 'not_found')
  })
})

describe('a listing published at once', () => {
  test('has everything that publishing requires', async () => {
    const made = await published(t)
    assert.equal(made.status, 'published')
    assert.equal(made.published_at, made.created_at)
    accepted(await t.ask('GET', `/properties/${made.id}`, { key: t.readKey }))
  })

  const few = { photos: photoUrls(2) }
  const temporary = { operation: 'temporary', price: { amount: 5, currency: 'USD' } }
  for (const [name, changes, missing] of [
    ['no title', { title: undefined }, ['title']],
    ['no type', { type: undefined }, ['type']],
    ['no operation', { operation: undefined }, ['operation']],
    ['no address', { address: undefined }, ['address']],
    ['no price', { price: undefined }, ['price']],
    [
      'nulls',
      { title: null, type: null, operation: null, address: null, price: null },
      ['title', 'type', 'operation', 'address', 'price'],
    ],
    ['no price, not on request', { price: { on_request: false } }, ['price']],
    ['no period for a temporary rental', temporary, ['price.period']],
    [
      'neither price nor period for a temporary rental',
      { ...temporary, price: null },
      ['price', 'price.period'],
    ],
    ['no photo', { photos: [] }, ['photos']],
    ['null photos', { photos: null }, ['photos']],
    ['two photos', few, ['photos']],
    ['one photo URL three times', { photos: Array(3).fill('https://photos.example/same.jpg') }, ['photos']],
    ['no title and two photos', { ...few, title: null }, ['title', 'photos']],
  ] as const) {
    test(`is refused with ${name}`, async () => {
      const response = await leavingNothing(t, () => create(publishable(changes)))
      const error = refused(response, missing.join() === 'photos' ? 'insufficient_photos' : 'not_publishable')
      assert.deepEqual(error['missing'], missing)
    })
  }

  test('is refused with nothing at all, naming all required fields', async () => {
    const error = refused(await create({ status: 'published' }), 'not_publishable')
    assert.deepEqual(error['missing'], ['title', 'type', 'operation', 'address', 'price', 'photos'])
  })

  for (const [name, changes] of [
    ['a price on request', { price: { on_request: true } }],
    ['a rent, with its default period of a month', { operation: 'rent' }],
    [
      'a temporary rental with its period',
      { ...temporary, price: { amount: 5, currency: 'USD', period: 'night' } },
    ],
    [
      'a temporary rental on request with its period',
      { ...temporary, price: { on_request: true, period: 'week' } },
    ],
    ['fifty photos', { photos: photoUrls(50) }],
    [
      'an address that could not be geocoded',
      { address: freshAddress().replace('Calle', 'Nowhere'), location: null },
    ],
  ] as const) {
    test(`is accepted with ${name}`, async () => {
      assert.equal((await published(t, changes)).status, 'published')
    })
  }

  test('is limited to fifty photos, and so is a draft', async () => {
    const used = await usedPhotos()
    for (const status of ['published', 'draft']) {
      refused(
        await leavingNothing(t, () => create(publishable({ photos: photoUrls(51), status }))),
        'too_many_photos',
      )
    }
    assert.equal(await usedPhotos(), used)
  })
})

describe('the place of a new listing', () => {
  test('is geocoded without coordinates', async () => {
    const made = accepted(await create({ address: freshAddress(), location: { city: 'Azul' } }), 201)
    assert.equal(made.location_status, 'resolved')
    assert.deepEqual([made.location.lat, made.location.lng], [-31.5, -60.25])
    assert.equal(
      accepted(await create({ address: freshAddress().replace('Calle', 'Street') }), 201).location_status,
      'approximate',
    )
  })

  test('is stored without coordinates, with a warning, if it cannot be found', async () => {
    const response = await create({
      address: freshAddress().replace('Calle', 'Nowhere'),
      location: { lat: null, lng: null },
    })
    const made = accepted(response, 201)
    assert.deepEqual([made.location_status, made.location.lat, made.location.lng], ['unresolved', null, null])
    assert.deepEqual(warningsOf(response), ['location_unresolved address'])
  })

  test('is stored as sent, without geocoding, if it has coordinates', async () => {
    const response = await create({
      address: freshAddress().replace('Calle', 'Nowhere'),
      location: { lat: -34.5, lng: -58.5 },
    })
    const made = accepted(response, 201)
    assert.deepEqual([made.location_status, made.location.lat, made.location.lng], ['manual', -34.5, -58.5])
    assert.deepEqual(warningsOf(response), [])
  })

  test('is not geocoded without an address', async () => {
    const response = await create({ location: { city: 'Azul', province: 'Buenos Aires' } })
    assert.equal(accepted(response, 201).location_status, null)
    assert.deepEqual(warningsOf(response), [])
  })
})

describe('the external id of a new listing', () => {
  test('belongs to one listing of the agency, and a second creation fetches nothing', async () => {
    const external_id = randomUUID()
    await draft(t, { external_id })
    const used = await usedPhotos()
    refused(await leavingNothing(t, () => create(publishable({ external_id }))), 'external_id_exists')
    assert.equal(await usedPhotos(), used)
    accepted(await t.ask('POST', '/properties', { key: t.other.writeKey, body: { external_id } }), 201)
    // Case is significant.
    await draft(t, { external_id: external_id.toUpperCase() })
  })

  test('goes to exactly one of fifty simultaneous creations', async () => {
    const external_id = randomUUID()
    const revision = await revisionOf(t)
    const responses = await atOnce(50, (index) => create({ external_id, title: `Casa ${index}` }))
    assert.deepEqual(tally(responses), { 201: 1, 409: 49 })
    for (const response of responses) if (response.status === 409) refused(response, 'external_id_exists')
    assert.equal(await revisionOf(t), revision + 1)
    const winner = responses.find(({ status }) => status === 201)
    const read = await t.ask('GET', `/properties/external/${external_id}`)
    assert.deepEqual(listingOf(read), winner && listingOf(winner))
  })
})
