/**
 * Requests without a valid key (api.md 6.5): exactly 600 a minute in total and 60 per IP, over instances and restarts. They get 401
 * until the limit is reached, then 429.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { readConfig } from '../../src/platform/config/config.ts'
import { revokeKey } from '../../src/access/keys/keys.ts'
import { reapSubjects } from '../../src/limits/counters.ts'
import { type ApiResponse, type Ask, type TestApp, testApp } from '../support/app/app.ts'
import { atOnce, refused, tally } from '../support/app/listings.ts'
import { secondApp } from '../support/app/second-app.ts'
import { forward, now, toNext } from '../support/moments.ts'

/** The limits per minute, in total and per IP: lower than the service's own, so that they are used up quickly. */
const together = 240
const each = 24
const limits = { keyless_per_minute: together, keyless_per_address_per_minute: each }

let t: TestApp
before(async () => {
  t = await testApp({ limits, env: { TRUST_PROXY: 'true' } })
})
after(() => t.close())
beforeEach(() => toNext(t, 'minute'))

/** Sends a request from an IP, without a key. */
const from = (
  ip: string,
  { ask = t.ask, path = '/me', ...more }: Ask & { ask?: TestApp['ask']; path?: string } = {},
) => ask('GET', path, { key: null, ...more, headers: { 'x-forwarded-for': ip, ...more.headers } })

/** Checks that a response is a 429 that names these limits. @returns its Retry-After */
function limited(response: ApiResponse, ...names: string[]): number {
  const error = refused(response, 'rate_limited') as { message: string; retry_after: number }
  assert.deepEqual(error.message.match(/keyless\w+/g), names)
  const seconds = Number(response.headers.get('retry-after'))
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, String(seconds))
  assert.equal(error.retry_after, seconds)
  assert.equal(response.headers.get('x-ratelimit-limit'), null)
  return seconds
}

describe('an IP without a valid key', () => {
  test('gets 401 up to its limit per minute, and then waits for the next minute', async () => {
    for (let count = 0; count < each; count += 1) refused(await from('192.0.2.1'), 'missing_api_key')
    const response = await from('192.0.2.1')
    const seconds = limited(response, 'keyless_per_address_per_minute')
    assert.equal(response.headers.get('www-authenticate'), null)
    const end = Math.ceil((await now(t)) / 60_000) * 60_000
    const retryAt = (await now(t)) + seconds * 1000
    assert.ok(retryAt >= end && retryAt < end + 2000)
    forward(t, seconds - 5)
    limited(await from('192.0.2.1'), 'keyless_per_address_per_minute')
    forward(t, 5)
    refused(await from('192.0.2.1'), 'missing_api_key')
  })

  test('gets exactly its limit of concurrent requests', async () => {
    const responses = await atOnce(100, () => from('192.0.2.1'))
    assert.deepEqual(tally(responses), { 401: each, 429: 100 - each })
  })

  test('gets exactly its limit of concurrent requests over two instances, and nothing more after a restart', async () => {
    const second = await secondApp(t)
    const responses = await atOnce(100, (index) =>
      from('192.0.2.1', { ask: index % 2 === 0 ? t.ask : second.ask }),
    )
    assert.deepEqual(tally(responses), { 401: each, 429: 100 - each })
    await second.close()
    const third = await secondApp(t)
    limited(await from('192.0.2.1', { ask: third.ask }), 'keyless_per_address_per_minute')
    await third.close()
  })

  test('has one limit for all kinds of invalid keys', async () => {
    const gone = await t.newKey(t.agency.id)
    await revokeKey(t.deps.db, t.agency.id, gone.id, t.clock)
    const expires_at = new Date((await now(t)) + 1000).toISOString()
    const old = await t.newKey(t.agency.id, { expires_at })
    await toNext(t, 'minute')
    const kinds: readonly (readonly [string, Ask])[] = [
      ['missing_api_key', {}],
      ['invalid_api_key', { key: 'nonsense' }],
      ['invalid_api_key', { key: `${t.readKey.slice(0, -1)}${t.readKey.endsWith('a') ? 'b' : 'a'}` }],
      ['invalid_api_key', { key: t.readKey, headers: { authorization: `Bearer ${t.writeKey}` } }],
      ['revoked_api_key', { key: gone.key }],
      ['expired_api_key', { key: old.key }],
    ]
    for (let round = 0; round < each / kinds.length; round += 1) {
      for (const [code, ask] of kinds) refused(await from('192.0.2.2', ask), code as 'missing_api_key')
    }
    for (const [, ask] of kinds) limited(await from('192.0.2.2', ask), 'keyless_per_address_per_minute')
  })

  test('has one limit for all operations that need a key', async () => {
    const ask = (method: string, path: string) =>
      t.ask(method, path, { key: null, headers: { 'x-forwarded-for': '192.0.2.3' } })
    for (let round = 0; round < each / 4; round += 1) {
      for (const [method, path] of [
        ['GET', '/me'],
        ['HEAD', '/properties'],
        ['POST', '/properties/batch'],
        ['DELETE', '/properties/ZZZZ9999'],
      ] as const)
        assert.equal((await ask(method, path)).status, 401)
    }
    for (const path of ['/me', '/properties', '/properties/ZZZZ9999'])
      limited(await ask('GET', path), 'keyless_per_address_per_minute')
  })

  test('can still use one after exhausting its limit, and is not charged for that', async () => {
    await atOnce(each + 1, () => from('192.0.2.4'))
    for (let count = 0; count < each + 10; count += 1)
      assert.equal((await from('192.0.2.4', { key: t.readKey })).status, 200)
    const responses = await atOnce(each + 10, () => from('192.0.2.5', { key: t.readKey }))
    assert.deepEqual(tally(responses), { 200: each + 10 })
    refused(await from('192.0.2.5'), 'missing_api_key')
  })

  test('is not charged for requests that need no key or match no route', async () => {
    for (let round = 0; round < each / 2; round += 1) {
      for (const path of ['/', '', '/health', '/openapi.json', '/nothing'])
        assert.notEqual((await from('192.0.2.6', { path })).status, 429)
      assert.equal(
        (await t.ask('PUT', '/me', { key: null, headers: { 'x-forwarded-for': '192.0.2.6' } })).status,
        405,
      )
    }
    const responses = await atOnce(each + 1, () => from('192.0.2.6'))
    assert.deepEqual(tally(responses), { 401: each, 429: 1 })
  })

  test('is not charged for a key that lacks permission', async () => {
    for (let round = 0; round < each + 10; round += 1) {
      const response = await t.ask('DELETE', '/properties/ZZZZ9999', {
        key: t.readKey,
        headers: { 'x-forwarded-for': '192.0.2.7' },
      })
      refused(response, 'insufficient_scope')
    }
    refused(await from('192.0.2.7'), 'missing_api_key')
  })
})

describe('the IP of a request', () => {
  const uses = async (address: string, count = each) =>
    assert.deepEqual(tally(await atOnce(count, () => from(address))), { 401: count })

  test('from an IPv6 client is its /64', async () => {
    await uses('2001:db8:1:2::1')
    for (const same of ['2001:db8:1:2::2', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002:0:0:0:1'])
      limited(await from(same), 'keyless_per_address_per_minute')
    for (const other of ['2001:db8:1:3::1', '2001:db8:1:1:ffff::', '2001:db9:1:2::1', '::1'])
      refused(await from(other), 'missing_api_key')
  })

  test('from an IPv4 client is its own, also when mapped into IPv6', async () => {
    await uses('198.51.100.7')
    limited(await from('::ffff:198.51.100.7'), 'keyless_per_address_per_minute')
    limited(await from('::ffff:c633:6407'), 'keyless_per_address_per_minute')
    refused(await from('198.51.100.8'), 'missing_api_key')
    refused(await from('::ffff:198.51.100.9'), 'missing_api_key')
  })

  test('is the same with the port that some proxies append', async () => {
    await uses('198.51.100.20:4711')
    limited(await from('198.51.100.20:4712'), 'keyless_per_address_per_minute')
    limited(await from('198.51.100.20'), 'keyless_per_address_per_minute')
    refused(await from('198.51.100.21:4711'), 'missing_api_key')
    await uses('[2001:db8:7:7::1]:443')
    limited(await from('2001:db8:7:7::2'), 'keyless_per_address_per_minute')
  })

  test('shares one counter with all others if it is invalid', async () => {
    await uses('nonsense')
    for (const none of ['unknown', "'; drop table keyless_usage; --", '999.1.1.1', '_hidden'])
      limited(await from(none), 'keyless_per_address_per_minute')
    refused(await from('198.51.100.10'), 'missing_api_key')
  })

  test('is the connection’s where no proxy is trusted, whatever the headers claim', async (context) => {
    const plain = await testApp({ limits })
    context.after(() => plain.close())
    await toNext(plain, 'minute')
    const claims = await atOnce(each + 10, (index) => from(`203.0.113.${index}`, { ask: plain.ask }))
    assert.deepEqual(tally(claims), { 401: each, 429: 10 })
  })

  test('is the one before the trusted proxies, whatever precedes it', async (context) => {
    const nearest: readonly (readonly [setting: string, forwarded: (index: number) => string])[] = [
      ['1', (index) => `203.0.113.${index}, 198.51.100.1`],
      ['loopback', (index) => `203.0.113.${index}, 198.51.100.1`],
      ['loopback,10.0.0.0/8', (index) => `203.0.113.${index}, 198.51.100.1, 10.1.2.3`],
      ['2', (index) => `203.0.113.${index}, 198.51.100.1, 10.1.2.3`],
    ]
    for (const [setting, forwarded] of nearest) {
      const behind = await testApp({ limits, env: { TRUST_PROXY: setting } })
      context.after(() => behind.close())
      await toNext(behind, 'minute')
      const same = await atOnce(each + 1, (index) => from(forwarded(index), { ask: behind.ask }))
      assert.deepEqual(tally(same), { 401: each, 429: 1 }, setting)
      const another = forwarded(1).replace('198.51.100.1', '198.51.100.2')
      refused(await from(another, { ask: behind.ask }), 'missing_api_key')
    }
  })
})

describe('all IPs together', () => {
  const address = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`

  test('get exactly their total each minute', async () => {
    const responses = await atOnce(together + 50, (index) => from(address(index)))
    assert.deepEqual(tally(responses), { 401: together, 429: 50 })
    const seconds = limited(await from('192.0.2.99'), 'keyless_per_minute')
    assert.equal((await from('192.0.2.99', { key: t.readKey })).status, 200)
    forward(t, seconds)
    refused(await from('192.0.2.99'), 'missing_api_key')
  })

  test('lose nothing to one IP that keeps sending requests', async () => {
    await atOnce(5 * each, () => from('192.0.2.1'))
    const responses = await atOnce(together - each + 20, (index) => from(address(index)))
    assert.deepEqual(tally(responses), { 401: together - each, 429: 20 })
  })

  test('are named by their limit and that of one IP when both are exhausted', async () => {
    await atOnce(each, () => from('192.0.2.1'))
    await atOnce(together - each, (index) => from(address(index)))
    for (let times = 0; times < 2; times += 1)
      limited(await from('192.0.2.1'), 'keyless_per_address_per_minute', 'keyless_per_minute')
  })

  test('are counted over two instances', async () => {
    const second = await secondApp(t)
    const responses = await atOnce(together + 20, (index) =>
      from(address(index), { ask: index % 2 === 0 ? t.ask : second.ask }),
    )
    await second.close()
    assert.deepEqual(tally(responses), { 401: together, 429: 20 })
  })
})

test('counters of IPs that were not seen for an hour are deleted, and no others', async () => {
  const known = async () => {
    const { rows } = await sql<{ subject: string }>`select subject from subject_usage`.execute(t.deps.db)
    return new Set(rows.map(({ subject }) => subject))
  }
  await from('192.0.2.201')
  forward(t, 3000)
  await from('192.0.2.202')
  await reapSubjects(t.deps.db, 100_000, t.clock)
  assert.ok((await known()).has('192.0.2.201'))
  forward(t, 700)
  await reapSubjects(t.deps.db, 100_000, t.clock)
  const left = await known()
  assert.deepEqual([left.has('192.0.2.201'), left.has('192.0.2.202')], [false, true])
})

test('the service allows 600 keyless requests in total and 60 per IP', () => {
  const { keyless_per_minute, keyless_per_address_per_minute } = readConfig({}).limits
  assert.deepEqual([keyless_per_minute.max, keyless_per_address_per_minute.max], [600, 60])
})

test('the limits of keyless requests are settings, and may be zero', async (context) => {
  const closed = await testApp({ limits: { keyless_per_minute: 0 } })
  context.after(() => closed.close())
  limited(await closed.ask('GET', '/me', { key: null }), 'keyless_per_minute')
  limited(await closed.ask('GET', '/me', { key: randomUUID() }), 'keyless_per_minute')
  assert.equal((await closed.ask('GET', '/me')).status, 200)
})
