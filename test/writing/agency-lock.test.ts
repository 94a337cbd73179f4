/**
 * The agency's revision: each write raises it once, with timestamps that never go back, so that a client that polls with `updated_since`
 * misses nothing.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '../../src/platform/db/statements/connection.ts'
import { lockAgency } from '../../src/writing/under-lock.ts'
import { photoUrls, publishable, type TestApp, testApp } from '../support/app/app.ts'
import { accepted, atOnce, draft, listingOf, revisionOf, rowOf, type Shown } from '../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())
beforeEach(() => {
  t.clock.offsetMs = 0
})

const patch = (id: string, title: string) => t.ask('PATCH', `/properties/${id}`, { body: { title } })

test("every write raises the revision by one and stores it as the listing's version, unless it changes nothing", async () => {
  const external_id = randomUUID()
  let revision = await revisionOf(t)
  let id = ''
  for (const [raises, method, path, body] of [
    [1, 'PUT', () => `/properties/external/${external_id}`, publishable({ status: 'draft' })],
    [0, 'PUT', () => `/properties/external/${external_id}`, {}],
    [1, 'PUT', () => `/properties/external/${external_id}`, { title: 'Uno', status: 'published' }],
    [1, 'PATCH', () => `/properties/${id}`, { title: 'Dos', features: { rooms: 3 } }],
    [0, 'PATCH', () => `/properties/${id}`, { title: 'Dos' }],
    [1, 'POST', () => `/properties/${id}/photos`, { urls: photoUrls(3) }],
    [1, 'PUT', () => `/properties/${id}/photos`, { urls: photoUrls(3, 'set') }],
    [0, 'PUT', () => `/properties/${id}/photos`, { urls: photoUrls(3, 'set') }],
    [1, 'POST', () => `/properties/${id}/enable`, undefined],
    [0, 'POST', () => `/properties/${id}/enable`, undefined],
    [1, 'POST', () => `/properties/${id}/disable`, { reason: 'other' }],
    [0, 'POST', () => `/properties/${id}/disable`, { reason: 'other' }],
    [1, 'POST', () => `/properties/${id}/disable`, { reason: 'sold' }],
    [1, 'DELETE', () => `/properties/${id}`, undefined],
  ] as const) {
    const response = await t.ask(method, path(), { body })
    assert.ok(response.status < 300, response.text)
    id ||= listingOf(response).id
    assert.equal(await revisionOf(t), revision + raises, `${method} ${path()}`)
    revision += raises
    assert.equal((await rowOf(t, id)).version, revision)
  }
})

test('reads, refusals and writes of other agencies do not raise the revision', async () => {
  const { id } = await draft(t)
  const revision = await revisionOf(t)
  await t.ask('GET', `/properties/${id}`)
  await t.ask('PATCH', `/properties/${id}`, { body: { title: '' } })
  await t.ask('POST', `/properties/${id}/enable`)
  accepted(await t.ask('POST', '/properties', { key: t.other.writeKey, body: {} }), 201)
  assert.equal(await revisionOf(t), revision)
})

test('simultaneous writes get distinct revisions and timestamps, in the same order', async () => {
  const listings = await Promise.all(Array.from({ length: 5 }, () => draft(t)))
  const before = await revisionOf(t)
  const responses = await atOnce(60, (index) => patch(listings[index % 5]?.id ?? '', `Casa ${index}`))
  const moments = responses.map((response) => accepted(response).updated_at)
  assert.equal(new Set(moments).size, 60)
  assert.equal(await revisionOf(t), before + 60)
  const { rows } = await sql<{ revision: number; at: string }>`
    select revision, at from listing_history where agency_id = ${t.agency.id} order by revision`.execute(
    t.deps.db,
  )
  assert.deepEqual(
    rows.map(({ revision }) => revision),
    rows.map((_, index) => index + 1),
  )
  rows.forEach(({ at }, index) => assert.ok(index === 0 || at > (rows[index - 1]?.at ?? '')))
})

test('timestamps of writes do not go back when the clock does', async () => {
  const { id, updated_at } = await draft(t)
  t.clock.offsetMs = -3_600_000
  const back = accepted(await patch(id, 'Uno')).updated_at
  assert.ok(back > updated_at)
  assert.ok(accepted(await patch(id, 'Dos')).updated_at > back)
  t.clock.offsetMs = 3_600_000
  const later = accepted(await patch(id, 'Tres')).updated_at
  assert.ok(Date.parse(later) - Date.parse(back) > 3_000_000)
})

test('a client that polls for changes since the last one it saw misses no write', async () => {
  const listings = await Promise.all(Array.from({ length: 6 }, () => draft(t)))
  const since =
    listings
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-1) ?? ''
  const seen = new Map<string, string>()
  let last = since
  const poll = async () => {
    const response = await t.ask(
      'GET',
      `/properties?status=all&sort=updated&per_page=50&updated_since=${last}`,
    )
    for (const { id, updated_at } of response.body['data'] as unknown as Shown[]) {
      seen.set(id, updated_at)
      if (updated_at > last) last = updated_at
    }
  }
  let writing = true
  const polling = (async () => {
    while (writing) await poll()
  })()
  const written = new Map<string, string>()
  await Promise.all(
    listings.map(async ({ id }, client) => {
      // Writers stop at different times, so that a last write may race with a poll that began before it was visible.
      for (let round = 0; round < 4 + client * 2; round += 1)
        written.set(id, accepted(await patch(id, `Casa ${round}`)).updated_at)
    }),
  )
  writing = false
  await polling
  await poll()
  for (const [id, moment] of written) assert.equal(seen.get(id), moment)
})

test('a transaction that holds the agency’s lock has an idle timeout; others have none', async () => {
  const limit = async (tx: Tx) =>
    (
      await sql<{
        idle_in_transaction_session_timeout: string
      }>`show idle_in_transaction_session_timeout`.execute(tx)
    ).rows[0]?.idle_in_transaction_session_timeout
  const node = await t.deps.db.at(t.agency.id)
  const connection = await node.connect()
  await connection.begin()
  assert.equal(await limit(connection.tx), '0')
  await lockAgency(connection.tx, t.agency.id, t.deps.clock)
  assert.equal(await limit(connection.tx), '20s')
  await connection.commit()
  assert.equal(await limit(connection.tx), '0')
  connection.release()
})
