/**
 * Writes with a real geocoder (api.md 12.1, 12.2): a batch sends one request, and an outage of the geocoder neither delays nor fails a
 * write; coordinates follow later.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { clientLimits } from '../../src/listings/geocoding/services/client.ts'
import { geocodeUnresolved } from '../../src/listings/upkeep/geocode-unresolved.ts'
import type { Asked, Known } from './geocoding/fake-service.ts'
import { type Bench, bench } from './geocoding/open.ts'
import { type ApiResponse, freshAddress, type TestApp, testApp } from '../support/app/app.ts'
import { accepted, type Shown, type ShownWarning, warningsOf } from '../support/app/listings.ts'

let t: TestApp
let b: Bench
before(async () => {
  t = await testApp()
})
after(() => t.close())
const begin = (attemptMs: number) => async () => {
  b = await bench('georef', t.deps, { clock: t.clock, limits: { ...clientLimits, attemptMs } })
  t.deps.geocoder = b.geocoder
}
afterEach(() => b[Symbol.asyncDispose]())

const location = { city: 'Tandil', province: 'Buenos Aires' }
const there = ({ address, number }: Asked): Known[] => [
  { street: address.replace(/ \d+$/, ''), number: Number(number), ...location, lat: -37.32, lng: -59.13 },
]
const create = (address = freshAddress()) => t.ask('POST', '/properties', { body: { address, location } })
const pinOf = ({ location: { lat, lng }, location_status }: Shown) => [lat, lng, location_status]
const pinned = [-37.32, -59.13, 'resolved']
const none = [null, null, 'unresolved']

describe('a batch', () => {
  beforeEach(begin(5_000))
  type Results = { results: { status: number; data: Shown }[] }
  const batch = async (items: object[]): Promise<Results['results']> => {
    const response: ApiResponse = await t.ask('POST', '/properties/batch', { body: { items } })
    assert.equal(response.status, 200, response.text)
    return (response.body as unknown as Results).results
  }
  const item = (changes: object = {}) => ({
    external_id: randomUUID(),
    address: freshAddress(),
    location,
    ...changes,
  })

  test('of 50 new addresses is one bulk request', async () => {
    b.service.world = there
    const results = await batch(Array.from({ length: 50 }, () => item()))
    for (const { status, data } of results) assert.deepEqual([status, ...pinOf(data)], [201, ...pinned])
    assert.deepEqual(
      b.service.received.map(({ method, lookups }) => [method, lookups.length]),
      [['POST', 50]],
    )
  })

  test('geocodes the addresses of its updates in the same request, and no others', async () => {
    b.service.world = there
    const [moved, same, removed] = [item(), item(), item()]
    await batch([moved, same, removed])
    b.service.received.length = 0
    const address = freshAddress()
    const results = await batch([
      { ...moved, address },
      { ...same, action: 'update', title: 'Otro' },
      { external_id: removed.external_id, action: 'delete' },
      item(),
      item({ location: { ...location, lat: -37.3, lng: -59.1 } }),
      item({ operation: 'sale', price: { amount: 1, currency: 'USD', period: 'week' } }),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      [200, 200, 200, 201, 201, 400],
    )
    assert.deepEqual(
      b.service.received.map(({ lookups }) => lookups.length),
      [2],
    )
    assert.equal(results[0]?.data.address, address)
  })
})

describe('while the geocoder is down', () => {
  beforeEach(begin(300))
  test('writes succeed without coordinates, with a warning; soon no write waits, and coordinates appear once it is back', async () => {
    b.service.trouble = () => 'hangs'
    const made: Shown[] = []
    const write = async (): Promise<ApiResponse> => {
      const response = await create()
      made.push(accepted(response, 201))
      assert.deepEqual(warningsOf(response), ['location_unresolved address'])
      return response
    }
    const first = await write()
    assert.match(
      (first.body as unknown as { warnings: ShownWarning[] }).warnings[0]?.message ?? '',
      /will try again/,
    )
    while (b.geocoder.isReady()) await write()
    assert.ok(made.length <= 5, 'five failures in a row open the breaker')

    const { length } = b.service.received
    await Promise.all(Array.from({ length: 20 }, write))
    assert.equal(b.service.received.length, length, 'the service is left alone')
    for (const listing of made) assert.deepEqual(pinOf(listing), none)
    assert.equal(await geocodeUnresolved(t.deps, 100), 0)

    // An attempt during the outage prolongs the pause.
    b.clock.offsetMs += 10_000
    await write()
    assert.equal(b.service.received.length, length + 1)
    assert.equal(b.geocoder.isReady(), false)

    b.service.trouble = () => null
    b.service.world = there
    b.clock.offsetMs += 60_000
    b.service.received.length = 0
    assert.equal(await geocodeUnresolved(t.deps, 100), made.length)
    assert.equal(b.service.received.length, 1)
    for (const { id } of made) {
      assert.deepEqual(pinOf(accepted(await t.ask('GET', `/properties/${id}`))), pinned)
    }
    assert.deepEqual(pinOf(accepted(await create(), 201)), pinned)
  })

  test('the warning of an unknown address promises no retry', async () => {
    const response = await create()
    const [warning] = (response.body as unknown as { warnings: ShownWarning[] }).warnings
    assert.doesNotMatch(warning?.message ?? '', /will try again/)
    assert.deepEqual(pinOf(accepted(response, 201)), none)
  })

  test('an edit of the address clears the old coordinates; the new ones come later', async () => {
    b.service.world = there
    const made = accepted(await create(), 201)
    b.service.trouble = () => ({ status: 503, text: '{}' })
    const address = freshAddress()
    const moved = accepted(await t.ask('PATCH', `/properties/${made.id}`, { body: { address } }))
    assert.deepEqual(pinOf(moved), none)
    b.service.trouble = () => null
    await geocodeUnresolved(t.deps, 100)
    assert.deepEqual(pinOf(accepted(await t.ask('GET', `/properties/${made.id}`))), pinned)
  })
})
