/** `batches` when limits run out on the way: items that a limit rejected are sent again, and nothing is lost or happens twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type BatchItem,
  type BatchResult,
  ListingsClient,
  type ListingsClientOptions,
} from '../../clients/typescript/src/index.ts'
import { freshAddress, testApp } from '../support/app/app.ts'

type Sent = { external_id: string }
const item = (index: number): BatchItem => ({ external_id: `L-${index}`, title: `${index}` })
const itemsOf = (count: number): BatchItem[] => Array.from({ length: count }, (_, index) => item(index))
const limited = (seconds: number) => ({
  error: {
    code: 'rate_limited',
    message: 'The limit is exhausted.',
    limits: ['writes_per_minute'],
    retry_after: seconds,
  },
})
const json = (body: unknown, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers })

/**
 * A service that accepts `perWindow` writes between two waits, and rejects whole requests once none are left.
 * @param secondsOf how long the limit that an item meets stays exhausted
 */
function limitedService(perWindow: number, secondsOf: (externalId: string) => number = () => 0) {
  let left = perWindow
  const applied: string[] = []
  const keys: string[] = []
  const retries: number[] = []
  const options: ListingsClientOptions = {
    baseUrl: 'https://l.example',
    key: 'k',
    retry: { baseMs: 1, maxMs: 1 },
    onRetry({ waitMs }) {
      retries.push(waitMs)
      left = perWindow
    },
    async fetch(_, init) {
      keys.push(new Headers(init?.headers).get('idempotency-key') ?? '')
      const { items } = JSON.parse(new TextDecoder().decode(init?.body as Uint8Array)) as { items: Sent[] }
      const [first] = items
      if (left === 0) {
        const seconds = secondsOf(first?.external_id ?? '')
        return json(limited(seconds), 429, { 'retry-after': String(seconds) })
      }
      const results = items.map(({ external_id }, index) => {
        const common = { index, external_id, action: 'upsert', warnings: [] }
        if (external_id === 'L-7')
          return { ...common, status: 400, error: { code: 'other', message: `items[${index}] is wrong` } }
        if (left === 0) return { ...common, status: 429, ...limited(secondsOf(external_id)) }
        left -= 1
        applied.push(external_id)
        return { ...common, status: 201, data: {} }
      })
      return json({ results, meta: {} })
    },
  }
  return { applied, keys, retries, options }
}

test('items that met an exhausted limit are sent again once it reopens, under a new key, and all results arrive in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 140 }),
      fc.integer({ min: 1, max: 70 }),
      async (count, perWindow) => {
        const { applied, keys, options } = limitedService(perWindow)
        const results: BatchResult[] = []
        for await (const result of new ListingsClient(options).batches(itemsOf(count))) results.push(result)
        assert.deepEqual(
          results.map(({ index, external_id }) => [index, external_id]),
          itemsOf(count).map(({ external_id }, index) => [index, external_id]),
        )
        const failed = results.filter(({ error }) => error !== undefined)
        assert.deepEqual(
          failed.map(({ error }) => error?.message),
          count > 7 ? ['items[7] is wrong'] : [],
        )
        assert.equal(applied.length, count - failed.length)
        assert.equal(new Set(applied).size, applied.length, 'each is applied once')
        assert.ok(keys.length >= Math.ceil(count / 50))
      },
    ),
    { numRuns: 60 },
  )
})

test('items that are sent again get another Idempotency-Key, after a call of onRetry', async () => {
  const { keys, retries, options } = limitedService(30)
  for await (const { error } of new ListingsClient(options).batches(itemsOf(7)))
    assert.equal(error, undefined)
  assert.deepEqual([keys.length, retries.length], [1, 0])
  for await (const _ of new ListingsClient(options).batches(itemsOf(50).slice(8))) void _
  assert.equal(new Set(keys).size, 3)
  assert.equal(retries.length, 1)
})

test('refused items are reported if the limit reopens too late, and items after an exhausted write limit are not sent', async () => {
  const { applied, keys, options } = limitedService(60, () => 3_600)
  const results: BatchResult[] = []
  for await (const result of new ListingsClient(options).batches(itemsOf(220))) results.push(result)
  assert.equal(results.length, 220)
  assert.equal(applied.length, 60)
  const late = results.filter(({ error }) => error?.code === 'rate_limited')
  assert.equal(late.length, 220 - 60 - 1)
  assert.ok(late.every(({ error }) => error?.code === 'rate_limited' && error.retry_after === 3_600))
  // Two that were accepted, and the one that was rejected.
  assert.equal(keys.length, 3)
})

test('items wait for their own limit while those whose limit reopens too late are reported', async () => {
  const { options, retries } = limitedService(5, (id) => (id === 'L-6' ? 3_600 : 0))
  const failed: (number | string)[] = []
  for await (const { index, error } of new ListingsClient(options).batches(itemsOf(9)))
    if (error !== undefined) failed.push(index, error.code)
  assert.deepEqual(failed, [6, 'rate_limited', 7, 'other'])
  assert.equal(retries.length, 1)
})

test('refused items are reported when retries are disabled', async () => {
  const { options, retries } = limitedService(5)
  const client = new ListingsClient({ ...options, retry: { retries: 0 } })
  const codes: (string | undefined)[] = []
  for await (const { error } of client.batches(itemsOf(7))) codes.push(error?.code)
  assert.deepEqual(codes.slice(5), ['rate_limited', 'rate_limited'])
  assert.equal(retries.length, 0)
})

test('no result is lost when the caller or the connection ends the wait', async () => {
  const reason = new Error('enough')
  const ends: [string, (options: ListingsClientOptions, abort: AbortController) => void, object][] = [
    ['the caller', (options, abort) => (options.onRetry = () => abort.abort(reason)), reason],
    [
      'the connection',
      (options) => {
        options.retry = { retries: 1, baseMs: 1 }
        const { fetch } = options
        let sent = 0
        options.fetch = async (...asked) => {
          sent += 1
          if (sent > 1) throw new TypeError('fetch failed')
          return await (fetch as typeof globalThis.fetch)(...asked)
        }
      },
      { code: 'connection_failed' },
    ],
  ]
  for (const [name, end, expected] of ends) {
    const { options } = limitedService(5)
    const abort = new AbortController()
    end(options, abort)
    const seen: number[] = []
    await assert.rejects(async () => {
      const results = new ListingsClient(options).batches(itemsOf(9), { signal: abort.signal })
      for await (const { index } of results) seen.push(index)
    }, expected)
    assert.deepEqual(seen, [0, 1, 2, 3, 4, 7], name)
  }
})

test('a client creates 130 listings at 60 writes a minute without reporting an error', async (t) => {
  const app = await testApp({ limits: { writes_per_minute: 60 } })
  t.after(() => app.close())
  const titles = Array.from({ length: 130 }, (_, index) => `one of many ${index}`)
  const items = titles.map((title, index): BatchItem => ({
    external_id: `MANY-${index}`,
    title,
    address: freshAddress(),
    location: { city: 'La Plata', lat: -34.9, lng: -57.9 },
  }))
  const client = new ListingsClient({
    baseUrl: app.baseUrl,
    key: app.writeKey,
    retry: { baseMs: 1, maxMs: 1 },
    // The minute passes on the service's clock, not the test's.
    async fetch(url, init) {
      const response = await fetch(url, init)
      const text = (await response.text()).replaceAll(/"retry_after":\d+/g, '"retry_after":0')
      const headers = new Headers(response.headers)
      headers.delete('content-encoding')
      if (headers.has('retry-after')) headers.set('retry-after', '0')
      return new Response(text, { status: response.status, headers })
    },
    onRetry: () => (app.clock.offsetMs += 60_000),
  })
  const seen: [number, number][] = []
  for await (const { index, status } of client.batches(items)) seen.push([index, status])
  assert.deepEqual(
    seen,
    items.map((_, index) => [index, 201]),
  )
  const { meta } = await client.list({ status: 'all', q: 'one of many' })
  assert.equal(meta.total, 130)
})
