/**
 * Windows of an agency's limits are UTC windows in any time zone of the database, and a charge persists only if its transaction commits.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../src/platform/db/statements/transaction.ts'
import { createAgency } from '../../src/agencies/agencies.ts'
import { type Db, openDatabase } from '../../src/platform/db/database.ts'
import { limitsWith } from '../../src/limits/table.ts'
import { take } from '../../src/limits/take.ts'
import { getUsage } from '../../src/limits/usage.ts'
import { testDatabase, type TestDatabase } from '../support/database/database.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const limits = limitsWith({ geocoding_per_minute: 3, geocoding_per_day: 5 })
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

/** The offset that moves the clock to a time in the next UTC day. */
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
  test(`minutes and days of a limit end with those of UTC when the database’s time zone is ${zone}`, async () => {
    await inZone(zone, async (db, agencyId) => {
      const clock = { offsetMs: 0 }
      const taking = () => inTransaction(db, (tx) => take(tx, 'geocoding', agencyId, 1, { limits, clock }))
      const ends = async () => {
        const { rows } = await sql<{ name: string; ends_at: string }>`
          select name, ends_at from agency_usage where agency_id = ${agencyId} order by name`.execute(db)
        return rows.map(({ ends_at }) => ends_at)
      }
      for (const seconds of [10, 50]) {
        clock.offsetMs = offsetTo(5 * hour + seconds * 1000)
        await taking()
      }
      const start = Math.floor((Date.now() + clock.offsetMs) / (24 * hour)) * 24 * hour
      const [day, dayEnd] = [start, start + 24 * hour].map((moment) => new Date(moment).toISOString()) as [
        string,
        string,
      ]
      assert.deepEqual(await ends(), [dayEnd, day.replace('T00:00', 'T05:01')])
      const { usage } = await getUsage({ db, limits, clock }, agencyId, agencyId)
      assert.deepEqual(
        [usage.geocoding_per_minute, usage.geocoding_per_day.used],
        [{ used: 2, remaining: 1, resets_at: day.replace('T00:00', 'T05:01') }, 2],
      )
      clock.offsetMs = offsetTo(5 * hour + 61_000)
      await taking()
      assert.deepEqual(await ends(), [dayEnd, day.replace('T00:00', 'T05:02')])
    })
  })
}

test('the window of a limit never goes back', async () => {
  await inZone('Etc/GMT', async (db, agencyId) => {
    const taking = (offsetMs: number) =>
      inTransaction(db, (tx) => take(tx, 'geocoding', agencyId, 1, { limits, clock: { offsetMs } }))
    const later = offsetTo(7 * hour)
    for (const offset of [later, later - 60_000, later - 120_000]) await taking(offset)
    await assert.rejects(taking(later), { code: 'rate_limited' })
    await assert.rejects(taking(later - 60_000), { code: 'rate_limited' })
  })
})

test('neither a rolled-back charge nor a charge of zero counts', async () => {
  await inZone('Etc/UTC', async (db, agencyId) => {
    const clock = { offsetMs: offsetTo(8 * hour) }
    const failing = inTransaction(db, async (tx) => {
      await take(tx, 'geocoding', agencyId, 2, { limits, clock })
      throw new Error('given up')
    })
    await assert.rejects(failing, { message: 'given up' })
    await inTransaction(db, (tx) => take(tx, 'geocoding', agencyId, 0, { limits, clock }))
    assert.equal((await getUsage({ db, limits, clock }, agencyId, agencyId)).usage.geocoding_per_day.used, 0)
    const amounts = [2, 2, 1]
    const taken = await Promise.allSettled(
      amounts.map((amount) =>
        inTransaction(db, (tx) => take(tx, 'geocoding', agencyId, amount, { limits, clock })),
      ),
    )
    assert.ok(taken.some(({ status }) => status === 'rejected'))
    const { used } = (await getUsage({ db, limits, clock }, agencyId, agencyId)).usage.geocoding_per_minute
    assert.ok(used === 2 || used === 3)
  })
})
