/**
 * Geocoding on an edit (api.md 12.2, 15.11): a changed address is geocoded again; coordinates are never invented, and those sent are
 * kept.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Pin, PostalAddress } from '../../../src/listings/geocoding/geocoder.ts'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  leavingNothing,
  published,
  refused,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
let asked: PostalAddress[] = []
let found: Pin | null = null

before(async () => {
  t = await testApp({
    geocoder: async (place) => {
      asked.push(place)
      return found
    },
  })
})
after(() => t.close())

const somewhere: Pin = { lat: -31.42, lng: -64.18, status: 'resolved' }
beforeEach(() => {
  asked = []
  found = somewhere
})

const patch = (id: string, body: unknown) => t.ask('PATCH', `/properties/${id}`, { body })
const pinOf = ({ location, location_status }: Awaited<ReturnType<typeof draft>>) => [
  location.lat,
  location.lng,
  location_status,
]
const pinned = [-31.42, -64.18, 'resolved']
const manual = { city: 'Azul', province: 'Buenos Aires', lat: -36.77, lng: -59.86 }

describe('a listing is geocoded again', () => {
  for (const [what, change] of [
    ['the address', { address: freshAddress() }],
    ['the whole location', { location: null }],
  ] as const) {
    test(`when ${what} changes, even if the coordinates had been sent`, async () => {
      const before = await draft(t, { address: freshAddress(), location: manual })
      assert.deepEqual([pinOf(before), asked], [[-36.77, -59.86, 'manual'], []])
      const response = await patch(before.id, change)
      const after = accepted(response)
      assert.deepEqual(pinOf(after), pinned)
      assert.deepEqual(asked, [
        { address: after.address, city: after.location.city, province: after.location.province },
      ])
      assert.deepEqual(warningsOf(response), [])
    })
  }

  for (const [what, location] of [
    ['the city', { city: 'Tandil' }],
    ['the province', { province: 'La Pampa' }],
    ['the city to null', { city: null }],
  ] as const) {
    test(`when ${what} changes, if the coordinates had been found`, async () => {
      const { city, province } = manual
      const before = await draft(t, { address: freshAddress(), location: { city, province } })
      asked = []
      found = { lat: -37.32, lng: -59.13, status: 'approximate' }
      const after = accepted(await patch(before.id, { location }))
      assert.deepEqual(pinOf(after), [-37.32, -59.13, 'approximate'])
      assert.deepEqual(asked, [{ address: before.address, city, province, ...location }])
    })
  }

  test('when an upsert changes its address', async () => {
    const external_id = randomUUID()
    await draft(t, { external_id, address: freshAddress(), location: manual })
    const body = { address: freshAddress() }
    assert.deepEqual(
      pinOf(accepted(await t.ask('PUT', `/properties/external/${external_id}`, { body }))),
      pinned,
    )
    assert.equal(asked.length, 1)
  })

  test('when its coordinates are cleared', async () => {
    const { id } = await draft(t, { address: freshAddress(), location: manual })
    assert.deepEqual(pinOf(accepted(await patch(id, { location: { lat: null, lng: null } }))), pinned)
  })

  test('when it gets an address at last', async () => {
    const before = await draft(t, { location: { city: 'Azul' } })
    assert.deepEqual(pinOf(before), [null, null, null])
    assert.deepEqual(pinOf(accepted(await patch(before.id, { address: freshAddress() }))), pinned)
  })
})

describe('a listing is not geocoded', () => {
  for (const [what, change] of [
    ['no part of the location changes', { title: 'Otra', price: { on_request: true } }],
    ['city and province are sent unchanged', { location: { city: 'Azul', province: 'Buenos Aires' } }],
    ['the agency’s own pin gets another city', { location: { city: 'Tandil' } }],
    ['the agency’s own pin gets another province', { location: { province: 'La Pampa' } }],
    ['the agency’s own pin loses its city', { location: { city: null } }],
    ['coordinates are sent too', { address: freshAddress(), location: { lat: -36.77, lng: -59.86 } }],
  ] as const) {
    test(`when ${what}`, async () => {
      const before = await draft(t, { address: freshAddress(), location: manual })
      const response = await patch(before.id, change)
      assert.deepEqual(pinOf(accepted(response)), [-36.77, -59.86, 'manual'])
      assert.deepEqual([asked, warningsOf(response)], [[], []])
    })
  }

  test('when its address is sent unchanged', async () => {
    const before = await draft(t, { address: freshAddress() })
    asked = []
    found = null
    assert.deepEqual(pinOf(accepted(await patch(before.id, { address: before.address }))), pinned)
    assert.deepEqual(asked, [])
  })

  test('when its address is cleared, which clears the coordinates too', async () => {
    const before = await draft(t, { address: freshAddress() })
    asked = []
    assert.deepEqual(pinOf(accepted(await patch(before.id, { address: null }))), [null, null, null])
    assert.deepEqual(asked, [])
  })

  test('for an edit that is refused anyway', async () => {
    const { id } = await published(t)
    const body = { address: freshAddress(), title: null }
    refused(await leavingNothing(t, () => patch(id, body)), 'not_publishable')
    refused(await patch('ZZZZ9999', { address: freshAddress() }), 'not_found')
    refused(
      await patch(id, { address: freshAddress(), price: { amount: 0.001 } }),
      'invalid_parameter',
      'price.amount',
    )
    assert.deepEqual(asked, [])
  })
})

test('an address that is not found loses its coordinates, with a warning, and is unresolved', async () => {
  const before = await published(t)
  found = null
  const response = await patch(before.id, { address: freshAddress() })
  assert.deepEqual(pinOf(accepted(response)), [null, null, 'unresolved'])
  assert.deepEqual(warningsOf(response), ['location_unresolved address'])
})

test('an address found only by its street is approximate', async () => {
  const { id } = await draft(t, { address: freshAddress() })
  found = { ...somewhere, status: 'approximate' }
  assert.deepEqual(pinOf(accepted(await patch(id, { address: freshAddress() }))), [
    -31.42,
    -64.18,
    'approximate',
  ])
})

test('lat or lng alone is refused and changes nothing', async () => {
  const { id } = await draft(t, { address: freshAddress(), location: manual })
  for (const [location, parameter] of [
    [{ lat: 1 }, 'location.lng'],
    [{ lng: 1 }, 'location.lat'],
    [{ lat: 1, lng: null }, 'location.lng'],
    [{ lat: null, lng: 1 }, 'location.lat'],
  ] as const) {
    refused(await leavingNothing(t, () => patch(id, { location })), 'invalid_parameter', parameter)
  }
})

describe('coordinates outside Argentina are stored, with a warning', () => {
  for (const [place, lat, lng] of [
    ['Montevideo', -34.9, -56.18],
    ['Santiago de Chile', -33.45, -70.66],
    ['Madrid', 40.4, -3.7],
    ['Buenos Aires with latitude and longitude swapped', -58.38, -34.6],
    ['the origin', 0, 0],
  ] as const) {
    test(place, async () => {
      const { id } = await draft(t, { address: freshAddress() })
      const response = await patch(id, { location: { lat, lng } })
      assert.deepEqual(pinOf(accepted(response)), [lat, lng, 'manual'])
      assert.deepEqual(warningsOf(response), ['location_outside_country location'])
    })
  }

  test('and coordinates inside have none', async () => {
    const { id } = await draft(t, { address: freshAddress() })
    for (const [lat, lng] of [
      [-34.6, -58.38], // Buenos Aires
      [-54.8, -68.3], // Ushuaia
      [-22.1, -65.6], // La Quiaca
      [-22.05, -63.69], // Salvador Mazza
      [-25.6, -54.58], // Puerto Iguazú
      [-26.25, -53.65], // Bernardo de Irigoyen
      [-32.81, -70.05], // Las Cuevas
      [-49.33, -72.89], // El Chaltén
      [-51.7, -57.85], // Malvinas
      [-32.89, -68.84], // Mendoza
      [-31.74, -60.53], // Paraná
      [-33.01, -58.52], // Gualeguaychú
    ]) {
      assert.deepEqual(warningsOf(await patch(id, { location: { lat, lng } })), [], `${lat}, ${lng}`)
    }
  })
})

test('a second edit of the address during geocoding wins, and does not get the first one’s coordinates', async () => {
  const { id } = await draft(t, { address: freshAddress(), location: manual })
  const wanted = [freshAddress(), freshAddress(), freshAddress()]
  await Promise.all(wanted.map((address) => patch(id, { address })))
  const after = accepted(await t.ask('GET', `/properties/${id}`))
  assert.ok(wanted.includes(after.address ?? ''))
  assert.deepEqual(pinOf(after), pinned)
})
