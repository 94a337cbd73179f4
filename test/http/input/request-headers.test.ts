/** Headers that may be sent only once (RFC 9112; api.md 4.6): Node silently keeps the first, the API rejects duplicates. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { timesSent } from '../../../src/http/input/request-headers.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { rawRequest, sendLines } from '../../support/network/raw-http.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

test('timesSent counts names regardless of case, and ignores values', () => {
  const rawHeaders = ['Host', 'a', 'HOST', 'b', 'X-Host', 'host', 'Accept', 'host']
  assert.equal(timesSent({ rawHeaders }, 'host'), 2)
  assert.equal(timesSent({ rawHeaders }, 'x-host'), 1)
  assert.equal(timesSent({ rawHeaders }, 'origin'), 0)
})

describe('Host', () => {
  const ask = (version: string, ...hosts: string[]) =>
    sendLines(t.baseUrl, [`GET /api/v1/me HTTP/${version}`, `X-API-Key: ${t.readKey}`, ...hosts])

  test('is required once, except in HTTP/1.0', async () => {
    for (const host of ['listings.test', 'listings.test:8080', '127.0.0.1', '[::1]:3000', 'a_b.test', ''])
      assert.match(await ask('1.1', `Host: ${host}`), /^HTTP\/1\.1 200 /, host)
    assert.match(await ask('1.0'), /^HTTP\/1\.1 200 /)
    assert.match(await ask('1.0', 'Host: listings.test'), /^HTTP\/1\.1 200 /)
  })

  const wrong: readonly (readonly [what: string, version: string, hosts: readonly string[]])[] = [
    ['missing', '1.1', []],
    ['twice', '1.1', ['Host: a.test', 'Host: b.test']],
    ['sent twice with the same value', '1.1', ['Host: a.test', 'host: a.test']],
    ['sent twice, once empty', '1.1', ['Host:', 'Host: a.test']],
    ['sent twice in HTTP/1.0', '1.0', ['Host: a.test', 'Host: b.test']],
    ['two names', '1.1', ['Host: a.test, b.test']],
    ['with a space', '1.1', ['Host: a.test b.test']],
    ['with a path', '1.1', ['Host: a.test/api']],
    ['with a name of a user', '1.1', ['Host: me@a.test']],
    ['an address', '1.1', ['Host: https://a.test']],
  ]
  for (const [what, version, hosts] of wrong) {
    test(`${what}: 400 naming it`, async () => {
      const text = await ask(version, ...hosts)
      assert.match(text, /^HTTP\/1\.1 400 /)
      assert.match(text, /"code":"invalid_parameter".*"parameter":"Host"/)
      for (const name of ['x-request-id: ', 'x-svc-notice: ', 'link: <https://listings.test/terms>'])
        assert.ok(text.includes(name), name)
    })
  }
})

test('Content-Type sent twice is 415, even twice the same', async () => {
  for (const types of [
    ['application/json', 'text/plain'],
    ['application/json', 'application/json'],
  ]) {
    const response = await rawRequest(t.baseUrl, {
      method: 'POST',
      path: '/api/v1/properties',
      headers: {
        'x-api-key': t.writeKey,
        'idempotency-key': randomUUID(),
        'content-type': types,
        'content-length': '2',
      },
      body: '{}',
    })
    assert.deepEqual([response.status, response.text.includes('"unsupported_media_type"')], [415, true])
  }
})

test('Idempotency-Key sent twice is 400 naming it', async () => {
  const response = await rawRequest(t.baseUrl, {
    method: 'POST',
    path: '/api/v1/properties',
    headers: {
      'x-api-key': t.writeKey,
      'idempotency-key': ['abcdefgh', 'abcdefgh'],
      'content-type': 'application/json',
      'content-length': '2',
    },
    body: '{}',
  })
  assert.deepEqual([response.status, response.text.includes('"parameter":"Idempotency-Key"')], [400, true])
})
