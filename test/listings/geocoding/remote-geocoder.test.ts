/** How often a service is called: many lookups in one request, identical ones once, and within its and our limits. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type GeocodingResult, type PostalAddress } from '../../../src/listings/geocoding/geocoder.ts'
import { clientLimits } from '../../../src/listings/geocoding/services/client.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import type { Asked, Known, Received, Trouble } from './fake-service.ts'
import { type Bench, bench } from './open.ts'

// One connection, so that statements end in the order they were sent.
let database: TestDatabase
before(async () => {
  database = await testDatabase({ poolSize: 1 })
})
after(() => database.drop())
beforeEach(async () => {
  await sql`delete from geocoding_cache`.execute(database.db)
})

const door = (number: number): PostalAddress => ({ address: `Mitre ${number}`, city: 'Azul', province: null })
const doors = (count: number, from = 1): PostalAddress[] =>
  Array.from({ length: count }, (_, index) => door(from + index))

/** Every door of the street, each at its own point. */
function everyDoor({ number }: Asked): Known[] {
  const known = { street: 'Mitre', number: Number(number), city: 'Azul', province: 'Buenos Aires' }
  return [{ ...known, ...pointOf(known.number) }]
}
const pointOf = (number: number) => ({ lat: -36.78 - number / 1e6, lng: -59.86 })
const foundAt = (number: number): GeocodingResult => ({
  status: 'found',
  pin: { ...pointOf(number), status: 'resolved' },
})

/** Queries of each request, in order of arrival. */
const requestsTo = ({ service }: Bench): string[][] =>
  service.received.map(({ lookups }) => lookups.map(({ address }) => address))

/** Delays all responses until the returned function is called. */
function hold({ service }: Bench): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  service.gate = promise
  return resolve
}

describe('georef', () => {
  test('gets fifty addresses in one request', async () => {
    await using b = await bench('georef', database)
    b.service.world = everyDoor
    const founds = await b.geocoder.findMany(doors(50))
    assert.deepEqual(
      founds,
      doors(50).map((_, index) => foundAt(index + 1)),
    )
    assert.equal(b.service.received.length, 1)
    assert.equal(b.service.received[0]?.method, 'POST')
    assert.deepEqual(await b.geocoder.findMany(doors(51)), [...founds, foundAt(51)])
    assert.deepEqual(requestsTo(b)[1], ['Mitre 51'], 'only what is not known yet')
  })

  test('gets requests of a size that it accepts', async () => {
    await using b = await bench('georef', database)
    b.service.world = everyDoor
    const founds = await b.geocoder.findMany(doors(250))
    assert.ok(founds.every(({ status }) => status === 'found'))
    assert.deepEqual(
      requestsTo(b)
        .map((lookups) => lookups.length)
        .sort((a, c) => a - c),
      [50, 100, 100],
    )
  })

  test('gets lookups that arrived while it was busy in one request', async () => {
    await using b = await bench('georef', database)
    b.service.world = everyDoor
    const release = hold(b)
    const busy: Promise<GeocodingResult>[] = []
    for (let i = 1; i <= 4; i += 1) {
      busy.push(b.geocoder.find(door(i)))
      await b.service.came(i)
    }
    const later = doors(10, 5).map((place) => b.geocoder.find(place))
    await settled(database)
    release()
    assert.deepEqual(
      await Promise.all([...busy, ...later]),
      doors(14).map((_, index) => foundAt(index + 1)),
    )
    assert.equal(b.service.received.length, 5)
  })
})

describe('georef without support for lists', () => {
  const byGetOnly =
    (status: number, text = '{}') =>
    ({ method }: Received): Trouble | null =>
      method === 'POST' ? { status, text } : null

  for (const status of [400, 404, 405, 413, 500, 501]) {
    test(`gets each lookup separately after ${status}`, async () => {
      await using b = await bench('georef', database)
      b.service.world = everyDoor
      b.service.trouble = byGetOnly(status)
      const founds = await b.geocoder.findMany(doors(50))
      assert.deepEqual(
        founds,
        doors(50).map((_, index) => foundAt(index + 1)),
      )
      assert.deepEqual([b.service.received.length, b.geocoder.isReady()], [51, true])
    })
  }

  for (const text of [
    '<!doctype html>',
    '{"direcciones": []}',
    '{"resultados": []}',
    '{"resultados": [{}, {}]}',
  ]) {
    test(`gets each lookup separately after answering ${text}`, async () => {
      await using b = await bench('georef', database)
      b.service.world = everyDoor
      b.service.trouble = byGetOnly(200, text)
      assert.deepEqual(await b.geocoder.findMany(doors(2)), [foundAt(1), foundAt(2)])
    })
  }

  test('gets separate lookups for ten minutes if it lacks the resource, and one retry of the list after a failure', async () => {
    for (const [status, posts] of [
      [405, [1, 1, 2]],
      [500, [1, 2, 3]],
    ] as const) {
      await using b = await bench('georef', database)
      b.service.world = everyDoor
      b.service.trouble = byGetOnly(status)
      for (const [round, wanted] of posts.entries()) {
        await b.geocoder.findMany(doors(3, 100 * status + 10 * round))
        assert.equal(b.service.received.filter(({ method }) => method === 'POST').length, wanted)
        b.clock.offsetMs += 300_001
      }
    }
  })

  test('a lookup that it rejects does not affect others', async () => {
    await using b = await bench('georef', database)
    b.service.world = everyDoor
    b.service.trouble = ({ lookups }) =>
      lookups.some(({ number }) => number === '2') ? { status: 400, text: '{"errores": [[]]}' } : null
    assert.deepEqual(await b.geocoder.findMany(doors(3)), [foundAt(1), { status: 'unavailable' }, foundAt(3)])
    assert.deepEqual(
      requestsTo(b)
        .map((lookups) => lookups.length)
        .sort(),
      [1, 1, 1, 3],
    )
  })

  test('a service that is down does not get fifty requests', async () => {
    await using b = await bench('georef', database)
    b.service.trouble = () => ({ status: 500, text: '' })
    const founds = await b.geocoder.findMany(doors(50))
    assert.ok(founds.every(({ status }) => status === 'unavailable'))
    assert.ok(b.service.received.length <= 12, String(b.service.received.length))
    assert.equal(b.geocoder.isReady(), false)
  })

  test('a busy or slow service does not get separate lookups', async () => {
    for (const trouble of [{ status: 429, text: '' }, { status: 503, text: '' }, 'breaks off'] as const) {
      await using b = await bench('georef', database)
      b.service.trouble = () => trouble
      await b.geocoder.findMany(doors(50))
      assert.ok(b.service.received.every(({ method }) => method === 'POST'))
      assert.ok(b.service.received.length <= 2)
    }
  })
})

/** Waits until earlier lookups have queried the cache. */
async function settled({ db }: TestDatabase): Promise<void> {
  await sql`select provider from geocoding_cache limit 1`.execute(db)
}

for (const name of ['georef', 'nominatim'] as const) {
  describe(`${name}: identical lookups`, () => {
    test('at the same time are one request, however they are spelled', async () => {
      await using b = await bench(name, database)
      b.service.world = everyDoor
      const spellings = ['Mitre 7', 'MITRE 7', 'calle mitre nº 7', 'Mitre 7 4º B', 'Mitre 7, Azul']
      const places = Array.from({ length: 40 }, (_, i) => ({
        ...door(7),
        address: spellings[i % spellings.length] ?? '',
      }))
      const founds = await Promise.all(places.map((place) => b.geocoder.find(place)))
      assert.ok(founds.every((found) => JSON.stringify(found) === JSON.stringify(foundAt(7))))
      assert.equal(b.service.received.length, 1)
    })

    test('in one list are one lookup', async () => {
      await using b = await bench(name, database)
      b.service.world = everyDoor
      assert.deepEqual(await b.geocoder.findMany([door(7), door(7)]), [foundAt(7), foundAt(7)])
      assert.deepEqual(
        b.service.received.map(({ lookups }) => lookups.length),
        [1],
      )
    })

    test('later or by other instances are answered from the cache', async () => {
      await using b = await bench(name, database)
      b.service.world = ({ number, ...asked }) => (number === '8' ? [] : everyDoor({ number, ...asked }))
      await b.geocoder.findMany([door(7), door(8)])
      const asked = b.service.received.length
      for (const geocoder of [b.geocoder, b.another()]) {
        assert.deepEqual(await geocoder.findMany([door(7), door(8)]), [foundAt(7), { status: 'none' }])
      }
      assert.equal(b.service.received.length, asked)
    })

    test('are cached for half a year if the place is known, and a week if it is not', async () => {
      await using b = await bench(name, database)
      b.service.world = ({ number, ...asked }) => (number === '8' ? [] : everyDoor({ number, ...asked }))
      const asksAfter = async (days: number, place: PostalAddress): Promise<boolean> => {
        b.clock.offsetMs = days * 86_400_000
        const { length } = b.service.received
        await b.geocoder.find(place)
        return b.service.received.length > length
      }
      assert.equal(await asksAfter(0, door(7)), true)
      assert.equal(await asksAfter(179, door(7)), false)
      assert.equal(await asksAfter(181, door(7)), true)
      assert.equal(await asksAfter(182, door(8)), true)
      assert.equal(await asksAfter(188, door(8)), false)
      assert.equal(await asksAfter(190, door(8)), true)
    })
  })

  describe(`${name}: the patience of a caller`, () => {
    const limits = { ...clientLimits, attemptMs: 60_000 }

    test('ends, and the request with it', async () => {
      await using b = await bench(name, database, { limits })
      b.service.trouble = () => 'hangs'
      assert.deepEqual(await b.geocoder.find(door(1), { patienceMs: 20 }), { status: 'unavailable' })
      assert.equal(b.geocoder.isReady(), true, 'our haste is not its failure')
    })

    test('is independent of other callers', async () => {
      await using b = await bench(name, database, { limits })
      b.service.world = everyDoor
      const release = hold(b)
      const patient = b.geocoder.find(door(1), { patienceMs: 60_000 })
      await b.service.came(1)
      assert.deepEqual(await b.geocoder.find(door(1), { patienceMs: 5 }), { status: 'unavailable' })
      release()
      assert.deepEqual(await patient, foundAt(1))
      assert.equal(b.service.received.length, 1)
    })

    test('ends when the geocoder closes', async () => {
      await using b = await bench(name, database, { limits })
      hold(b)
      const founds = b.geocoder.findMany(doors(3))
      await b.service.came(1)
      await b.geocoder.close()
      assert.deepEqual(
        await founds,
        doors(3).map(() => ({ status: 'unavailable' })),
      )
      assert.deepEqual(await b.geocoder.find(door(9)), { status: 'unavailable' })
    })
  })

  test(`${name}: a broken cache only costs repeated requests`, async () => {
    const broken = await testDatabase()
    await using b = await bench(name, broken)
    b.service.world = everyDoor
    await broken.db.schema.dropTable('geocoding_cache').execute()
    assert.deepEqual(await b.geocoder.find(door(1)), foundAt(1))
    assert.deepEqual(await b.geocoder.find(door(1)), foundAt(1))
    assert.equal(b.service.received.length, 2)
    await broken.drop()
  })
}

describe('nominatim', () => {
  test('gets requests one at a time, at least a second apart', async () => {
    await using b = await bench('nominatim', database)
    b.service.world = everyDoor
    assert.ok((await b.geocoder.findMany(doors(5))).every(({ status }) => status === 'found'))
    assert.deepEqual(
      requestsTo(b).map((lookups) => lookups.length),
      [1, 1, 1, 1, 1],
    )
    const between = b.waits.reduce((sum, ms) => sum + ms, 0)
    assert.ok(b.waits.length === 4 && between > 3_900 && between <= 4_400, String(b.waits))
  })

  test('gets the most urgent lookup first', async () => {
    await using b = await bench('nominatim', database)
    b.service.world = everyDoor
    const release = hold(b)
    const first = b.geocoder.find(door(1))
    await b.service.came(1)
    const job = b.geocoder.findMany(doors(2, 2), { patienceMs: 60_000 })
    await settled(database)
    const write = b.geocoder.find(door(9))
    await settled(database)
    release()
    await Promise.all([first, job, write])
    assert.deepEqual(requestsTo(b).flat(), ['1 Mitre', '9 Mitre', '2 Mitre', '3 Mitre'])
  })

  test('gets no request when its turn cannot be reserved', async () => {
    const broken = await testDatabase()
    await using b = await bench('nominatim', broken)
    await broken.db.schema.dropTable('geocoding_pace').execute()
    assert.deepEqual(await b.geocoder.find(door(1)), { status: 'unavailable' })
    assert.deepEqual([b.service.received.length, b.logged], [0, ['the geocoder request failed']])
    await broken.drop()
  })
})

test('lookups that cannot be answered in time do not wait', async () => {
  await using b = await bench('georef', database)
  b.service.world = everyDoor
  const founds = await b.geocoder.findMany(doors(1_050))
  const statuses = founds.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 'found').length, 1_000)
  assert.equal(statuses.filter((status) => status === 'unavailable').length, 50)
})
