/**
 * Preflights (api.md 2.7): they carry no key, so they are granted to the origins of all active keys. The request itself is checked
 * against its own key.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setAgencyActive } from '../../../src/agencies/agencies.ts'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { type Subject, subjects } from '../../api/support/every-endpoint.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { published } from '../../support/app/listings.ts'
import { rawRequest } from '../../support/network/raw-http.ts'
import { secondApp } from '../../support/app/second-app.ts'

const site = 'https://www.acme.example'
let t: TestApp
let paths: Map<string, { methods: string[]; of: Subject }>

before(async () => {
  t = await testApp()
  const listing = await published(t, { external_id: 'cors-1' })
  paths = new Map()
  for (const subject of subjects({ id: listing.id, external_id: 'cors-1' })) {
    const { method } = subject.endpoint
    const known = paths.get(subject.path) ?? { methods: [], of: subject }
    known.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    paths.set(subject.path, known)
  }
  await t.newKey(t.agency.id, { allowed_origins: ['https://acme.example', site] })
})
after(() => t.close())

async function preflight(
  origin: string,
  path = '/properties',
  {
    baseUrl = t.baseUrl,
    method = 'GET',
    headers = {},
  }: {
    baseUrl?: string
    method?: string
    headers?: Record<string, string>
  } = {},
) {
  const response = await rawRequest(baseUrl, {
    method: 'OPTIONS',
    path: `/api/v1${path}`,
    headers: {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'x-api-key',
      ...headers,
    },
  })
  assert.equal(response.text, '')
  assert.equal(response.status, 204)
  for (const name of ['x-request-id', 'x-svc-notice', 'link']) assert.ok(response.headers[name], name)
  const cors = Object.entries(response.headers).filter(([name]) => name.startsWith('access-control-'))
  return { ...response, cors: Object.fromEntries(cors) as Record<string, string> }
}

const isGranted = async (origin: string, baseUrl?: string) => {
  const { cors } = await preflight(origin, '/properties', baseUrl === undefined ? {} : { baseUrl })
  assert.ok(cors['access-control-allow-origin'] === origin || Object.keys(cors).length === 0)
  return cors['access-control-allow-origin'] === origin
}

describe('a preflight', () => {
  test('is granted on every path to an origin listed by a key, with the path’s methods and the headers of the API', async () => {
    for (const [path, { methods, of }] of paths) {
      const { cors, headers } = await preflight(site, path)
      const isOpen = of.endpoint.kind === 'open' && of.endpoint.isOpenToBrowsers === true
      assert.equal(cors['access-control-allow-origin'], isOpen ? '*' : site, path)
      assert.deepEqual(cors['access-control-allow-methods']?.split(', ').sort(), methods.sort(), path)
      const allowed = cors['access-control-allow-headers']?.toLowerCase().split(', ') ?? []
      for (const name of [
        'authorization',
        'x-api-key',
        'content-type',
        'if-none-match',
        'if-match',
        'idempotency-key',
        'x-svc-timestamp',
        'x-svc-signature',
      ])
        assert.ok(allowed.includes(name), name)
      assert.equal(cors['access-control-allow-credentials'], undefined)
      assert.equal(headers['vary'], 'Origin')
    }
  })

  test('gets no CORS header for any other origin, except on paths open to all', async () => {
    for (const [path, { of }] of paths) {
      const { cors, headers } = await preflight('https://evil.example', path)
      if (of.endpoint.kind === 'open' && of.endpoint.isOpenToBrowsers === true)
        assert.equal(cors['access-control-allow-origin'], '*', path)
      else assert.deepEqual(cors, {}, path)
      assert.equal(headers['vary'], 'Origin')
    }
  })

  test('is granted at both paths of the root only to listed origins', async () => {
    for (const path of ['', '/']) {
      assert.deepEqual((await preflight('https://evil.example', path)).cors, {})
      assert.equal((await preflight(site, path)).cors['access-control-allow-origin'], site)
    }
  })

  test('compares origins exactly', async () => {
    for (const origin of ['https://acme.example', site]) assert.equal(await isGranted(origin), true, origin)
    for (const origin of [
      'https://WWW.acme.example',
      'http://www.acme.example',
      'https://www.acme.example:443',
      'https://www.acme.example/',
      'https://w.acme.example',
      'null',
      '*',
      '%',
      `${site}, https://acme.example`,
      "' or true --",
    ])
      assert.equal(await isGranted(origin), false, origin)
  })

  test('needs no key, and ignores one', async () => {
    const headers = { 'x-api-key': 'nonsense' }
    assert.equal(
      (await preflight(site, '/properties', { headers })).cors['access-control-allow-origin'],
      site,
    )
  })

  test('needs Origin and Access-Control-Request-Method, else 405', async () => {
    const incomplete: Record<string, string>[] = [
      {},
      { origin: site },
      { 'access-control-request-method': 'GET' },
    ]
    for (const headers of incomplete) {
      const response = await rawRequest(t.baseUrl, { method: 'OPTIONS', path: '/api/v1/properties', headers })
      assert.equal(response.status, 405)
      assert.equal(response.headers.allow, 'GET, HEAD, POST')
      assert.equal(response.headers['access-control-allow-origin'], undefined)
    }
  })

  test('of an unknown path is 404', async () => {
    const headers = { origin: site, 'access-control-request-method': 'GET' }
    for (const path of ['/nothing', '/properties/', '/properties/a/b'])
      assert.equal(
        (await rawRequest(t.baseUrl, { method: 'OPTIONS', path: `/api/v1${path}`, headers })).status,
        404,
      )
  })
})

describe('an origin listed by an active key', () => {
  test('is granted until the key is revoked, on every instance', async (context) => {
    const second = await secondApp(t)
    context.after(() => second.close())
    const origin = 'https://revoked.example'
    assert.equal(await isGranted(origin), false)
    const one = await t.newKey(t.agency.id, { allowed_origins: [origin] })
    const other = await t.newKey(t.other.agency.id, { allowed_origins: ['https://x.example', origin] })
    assert.deepEqual([await isGranted(origin), await isGranted(origin, second.baseUrl)], [true, true])
    await revokeKey(t.deps.db, t.agency.id, one.id, t.clock)
    assert.equal(await isGranted(origin), true)
    await revokeKey(t.deps.db, t.other.agency.id, other.id, t.clock)
    assert.deepEqual([await isGranted(origin), await isGranted(origin, second.baseUrl)], [false, false])
  })

  test('is granted until the key has expired', async () => {
    const origin = 'https://expired.example'
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await t.newKey(t.agency.id, { allowed_origins: [origin], expires_at })
    assert.equal(await isGranted(origin), true)
    t.clock.offsetMs = 3_601_000
    try {
      assert.equal(await isGranted(origin), false)
    } finally {
      t.clock.offsetMs = 0
    }
  })

  test('is not granted while the key’s agency is inactive', async () => {
    const { agency } = await t.newAgency()
    const origin = 'https://idle.example'
    await t.newKey(agency.id, { allowed_origins: [origin] })
    assert.equal(await isGranted(origin), true)
    await setAgencyActive(t.deps.db, agency.slug, false, t.clock)
    assert.equal(await isGranted(origin), false)
    await setAgencyActive(t.deps.db, agency.slug, true, t.clock)
    assert.equal(await isGranted(origin), true)
  })
})
