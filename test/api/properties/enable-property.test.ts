/** `POST /properties/{id}/enable` (api.md 15.14): publishes a draft or a suspended listing that meets the requirements. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  historyOf,
  leavingNothing,
  listingOf,
  published,
  refused,
  rowOf,
  type Shown,
  tally,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const enable = (id: string, body?: unknown) => t.ask('POST', `/properties/${id}/enable`, { body })
const ready = (changes: object = {}) => draft(t, publishable({ status: 'draft', ...changes }))
async function suspended(changes: Record<string, unknown> = {}): Promise<Shown> {
  const { id } = await published(t, changes)
  return accepted(
    await t.ask('POST', `/properties/${id}/disable`, { body: { reason: 'sold', close_price: 5 } }),
  )
}

describe('enabling publishes', () => {
  test('a draft', async () => {
    const before = await ready()
    assert.equal(before.published_at, null)
    const response = await enable(before.id)
    const after = accepted(response)
    assert.deepEqual(after, {
      ...before,
      status: 'published',
      published_at: after.updated_at,
      updated_at: after.updated_at,
    })
    assert.ok(after.updated_at > before.updated_at)
    assert.deepEqual(warningsOf(response), [])
    const read = await t.ask('GET', `/properties/${before.id}`, { key: t.readKey })
    assert.deepEqual(listingOf(read), after)
    assert.equal(read.headers.get('etag'), response.headers.get('etag'))
    const entry = (await historyOf(t, before.id)).at(-1)
    assert.deepEqual(
      [entry?.action, entry?.changes],
      ['published', { status: { from: 'draft', to: 'published' } }],
    )
    assert.equal(entry?.request_id, response.headers.get('x-request-id'))
  })

  test('a suspended listing: published_at changes, and closing data is cleared', async () => {
    const before = await suspended()
    const after = accepted(await enable(before.id))
    assert.equal(after.status, 'published')
    assert.equal(after.published_at, after.updated_at)
    assert.ok((after.published_at ?? '') > (before.published_at ?? ''))
    const { close_reason, closed_at, close_amount, close_currency } = await rowOf(t, before.id)
    assert.deepEqual([close_reason, closed_at, close_amount, close_currency], [null, null, null, null])
  })

  test('a listing with its price on request, and a temporary one with its period', async () => {
    for (const changes of [
      { price: { on_request: true } },
      { operation: 'temporary', price: { amount: 5, currency: 'USD', period: 'night' } },
    ]) {
      accepted(await enable((await ready(changes)).id))
    }
  })

  test('with an empty body or none, and without an Idempotency-Key', async () => {
    accepted(await enable((await ready()).id, {}))
    accepted(
      await t.ask('POST', `/properties/${(await ready()).id}/enable`, { headers: { 'idempotency-key': '' } }),
    )
  })
})

describe('a listing that is enabled again', () => {
  test('stays the same', async () => {
    const listing = await published(t)
    const { headers } = await t.ask('GET', `/properties/${listing.id}`)
    const before = [await rowOf(t, listing.id), await historyOf(t, listing.id)]
    for (let times = 0; times < 4; times += 1) {
      const response = await enable(listing.id)
      assert.deepEqual(accepted(response), listing)
      assert.equal(response.headers.get('etag'), headers.get('etag'))
    }
    assert.deepEqual([await rowOf(t, listing.id), await historyOf(t, listing.id)], before)
  })

  test('stays the same for all but one of many concurrent requests', async () => {
    const { id } = await ready()
    const responses = await atOnce(10, () => enable(id))
    assert.deepEqual(tally(responses), { 200: 10 })
    assert.equal(new Set(responses.map((response) => listingOf(response).published_at)).size, 1)
    assert.deepEqual(
      (await historyOf(t, id)).map(({ action }) => action),
      ['created', 'published'],
    )
  })
})

const temporary = { operation: 'temporary', price: { amount: 5, currency: 'USD' } }
const lacking: [body: Record<string, unknown>, missing: string[]][] = [
  [{ title: null }, ['title']],
  [{ type: null }, ['type']],
  [{ operation: null, price: { amount: 5, currency: 'USD' } }, ['operation']],
  [{ address: null }, ['address']],
  [{ price: null }, ['price']],
  [temporary, ['price.period']],
  [{ ...temporary, price: null }, ['price', 'price.period']],
  [{ photos: [] }, ['photos']],
  [{ title: null, photos: [] }, ['title', 'photos']],
  [
    { title: null, type: null, operation: null, address: null, price: null, photos: [] },
    ['title', 'type', 'operation', 'address', 'price', 'photos'],
  ],
]
const code = (missing: string[]) => (missing.join() === 'photos' ? 'insufficient_photos' : 'not_publishable')

describe('enabling refuses', () => {
  for (const [body, missing] of lacking) {
    test(`a draft without ${missing.join(', ')}`, async () => {
      const { id } = await ready(body)
      const response = await leavingNothing(t, () => enable(id))
      assert.deepEqual(refused(response, code(missing))['missing'], missing)
    })

    test(`a suspended listing that has lost ${missing.join(', ')} in the meantime`, async () => {
      const { id } = await suspended()
      accepted(await t.ask('PATCH', `/properties/${id}`, { body }))
      const response = await leavingNothing(t, () => enable(id))
      assert.deepEqual(refused(response, code(missing))['missing'], missing)
    })
  }

  test('a draft with two photos', async () => {
    const { id } = await ready({ photos: photoUrls(2) })
    assert.deepEqual(refused(await enable(id), 'insufficient_photos')['missing'], ['photos'])
    accepted(await t.ask('POST', `/properties/${id}/photos`, { body: { urls: photoUrls(1) } }))
    accepted(await enable(id))
  })

  test('a non-empty body', async () => {
    const { id } = await ready()
    for (const [parameter, body] of [
      ['status', { status: 'published' }],
      ['reason', { reason: 'other' }],
      ['body', []],
      ['body', 'x'],
    ] as const) {
      refused(await leavingNothing(t, () => enable(id, body)), 'invalid_parameter', parameter)
    }
  })

  test('missing listings', async () => {
    const gone = await ready()
    accepted(await t.ask('DELETE', `/properties/${gone.id}`))
    for (const id of [gone.id, 'ZZZZ9999', randomUUID()]) refused(await enable(id), 'not_found')
    const own = await ready()
    refused(await t.ask('POST', `/properties/${own.id}/enable`, { key: t.other.writeKey }), 'not_found')
  })
})
