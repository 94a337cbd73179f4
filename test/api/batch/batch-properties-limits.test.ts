/**
 * `POST /properties/batch` (api.md 16.4): each item counts as one write, whether it fails or not. A limit that runs out on the way fails
 * only the items over it.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Ask, photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, leavingNothing, refused, usageOf } from '../../support/app/listings.ts'
import { forward, toNext } from '../../support/moments.ts'
import { type Result, resultsOf, summaryOf } from '../support/batch-results.ts'

let t: TestApp
let key = ''
before(async () => {
  t = await testApp({
    limits: {
      writes_per_minute: 10,
      writes_per_day: 25,
      new_listings_per_hour: 3,
      photos_per_day: 6,
      state_changes_per_day: 6,
      disables_per_day: 2,
      enables_per_day: 2,
    },
  })
})
after(() => t.close())
beforeEach(async () => {
  await toNext(t, 'day')
  key = (await t.newAgency()).writeKey
})

const send = (items: unknown, ask: Ask = {}) =>
  t.ask('POST', '/properties/batch', { key, body: { items }, ...ask })
/** Items that change nothing. */
const missing = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ external_id: `none-${index}`, action: 'delete' }))
const writes = async () => {
  const usage = await usageOf(t, key)
  assert.equal(usage.writes_per_minute.used, usage.writes_per_day.used)
  return usage.writes_per_minute.used
}

/** Asserts that a result is a 429 that names these limits. @returns the seconds to wait */
function limited(result: Result | undefined, ...names: string[]): number {
  const { code, message, retry_after: seconds } = result?.error ?? {}
  assert.deepEqual([result?.status, code], [429, 'rate_limited'])
  assert.deepEqual(String(message).match(/\w+_per_\w+/g), names)
  assert.ok(typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1)
  return seconds
}

describe('the writes of a batch', () => {
  test('count each item as one, failed items included, and the header has the remaining number', async () => {
    const response = await send([
      { external_id: 'one' },
      { external_id: 'two', title: '' },
      7,
      { external_id: 'three', action: 'nothing' },
      { external_id: 'four', action: 'delete' },
    ])
    assert.deepEqual(
      resultsOf(response).map(({ status }) => status),
      [201, 400, 400, 400, 404],
    )
    assert.equal(response.headers.get('x-ratelimit-limit'), '10')
    assert.equal(response.headers.get('x-ratelimit-remaining'), '5')
    assert.equal(await writes(), 5)
    assert.equal((await send(missing(1))).headers.get('x-ratelimit-remaining'), '4')
    assert.equal(await writes(), 6)
  })

  test('count one for a batch that is refused as a whole', async () => {
    refused(await send([]), 'invalid_parameter', 'items')
    refused(await send(missing(51)), 'invalid_parameter', 'items')
    refused(await send([{ external_id: 'a', photos: photoUrls(31) }, ...missing(3)]), 'too_many_photos')
    assert.equal(await writes(), 3)
  })

  test('fail the remaining items once they run out', async () => {
    await send(missing(4))
    const items = Array.from({ length: 9 }, (_, index) => ({
      external_id: `x-${index % 3}`,
      title: `${index}`,
    }))
    const response = await send(items)
    const results = resultsOf(response)
    assert.deepEqual(
      results.map(({ status }) => status),
      [201, 201, 201, 200, 200, 200, 429, 429, 429],
    )
    for (const result of results.slice(6)) {
      const seconds = limited(result, 'writes_per_minute')
      assert.ok(seconds <= 60)
      assert.equal(seconds, Number(response.headers.get('x-ratelimit-reset')))
    }
    assert.equal(response.headers.get('x-ratelimit-remaining'), '0')
    assert.equal(response.headers.get('retry-after'), null)
    const { body } = await t.ask('GET', '/properties/external/x-0', { key })
    assert.equal((body.data as Record<string, unknown>)['title'], '3')
    assert.equal(await writes(), 10)
  })

  test('fail an item over the limit without validating it', async () => {
    await send(missing(8))
    const results = resultsOf(
      await send([{ external_id: 'a' }, { external_id: 'b' }, { external_id: '' }, 'x']),
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      [201, 201, 429, 429],
    )
  })

  test('admit a batch while one is left', async () => {
    await send(missing(9))
    const results = resultsOf(await send(missing(3)))
    assert.deepEqual(
      results.map(({ status }) => status),
      [404, 429, 429],
    )
  })

  test('refuse the request when none are left, and it may be retried with its key', async () => {
    await send(missing(10))
    const headers = { 'idempotency-key': randomUUID() }
    const items = [{ external_id: 'later' }]
    const response = await leavingNothing(t, () => send(items, { headers }))
    const { retry_after: seconds } = refused(response, 'rate_limited')
    assert.equal(response.headers.get('retry-after'), String(seconds))
    forward(t, Number(seconds))
    assert.deepEqual(resultsOf(await send(items, { headers })).map(summaryOf), ['201'])
  })

  test('have a daily limit that works the same way and returns when it resets', async () => {
    for (const count of [10, 10]) {
      await send(missing(count))
      await toNext(t, 'minute')
    }
    const results = resultsOf(await send(missing(8)))
    assert.deepEqual(
      results.map(({ status }) => status),
      [404, 404, 404, 404, 404, 429, 429, 429],
    )
    assert.ok(limited(results[5], 'writes_per_day') > 80_000)
    await toNext(t, 'minute')
    refused(await send(missing(1)), 'rate_limited')
  })

  test('count one for a replay, which repeats the errors', async () => {
    await send(missing(5))
    const headers = { 'idempotency-key': randomUUID() }
    const first = await send(missing(7), { headers })
    await toNext(t, 'minute')
    const replay = await send(missing(7), { headers })
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
    assert.equal(replay.text, first.text)
    assert.equal(replay.headers.get('x-ratelimit-remaining'), '9')
    assert.equal((await usageOf(t, key)).writes_per_minute.used, 1)
  })

  test('are shared exactly by two concurrent batches', async () => {
    const responses = await Promise.all([send(missing(8)), send(missing(8)), send(missing(8))])
    const granted = responses
      .filter(({ status }) => status === 200)
      .flatMap((response) => resultsOf(response).filter(({ status }) => status === 404))
    assert.equal(granted.length, 10)
    assert.equal(await writes(), 10)
  })
})

describe('the other limits of a batch', () => {
  test('new listings count only when created, in order', async () => {
    const results = resultsOf(
      await send([
        { external_id: 'n1' },
        { external_id: 'n1', title: 'Igual' },
        { external_id: 'n2', title: '' },
        { external_id: 'n2', action: 'create' },
        { external_id: 'n2', action: 'create' },
        { external_id: 'n3', status: 'published' },
        { external_id: 'n4' },
        { external_id: 'n5' },
        { external_id: 'n4', action: 'delete' },
        { external_id: 'n4' },
      ]),
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      [201, 200, 400, 201, 409, 422, 201, 429, 200, 429],
    )
    limited(results[7], 'new_listings_per_hour')
    assert.equal((await usageOf(t, key)).new_listings_per_hour.used, 3)
  })

  test('state changes of one listing count', async () => {
    const external_id = 'states'
    accepted(await t.ask('POST', '/properties', { key, body: publishable({ external_id }) }), 201)
    const change = (action: string) => ({ external_id, action })
    const results = resultsOf(
      await send([
        change('disable'),
        change('disable'),
        change('enable'),
        change('disable'),
        change('enable'),
        change('disable'),
        change('enable'),
        change('delete'),
      ]),
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429, 200, 200],
    )
    assert.ok(limited(results[5], 'disables_per_day') > 86_000)
  })

  test('photos of the agency count', async () => {
    const results = resultsOf(
      await send([
        { external_id: 'p1', photos: photoUrls(7) },
        { external_id: 'p2' },
        { external_id: 'p3', photos: ['http://plain.example/1.jpg'] },
        { external_id: 'p4', photos: photoUrls(6) },
      ]),
    )
    assert.deepEqual(results.map(summaryOf), [
      '429 rate_limited',
      '201',
      '400 invalid_parameter items[2].photos[0]',
      '201',
    ])
    limited(results[0], 'photos_per_day')
    assert.equal((await usageOf(t, key)).photos_per_day.used, 6)
  })
})
