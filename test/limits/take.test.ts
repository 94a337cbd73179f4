/**
 * The windows of an agency's limits are those of UTC, whatever zone the database speaks; what is taken lasts if its transaction does.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAgency } from '../../src/agencies/agencies.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { limitsWith } from '../../src/limits/table.ts'
import { allot, type Allotment, take } from '../../src/limits/take.ts'
import { findUsage } from '../../src/limits/usage.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const limits = limitsWith({ new_listings_per_hour: 3, new_listings_per_day: 5 })
const hour = 3_600_000

async function inZone(zone: string, run: (db: Db, agencyId: string) => Promise<void>): Promise<void> {
  const { id } = await createAgency(
    database.db,
    { name: zone, slug: zone.toLowerCase().replaceAll(/[^a-z]/g, '-'), email: null },
    { offsetMs: 0 },
  )
  const db = openDatabase({
    connection: { ...database.direct, options: `-c TimeZone=${zone}` },
    poolSize: 2,
  })
  try {
    await run(db, id)
  } finally {
    await db.destroy()
  }
}

/** Offset that brings the clock to a moment of the next UTC day. */
const offsetTo = (ofDay: number) =>
  (Math.floor(Date.now() / (24 * hour)) + 1) * 24 * hour + ofDay - Date.now()

for (const zone of [
  'UTC',
  'Asia/Kolkata',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/Argentina/Buenos_Aires',
]) {
  test(`hour and day begin with those of UTC when the database speaks ${zone}`, async () => {
    await inZone(zone, async (db, agencyId) => {
      const clock = { offsetMs: 0 }
      const taking = () =>
        db.transaction().execute((tx) => take(tx, 'new_listings', agencyId, 1, limits, clock))
      const starts = async () => {
        const { rows } = await sql<{ name: string; window_start: string }>`
          select name, window_start from agency_usage where agency_id = ${agencyId} order by name`.execute(db)
        return rows.map(({ window_start }) => window_start)
      }
      // 05:10 and 05:50 are one hour of UTC, but two where zones differ by half an hour.
      for (const minutes of [10, 50]) {
        clock.offsetMs = offsetTo(5 * hour + minutes * 60_000)
        await taking()
      }
      const day = new Date(Math.floor((Date.now() + clock.offsetMs) / (24 * hour)) * 24 * hour).toISOString()
      assert.deepEqual(await starts(), [day, day.replace('T00', 'T05')])
      const usage = await findUsage(db, agencyId, agencyId, limits, clock)
      assert.deepEqual(
        [usage.new_listings_per_hour, usage.new_listings_per_day.used],
        [{ used: 2, remaining: 1, resets_at: day.replace('T00', 'T06') }, 2],
      )
      clock.offsetMs = offsetTo(6 * hour + 1000)
      await taking()
      assert.deepEqual(await starts(), [day, day.replace('T00', 'T06')])
    })
  })
}

test('a window never goes back', async () => {
  await inZone('Etc/GMT', async (db, agencyId) => {
    const taking = (offsetMs: number) =>
      db.transaction().execute((tx) => take(tx, 'new_listings', agencyId, 1, limits, { offsetMs }))
    const later = offsetTo(7 * hour)
    for (const offset of [later, later - hour, later - 2 * hour]) await taking(offset)
    await assert.rejects(taking(later), { code: 'rate_limited' })
    await assert.rejects(taking(later - hour), { code: 'rate_limited' })
  })
})

test('what a transaction takes and gives up is not taken; nothing is not counted', async () => {
  await inZone('Etc/UTC', async (db, agencyId) => {
    const clock = { offsetMs: offsetTo(8 * hour) }
    const failing = db.transaction().execute(async (tx) => {
      await take(tx, 'new_listings', agencyId, 2, limits, clock)
      throw new Error('given up')
    })
    await assert.rejects(failing, { message: 'given up' })
    await db.transaction().execute((tx) => take(tx, 'new_listings', agencyId, 0, limits, clock))
    assert.equal((await findUsage(db, agencyId, agencyId, limits, clock)).new_listings_per_day.used, 0)
    const amounts = [2, 2, 1]
    const taken = await Promise.allSettled(
      amounts.map((amount) =>
        db.transaction().execute((tx) => take(tx, 'new_listings', agencyId, amount, limits, clock)),
      ),
    )
    assert.ok(taken.some(({ status }) => status === 'rejected'))
    const { used } = (await findUsage(db, agencyId, agencyId, limits, clock)).new_listings_per_hour
    assert.ok(used === 2 || used === 3)
  })
})

test('an allotment grants what has room, counts what was not given back, and asks nothing where nothing is taken', async () => {
  await inZone('Antarctica/Troll', async (db, agencyId) => {
    const clock = { offsetMs: offsetTo(hour) }
    const used = async () => {
      const { rows } = await sql<{ used: number }>`
        select used from agency_usage where agency_id = ${agencyId} order by name`.execute(db)
      return rows.map((row) => row.used)
    }
    const taking = (work: (allotment: Allotment) => Promise<void>) =>
      db.transaction().execute(async (tx) => {
        const allotment = allot(tx, 'new_listings', agencyId, limits, clock)
        await work(allotment)
        await allotment.settle()
      })
    const refused = (allotment: Allotment) =>
      assert.rejects(allotment.takeOne(), (error: Error) => /new_listings_per_hour \(3\)/.test(error.message))
    await taking(async () => {})
    assert.deepEqual(await used(), [])
    await taking(async (allotment) => {
      await allotment.takeOne()
      const giveBack = allotment.mark()
      await allotment.takeOne()
      await allotment.takeOne()
      await refused(allotment)
      giveBack()
      await allotment.takeOne()
    })
    assert.deepEqual(await used(), [2, 2])
    await taking(async (allotment) => {
      await allotment.takeOne()
      await refused(allotment)
    })
    assert.deepEqual(await used(), [3, 3])
    await taking(refused)
    assert.deepEqual(await used(), [3, 3])
  })
})
