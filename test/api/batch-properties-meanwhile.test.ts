/**
 * Items whose listing is removed by another request after they were prepared: carried out as what they now are.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { freshAddress, type TestApp, testApp } from '../support/app.ts'
import { accepted } from '../support/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

/** Sends the item, and removes its listing while it waits for the lock of the agency. */
async function removedMeanwhile(item: { external_id: string; [name: string]: unknown }) {
  accepted(await t.ask('PUT', `/properties/external/${item.external_id}`, { body: { title: 'Vieja' } }), 201)
  const { sent } = await t.deps.db.transaction().execute(async (tx) => {
    await sql`select from agency_revisions where agency_id = ${t.agency.id} for update`.execute(tx)
    const answer = t.ask('POST', '/properties/batch', { body: { items: [item] } })
    for (;;) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        t.deps.db,
      )
      if (rows.length > 0) break
    }
    await sql`
      update properties set deleted_at = now() where agency_id = ${t.agency.id} and external_id = ${item.external_id}`.execute(
      tx,
    )
    // Inside an object, so that it is not waited for here.
    return { sent: answer }
  })
  const answer = await sent
  assert.equal(answer.status, 200, answer.text)
  const { results } = JSON.parse(answer.text) as {
    results: { status: number; data?: { title: string }; error?: { code: string; message: string } }[]
  }
  return results[0]
}

test('an upsert creates it', async () => {
  const result = await removedMeanwhile({ external_id: randomUUID(), title: 'Nueva' })
  assert.deepEqual([result?.status, result?.data?.title], [201, 'Nueva'])
})

test('an update finds nothing', async () => {
  const result = await removedMeanwhile({ external_id: randomUUID(), action: 'update', title: 'Nueva' })
  assert.deepEqual([result?.status, result?.error?.code], [404, 'not_found'])
})

test('where its place would have to be looked for, it is to be sent again under another key', async () => {
  const result = await removedMeanwhile({ external_id: randomUUID(), address: freshAddress() })
  assert.deepEqual([result?.status, result?.error?.code], [503, 'service_unavailable'])
  assert.match(result?.error?.message ?? '', /another Idempotency-Key/)
})
