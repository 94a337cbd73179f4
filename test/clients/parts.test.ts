/** The parts of the TypeScript client that need no service: signatures, waits, the cache of entity tags, batches, errors and types. */
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cutIntoBatches, photosIn, renumbered } from '../../clients/typescript/src/batches.ts'
import { apiErrorCodes } from '../../clients/typescript/src/error-codes.ts'
import { itemError, ListingsError } from '../../clients/typescript/src/errors.ts'
import { newEtagMemory } from '../../clients/typescript/src/etag-memory.ts'
import {
  type BatchItem,
  type BatchResult,
  ListingsClient,
  type ListingsClientOptions,
  type Property,
} from '../../clients/typescript/src/index.ts'
import { changesFeed } from '../../clients/typescript/src/iterate.ts'
import { type Failure, retryPolicy, waitBefore } from '../../clients/typescript/src/retry.ts'
import { bytesOf, newSigner } from '../../clients/typescript/src/sign.ts'
import { catalogue } from '../../src/platform/errors/error-catalogue.ts'
import { sizeLimits } from '../../src/limits/sizes.ts'

describe('signatures of the client', () => {
  test('match those of api.md 3.3', async () => {
    const secret = 'svc_sign_0000000000000000000000000000000000example'
    const signer = newSigner(secret, 'Acme', () => 1_795_000_000_000)
    const body = '{"reason":"suspended"}'
    const target = '/api/v1/properties/7KQ2M9XA/disable'
    const headers = await signer.headers('POST', target, bytesOf(body))
    const text = ['1795000000000', 'POST', target, createHash('sha256').update(body).digest('hex')].join('\n')
    assert.deepEqual(headers, {
      'x-acme-timestamp': '1795000000000',
      'x-acme-signature': `v1=${createHmac('sha256', secret).update(text).digest('hex')}`,
    })
  })

  test('of equal requests in one millisecond differ', async () => {
    const signer = newSigner('secret', 'Svc', () => 1_795_000_000_000)
    const made = await Promise.all(Array.from({ length: 20 }, () => signer.headers('GET', '/', bytesOf(''))))
    assert.equal(new Set(made.map((headers) => headers['x-svc-signature'])).size, 20)
  })

  test('follow the service’s clock only when the local one is far off', () => {
    const signer = newSigner('secret', 'Svc', () => 1_000_000)
    assert.equal(signer.adjustTo(1_030_000), false)
    assert.equal(signer.adjustTo(Number.NaN), false)
    assert.equal(signer.adjustTo(9_000_000), true)
    assert.equal(signer.adjustTo(9_000_000), false)
  })
})

describe('waits between attempts', () => {
  const policy = retryPolicy({ baseMs: 100, maxMs: 1_000, retries: 6, maxRetryAfterMs: 60_000 })
  const failure = (changes: Partial<Failure> = {}): Failure => ({
    status: 503,
    code: 'service_unavailable',
    retryAfterMs: null,
    countedPhotos: false,
    ...changes,
  })
  const none = () => 0
  const most = () => 1

  test('double up to a maximum, half of each at random', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7].map((attempts) => waitBefore(failure(), attempts, policy, most)),
      [100, 200, 400, 800, 1_000, 1_000, null],
    )
    assert.equal(waitBefore(failure(), 3, policy, none), 200)
  })

  const cases: [string, Partial<Failure>, number | null][] = [
    ['last until the limit reopens', { status: 429, code: 'rate_limited', retryAfterMs: 5_000 }, 5_000],
    ['are not made for a daily limit', { status: 429, code: 'rate_limited', retryAfterMs: 60_001 }, null],
    ['last as long as a 503 requests', { retryAfterMs: 7_000 }, 7_000],
    ['follow a missing response', { status: null, code: 'connection_failed' }, 50],
    ['follow a 408', { status: 408, code: 'request_timeout' }, 50],
    ['follow a gateway error', { status: 504, code: 'unexpected_answer' }, 50],
    [
      'follow a request that still runs',
      { status: 409, code: 'idempotent_request_in_progress', retryAfterMs: 1_000 },
      1_000,
    ],
    ['follow a replayed signature', { status: 401, code: 'replay_detected' }, 50],
    ['do not follow a rejection', { status: 422, code: 'photo_ingest_failed' }, null],
    ['do not follow a conflict', { status: 409, code: 'duplicate_property' }, null],
    ['do not follow a 501', { status: 501, code: 'unexpected_answer' }, null],
  ]
  for (const [name, changes, expected] of cases)
    test(name, () => assert.equal(waitBefore(failure(changes), 1, policy, none), expected))

  test('are few where each attempt uses up photos', () => {
    assert.equal(waitBefore(failure({ countedPhotos: true }), 1, policy, none), 50)
    assert.equal(waitBefore(failure({ countedPhotos: true }), 2, policy, none), null)
  })
})

describe('a service that is down', () => {
  const failing = (error: Error) => async (): Promise<Response> => {
    throw new TypeError('fetch failed', { cause: error })
  }
  const causes: [string, RegExp][] = [
    ['ECONNREFUSED', /^The connection to https:\/\/l\.example failed: nothing listens there, or it refuses/],
    ['ENOTFOUND', /no such host name is known \(ENOTFOUND\)\.$/],
    ['CERT_HAS_EXPIRED', /its TLS certificate is not trusted: certificate has expired \(CERT_HAS_EXPIRED\)/],
  ]
  for (const [code, message] of causes)
    test(`is reported in time, with the cause: ${code}`, async () => {
      const cause = Object.assign(new Error('certificate has expired'), { code })
      const retry = { retries: 1_000, baseMs: 1, maxMs: 1, giveUpAfterMs: 5 }
      const client = new ListingsClient({
        baseUrl: 'https://l.example',
        key: 'k',
        retry,
        fetch: failing(cause),
      })
      await assert.rejects(client.me(), { code: 'connection_failed', message })
    })
})

test('the cache of entity tags evicts the least recently used and stays within its size', () => {
  const memory = newEtagMemory(2, 10)
  const response = (text: string) => ({ etag: `"${text}"`, text })
  memory.set('a', response('1'))
  memory.set('b', response('2'))
  memory.get('a')
  memory.set('c', response('3'))
  assert.deepEqual([memory.get('a')?.text, memory.get('b'), memory.get('c')?.text], ['1', undefined, '3'])
  memory.set('a', response('1234567890'))
  assert.equal(memory.get('c'), undefined)
  memory.set('a', response('12345678901'))
  assert.equal(memory.get('a'), undefined)
})

describe('batches of the client', () => {
  test('are limited to what the service accepts', () => {
    const limits = { items: 4, photos: 5, bytes: 300 }
    const item = fc.record({
      external_id: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      action: fc.constantFrom('upsert', 'update', undefined),
      photos: fc.array(fc.constant('https://p.example/1.jpg'), { maxLength: 5 }),
    })
    fc.assert(
      fc.property(fc.array(item as fc.Arbitrary<BatchItem>, { maxLength: 30 }), (items) => {
        const batches = cutIntoBatches(items, limits)
        assert.deepEqual(batches.flat(), items)
        for (const [index, batch] of batches.entries()) {
          const size = (some: readonly BatchItem[]) => ({
            items: some.length,
            photos: some.reduce((sum, one) => sum + photosIn(one), 0),
            bytes: Buffer.byteLength(JSON.stringify({ items: some })),
          })
          const fits = ({ items, photos, bytes }: typeof limits, spare = 0) =>
            items <= limits.items && photos <= limits.photos && bytes + spare <= limits.bytes
          assert.ok(fits(size(batch)))
          const next = batches[index + 1]?.[0]
          // The last comma is counted too.
          if (next !== undefined) assert.ok(!fits(size([...batch, next]), 1))
        }
      }),
      { numRuns: 200 },
    )
  })

  test('refuse an item that fits into no batch immediately', () => {
    const items: BatchItem[] = [
      { external_id: 'A' },
      { external_id: 'B', photos: Array<string>(31).fill('x') },
    ]
    assert.throws(() => cutIntoBatches(items), new RangeError('items[1] has 31 photos; a batch takes 30'))
    const long: BatchItem[] = [{ external_id: 'A', description: 'ñ'.repeat(600_000) }]
    assert.throws(() => cutIntoBatches(long), /items\[0\] has 1200\d+ bytes/)
  })

  test('number their errors over all parts', () => {
    const error = {
      ...itemError({ code: 'invalid_parameter', message: '`items[2].title` must be a string.' }),
      errors: [{ parameter: 'items[2].title', message: 'x' }],
    }
    const result = { index: 2, status: 400, external_id: null, id: null, warnings: [], error }
    const { index, error: shown } = renumbered(result as unknown as BatchResult, (at) => at + 50)
    assert.equal(index, 52)
    assert.equal(shown?.message, '`items[52].title` must be a string.')
    assert.deepEqual(shown?.code === 'invalid_parameter' && shown.errors[0]?.parameter, 'items[52].title')
  })

  test('know the limits of the service', async () => {
    const { batchLimits } = await import('../../clients/typescript/src/batches.ts')
    assert.deepEqual(batchLimits, {
      items: sizeLimits.batch_items,
      photos: sizeLimits.batch_photos,
      bytes: sizeLimits.batch_body_bytes,
    })
  })
})

describe('errors of the client', () => {
  test('have every code of the API', () => {
    assert.deepEqual([...apiErrorCodes], Object.keys(catalogue))
  })

  test('have their members even when the service omits them', () => {
    const facts = { status: 429, idempotencyKey: null, attempts: 1 }
    const error = new ListingsError({ code: 'rate_limited', message: 'Wait.' }, facts)
    assert.deepEqual(error.code === 'rate_limited' && [error.limits, error.retry_after], [[], 1])
    const wrong = itemError({ code: 'invalid_parameter', message: 'No.', parameter: 'items[0].title' })
    assert.deepEqual(wrong.code === 'invalid_parameter' && wrong.errors, [
      { parameter: 'items[0].title', message: 'No.' },
    ])
  })
})

describe('the feed of changes', () => {
  const change = (id: string) =>
    ({ id, external_id: null, type: 'removed', reason: 'deleted', changed_at: '', property: null }) as const
  const read = async (cursor: string | undefined) => {
    const page = Number(cursor ?? 0)
    return {
      data: [change(`${page}a`), change(`${page}b`)],
      next_cursor: String(page + 1),
      has_more: page < 2,
      links: { self: '', next: null, prev: null },
      response: {} as never,
    }
  }

  test('gives a cursor only once everything before it has been processed', async () => {
    const feed = changesFeed(undefined, read)
    const seen: string[] = []
    for await (const { id } of feed) seen.push(`${id} ${feed.cursor}`)
    assert.deepEqual(seen, ['0a null', '0b null', '1a 1', '1b 1', '2a 2', '2b 2'])
    assert.equal(feed.cursor, '3')
  })

  test('resumes where it was left', async () => {
    const feed = changesFeed('1', read)
    for await (const { id } of feed) if (id === '2a') break
    assert.equal(feed.cursor, '2')
    const pages: string[] = []
    for await (const { data } of feed.pages()) pages.push(...data.map(({ id }) => id))
    assert.deepEqual(pages, ['2a', '2b'])
    const failing = changesFeed('1', read)
    await assert.rejects(async () => {
      for await (const _ of failing.pages()) throw new Error('not stored')
    })
    assert.equal(failing.cursor, '1')
  })
})

describe('invalid arguments of the client are refused', () => {
  const good = { baseUrl: 'https://listings.example', key: 'k' }
  const options: [string, ListingsClientOptions, RegExp?][] = [
    ['a timeout that is not a number', { ...good, timeoutMs: Number.NaN }, /^timeoutMs /],
    ['a negative number of retries', { ...good, retry: { retries: -1 } }, /^retry\.retries /],
    ['a service name that is invalid in a header', { ...good, serviceName: 'My Svc' }, /^serviceName /],
    ['a user agent with a line break', { ...good, userAgent: 'a\nb' }, /^userAgent /],
    ['an invalid base URL', { baseUrl: 'listings.example', key: 'k' }, /^baseUrl must be a URL such as/],
    ['credentials in the base URL', { baseUrl: 'https://me:secret@listings.example', key: 'k' }],
    ['another protocol', { baseUrl: 'file:///x', key: 'k' }],
    ['a key with a line break', { baseUrl: 'https://listings.example', key: 'a\nb' }],
  ]
  for (const [name, option, message = /./] of options)
    test(name, () => assert.throws(() => new ListingsClient(option), { name: 'TypeError', message }))

  test('such as an idempotency key, an id or a missing entity tag', async () => {
    const client = new ListingsClient({ baseUrl: 'http://127.0.0.1:1/api/v1/', key: 'k' })
    await assert.rejects(client.create({}, { idempotencyKey: 'short' }), RangeError)
    for (const id of ['', '.', '..']) await assert.rejects(client.delete(id), RangeError)
    await assert.rejects(client.update('X', {}, { ifMatch: null }), RangeError)
  })
})

/** Compiled, not run: checks the types. */
export async function types(client: ListingsClient): Promise<void> {
  const whole: Property[] = (await client.list()).data
  const named: { id: string; title: string | null }[] = (
    await client.list({ status: 'all', fields: ['title'] })
  ).data
  const placed: Property['location_status'] = (await client.get('X', { fields: ['location'] })).data
    .location_status
  for await (const { address } of client.listAll({ operation: 'rent' }))
    whole.push({ ...whole[0], address } as Property)
  for await (const change of client.changes({ fields: ['price'] }))
    if (change.type === 'upserted')
      named.push({ id: change.property.id, title: change.property.price.currency })
  // @ts-expect-error A field that was not requested.
  void (await client.list({ fields: ['title'] })).data[0]?.price
  const tried: string | null = (await client.create({}, { dryRun: true })).data.id
  const writes: number = (await client.batch([], { dryRun: true })).cost.writes
  void [tried, writes]
  // @ts-expect-error Deletions have no dry run.
  await client.delete('X', { dryRun: true })
  void placed
}
