/**
 * Statements and round trips that requests cost the database. The numbers record the current state, not a requirement, so that none is
 * raised unnoticed.
 */
// not on Citus: the numbers are those of plain PostgreSQL.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type ApiResponse,
  freshAddress,
  photoUrls,
  publishable,
  type TestApp,
  testApp,
} from '../support/app/app.ts'
import { countingProxy, type Counts, type CountingProxy } from '../support/network/counting-proxy.ts'
import { draft as draftWith, published } from '../support/app/listings.ts'
import { type SecondApp, secondApp } from '../support/app/second-app.ts'
import { sendSigned } from './admission/signed-requests.ts'

let t: TestApp
let proxy: CountingProxy
let app: SecondApp
before(async () => {
  t = await testApp({ geocoder: async () => null })
  app = await secondApp(t, async (connection) => {
    proxy = await countingProxy(connection)
    return proxy.connection
  })
})
after(async () => {
  await app.close()
  proxy.close()
  await t.close()
})

/** Counted for the second of two such requests, because the first opens connections. */
async function costOf(
  status: number,
  request: () => Promise<{ status: number; text?: string }>,
): Promise<Counts> {
  for (const isFirst of [true, false]) {
    proxy.counts()
    const response = await request()
    assert.equal(response.status, status, response.text)
    if (!isFirst) break
  }
  return proxy.counts()
}

const headers = () => ({ 'idempotency-key': randomUUID() })
const draft = () => publishable({ external_id: randomUUID(), photos: [], status: 'draft' })

describe('statements and round trips, including the one of admission', () => {
  test('a creation without photos needs one statement besides admission, which judges and stores', async () => {
    const cost = await costOf(201, () => app.ask('POST', '/properties', { body: draft() }))
    assert.deepEqual(cost, { statements: 2, roundTrips: 2 })
  })

  test('a signed creation needs one more statement, which reads its key before the body', async () => {
    const key = await t.newKey(t.agency.id, { scopes: ['properties:write'], signature_required: true })
    const wire = () => ({ method: 'POST', path: '/api/v1/properties', body: JSON.stringify(draft()) })
    const cost = await costOf(201, () => sendSigned(t, key, wire(), { baseUrl: app.baseUrl }))
    assert.deepEqual(cost, { statements: 3, roundTrips: 3 })
  })

  test('a geocoded creation needs several transactions, because geocoding runs outside them', async () => {
    const body = () => ({ ...draft(), location: { city: 'La Plata' } })
    const cost = await costOf(201, () => app.ask('POST', '/properties', { body: body() }))
    assert.deepEqual(cost, { statements: 13, roundTrips: 8 })
  })

  // One photo only, because several requests sent at once may share a packet.
  test('a signed creation with a photo costs as much as recorded', async () => {
    const key = await t.newKey(t.agency.id, { scopes: ['properties:write'], signature_required: true })
    const body = () => JSON.stringify({ ...draft(), photos: photoUrls(1) })
    const wire = () => ({ method: 'POST', path: '/api/v1/properties', body: body() })
    const cost = await costOf(201, () => sendSigned(t, key, wire(), { baseUrl: app.baseUrl }))
    assert.deepEqual(cost, { statements: 22, roundTrips: 16 })
  })

  test('a PUT that creates costs as much as recorded', async () => {
    const { external_id: _none, ...body } = draft()
    const cost = await costOf(201, () =>
      app.ask('PUT', `/properties/external/${randomUUID()}`, {
        headers: headers(),
        body: { ...body, address: freshAddress() },
      }),
    )
    assert.deepEqual(cost, { statements: 8, roundTrips: 4 })
  })

  test('an added photo costs as much as recorded', async () => {
    const { id } = await draftWith(t)
    const cost = await costOf(200, () =>
      app.ask('POST', `/properties/${id}/photos`, { headers: headers(), body: { urls: photoUrls(1) } }),
    )
    assert.deepEqual(cost, { statements: 24, roundTrips: 13 })
  })

  test('changes of state cost as much as recorded, each the same', async () => {
    const { id } = await published(t)
    const post = (path: string) => app.ask('POST', `/properties/${id}${path}`, { headers: headers() })
    await post('/disable')
    proxy.counts()
    assert.equal((await post('/enable')).status, 200)
    assert.deepEqual(proxy.counts(), { statements: 14, roundTrips: 4 })
    assert.equal((await post('/disable')).status, 200)
    assert.deepEqual(proxy.counts(), { statements: 14, roundTrips: 4 })
    assert.equal((await app.ask('DELETE', `/properties/${id}`, { headers: headers() })).status, 200)
    assert.deepEqual(proxy.counts(), { statements: 14, roundTrips: 4 })
  })

  test('an update costs as much as recorded', async () => {
    const { external_id } = await published(t, { external_id: randomUUID() })
    const cost = await costOf(200, () =>
      app.ask('PUT', `/properties/external/${external_id}`, {
        headers: headers(),
        body: { title: randomUUID() },
      }),
    )
    assert.deepEqual(cost, { statements: 10, roundTrips: 3 })
  })

  test('setting known photos costs the same as an edit', async () => {
    const urls = photoUrls(20)
    const { id, photos } = await draftWith(t, { photos: urls })
    const cost = (method: string, path: string, body: () => object) =>
      costOf(200, () => app.ask(method, `/properties/${id}${path}`, { headers: headers(), body: body() }))
    assert.deepEqual(await cost('PATCH', '', () => ({ title: randomUUID() })), {
      statements: 10,
      roundTrips: 3,
    })
    assert.deepEqual(await cost('PUT', '/photos', () => ({ urls: photos.reverse() })), {
      statements: 10,
      roundTrips: 3,
    })
    assert.deepEqual(await cost('PUT', '/photos', () => ({ urls: urls.reverse() })), {
      statements: 10,
      roundTrips: 3,
    })
  })

  test('a replay costs the check for conflicts, then the key, then the listing with its history', async () => {
    const body = draft()
    const again = headers()
    const cost = await costOf(201, () => app.ask('POST', '/properties', { body, headers: again }))
    assert.deepEqual(cost, { statements: 7, roundTrips: 5 })
  })

  test('a batch costs the same for 50 items as for 2', async () => {
    const { external_id } = await published(t, { external_id: randomUUID() })
    const batch = async (count: number) => {
      const items = () => [
        ...Array.from({ length: count - 1 }, () => ({ ...draft(), address: freshAddress() })),
        { external_id, title: randomUUID() },
      ]
      return costOf(200, () => app.ask('POST', '/properties/batch', { body: { items: items() } }))
    }
    const [few, many] = [await batch(2), await batch(50)]
    assert.deepEqual(few, { statements: 13, roundTrips: 6 })
    assert.deepEqual(many, few)
  })

  test('a read costs one statement for admission, and one if anything has to be read', async () => {
    const { id } = await published(t)
    const list = () => app.ask('GET', '/properties?per_page=1')
    const one = () => app.ask('GET', `/properties/${id}`)
    for (const read of [one, list]) {
      assert.deepEqual(await costOf(200, read), { statements: 1, roundTrips: 1 })
      await app.ask('PATCH', `/properties/${id}`, { body: { title: randomUUID() } })
      proxy.counts()
      assert.equal((await read()).status, 200)
      assert.deepEqual(proxy.counts(), { statements: 2, roundTrips: 2 })
    }
    const etag = (await list()).headers.get('etag') ?? ''
    const unchanged = () => app.ask('GET', '/properties?per_page=1', { headers: { 'if-none-match': etag } })
    assert.deepEqual(await costOf(304, unchanged), { statements: 1, roundTrips: 1 })
  })

  test('a page of changes costs one statement for admission, and one if there are any', async () => {
    const path = (cursor: string | null) => `/changes${cursor === null ? '' : `?cursor=${cursor}`}`
    const ask = (cursor: string | null) => app.ask('GET', path(cursor), { key: t.readKey })
    const cursorOf = ({ body }: ApiResponse) => (body as unknown as { next_cursor: string }).next_cursor
    assert.deepEqual(await costOf(200, () => ask(null)), { statements: 2, roundTrips: 2 })
    const last = cursorOf(await ask(null))
    assert.deepEqual(await costOf(200, () => ask(last)), { statements: 1, roundTrips: 1 })
    // The write of a draft is no change for this key, so it is skipped once.
    assert.equal((await app.ask('POST', '/properties', { body: draft() })).status, 201)
    proxy.counts()
    const past = cursorOf(await ask(last))
    assert.deepEqual(proxy.counts(), { statements: 2, roundTrips: 2 })
    assert.deepEqual(await costOf(200, () => ask(past)), { statements: 1, roundTrips: 1 })
  })
})
