/** The counters of new listings: UTC windows in any time zone of the database, which never go back. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createAgency } from '../../src/agencies/agencies.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { type Counters, fullWindows } from '../../src/limits/take.ts'
import { limitsWith } from '../../src/limits/table.ts'
import { createListing } from '../../src/listings/writing/create/create.ts'
import { mergePayload } from '../../src/listings/writing/merge-payload.ts'
import { noContent } from '../../src/listings/fields/content.ts'
import { writeContext } from '../../src/listings/store/write-context.ts'
import { underLock } from '../../src/writing/under-lock.ts'
import { testDatabase, type TestDatabase } from '../support/database/database.ts'

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

describe('new listings', () => {
  test('are refused when a window is exhausted, naming it and the seconds until it resets', async () => {
    const hour = { hour: '2027-03-04T05:00:00.000Z', hour_new_listings: 3 }
    const day = { day: '2027-03-04T00:00:00.000Z', day_new_listings: 5 }
    const refusals: (Partial<Counters> & { names: string[]; seconds: number })[] = [
      { ...hour, names: ['new_listings_per_hour'], seconds: 600 },
      { ...day, names: ['new_listings_per_day'], seconds: 65_400 },
      { ...hour, ...day, names: ['new_listings_per_hour', 'new_listings_per_day'], seconds: 65_400 },
    ]
    for (const { names, seconds, ...counters } of refusals) {
      const full = fullWindows(stored(counters), limits)
      assert.deepEqual(
        full.map(({ name }) => name),
        names,
      )
      assert.equal(Math.max(...full.map(({ resets }) => resets)), seconds)
    }
  })

  test('are accepted in a new window, and not in one before the counted one', () => {
    assert.deepEqual(fullWindows(stored({}), limits), [])
    const ahead = { hour: '2027-03-04T07:00:00.000Z', hour_new_listings: 3, day_new_listings: 0 }
    assert.deepEqual(
      fullWindows(stored(ahead), limits).map(({ name }) => name),
      ['new_listings_per_hour'],
    )
  })
})

describe('the counters as they are stored', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham']) {
    test(`use UTC windows when the database’s time zone is ${zone}`, async () => {
      const slug = zone.toLowerCase().replaceAll(/[^a-z]/g, '-')
      const { id } = await createAgency(database.db, { name: zone, slug, email: null }, { offsetMs: 0 })
      const connection = { ...database.direct, options: `-c TimeZone=${zone}` }
      const db = openDatabase({ connection, poolSize: 2 })
      try {
        const clock = { offsetMs: Date.parse('2027-03-04T05:50:00Z') - Date.now() }
        const actor = { kind: 'system', id: null, name: 'test', requestId: null } as const
        const create = () =>
          underLock(db, id, clock, (locked) => {
            const merged = mergePayload(noContent, { external_id: randomUUID() })
            const creation = { merged, urls: [], publish: false, force: false }
            const context = writeContext(locked, { clock, limits }, actor)
            return createListing(context, creation)
          })
        const counters = () =>
          database.db
            .selectFrom('agency_revisions')
            .select(['hour', 'hour_new_listings', 'day', 'day_new_listings'])
            .where('agency_id', '=', id)
            .executeTakeFirstOrThrow()
        await create()
        assert.deepEqual(Object.values(await counters()), [
          '2027-03-04T05:00:00.000Z',
          1,
          '2027-03-04T00:00:00.000Z',
          1,
        ])
        // A later window that has already been counted stays, whatever the clock says.
        const later = { hour: '2027-03-04T07:00:00.000Z', day: '2027-03-05T00:00:00.000Z' }
        await database.db.updateTable('agency_revisions').set(later).where('agency_id', '=', id).execute()
        await create()
        assert.deepEqual(await counters(), { ...later, hour_new_listings: 2, day_new_listings: 2 })
        await create()
        await assert.rejects(create, { code: 'rate_limited' })
      } finally {
        await db.destroy()
      }
    })
  }
})
