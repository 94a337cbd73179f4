/** `GET /me` (api.md 15.5): the key, its agency, the effective limits and their usage. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { defaultLimits } from '../../../src/limits/table.ts'
import { type TestApp, photoUrls, publishable, testApp } from '../../support/app/app.ts'
import { published, refused } from '../../support/app/listings.ts'

const names = [
  'reads_per_minute',
  'reads_per_day',
  'writes_per_minute',
  'writes_per_day',
  'new_listings_per_hour',
  'new_listings_per_day',
  'photos_per_day',
  'geocoding_per_minute',
  'geocoding_per_day',
]

type Me = {
  agency: Record<string, unknown>
  key: Record<string, unknown>
  limits: Record<string, { max: number; window_seconds: number | null }>
  usage: Record<string, { used: number; remaining: number; resets_at: string }>
}

let t: TestApp
before(async () => {
  // The default limits.
  t = await testApp({ env: { LIMITS: '{}' } })
})
// A minute has just begun, so that no window ends during a test.
beforeEach(() => {
  t.clock.offsetMs = 60_000 - (Date.now() % 60_000)
})
after(() => t.close())

async function me(key: string): Promise<Me> {
  const { status, body, text } = await t.ask('GET', '/me', { key })
  assert.equal(status, 200, text)
  assert.ok(!text.includes(key), 'the key itself is shown')
  assert.deepEqual(Object.keys(body), ['data'])
  return body.data as unknown as Me
}

const used = async (key: string) => {
  const { usage } = await me(key)
  return Object.fromEntries(Object.entries(usage).map(([name, window]) => [name, window.used]))
}

test('/me shows the agency and the key', async () => {
  const made = await t.newKey(t.agency.id, { name: 'Sitio web', allowed_origins: ['https://agency.example'] })
  const { agency, key } = await me(made.key)
  assert.deepEqual(agency, {
    id: t.agency.id,
    name: t.agency.name,
    slug: t.agency.slug,
    url: `https://listings.test/inmobiliarias/${t.agency.slug}`,
    status: 'active',
    test: false,
  })
  const { created_at, ...rest } = key
  assert.deepEqual(rest, {
    id: made.id,
    name: 'Sitio web',
    prefix: made.key.slice(0, 'svc_live_'.length + 4),
    test: false,
    scopes: ['properties:read'],
    expires_at: null,
    signature_required: false,
    allowed_origins: ['https://agency.example'],
  })
  assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('/me shows scopes and expiry of keys with write or leads scopes as well', async () => {
  const year = (await me(t.writeKey)).key
  assert.deepEqual(year['scopes'], ['properties:read', 'properties:write'])
  const lifetimeMs = Date.parse(String(year['expires_at'])) - Date.parse(String(year['created_at']))
  assert.ok(lifetimeMs === 365 * 86_400_000 || lifetimeMs === 366 * 86_400_000, String(lifetimeMs))
  const leads = await t.newKey(t.agency.id, { scopes: ['properties:read', 'leads:read'] })
  const { scopes, expires_at } = (await me(leads.key)).key
  assert.deepEqual([scopes, expires_at], [['properties:read', 'leads:read'], leads.expires_at])
})

test('/me accepts any key except one with leads scopes only', async () => {
  await me(t.readKey)
  await me(t.writeKey)
  const { key } = await t.newKey(t.agency.id, { scopes: ['leads:read'] })
  refused(await t.ask('GET', '/me', { key }), 'insufficient_scope')
})

test('/me shows every limit of docs/api.md', async () => {
  const { limits, usage } = await me(t.readKey)
  assert.deepEqual(Object.keys(usage), names)
  const windows = Object.fromEntries(
    Object.entries(limits).map(([name, { max, window_seconds }]) => [name, [max, window_seconds]]),
  )
  const expected = {
    reads_per_minute: [60, 60],
    reads_per_day: [10_000, 86_400],
    writes_per_minute: [60, 60],
    writes_per_day: [2_000, 86_400],
    new_listings_per_hour: [20, 3_600],
    new_listings_per_day: [100, 86_400],
    photos_per_day: [300, 86_400],
    geocoding_per_minute: [5, 60],
    geocoding_per_day: [200, 86_400],
    state_changes_per_day: [6, 86_400],
    disables_per_day: [2, 86_400],
    enables_per_day: [2, 86_400],
  }
  for (const [name, window] of Object.entries(expected)) assert.deepEqual(windows[name], window, name)
  const sizes = Object.values(windows)
    .filter(([, seconds]) => seconds === null)
    .map(([max]) => max)
  for (const size of [262_144, 1_048_576, 50, 30, 3, 10_485_760, 200, 5])
    assert.ok(sizes.includes(size), String(size))
  // These apply to requests without a key, to public pages and to the dashboard.
  const others =
    /^(keyless|sign_ins|second_steps|resets|test_resets|saves|slug_changes|map_tiles|pages|invitations|enquiries)_/
  assert.deepEqual(
    Object.keys(defaultLimits).filter((name) => !(name in limits) && !others.test(name)),
    [],
  )
})

test('/me shows the limits that the operator has set', async () => {
  const own = await testApp({ limits: { reads_per_minute: 7, photos_per_day: 0 } })
  try {
    const { body, headers } = await own.ask('GET', '/me', { key: own.readKey })
    const { limits, usage } = body.data as unknown as Me
    assert.deepEqual(limits['reads_per_minute'], { max: 7, window_seconds: 60, until: null })
    assert.deepEqual([usage['reads_per_minute']?.used, usage['reads_per_minute']?.remaining], [1, 6])
    assert.equal(usage['photos_per_day']?.remaining, 0)
    assert.deepEqual([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')], ['7', '6'])
  } finally {
    await own.close()
  }
})

test('every success, including /me, has the remaining requests of the minute', async () => {
  const { readKey, writeKey } = await t.newAgency()
  const asked: [method: string, path: string, key: string, remaining: number][] = [
    ['GET', '/me', readKey, 59],
    ['HEAD', '/me', readKey, 58],
    ['GET', '/properties', readKey, 57],
    ['POST', '/properties', writeKey, 59],
    ['GET', '/properties', writeKey, 59],
  ]
  for (const [method, path, key, remaining] of asked) {
    const { headers } = await t.ask(method, path, {
      key,
      ...(method === 'POST' ? { body: { title: 'Borrador' } } : {}),
    })
    assert.equal(headers.get('x-ratelimit-limit'), '60')
    assert.equal(headers.get('x-ratelimit-remaining'), String(remaining), `${method} ${path}`)
    const reset = Number(headers.get('x-ratelimit-reset'))
    assert.ok(Number.isInteger(reset) && reset >= 1 && reset <= 60, String(reset))
  }
})

describe('the usage in /me', () => {
  test('counts this read, others and HEAD as one each, including responses of 304 and 400', async () => {
    const { readKey } = await t.newAgency()
    assert.deepEqual(await used(readKey), {
      ...Object.fromEntries(names.map((name) => [name, 0])),
      reads_per_minute: 1,
      reads_per_day: 1,
    })
    const etag = (await t.ask('GET', '/properties', { key: readKey })).headers.get('etag') ?? ''
    await t.ask('HEAD', '/properties', { key: readKey })
    assert.equal(
      (await t.ask('GET', '/properties', { key: readKey, headers: { 'if-none-match': etag } })).status,
      304,
    )
    refused(await t.ask('GET', '/properties?page=0', { key: readKey }), 'invalid_parameter', 'page')
    refused(await t.ask('GET', '/properties/ZZZZZZZZ', { key: readKey }), 'not_found')
    const { reads_per_minute, reads_per_day } = await used(readKey)
    assert.deepEqual([reads_per_minute, reads_per_day], [7, 7])
  })

  test('does not count requests refused for scope, origin, method or path', async () => {
    const { readKey } = await t.newAgency()
    refused(await t.ask('POST', '/properties', { key: readKey, body: {} }), 'insufficient_scope')
    refused(
      await t.ask('GET', '/me', { key: readKey, headers: { origin: 'https://x.example' } }),
      'origin_not_allowed',
    )
    refused(await t.ask('PUT', '/me', { key: readKey, body: {} }), 'method_not_allowed')
    refused(await t.ask('GET', '/nothing', { key: readKey }), 'not_found')
    for (const path of ['/', '/health', '/openapi.json']) await t.ask('GET', path, { key: readKey })
    const { reads_per_day, writes_per_day } = await used(readKey)
    assert.deepEqual([reads_per_day, writes_per_day], [1, 0])
  })

  test('is per key for reads and writes, per agency for listings and photos', async () => {
    const own = await t.newAgency()
    const second = await t.newKey(own.agency.id, { scopes: ['properties:write'] })
    const create = (body: unknown) => t.ask('POST', '/properties', { key: own.writeKey, body })
    assert.equal((await create({ title: 'Borrador' })).status, 201)
    assert.equal((await create(publishable({ photos: photoUrls(4) }))).status, 201)
    refused(await create({ title: '' }), 'invalid_parameter', 'title')
    const expected = {
      writes_per_minute: 3,
      writes_per_day: 3,
      new_listings_per_hour: 2,
      new_listings_per_day: 2,
      photos_per_day: 4,
    }
    const first = await used(own.writeKey)
    for (const [name, count] of Object.entries(expected)) assert.equal(first[name], count, name)
    const other = await used(second.key)
    assert.deepEqual(
      [
        other['writes_per_day'],
        other['reads_per_day'],
        other['new_listings_per_day'],
        other['photos_per_day'],
      ],
      [0, 1, 2, 4],
    )
    assert.equal((await used(t.other.readKey))['new_listings_per_day'], 0)
  })

  test('adds up with remaining, and resets with its window', async () => {
    const { writeKey } = await t.newAgency()
    await published({ ...t, ask: (method, path, ask = {}) => t.ask(method, path, { key: writeKey, ...ask }) })
    const before = await me(writeKey)
    for (const [name, { used: count, remaining, resets_at }] of Object.entries(before.usage)) {
      const { max, window_seconds: seconds } = before.limits[name] ?? assert.fail(name)
      assert.equal(count + remaining, max, name)
      const leftMs = Date.parse(resets_at) - (Date.now() + t.clock.offsetMs)
      assert.ok(leftMs > 0 && leftMs <= (seconds ?? 0) * 1000, `${name} ${leftMs}`)
      assert.equal(Date.parse(resets_at) % ((seconds ?? 1) * 1000), 0, `${name} is aligned to UTC`)
    }
    assert.equal(before.usage['new_listings_per_hour']?.used, 1)
    // The next day, the whole limit is available again.
    t.clock.offsetMs += 86_400_000
    assert.deepEqual(await used(writeKey), {
      ...Object.fromEntries(names.map((name) => [name, 0])),
      reads_per_minute: 1,
      reads_per_day: 1,
    })
  })
})
