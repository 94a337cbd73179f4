/**
 * The counters of new listings: windows of UTC whatever zone the database speaks, which never go back; what is given back is not counted.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../../src/db/transaction.ts'
import { createAgency } from '../../src/agencies/agencies.ts'
import { openDatabase } from '../../src/db/database.ts'
import { type Counters, newListings } from '../../src/limits/new-listings.ts'
import { limitsWith } from '../../src/limits/table.ts'
import { lockAgency } from '../../src/writing/agency-lock.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

const limits = limitsWith({ new_listings_per_hour: 3, new_listings_per_day: 5 })
const never = '1970-01-01T00:00:00.000Z'

const stored = (changes: Partial<Counters>): Counters => ({
  now: '2027-03-04T05:50:00.000Z',
  hour: never,
  hour_new_listings: 7,
  day: never,
  day_new_listings: 7,
  limits: null,
  ...changes,
})
const opened = (changes: Partial<Counters> = {}) => newListings(stored(changes))

describe('new listings', () => {
  it('are counted from the beginning of the UTC hour and day', async () => {
    const taken = opened()
    taken.takeOne(limits)
    assert.deepEqual(taken.counted(), ['2027-03-04T05:00:00.000Z', 1, '2027-03-04T00:00:00.000Z', 1])
    const later = opened({
      hour: '2027-03-04T05:00:00.000Z',
      hour_new_listings: 2,
      day: '2027-03-03T00:00:00.000Z',
    })
    later.takeOne(limits)
    assert.deepEqual(later.counted(), ['2027-03-04T05:00:00.000Z', 3, '2027-03-04T00:00:00.000Z', 1])
  })

  it('are refused where a window has no room, which is named with the seconds until it begins anew', async () => {
    const hour = { hour: '2027-03-04T05:00:00.000Z', hour_new_listings: 3 }
    const day = { day: '2027-03-04T00:00:00.000Z', day_new_listings: 5 }
    const refusals: (Partial<Counters> & { names: string[]; seconds: number })[] = [
      { ...hour, names: ['new_listings_per_hour'], seconds: 600 },
      { ...day, names: ['new_listings_per_day'], seconds: 65_400 },
      { ...hour, ...day, names: ['new_listings_per_hour', 'new_listings_per_day'], seconds: 65_400 },
    ]
    for (const { names, seconds, ...counters } of refusals) {
      const taken = opened(counters)
      assert.throws(
        () => taken.takeOne(limits),
        (error: Error & { code: string; headers: Record<string, string> }) => {
          assert.equal(error.code, 'rate_limited')
          assert.deepEqual(error.message.match(/\w+_per_\w+/g), names)
          assert.equal(error.headers['retry-after'], String(seconds))
          return true
        },
      )
      const [, ofHour, , ofDay] = taken.counted()
      assert.deepEqual([ofHour, ofDay], [counters.hour_new_listings ?? 0, counters.day_new_listings ?? 0])
    }
  })

  it('that are given back are not counted, and leave their room', async () => {
    const taken = opened()
    taken.takeOne(limits)
    const giveBack = taken.mark()
    taken.takeOne(limits)
    taken.takeOne(limits)
    assert.throws(() => taken.takeOne(limits), { code: 'rate_limited' })
    giveBack()
    taken.takeOne(limits)
    assert.equal(taken.counted()[1], 2)
  })

  it('never go back to a window before', async () => {
    const taken = opened({
      hour: '2027-03-04T07:00:00.000Z',
      hour_new_listings: 2,
      day: '2027-03-05T00:00:00.000Z',
      day_new_listings: 2,
    })
    taken.takeOne(limits)
    assert.deepEqual(taken.counted(), ['2027-03-04T07:00:00.000Z', 3, '2027-03-05T00:00:00.000Z', 3])
    assert.throws(() => taken.takeOne(limits), { code: 'rate_limited' })
  })
})

describe('the counters as they are stored', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham']) {
    it(`are those of UTC when the database speaks ${zone}`, async () => {
      const slug = zone.toLowerCase().replaceAll(/[^a-z]/g, '-')
      const { id } = await createAgency(database.db, { name: zone, slug, email: null }, { offsetMs: 0 })
      const connection = { ...database.direct, options: `-c TimeZone=${zone}` }
      const db = openDatabase({ connection, poolSize: 2 })
      try {
        const clock = { offsetMs: Date.parse('2027-03-04T05:50:00Z') - Date.now() }
        await inTransaction(db, async (tx) => {
          const { newListings: taken } = await lockAgency(tx, id, clock)
          taken.takeOne(limits)
          assert.deepEqual(taken.counted(), ['2027-03-04T05:00:00.000Z', 1, '2027-03-04T00:00:00.000Z', 1])
        })
      } finally {
        await db.destroy()
      }
    })
  }
})
