/**
 * Requests that take their Idempotency-Key in the transaction of their effect, because they have nothing to wait for, beside requests
 * that claimed the same key before (spec 'Idempotency').
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { requestHash } from '../../src/http/idempotency.ts'
import { type Answer, freshAddress, type TestApp, testApp } from '../support/app.ts'
import { accepted, draft, refused, revisionOf, rowOf, tracesOf } from '../support/listings.ts'
import { isFresh, isReplay } from './idempotent-requests.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const create = (body: unknown, key: string) =>
  t.ask('POST', '/properties', { body, headers: { 'idempotency-key': key } })

/** Stores a claim, as a request that takes its time does. */
async function claimKey(key: string, body: unknown): Promise<void> {
  await sql`
    insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at)
    values (${t.agency.id}, ${key}, ${requestHash('POST', '/api/v1/properties', body)}, gen_random_uuid(),
      clock_timestamp() + interval '60 s', clock_timestamp() + interval '24 hours')`.execute(t.deps.db)
}

/**
 * Sends a creation and holds its transaction after it has looked for its key, until `meanwhile` is done: it has to wait for the
 * history.
 */
async function heldAfterItsLook(
  body: Record<string, unknown>,
  key: string,
  meanwhile: () => Promise<void>,
): Promise<Answer> {
  accepted(await t.ask('POST', '/properties', { body: {} }), 201)
  const { running } = await t.deps.db.transaction().execute(async (tx) => {
    await sql`lock table listing_history in share mode`.execute(tx)
    const sent = create(body, key)
    for (;;) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        t.deps.db,
      )
      if (rows.length > 0) break
    }
    await meanwhile()
    // Inside an object, so that it is not waited for here.
    return { running: sent }
  })
  return running
}

describe('a key that another request claims between the look and the answer', () => {
  it('is not taken from it, and nothing is done: 409 for the same request, 422 for another', async () => {
    for (const [claimed, code] of [
      [{ title: 'La misma' }, 'idempotent_request_in_progress'],
      [{ title: 'Otra' }, 'idempotency_key_reuse'],
    ] as const) {
      const key = randomUUID()
      const revision = await revisionOf(t)
      const before = await tracesOf(t)
      const answer = await heldAfterItsLook({ title: 'La misma' }, key, () => claimKey(key, claimed))
      refused(answer, code)
      // But for the listing that makes the counter.
      assert.equal(await revisionOf(t), revision + 1)
      assert.equal((await tracesOf(t)).listings.length, before.listings.length + 1)
    }
  })

  it('is free again when the other freed it meanwhile', async () => {
    const key = randomUUID()
    const body = { title: 'Al final' }
    const answer = await heldAfterItsLook(body, key, async () => {
      await claimKey(key, body)
      await sql`delete from idempotency_keys where agency_id = ${t.agency.id} and key = ${key}`.execute(
        t.deps.db,
      )
    })
    isFresh(answer, 201)
    isReplay(await create(body, key), answer)
  })
})

describe('the key comes before whatever the operation finds', () => {
  it('a replay is one even where the request would fail by now', async () => {
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

  it('another request with the key is 422, whatever is wrong with it', async () => {
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

  it('an error that is kept is repeated after its cause is gone, and takes the key only once', async () => {
    const { id, external_id } = await draft(t, { external_id: randomUUID() })
    const first = await create({ external_id }, 'a-kept-refusal')
    refused(first, 'external_id_exists')
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { external_id: null } }))
    isReplay(await create({ external_id }, 'a-kept-refusal'), first)
    refused(await create({ title: 'Otra' }, 'a-kept-refusal'), 'idempotency_key_reuse')
    isFresh(await create({ external_id }, 'a-fresh-key-of-it'), 201)
  })

  it('an error that frees the key leaves nothing of it', async () => {
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
