/** Items whose listing another request creates or removes while the batch fetches or waits for the lock: they run on its latest state. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { freshAddress, photoUrls, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, filesOf, unreferencedOf } from '../../support/app/listings.ts'
import { untilWaiting } from '../../support/database/locks.ts'
import { type Result, resultsOf } from '../support/batch-results.ts'

let t: TestApp
/** Runs while the next address is geocoded. */
let meanwhile: () => Promise<unknown> = async () => {}
before(async () => {
  t = await testApp({
    limits: { new_listings_per_hour: 10 },
    geocoder: async () => {
      const happens = meanwhile
      meanwhile = async () => {}
      await happens()
      return null
    },
  })
})
after(() => t.close())

const results = async (items: object[], key = t.writeKey): Promise<Result[]> =>
  resultsOf(await t.ask('POST', '/properties/batch', { key, body: { items } }))

/** Sends the item, and removes its listing while it waits for the lock of the agency. */
async function removedMeanwhile(item: { external_id: string; [name: string]: unknown }) {
  accepted(await t.ask('PUT', `/properties/external/${item.external_id}`, { body: { title: 'Vieja' } }), 201)
  const { sent } = await inTransaction(t.deps.db, async (tx) => {
    await sql`select from agency_revisions where agency_id = ${t.agency.id} for update`.execute(tx)
    const response = t.ask('POST', '/properties/batch', { body: { items: [item] } })
    await untilWaiting(t.deps.db)
    await sql`
      update properties set deleted_at = now() where agency_id = ${t.agency.id} and external_id = ${item.external_id}`.execute(
      tx,
    )
    // Inside an object, so that `await` does not wait for it here.
    return { sent: response }
  })
  return resultsOf(await sent)[0]
}

test('an item that upserts a listing removed in the meantime creates it', async () => {
  const result = await removedMeanwhile({ external_id: randomUUID(), title: 'Nueva' })
  assert.deepEqual([result?.status, result?.data?.['title']], [201, 'Nueva'])
})

test('an item that updates a listing removed in the meantime finds nothing', async () => {
  const result = await removedMeanwhile({ external_id: randomUUID(), action: 'update', title: 'Nueva' })
  assert.deepEqual([result?.status, result?.error?.['code']], [404, 'not_found'])
})

test('an item whose listing is removed while its address is looked up creates it again', async () => {
  const external_id = randomUUID()
  accepted(await t.ask('PUT', `/properties/external/${external_id}`, { body: { title: 'Vieja' } }), 201)
  const [moving, made] = [
    { external_id, address: freshAddress() },
    { external_id: randomUUID(), title: 'Otra' },
  ]
  // The listing is removed while its address is geocoded.
  meanwhile = () =>
    sql`update properties set deleted_at = now() where agency_id = ${t.agency.id} and external_id = ${external_id}`.execute(
      t.deps.db,
    )
  const [moved, beside] = await results([moving, made])
  assert.deepEqual([moved?.status, moved?.data?.['address']], [201, moving?.address])
  assert.equal(beside?.status, 201)
})

test('an item that creates a listing created in the meantime updates it, and stores none of its photos', async () => {
  const [external_id, files] = [randomUUID(), await filesOf(t)]
  const body = { photos: photoUrls(3), address: freshAddress(), title: 'Nueva' }
  meanwhile = () => t.ask('PUT', `/properties/external/${external_id}`, { body: { title: 'Vieja' } })
  const [result] = await results([{ external_id, ...body }])
  assert.deepEqual([result?.status, result?.data?.['title'], result?.data?.['photos']], [200, 'Nueva', []])
  assert.deepEqual(
    result?.warnings.map(({ code }) => code),
    ['location_unresolved', 'photos_ignored'],
  )
  assert.deepEqual([await filesOf(t), await unreferencedOf(t)], [files, []])
})

test('a new listing over a limit reached in the meantime is refused, and its photos are deleted', async () => {
  const { agency, writeKey: key } = await t.newAgency()
  const [external_id, photos] = [randomUUID(), photoUrls(2)]
  for (let count = 0; count < 9; count += 1) await t.ask('POST', '/properties', { key, body: {} })
  meanwhile = () => t.ask('POST', '/properties', { key, body: {} })
  const [result] = await results([{ external_id, photos, address: freshAddress() }], key)
  assert.deepEqual([result?.status, result?.error?.['code']], [429, 'rate_limited'])
  assert.deepEqual([await filesOf(t, agency.id), await unreferencedOf(t, agency.id)], [[], []])
})
