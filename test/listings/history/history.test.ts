/** The history of a listing: one entry per write, with its actor, request, and the old and new values. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Changes } from '../../../src/listings/history/history.ts'
import {
  type ApiResponse,
  freshAddress,
  photoUrls,
  publishable,
  type TestApp,
  testApp,
} from '../../support/app/app.ts'
import {
  accepted,
  draft,
  historyOf,
  leavingNothing,
  listingOf,
  published,
  rowOf,
} from '../../support/app/listings.ts'
import { assertHistoryTells } from './history-replay.ts'

let t: TestApp
let key = ''
let keyId = ''
before(async () => {
  t = await testApp()
  const made = await t.newKey(t.agency.id, { name: 'CRM', scopes: ['properties:write', 'properties:read'] })
  key = made.key
  keyId = made.id
})
after(() => t.close())

const ask = (method: string, path: string, body?: unknown) => t.ask(method, path, { key, body })
const at = (path: string) => (id: string) => `/properties/${id}${path}`
const disabled = async () => accepted(await t.ask('POST', `/properties/${(await published(t)).id}/disable`))

/** A listing, a write to it, and the expected entry. */
const writes: Record<
  string,
  [
    make: () => Promise<{ id: string }>,
    write: (id: string) => Promise<ApiResponse>,
    action: string,
    changes: (id: string) => Promise<Changes> | Changes,
  ]
> = {
  PATCH: [
    () =>
      draft(t, {
        operation: 'sale',
        price: { amount: 5, currency: 'USD' },
        features: { rooms: 2 },
        amenities: ['a'],
      }),
    (id) =>
      ask('PATCH', at('')(id), {
        title: 'Otra',
        price: { amount: 6 },
        features: { rooms: 3 },
        amenities: ['a'],
        description: null,
      }),
    'updated',
    () => ({
      title: { from: 'Borrador', to: 'Otra' },
      price: {
        from: { amount: 5, currency: 'USD', on_request: false },
        to: { amount: 6, currency: 'USD', on_request: false },
      },
      features: { from: { rooms: 2 }, to: { rooms: 3 } },
    }),
  ],
  'PATCH of the external id': [
    () => draft(t, { external_id: 'HISTORY-1' }),
    (id) => ask('PATCH', at('')(id), { external_id: null }),
    'updated',
    () => ({ external_id: { from: 'HISTORY-1', to: null } }),
  ],
  'PUT that updates': [
    () => draft(t, { external_id: 'HISTORY-2' }),
    () => ask('PUT', '/properties/external/HISTORY-2', { status: 'published', title: 'Otra' }),
    'updated',
    () => ({ title: { from: 'Borrador', to: 'Otra' } }),
  ],
  photos: [
    () => draft(t, { photos: photoUrls(1) }),
    (id) => ask('POST', at('/photos')(id), { urls: photoUrls(1) }),
    'photos_added',
    async (id) => {
      const { photos } = await rowOf(t, id)
      return { photos: { from: photos.slice(0, 1), to: photos } }
    },
  ],
  'setting photos': [
    () => draft(t, { photos: photoUrls(2) }),
    async (id) =>
      ask('PUT', at('/photos')(id), {
        urls: [...photoUrls(1), ...listingOf(await t.ask('GET', at('')(id))).photos.slice(1)],
      }),
    'updated',
    async (id) => {
      const { photos } = await rowOf(t, id)
      const [created] = await historyOf(t, id)
      const from = created?.changes['photos']?.to as string[]
      assert.deepEqual([from.length, photos[1]], [2, from[1]])
      return { photos: { from, to: photos } }
    },
  ],
  disable: [
    () => published(t),
    (id) => ask('POST', at('/disable')(id), { reason: 'sold', close_price: 7, closed_at: '2026-01-31' }),
    'disabled',
    () => ({
      status: { from: 'published', to: 'disabled' },
      close_reason: { from: null, to: 'sold' },
      closed_at: { from: null, to: '2026-01-31T00:00:00.000Z' },
      close_price: { from: null, to: { amount: 7, currency: 'USD' } },
    }),
  ],
  'disabling a disabled listing': [
    disabled,
    (id) => ask('POST', at('/disable')(id), { reason: 'other' }),
    'closing_recorded',
    () => ({ close_reason: { from: null, to: 'other' } }),
  ],
  enable: [
    () => draft(t, publishable({ status: 'draft' })),
    (id) => ask('POST', at('/enable')(id)),
    'published',
    () => ({ status: { from: 'draft', to: 'published' } }),
  ],
  'enabling a disabled listing': [
    disabled,
    (id) => ask('POST', at('/enable')(id)),
    'published',
    () => ({ status: { from: 'disabled', to: 'published' } }),
  ],
  DELETE: [
    () => draft(t),
    (id) => ask('DELETE', at('')(id)),
    'deleted',
    () => ({ deleted: { from: false, to: true } }),
  ],
}

describe('the history has one entry for', () => {
  for (const [what, [make, write, action, changes]] of Object.entries(writes)) {
    test(what, async () => {
      const { id } = await make()
      const before = await historyOf(t, id)
      const response = await write(id)
      assert.equal(response.status, 200, response.text)
      const history = await historyOf(t, id)
      assert.deepEqual(history.slice(0, -1), before)
      const row = await rowOf(t, id)
      assert.deepEqual(history.at(-1), {
        at: row.updated_at,
        action,
        actor: { kind: 'key', id: keyId, name: 'CRM' },
        changes: await changes(id),
        request_id: response.headers.get('x-request-id'),
      })
      await assertHistoryTells(t.deps.db, row)
    })
  }

  test('a creation, with everything it was given', async () => {
    const body = publishable({
      external_id: randomUUID(),
      description: 'Texto',
      operation: 'rent',
      expenses: { amount: 5, currency: 'ARS' },
      features: { rooms: 2, furnished: false },
      amenities: ['a'],
      video_url: 'https://video.example/1',
      video_urls: ['https://video.example/1'],
      virtual_tour_url: 'https://tour.example/1',
      rental: { min_stay: 2 },
    })
    for (const response of [
      await ask('POST', '/properties', body),
      await ask('PUT', '/properties/external/HISTORY-3', {
        ...body,
        address: freshAddress(),
        external_id: undefined,
        photos: photoUrls(3),
      }),
    ]) {
      const made = accepted(response, 201)
      const [entry, ...more] = await historyOf(t, made.id)
      assert.equal(more.length, 0)
      assert.deepEqual(
        [entry?.action, entry?.at, entry?.request_id],
        ['created', made.created_at, response.headers.get('x-request-id')],
      )
      assert.deepEqual(entry?.actor, { kind: 'key', id: keyId, name: 'CRM' })
      for (const { from } of Object.values(entry?.changes ?? {})) assert.equal(from, null)
      const told = Object.fromEntries(
        Object.entries(entry?.changes ?? {}).map(([name, { to }]) => [name, to]),
      )
      assert.deepEqual(told['price'], made.price)
      assert.deepEqual(told['location'], made.location)
      assert.deepEqual(told['features'], { furnished: false, rooms: 2 })
      for (const name of [
        'status',
        'title',
        'description',
        'amenities',
        'video_urls',
        'expenses',
        'address',
        'external_id',
      ]) {
        assert.deepEqual(told[name], made[name], name)
      }
      await assertHistoryTells(t.deps.db, await rowOf(t, made.id))
    }
  })

  test('an empty creation: its state', async () => {
    const [entry] = await historyOf(t, listingOf(await ask('POST', '/properties', {})).id)
    assert.deepEqual(Object.keys(entry?.changes ?? {}), ['status'])
  })
})

test('a history entry names the key that wrote', async () => {
  const { id } = await draft(t)
  const second = await t.newKey(t.agency.id, { name: 'Web', scopes: ['properties:write'] })
  accepted(await t.ask('PATCH', `/properties/${id}`, { key: second.key, body: { title: 'x' } }))
  assert.deepEqual((await historyOf(t, id)).at(-1)?.actor, { kind: 'key', id: second.id, name: 'Web' })
})

test('the history has no entry for requests that change nothing or fail', async () => {
  const { id, photos } = await published(t)
  const before = await historyOf(t, id)
  for (const [method, path, body] of [
    ['PATCH', '', {}],
    ['PUT', '/photos', { urls: photos }],
    ['PATCH', '', { title: 'Casa con jardín' }],
    ['POST', '/enable', undefined],
  ] as const) {
    accepted(await ask(method, at(path)(id), body))
  }
  for (const [method, path, body] of [
    ['PATCH', '', { title: null }],
    ['PATCH', '', { title: '' }],
    ['POST', '/disable', { reason: 'x' }],
    ['POST', '/photos', { urls: photoUrls(1, 'missing') }],
    ['PUT', '/photos', { urls: photos.slice(1) }],
    ['PUT', '/photos', { urls: photoUrls(3, 'missing') }],
  ] as const) {
    await leavingNothing(t, () => ask(method, at(path)(id), body))
  }
  assert.deepEqual(await historyOf(t, id), before)
})
