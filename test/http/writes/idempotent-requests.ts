/** One request for every operation that takes an Idempotency-Key, and the part of its response that tests of replays compare. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  freshAddress,
  photoUrls,
  publishable,
  type ApiResponse,
  type TestApp,
} from '../../support/app/app.ts'
import { draft, published } from '../../support/app/listings.ts'

export type Write = { method: string; path: string; body?: unknown }

type Operation = {
  name: string
  rule: 'required' | 'optional'
  status: number
  /** A request that succeeds, and whose effect is visible if it runs twice. */
  make(t: TestApp): Promise<Write>
}

const listing = async (t: TestApp) => `/properties/${(await published(t)).id}`

export const operations: readonly Operation[] = [
  {
    name: 'POST /properties',
    rule: 'required',
    status: 201,
    make: async () => ({
      method: 'POST',
      path: '/properties',
      body: publishable({ external_id: `ext-${randomUUID()}` }),
    }),
  },
  {
    name: 'POST /properties/batch',
    rule: 'required',
    status: 200,
    make: async () => ({
      method: 'POST',
      path: '/properties/batch',
      body: {
        items: [
          { external_id: `b-${randomUUID()}`, title: 'Una', address: freshAddress() },
          { external_id: `b-${randomUUID()}`, action: 'delete' },
        ],
      },
    }),
  },
  {
    name: 'POST /properties/{id}/photos',
    rule: 'required',
    status: 200,
    make: async (t) => ({
      method: 'POST',
      path: `${await listing(t)}/photos`,
      body: { urls: [...photoUrls(2), 'https://photos.example/missing.jpg'] },
    }),
  },
  {
    name: 'PUT /properties/{id}/photos',
    rule: 'optional',
    status: 200,
    make: async (t) => ({
      method: 'PUT',
      path: `${await listing(t)}/photos`,
      body: { urls: [...photoUrls(2), 'https://photos.example/missing.jpg'] },
    }),
  },
  {
    name: 'PUT /properties/external/{external_id}, creating',
    rule: 'optional',
    status: 201,
    make: async () => ({
      method: 'PUT',
      path: `/properties/external/put-${randomUUID()}`,
      body: { title: 'Nueva', photos: photoUrls(1) },
    }),
  },
  {
    name: 'PUT /properties/external/{external_id}, updating',
    rule: 'optional',
    status: 200,
    make: async (t) => {
      const external_id = `put-${randomUUID()}`
      await draft(t, { external_id })
      return { method: 'PUT', path: `/properties/external/${external_id}`, body: { title: randomUUID() } }
    },
  },
  {
    name: 'PATCH /properties/{id}',
    rule: 'optional',
    status: 200,
    make: async (t) => ({ method: 'PATCH', path: await listing(t), body: { title: randomUUID() } }),
  },
  {
    name: 'DELETE /properties/{id}',
    rule: 'optional',
    status: 200,
    make: async (t) => ({ method: 'DELETE', path: await listing(t) }),
  },
  {
    name: 'POST /properties/{id}/disable',
    rule: 'optional',
    status: 200,
    make: async (t) => ({
      method: 'POST',
      path: `${await listing(t)}/disable`,
      body: { reason: 'sold', close_price: 99_000.5 },
    }),
  },
  {
    name: 'POST /properties/{id}/enable',
    rule: 'optional',
    status: 200,
    make: async (t) => {
      const path = await listing(t)
      assert.equal((await t.ask('POST', `${path}/disable`)).status, 200)
      return { method: 'POST', path: `${path}/enable` }
    },
  },
]

/** Headers of the current request, not of the stored response. */
const ofTheMoment = new Set([
  'date',
  'x-request-id',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'idempotent-replayed',
])

/** The part of a response that a replay repeats. */
function original({ status, headers, text, body }: ApiResponse) {
  const requestId = (body.error as { request_id?: string } | undefined)?.request_id
  return {
    status,
    headers: [...headers].filter(([name]) => !ofTheMoment.has(name)).sort(),
    text: requestId === undefined ? text : text.replace(requestId, 'the request id'),
  }
}

/** Asserts that a response is a replay of the first. */
export function isReplay(response: ApiResponse, first: ApiResponse): void {
  assert.equal(response.headers.get('idempotent-replayed'), 'true', response.text)
  assert.deepEqual(original(response), original(first))
  assert.notEqual(response.headers.get('x-request-id'), first.headers.get('x-request-id'))
}

/** Asserts that a response is not a replay. */
export function isFresh(response: ApiResponse, status: number): void {
  assert.equal(response.headers.get('idempotent-replayed'), null, response.text)
  assert.equal(response.status, status, response.text)
}
