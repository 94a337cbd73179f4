/**
 * Signed requests (api.md 3): the signed text and the timestamp. For the headers and the order of checks see signature-order.test.ts, for
 * replays signature-replay.test.ts.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { NewKey } from '../../../src/access/keys/keys.ts'
import { bodyFor, everywhere, type Subject, subjects } from '../../api/support/every-endpoint.ts'
import { now } from '../../support/moments.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { draft, published } from '../../support/app/listings.ts'
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
let keyed: Subject[]
const list: Wire = { method: 'GET', path: '/api/v1/properties?page=2' }

before(async () => {
  t = await testApp()
  const listing = await published(t, { external_id: 'signed-1' })
  keyed = subjects({ id: listing.id, external_id: 'signed-1' }).filter(
    ({ endpoint }) => endpoint.scope !== 'none',
  )
})
after(() => t.close())
beforeEach(async () => {
  key = await t.newKey(t.agency.id, { scopes: ['properties:write'], signature_required: true })
})

/** A request that only the last check rejects: with a valid signature it gets 400 for `unknown_parameter`. */
function harmless(subject: Subject): Wire {
  const { body } = bodyFor(subject)
  return {
    method: subject.endpoint.method,
    path: `/api/v1${subject.path}?unknown_parameter=1`,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

describe('a key that requires signatures', () => {
  test('has a secret that starts with svc_sign_', () => {
    assert.match(key.signing_secret ?? '', /^svc_sign_[A-Za-z0-9]{32,}$/)
  })

  test('may call every endpoint with a signature, and none without', async () => {
    await everywhere(keyed, async (subject) => {
      const wire = harmless(subject)
      const told = await sendSigned(t, key, wire)
      assert.deepEqual([told.status, told.parameter], [400, 'unknown_parameter'])
      isInvalid(await sendWire(t.baseUrl, key.key, wire))
    })
  })

  test('may call endpoints that need no key without a signature', async () => {
    for (const path of ['/api/v1', '/api/v1/health', '/api/v1/openapi.json'])
      assert.equal((await sendWire(t.baseUrl, key.key, { method: 'GET', path })).status, 200)
  })

  test('writes, with a body and without', async () => {
    const { id } = await draft(t)
    const path = `/api/v1/properties/${id}`
    const patch = { method: 'PATCH', path, body: '{ "title" : "Señal", "amenities":["é","🏡"] }\n' }
    assert.equal((await sendSigned(t, key, patch)).status, 200)
    assert.equal((await t.ask('GET', `/properties/${id}`)).body.data['title'], 'Señal')
    assert.equal((await sendSigned(t, key, { method: 'DELETE', path })).status, 200)
    assert.equal((await t.ask('GET', `/properties/${id}`)).status, 404)
  })
})

describe('the signed text', () => {
  test('matches the worked example in the documents', () => {
    const secret = 'svc_sign_0000000000000000000000000000000000example'
    assert.equal(
      signature(secret, '1795000000', list),
      'v1=1f456ba2759f00bf843a50e1d8601d9bfd34ee3a09ef00d4f80cb7627d02e7b8',
    )
    const disable = {
      method: 'POST',
      path: '/api/v1/properties/7KQ2M9XA/disable',
      body: '{"reason":"suspended"}',
    }
    assert.equal(
      signature(secret, '1795000000', disable),
      'v1=9f567cddafd0bdcc28b73ebc593ae8a1a504bf45f01b8fe5f3328f089f322e34',
    )
  })

  test('has path and query exactly as received, however they are written', async () => {
    for (const path of [
      '/api/v1/properties?city=La%20Plata&page=1',
      '/api/v1/properties?city=La+Plata',
      '/api/v1/properties?page=1&city=%4ca+Plata',
      '/api/v1/properties?',
      '/api/%761/propertie%73',
    ]) {
      assert.equal((await sendSigned(t, key, { method: 'GET', path })).status, 200, path)
    }
    // A URL that cannot be decoded is signed as sent too.
    const told = await sendSigned(t, key, { method: 'GET', path: '/api/v1/properties/%ff%fe' })
    assert.deepEqual([told.status, told.parameter], [400, 'id'])
    const secret = key.signing_secret ?? ''
    const sent = { method: 'GET', path: '/api/v1/properties?city=La%20Plata' }
    for (const path of [
      '/api/v1/properties?city=La+Plata',
      '/api/v1/properties?city=La Plata',
      '/properties?city=La%20Plata',
      '/api/v1/properties',
      `${t.baseUrl}/api/v1/properties?city=La%20Plata`,
    ]) {
      const headers = signedHeaders(secret, await stamp(t), { ...sent, path })
      isInvalid(await sendWire(t.baseUrl, key.key, sent, headers), path)
    }
  })

  test('names HEAD for HEAD', async () => {
    const head = { ...list, method: 'HEAD' }
    assert.equal((await sendSigned(t, key, head)).status, 200)
    const secret = key.signing_secret ?? ''
    for (const [sent, signed] of [
      [head, list],
      [list, head],
      [list, { ...list, method: 'get' }],
    ] as const)
      isInvalid(await sendWire(t.baseUrl, key.key, sent, signedHeaders(secret, await stamp(t), signed)))
  })

  test('has the lower-case SHA-256 of the body as sent, or of the empty string', async () => {
    const subject = keyed.find(({ endpoint }) => endpoint.operationId === 'disableProperty')
    assert.ok(subject !== undefined)
    const { path } = harmless(subject)
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const hashes: readonly (readonly [body: string | undefined, hash: string, status: number])[] = [
      [undefined, sha256(''), 400],
      ['{}', sha256('{}'), 400],
      ['{ }', sha256('{ }'), 400],
      ['{', sha256('{'), 400],
      ['{"reason":"ñ"}', sha256('{"reason":"ñ"}'), 400],
      ['{ }', sha256('{}'), 401],
      ['{}', sha256(''), 401],
      [undefined, sha256('{}'), 401],
      [undefined, '', 401],
      ['{}', sha256('{}').toUpperCase(), 401],
    ]
    for (const [body, hash, status] of hashes) {
      const timestamp = await stamp(t)
      const wire: Wire = { method: 'POST', path, ...(body === undefined ? {} : { body }) }
      const signed = signature(key.signing_secret ?? '', timestamp, wire, hash)
      const headers = { 'x-svc-timestamp': timestamp, 'x-svc-signature': signed }
      const told = await sendWire(t.baseUrl, key.key, wire, headers)
      assert.equal(told.status, status, `${body} ${hash}`)
    }
  })

  test('covers a chunked body', async () => {
    const wire = {
      method: 'POST',
      path: '/api/v1/geocode?unknown_parameter=1',
      body: '{"address":"Calle 1"}',
    }
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': [] as string[] }
    const signed = signedHeaders(key.signing_secret ?? '', await stamp(t), wire)
    assert.equal((await sendWire(t.baseUrl, key.key, wire, { ...signed, ...chunked })).status, 400)
    const changed = { ...wire, body: wire.body.replace('1', '2') }
    const again = signedHeaders(key.signing_secret ?? '', await stamp(t), wire)
    isInvalid(await sendWire(t.baseUrl, key.key, changed, { ...again, ...chunked }))
  })
})

describe('the timestamp of a signature', () => {
  const at = async (shiftMs: number, unit: 'seconds' | 'milliseconds') => {
    const ms = (await now(t)) + shiftMs
    return unit === 'seconds' ? String(Math.floor(ms / 1000)) : String(Math.floor(ms))
  }

  test('is in seconds or milliseconds, up to 300 seconds from the clock of the service', async () => {
    for (const unit of ['seconds', 'milliseconds'] as const) {
      // Time passes during the test; it must not move a timestamp across the edge of the window.
      for (const shift of [0, -290_000, 299_900]) {
        const told = await sendSigned(t, key, list, { timestamp: await at(shift, unit) })
        assert.equal(told.status, 200, `${unit} ${shift}`)
      }
      for (const shift of [-300_100, -301_000, 310_000, -86_400_000, 86_400_000])
        isInvalid(await sendSigned(t, key, list, { timestamp: await at(shift, unit) }), `${unit} ${shift}`)
    }
  })

  test('is compared with the clock that all limits use', async () => {
    const timestamp = await at(0, 'seconds')
    t.clock.offsetMs += 290_000
    assert.equal((await sendSigned(t, key, list, { timestamp })).status, 200)
    t.clock.offsetMs += 11_000
    isInvalid(await sendSigned(t, key, { ...list, path: '/api/v1/me' }, { timestamp }))
    assert.equal((await sendSigned(t, key, list)).status, 200)
  })

  test('has 10 or 13 digits and nothing else', async () => {
    const seconds = await at(0, 'seconds')
    for (const timestamp of [
      '',
      '0',
      seconds.slice(1),
      `${seconds}0`,
      `${seconds}00`,
      `${seconds}0000`,
      `${seconds}.5`,
      `+${seconds}`,
      `-${seconds}`,
      `0x${seconds.slice(2)}`,
      `${seconds.slice(0, 9)}e`,
      new Date().toISOString(),
      '٠١٢٣٤٥٦٧٨٩',
    ]) {
      const value = Buffer.from(timestamp).toString('latin1')
      isInvalid(
        await sendWire(t.baseUrl, key.key, list, {
          'x-svc-timestamp': value,
          'x-svc-signature': signature(key.signing_secret ?? '', timestamp, list),
        }),
        timestamp,
      )
    }
  })
})
