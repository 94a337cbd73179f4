/**
 * CORS (api.md 2.6, 2.7): no headers by default, only origins on the key's list, and which response headers scripts may read.
 * Preflights are in preflight.test.ts.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  everywhere,
  keyFor,
  probe,
  refusedWhole,
  type Subject,
  subjects,
} from '../../api/support/every-endpoint.ts'
import { type ApiResponse, type TestApp, testApp } from '../../support/app/app.ts'
import { published, refused } from '../../support/app/listings.ts'
import { rawRequest } from '../../support/network/raw-http.ts'
import { corsOf, exposedHeaders } from './browser-requests.ts'
import { isInvalid, sendSigned, sendWire, signedHeaders, stamp } from './signed-requests.ts'

const site = 'https://www.acme.example'
const sites = [site, 'https://acme.example', 'https://acme.example:8443', 'https://xn--and-6ma2c.example']

let t: TestApp
let all: Subject[]
let keyed: Subject[]
let key = ''

before(async () => {
  t = await testApp()
  const listing = await published(t, { external_id: 'cors-1' })
  all = subjects({ id: listing.id, external_id: 'cors-1' })
  keyed = all.filter(({ endpoint }) => endpoint.scope !== 'none')
  key = (await t.newKey(t.agency.id, { allowed_origins: sites })).key
})
after(() => t.close())

const from = (origin: string, path = '/properties', held: string = key) =>
  t.ask('GET', path, { key: held, headers: { origin } })

/** Asserts that scripts of the origin, and of no other, may read the response. */
function isGranted({ headers }: Pick<ApiResponse, 'headers'>, origin: string): void {
  assert.deepEqual(corsOf(headers), {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders.join(', '),
  })
  assert.equal(headers.get('vary'), 'Origin')
}

describe('without an Origin', () => {
  test('no endpoint sends a CORS header, whatever the key lists, except those open to all', async () => {
    const open = new Set(['/health', '/openapi.json'])
    await everywhere(all, async (subject) => {
      for (const held of [keyFor(t, subject), key]) {
        const { headers } = await probe(t, subject, { key: held })
        assert.equal(Object.keys(corsOf(headers)).length > 0, open.has(subject.path))
      }
    })
  })

  test('a response to a key with origins has Vary: Origin, so that no cache mixes them up', async () => {
    assert.equal((await t.ask('GET', '/properties', { key })).headers.get('vary'), 'Origin')
    assert.equal((await t.ask('GET', '/properties', { key: t.readKey })).headers.get('vary'), null)
  })
})

describe('an Origin on the list of the key', () => {
  test('allows every read, and no write', async () => {
    await everywhere(keyed, async (subject) => {
      const response = await probe(t, subject, { key, headers: { origin: site } })
      isGranted(response, site)
      if (subject.writes) refusedWhole(response, subject, 'insufficient_scope')
      else refusedWhole(response, subject, 'invalid_parameter', 'unknown_parameter')
    })
  })

  test('gets itself as the allowed origin, whichever of several it is', async () => {
    for (const origin of sites) {
      const response = await from(origin)
      assert.equal(response.status, 200)
      isGranted(response, origin)
    }
  })

  test('can read HEAD, 304 and every exposed header', async () => {
    const response = await from(site)
    isGranted(await t.ask('HEAD', '/properties', { key, headers: { origin: site } }), site)
    const etag = response.headers.get('etag') ?? ''
    const unchanged = await t.ask('GET', '/properties', {
      key,
      headers: { origin: site, 'if-none-match': etag },
    })
    assert.equal(unchanged.status, 304)
    isGranted(unchanged, site)
    const sent = exposedHeaders.filter((name) => response.headers.has(name))
    assert.deepEqual(
      exposedHeaders.filter((name) => !sent.includes(name)),
      ['Retry-After', 'Idempotent-Replayed'],
    )
  })

  test('can read errors: 400, 403, 404, 429', async (context) => {
    const tight = await testApp({ limits: { reads_per_minute: 3 } })
    context.after(() => tight.close())
    const own = await tight.newKey(tight.agency.id, { allowed_origins: [site] })
    const ask = (method: string, path: string) =>
      tight.ask(method, path, { key: own.key, headers: { origin: site } })
    const responses = [
      await ask('GET', '/properties?x=1'),
      await ask('GET', '/properties?status=draft'),
      await ask('GET', '/properties/ZZZZ9999'),
      await ask('GET', '/me'),
      await ask('GET', '/me'),
      await ask('DELETE', '/properties/ZZZZ9999'),
    ]
    assert.deepEqual(
      responses.map(({ status }) => status),
      [400, 403, 404, 200, 429, 403],
    )
    for (const response of responses) isGranted(response, site)
    assert.ok(Number(responses[4]?.headers.get('retry-after')) >= 1)
  })

  test('can read the 401 of a wrong signature', async () => {
    const signing = await t.newKey(t.agency.id, { allowed_origins: [site], signature_required: true })
    const wire = { method: 'GET', path: '/api/v1/properties' }
    const told = await sendSigned(t, signing, wire, { headers: { origin: site } })
    assert.equal(told.status, 200)
    const headers = { ...signedHeaders('svc_sign_wrong', await stamp(t), wire), origin: site }
    const wrong = await sendWire(t.baseUrl, signing.key, wire, headers)
    isInvalid(wrong)
    assert.equal(wrong.headers['access-control-allow-origin'], site)
  })
})

describe('any other Origin', () => {
  const others = [
    'https://acme.example.evil.example',
    'https://evil.example',
    'https://w.acme.example',
    'https://WWW.acme.example',
    'HTTPS://www.acme.example',
    'http://www.acme.example',
    'https://www.acme.example:443',
    'https://acme.example:8444',
    'https://acme.example:84430',
    'https://www.acme.example/',
    'https://www.acme.example.',
    'https://ñandú.example',
    'www.acme.example',
    'null',
    '*',
    'https://*',
    `${site}, ${site}`,
    `${site} https://evil.example`,
    `${site}, https://evil.example`,
    'file://',
    'chrome-extension://abcdefghijklmnop',
  ]
  test('is refused without a CORS header, but with Vary', async () => {
    for (const origin of others) {
      const response = await from(Buffer.from(origin).toString('latin1'))
      refused(response, 'origin_not_allowed')
      assert.deepEqual(corsOf(response.headers), {}, origin)
      assert.equal(response.headers.get('vary'), 'Origin')
    }
  })

  test('is refused by every endpoint, for keys without origins and with write scope too', async () => {
    const leads = (await t.newKey(t.agency.id, { scopes: ['leads:read', 'properties:read'] })).key
    await everywhere(keyed, async (subject) => {
      for (const held of [key, t.readKey, t.writeKey, leads]) {
        const response = await probe(t, subject, { key: held, headers: { origin: 'https://evil.example' } })
        refusedWhole(response, subject, 'origin_not_allowed')
        assert.deepEqual(corsOf(response.headers), {})
      }
    })
  })

  test('is refused if only another key lists it, of this agency or another', async () => {
    const own = (await t.newKey(t.agency.id, { allowed_origins: ['https://a.example'] })).key
    const foreign = (await t.newKey(t.other.agency.id, { allowed_origins: ['https://b.example'] })).key
    isGranted(await from('https://a.example', '/properties', own), 'https://a.example')
    isGranted(await from('https://b.example', '/properties', foreign), 'https://b.example')
    refused(await from('https://b.example', '/properties', own), 'origin_not_allowed')
    refused(await from('https://a.example', '/properties', foreign), 'origin_not_allowed')
  })

  test('may be empty, or sent twice', async () => {
    for (const origin of ['', ['', ''], [site, site], [site, 'https://evil.example']]) {
      const response = await rawRequest(t.baseUrl, {
        method: 'GET',
        path: '/api/v1/properties',
        headers: { 'x-api-key': key, origin },
      })
      assert.equal(response.status, 403, String(origin))
      assert.match(response.text, /"origin_not_allowed"/)
      assert.equal(response.headers['access-control-allow-origin'], undefined)
    }
  })

  test('gets a message for a key with a write scope that such keys do not work in browsers', async () => {
    const { message } = refused(await from(site, '/properties', t.writeKey), 'origin_not_allowed')
    assert.match(String(message), /write scope/)
  })

  test('is charged to no key', async () => {
    const own = (await t.newKey(t.agency.id, { allowed_origins: [site] })).key
    for (let round = 0; round < 5; round += 1) await from('https://evil.example', '/me', own)
    const response = await from(site, '/me', own)
    assert.equal(response.headers.get('x-ratelimit-remaining'), '999999')
  })
})

describe('an error before the key is known', () => {
  test('cannot be read by scripts: 401, 404, 405', async () => {
    const responses = [
      await from(site, '/properties', 'nonsense'),
      await t.ask('GET', '/properties', { key: null, headers: { origin: site } }),
      await from(site, '/nothing'),
      await t.ask('PUT', '/properties', { key, headers: { origin: site } }),
    ]
    assert.deepEqual(
      responses.map(({ status }) => status),
      [401, 401, 404, 405],
    )
    for (const { headers } of responses) assert.deepEqual(corsOf(headers), {})
  })
})

describe('a response open to all', () => {
  const anyone = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders.join(', '),
  }
  test('can be read from any site, with a key or without, errors too', async () => {
    for (const path of ['/health', '/openapi.json']) {
      for (const held of [null, key, t.writeKey, 'nonsense']) {
        for (const origin of [site, 'https://evil.example', 'null']) {
          const response = await t.ask('GET', path, { key: held, headers: { origin } })
          assert.equal(response.status, 200)
          assert.deepEqual(corsOf(response.headers), anyone)
          const wrong = await t.ask('GET', `${path}?x=1`, { key: held, headers: { origin } })
          assert.equal(wrong.status, 400)
          assert.deepEqual(corsOf(wrong.headers), anyone)
        }
      }
    }
  })

  test('is never the root’s, which sends no CORS header', async () => {
    for (const origin of [site, 'https://evil.example']) {
      const response = await t.ask('GET', '/', { key: null, headers: { origin } })
      assert.equal(response.status, 200)
      assert.deepEqual(corsOf(response.headers), {})
    }
  })
})
