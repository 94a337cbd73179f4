/** Geocoding data in the database: cached answers until they expire, and the turns of all instances at one service. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  openCache,
  reapGeocodingCache,
  reserveSlot,
} from '../../../src/listings/geocoding/geocoding-cache.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const pin = { lat: -31.4080674840673, lng: -64.20062417513701, status: 'approximate' } as const

describe('the cache of the geocoder', () => {
  test('returns stored answers by provider, and the latest one wins', async () => {
    const clock = { offsetMs: 0 }
    const cache = openCache(database.db, clock, 'one')
    await cache.write(
      new Map([
        ['a', null],
        ['b', { ...pin, status: 'resolved' }],
      ]),
    )
    await cache.write(
      new Map([
        ['b', null],
        ['a', pin],
      ]),
    )
    assert.deepEqual(
      await cache.read(['a', 'b', 'c']),
      new Map([
        ['a', pin],
        ['b', null],
      ]),
    )
    assert.deepEqual(await openCache(database.db, clock, 'two').read(['a']), new Map())
  })

  test('accepts the same answers from many writers at once', async () => {
    const cache = openCache(database.db, { offsetMs: 0 }, 'many')
    const keys = Array.from({ length: 100 }, (_, index) => `k${index}`)
    await Promise.all(
      [keys, keys.toReversed(), keys, keys.toReversed()].map((some) =>
        cache.write(new Map(some.map((key) => [key, pin]))),
      ),
    )
    assert.equal((await cache.read(keys)).size, 100)
  })

  test('loses expired answers', async () => {
    await sql`delete from geocoding_cache`.execute(database.db)
    const cache = openCache(database.db, { offsetMs: 0 }, 'old')
    await cache.write(
      new Map([
        ['known', pin],
        ['x', null],
        ['y', null],
        ['z', null],
      ]),
    )
    const inAWeek = { offsetMs: 7 * dayMs + 1_000 }
    assert.equal(await reapGeocodingCache(database.db, 10, { offsetMs: 6 * dayMs }), 0)
    assert.equal(await reapGeocodingCache(database.db, 2, inAWeek), 2)
    assert.equal(await reapGeocodingCache(database.db, 2, inAWeek), 1)
    assert.equal(await reapGeocodingCache(database.db, 2, inAWeek), 0)
    assert.equal(await reapGeocodingCache(database.db, 2, { offsetMs: 181 * dayMs }), 1)
  })
})

describe('turns of the geocoder', () => {
  const turn = (clock: { offsetMs: number }, provider = 'paced') =>
    reserveSlot(database.db, clock, { provider, intervalMs: 100_000, maxWaitMs: 250_000 })

  test('are spaced, given out once each, and denied when too far away', async () => {
    const clock = { offsetMs: 0 }
    const taken = await Promise.all([turn(clock), turn(clock), turn(clock), turn(clock), turn(clock)])
    const waits = taken.filter((wait) => wait !== null).sort((a, b) => a - b)
    // To the second, because the statements themselves take time.
    assert.deepEqual(
      waits.map((wait) => Math.round(wait / 1_000)),
      [0, 100, 200],
    )
    assert.equal(taken.filter((wait) => wait === null).length, 2)
    assert.equal(await turn(clock, 'another'), 0)
    clock.offsetMs = 100_000
    assert.equal(Math.round(((await turn(clock)) ?? Number.NaN) / 1_000), 200)
    clock.offsetMs = 10_000_000
    assert.equal(await turn(clock), 0)
  })
})
