/** The headers of signed requests (api.md 3), and the signature's position in the order of checks. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setAgencyActive } from '../../../src/agencies/agencies.ts'
import { type NewKey, revokeKey } from '../../../src/access/keys/keys.ts'
import { toNext } from '../../support/moments.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { refused } from '../../support/app/listings.ts'
import {
  isInvalid,
  sendSigned,
  sendWire,
  signature,
  signedHeaders,
  stamp,
  type Wire,
} from './signed-requests.ts'

let t: TestApp
let key: NewKey
const list: Wire = { method: 'GET', path: '/api/v1/properties?page=2' }

before(async () => {
  t = await testApp()
})
after(() => t.close())
beforeEach(async () => {
  key = await t.newKey(t.agency.id, { scopes: ['properties:write'], signature_required: true })
})

describe('the headers of a signature', () => {
  test('get 401 when missing, malformed, repeated or made with another secret', async () => {
    const secret = key.signing_secret ?? ''
    const other = await t.newKey(t.agency.id, { scopes: ['properties:write'], signature_required: true })
    const timestamp = await stamp(t)
    const good = signature(secret, timestamp, list)
    const wrongs: Record<string, Record<string, string | string[]>> = {
      none: {},
      'no timestamp': { 'x-svc-signature': good },
      'no signature': { 'x-svc-timestamp': timestamp },
      'an empty signature': { 'x-svc-timestamp': timestamp, 'x-svc-signature': '' },
      'no version': { 'x-svc-timestamp': timestamp, 'x-svc-signature': good.slice(3) },
      'another version': { 'x-svc-timestamp': timestamp, 'x-svc-signature': good.replace('v1', 'v2') },
      capitals: { 'x-svc-timestamp': timestamp, 'x-svc-signature': `v1=${good.slice(3).toUpperCase()}` },
      'a capital V': { 'x-svc-timestamp': timestamp, 'x-svc-signature': good.replace('v', 'V') },
      'a digit less': { 'x-svc-timestamp': timestamp, 'x-svc-signature': good.slice(0, -1) },
      'a digit more': { 'x-svc-timestamp': timestamp, 'x-svc-signature': `${good}0` },
      'as many characters, but no ASCII': {
        'x-svc-timestamp': timestamp,
        'x-svc-signature': `v1=${'é'.repeat(64)}`,
      },
      'a digit changed': {
        'x-svc-timestamp': timestamp,
        'x-svc-signature': good.slice(0, -1) + (good.endsWith('0') ? '1' : '0'),
      },
      'a signature twice': { 'x-svc-timestamp': timestamp, 'x-svc-signature': [good, good] },
      'a timestamp twice': { 'x-svc-timestamp': [timestamp, timestamp], 'x-svc-signature': good },
      'two signatures in one header': { 'x-svc-timestamp': timestamp, 'x-svc-signature': `${good},${good}` },
      'another secret': {
        'x-svc-timestamp': timestamp,
        'x-svc-signature': signature(other.signing_secret ?? '', timestamp, list),
      },
      'the secret without its beginning': {
        'x-svc-timestamp': timestamp,
        'x-svc-signature': signature(secret.replace('svc_sign_', ''), timestamp, list),
      },
      'the key for a secret': {
        'x-svc-timestamp': timestamp,
        'x-svc-signature': signature(key.key, timestamp, list),
      },
      'another timestamp': {
        'x-svc-timestamp': String(Number(timestamp) + 1),
        'x-svc-signature': good,
      },
      'the same moment in seconds': { 'x-svc-timestamp': timestamp.slice(0, 10), 'x-svc-signature': good },
    }
    for (const [what, headers] of Object.entries(wrongs))
      isInvalid(await sendWire(t.baseUrl, key.key, list, headers), what)
    // None of these used up the valid signature.
    const headers = { 'x-svc-timestamp': timestamp, 'x-svc-signature': good }
    assert.equal((await sendWire(t.baseUrl, key.key, list, headers)).status, 200)
  })

  test('are ignored on a key that requires no signature, even if wrong or repeated', async () => {
    for (const headers of [
      { 'x-svc-timestamp': '1', 'x-svc-signature': 'nonsense' },
      { 'x-svc-timestamp': ['1', '2'], 'x-svc-signature': ['a', 'b'] },
      signedHeaders('svc_sign_x', await stamp(t), list),
      signedHeaders('svc_sign_x', '1000000000', list),
    ]) {
      for (const plain of [t.readKey, t.writeKey]) {
        assert.equal((await sendWire(t.baseUrl, plain, list, headers)).status, 200)
        assert.equal((await sendWire(t.baseUrl, plain, list, headers)).status, 200)
      }
    }
  })

  test('are named after the service', async (context) => {
    const named = await testApp({ env: { SERVICE_NAME: 'Acme' } })
    context.after(() => named.close())
    const own = await named.newKey(named.agency.id, { signature_required: true })
    assert.match(own.signing_secret ?? '', /^acme_sign_/)
    const timestamp = await stamp(named)
    const signed = signature(own.signing_secret ?? '', timestamp, list)
    const send = (name: string) =>
      sendWire(named.baseUrl, own.key, list, {
        [`X-${name}-Timestamp`]: timestamp,
        [`x-${name}-signature`]: signed,
      })
    assert.equal((await send('Svc')).status, 401)
    assert.equal((await send('Acme')).status, 200)
  })
})

describe('a signature in the order of checks', () => {
  const post = '/api/v1/properties?unknown_parameter=1'
  const wrong = { 'x-svc-timestamp': '1000000000', 'x-svc-signature': `v1=${'0'.repeat(64)}` }

  test('key, agency, origin, scope, content type and size come first', async () => {
    const told = async (of: { key: string }, wire: Wire, headers: Record<string, string> = {}) =>
      (await sendWire(t.baseUrl, of.key, wire, { ...wrong, ...headers })).code
    const read = await t.newKey(t.agency.id, { signature_required: true })
    const gone = await t.newKey(t.agency.id, { signature_required: true })
    await revokeKey(t.deps.db, t.agency.id, gone.id, t.clock)
    const idle = await t.newAgency()
    const idleKey = await t.newKey(idle.agency.id, { signature_required: true })
    await setAgencyActive(t.deps.db, idle.agency.slug, false, t.clock)
    const write: Wire = { method: 'POST', path: post, body: '{}' }
    assert.equal(await told(gone, list), 'revoked_api_key')
    assert.equal(await told(idleKey, list), 'agency_not_active')
    assert.equal(await told(read, list, { origin: 'https://a.example' }), 'origin_not_allowed')
    assert.equal(await told(read, write), 'insufficient_scope')
    assert.equal(await told(key, write, { 'content-type': 'text/plain' }), 'unsupported_media_type')
    const large = { ...write, body: ' '.repeat(262_145) }
    assert.equal(await told(key, large), 'payload_too_large')
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': [] as string[] }
    assert.equal(
      (await sendWire(t.baseUrl, key.key, large, { ...wrong, ...chunked })).code,
      'payload_too_large',
    )
    assert.equal(await told(key, write), 'invalid_signature')
  })

  test('a body in a read is refused before it', async () => {
    const told = await sendWire(t.baseUrl, key.key, { ...list, body: '{}' }, wrong)
    assert.deepEqual([told.status, told.parameter], [400, 'body'])
  })

  test('limits come after it: a request with a wrong signature is not charged to the key', async (context) => {
    const tight = await testApp({ limits: { reads_per_minute: 3 } })
    context.after(() => tight.close())
    const own = await tight.newKey(tight.agency.id, { signature_required: true })
    for (let round = 0; round < 10; round += 1) isInvalid(await sendWire(tight.baseUrl, own.key, list, wrong))
    const passed = [await sendSigned(tight, own, list), await sendSigned(tight, own, list)]
    assert.deepEqual(
      passed.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']]),
      [
        [200, '2'],
        [200, '1'],
      ],
    )
    const unsigned = await sendWire(tight.baseUrl, own.key, list, wrong)
    assert.equal(unsigned.headers['x-ratelimit-remaining'], undefined)
    assert.equal((await sendSigned(tight, own, list)).status, 200)
    assert.equal((await sendSigned(tight, own, list)).code, 'rate_limited')
    isInvalid(await sendWire(tight.baseUrl, own.key, list, wrong))
  })

  test('a wrong signature counts as a keyless request, and does not limit valid ones', async (context) => {
    const tight = await testApp({ limits: { keyless_per_address_per_minute: 6, reads_per_minute: 5 } })
    context.after(() => tight.close())
    await toNext(tight, 'minute')
    const own = await tight.newKey(tight.agency.id, { signature_required: true })
    const sent = signedHeaders(own.signing_secret ?? '', await stamp(tight), list)
    const send = (headers: Record<string, string>) => sendWire(tight.baseUrl, own.key, list, headers)
    assert.equal((await send(sent)).status, 200)
    const codes: (string | null)[] = []
    for (const headers of [wrong, {}, sent, wrong, sent]) codes.push((await send(headers)).code)
    assert.deepEqual(codes, [
      'invalid_signature',
      'invalid_signature',
      'replay_detected',
      'invalid_signature',
      'replay_detected',
    ])
    refused(await tight.ask('GET', '/me', { key: null }), 'missing_api_key')
    for (const headers of [wrong, sent]) {
      const told = await send(headers)
      assert.deepEqual([told.status, told.code], [429, 'rate_limited'])
      assert.ok(Number(told.headers['retry-after']) >= 1)
    }
    assert.equal((await tight.ask('GET', '/me', { key: null })).status, 429)
    // The key's own limit is unchanged.
    for (const left of ['3', '2']) {
      const told = await sendSigned(tight, own, list)
      assert.deepEqual([told.status, told.headers['x-ratelimit-remaining']], [200, left])
    }
    await toNext(tight, 'minute')
    isInvalid(await send(wrong))
  })

  test('validation and idempotency come after it', async () => {
    const write: Wire = { method: 'POST', path: '/api/v1/properties', body: '{"title":7}' }
    isInvalid(await sendWire(t.baseUrl, key.key, write, wrong))
    isInvalid(await sendWire(t.baseUrl, key.key, { ...write, body: '{' }, wrong))
    assert.equal((await sendSigned(t, key, write)).parameter, 'title')
    const bare = { ...write, body: '{"title":"Sin clave"}' }
    isInvalid(await sendWire(t.baseUrl, key.key, bare, { ...wrong, 'idempotency-key': [] }))
    const told = await sendSigned(t, key, bare, { headers: { 'idempotency-key': [] } })
    assert.equal(told.code, 'idempotency_key_required')
  })
})
