/** Requests without slow work: they claim their Idempotency-Key only in the transaction of their effect (api.md 7.2). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { freshAddress, photoUrls, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, draft, refused, rowOf } from '../../support/app/listings.ts'
import { endWaiting, untilWaiting } from '../../support/database/locks.ts'
import { isFresh, isReplay } from './idempotent-requests.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const create = (body: unknown, key: string) =>
  t.ask('POST', '/properties', { body, headers: { 'idempotency-key': key } })

/** Uses a transaction for what `create` does in one statement. */
const upsert = (body: unknown, key: string, externalId: string = randomUUID()) =>
  t.ask('PUT', `/properties/external/${externalId}`, { body, headers: { 'idempotency-key': key } })

describe('an Idempotency-Key that an open transaction has claimed', () => {
  test('makes a slow request wait; it then gets the stored response, or 422 if it is another request', async () => {
    for (const [body, others] of [
      [{ title: 'Sin fotos' }, { photos: photoUrls(1) }],
      [{ title: 'Sin lugar' }, { address: freshAddress(), location: { city: 'La Plata' } }],
    ]) {
      const key = randomUUID()
      const { first, second } = await inTransaction(t.deps.db, async (tx) => {
        // The transaction of the first has claimed its key, and its commit waits for this lock.
        await sql`lock table listing_history in share mode`.execute(tx)
        const sent = upsert(body ?? {}, key)
        await untilWaiting(t.deps.db)
        const other = create(others ?? {}, key)
        await untilWaiting(t.deps.db, 2)
        // Inside an object, so that `await` does not wait for them here.
        return { first: sent, second: other }
      })
      isFresh(await first, 201)
      refused(await second, 'idempotency_key_reuse')
    }
  })

  test('is free again if that transaction fails', async () => {
    const key = randomUUID()
    const external_id = randomUUID()
    const { first } = await inTransaction(t.deps.db, async (tx) => {
      await sql`lock table listing_history in share mode`.execute(tx)
      const sent = create({ external_id }, key)
      await untilWaiting(t.deps.db)
      await endWaiting(t.deps.db)
      return { first: sent }
    })
    refused(await first, 'service_unavailable')
    isFresh(await upsert({}, key, external_id), 201)
  })
})

describe('an Idempotency-Key is checked before the operation', () => {
  test('a retry gets the stored response even if the request would fail by now', async () => {
    const address = freshAddress()
    const body = {
      address,
      location: { city: 'La Plata', lat: -34.9, lng: -57.9 },
      external_id: randomUUID(),
    }
    const first = await create(body, 'before-it-fails')
    isFresh(first, 201)
    isReplay(await create(body, 'before-it-fails'), first)
    refused(await create(body, 'another-key-of-it'), 'external_id_exists')
  })

  test('another request with the key gets 422, even if it has other errors', async () => {
    isFresh(await create({ title: 'Una' }, 'wrong-with-the-key'), 201)
    const external_id = String((await draft(t, { external_id: randomUUID() })).external_id)
    for (const body of [
      { title: 'Otra' },
      { external_id },
      { status: 'published' },
      { operation: 'sale', price: { amount: 1, currency: 'USD', period: 'month' } },
    ])
      refused(await create(body, 'wrong-with-the-key'), 'idempotency_key_reuse')
  })

  test('a kept error is replayed after its cause is gone, and claims the key only once', async () => {
    const { id, external_id } = await draft(t, { external_id: randomUUID() })
    const first = await create({ external_id }, 'a-kept-refusal')
    refused(first, 'external_id_exists')
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { external_id: null } }))
    isReplay(await create({ external_id }, 'a-kept-refusal'), first)
    refused(await create({ title: 'Otra' }, 'a-kept-refusal'), 'idempotency_key_reuse')
    isFresh(await create({ external_id }, 'a-fresh-key-of-it'), 201)
  })

  test('an error that frees the key leaves no row of it', async () => {
    const { id } = await draft(t)
    const patch = (headers: Record<string, string>) =>
      t.ask('PATCH', `/properties/${id}`, {
        body: { title: 'Con precondición' },
        headers: { 'idempotency-key': 'freed-by-412', ...headers },
      })
    refused(await patch({ 'if-match': '"of-long-ago"' }), 'precondition_failed')
    const { rows } = await sql`select from idempotency_keys where key = 'freed-by-412'`.execute(t.deps.db)
    assert.equal(rows.length, 0)
    isFresh(await patch({}), 200)
    assert.equal((await rowOf(t, id)).title, 'Con precondición')
  })
})
