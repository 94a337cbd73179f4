/**
 * Listings without coordinates are geocoded later (api.md 12.2): once the geocoder is back, with it as actor in the history, and never
 * over a change that the agency has made in the meantime.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { geocoderOf } from '../../support/app/geocoder.ts'
import { type GeocodingResult, type PostalAddress } from '../../../src/listings/geocoding/geocoder.ts'
import { geocodeUnresolved } from '../../../src/listings/upkeep/geocode-unresolved.ts'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, draft, historyOf, revisionOf, rowOf, type Shown } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const unavailable: GeocodingResult = { status: 'unavailable' }
const found: GeocodingResult = { status: 'found', pin: { lat: -38.72, lng: -62.27, status: 'resolved' } }
const city = { city: 'Bahía Blanca', province: 'Buenos Aires' }

/** The addresses sent to the geocoder, and its results. */
let asked: string[] = []
let resultFor: (place: PostalAddress) => GeocodingResult | Promise<GeocodingResult> = () => unavailable

beforeEach(async () => {
  t.clock.offsetMs = 0
  asked = []
  resultFor = () => unavailable
  t.deps.geocoder = geocoderOf(async (place) => {
    asked.push(place.address)
    return resultFor(place)
  })
  await sql`delete from geocoding_attempts`.execute(t.deps.db)
  await sql`update properties set location_status = null where location_status = 'unresolved'`.execute(
    t.deps.db,
  )
})

/** A listing that could not be geocoded. */
async function unresolved(body: Record<string, unknown> = {}): Promise<Shown & { address: string }> {
  const made = await draft(t, { address: freshAddress(), location: city, ...body })
  assert.equal(made.location_status, 'unresolved')
  asked = []
  return { ...made, address: made.address ?? '' }
}

const run = (limit = 100) => geocodeUnresolved(t.deps, limit)
const later = (ms: number): void => {
  t.clock.offsetMs += ms
}
const shown = async (id: string) => accepted(await t.ask('GET', `/properties/${id}`))
const pinOf = ({ location, location_status }: Shown) => [location.lat, location.lng, location_status]
const none = [null, null, 'unresolved']
const pinned = [-38.72, -62.27, 'resolved']

describe('a listing without coordinates', () => {
  test('gets them when its address is found, as a write of the geocoder', async () => {
    const made = await unresolved()
    const { etag } = Object.fromEntries((await t.ask('GET', `/properties/${made.id}`)).headers)
    resultFor = () => found
    assert.equal(await run(), 1)
    assert.deepEqual(asked, [made.address])
    const now = await t.ask('GET', `/properties/${made.id}`)
    const placed = accepted(now)
    assert.deepEqual(placed.location, { ...city, lat: -38.72, lng: -62.27, neighborhood: null })
    assert.equal(placed.location_status, 'resolved')
    assert.ok(placed.updated_at > made.updated_at)
    assert.notEqual(now.headers.get('etag'), etag)
    const [, entry] = await historyOf(t, made.id)
    assert.deepEqual(
      { ...entry, at: undefined },
      {
        at: undefined,
        action: 'updated',
        actor: { kind: 'system', id: null, name: 'geocoder' },
        request_id: null,
        changes: {
          location: {
            from: { ...city, lat: null, lng: null, neighborhood: null },
            to: { ...city, lat: -38.72, lng: -62.27, neighborhood: null },
          },
          location_status: { from: 'unresolved', to: 'resolved' },
        },
      },
    )
    assert.equal(await run(), 0)
    const { rows } = await sql`select 1 from geocoding_attempts`.execute(t.deps.db)
    assert.equal(rows.length, 0)
  })

  test('does not change the agency’s revision if its address is not found', async () => {
    const made = await unresolved()
    const revision = await revisionOf(t)
    await run()
    assert.deepEqual(pinOf(await shown(made.id)), none)
    assert.equal(await revisionOf(t), revision)
    assert.equal((await historyOf(t, made.id)).length, 1)
  })

  test('is retried with backoff while the geocoder is down', async () => {
    await unresolved()
    assert.equal(await run(), 1)
    for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
      later(seconds * 1_000 - 5_000)
      assert.equal(await run(), 0, `before ${seconds} s`)
      // On some machines the clocks of two processors differ by a millisecond or two.
      later(5_010)
      assert.equal(await run(), 1, `after ${seconds} s`)
    }
    assert.equal(asked.length, 8)
  })

  test('is retried weekly if the geocoder does not know the address', async () => {
    const made = await unresolved()
    resultFor = () => ({ status: 'none' })
    assert.equal(await run(), 1)
    later(6.9 * 86_400_000)
    assert.equal(await run(), 0)
    later(0.2 * 86_400_000)
    resultFor = () => found
    assert.equal(await run(), 1)
    assert.deepEqual(pinOf(await shown(made.id)), pinned)
  })

  test('is retried at once after a change', async () => {
    const made = await unresolved()
    resultFor = () => ({ status: 'none' })
    await run()
    const address = freshAddress()
    accepted(await t.ask('PATCH', `/properties/${made.id}`, { body: { address } }))
    asked = []
    resultFor = () => found
    assert.equal(await run(), 1)
    assert.deepEqual(asked, [address])
    assert.deepEqual(pinOf(await shown(made.id)), pinned)
  })
})

describe('the worker does not geocode', () => {
  test('listings that have coordinates, have no address, or were removed', async () => {
    await draft(t, { location: city })
    await draft(t, { address: freshAddress(), location: { ...city, lat: -38.7, lng: -62.2 } })
    const gone = await unresolved()
    accepted(await t.ask('DELETE', `/properties/${gone.id}`))
    assert.equal(await run(), 0)
    assert.deepEqual(asked, [])
  })

  test('any listing while the geocoder is known to be down', async () => {
    await unresolved()
    t.deps.geocoder = { ...t.deps.geocoder, isReady: () => false }
    assert.equal(await run(), 0)
    assert.deepEqual(asked, [])
    t.deps.geocoder = { ...t.deps.geocoder, isReady: () => true }
    assert.equal(await run(), 1, 'the time has not been used up')
  })

  test('more than the limit; the rest follow next time', async () => {
    for (let i = 0; i < 5; i += 1) await unresolved()
    assert.deepEqual([await run(2), await run(2), await run(2), await run(2)], [2, 2, 1, 0])
    assert.equal(new Set(asked).size, 5)
  })

  test('a listing twice, with several instances', async () => {
    for (let i = 0; i < 6; i += 1) await unresolved()
    resultFor = () => found
    const counts = await Promise.all([run(), run(), run(4), run(4)])
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      6,
    )
    assert.equal(asked.length, 6)
  })
})

test('listings of all agencies are geocoded, each under its own agency’s lock', async () => {
  const mine = await unresolved()
  const body = { address: mine.address, location: city }
  const theirs = accepted(await t.ask('POST', '/properties', { key: t.other.writeKey, body }), 201)
  resultFor = () => found
  assert.equal(await run(), 2)
  for (const [id, agency] of [
    [mine.id, t.agency],
    [theirs.id, t.other.agency],
  ] as const) {
    assert.equal((await rowOf(t, id, agency.id)).location_status, 'resolved')
    assert.equal((await historyOf(t, id, agency.id)).length, 2)
  }
})

describe('an edit by the agency while the geocoder responds wins', () => {
  for (const [what, edit, wanted] of [
    ['coordinates', { location: { lat: -38.7, lng: -62.2 } }, [-38.7, -62.2, 'manual']],
    ['another address', { address: freshAddress() }, none],
    ['another city', { location: { city: 'Azul' } }, none],
    ['no address', { address: null }, [null, null, null]],
  ] as const) {
    test(what, async () => {
      const made = await unresolved()
      resultFor = async (place) => {
        if (place.address !== made.address || place.city !== city.city) return unavailable
        resultFor = () => unavailable
        accepted(await t.ask('PATCH', `/properties/${made.id}`, { body: edit }))
        return found
      }
      assert.equal(await run(), 1)
      assert.deepEqual(pinOf(await shown(made.id)), wanted)
      assert.equal((await historyOf(t, made.id)).length, 2)
    })
  }

  test('its removal', async () => {
    const made = await unresolved()
    resultFor = async () => {
      accepted(await t.ask('DELETE', `/properties/${made.id}`))
      return found
    }
    assert.equal(await run(), 1)
    assert.equal((await rowOf(t, made.id)).lat, null)
  })

  test('another field: the coordinates are stored, and the edit stays', async () => {
    const made = await unresolved()
    resultFor = async () => {
      accepted(await t.ask('PATCH', `/properties/${made.id}`, { body: { title: 'Otro' } }))
      return found
    }
    await run()
    const now = await shown(made.id)
    assert.deepEqual([pinOf(now), now.title], [pinned, 'Otro'])
  })
})
