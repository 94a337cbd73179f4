/** The endpoints that need no key (api.md 15.2, 15.3, 15.4), and the standard headers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { assertEnvelope } from '../support/every-endpoint.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

test('the root lists the service and its links, at both of its paths', async () => {
  for (const path of ['', '/']) {
    const { status, body, headers } = await t.ask('GET', path, { key: null })
    assert.equal(status, 200)
    const { notice, ...rest } = body as unknown as Record<string, string>
    assert.deepEqual(rest, {
      name: 'Svc',
      version: '1',
      status: 'ok',
      docs: 'https://listings.test/docs',
      openapi: 'https://listings.test/api/v1/openapi.json',
      health: 'https://listings.test/api/v1/health',
      terms: 'https://listings.test/terms',
      security: 'https://listings.test/.well-known/security.txt',
    })
    assert.equal(notice, headers.get('x-svc-notice'))
  }
})

test('every link of the root works', async () => {
  const { body } = await t.ask('GET', '/', { key: null })
  const root = body as unknown as Record<string, string>
  const headers = { 'user-agent': 'ListingTests/1.0 (tests@example.com)' }
  for (const name of ['docs', 'openapi', 'health', 'terms', 'security']) {
    const { pathname } = new URL(root[name] ?? '')
    const response = await fetch(t.baseUrl + pathname, { headers })
    await response.text()
    assert.equal(response.status, 200, name)
  }
})

test('health is ok, version 1, readable from any site and never cached', async () => {
  for (const origin of ['https://elsewhere.example', '']) {
    const { status, body, headers } = await t.ask('GET', '/health', { key: null, headers: { origin } })
    assert.equal(status, 200)
    assert.deepEqual(body, { status: 'ok', version: '1' })
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('cache-control'), 'no-store')
  }
})

test('openapi.json is OpenAPI 3.1 of version 1, readable from any site', async () => {
  const { status, body, headers } = await t.ask('GET', '/openapi.json', {
    key: null,
    headers: { origin: 'https://x.example' },
  })
  assert.equal(status, 200)
  const { openapi, info } = body as unknown as { openapi: string; info: { version: string } }
  assert.match(openapi, /^3\.1\.\d$/)
  assert.equal(info.version, '1')
  assert.equal(headers.get('access-control-allow-origin'), '*')
})

test('every response has its own request id, whatever the request sends', async () => {
  const asked = Array.from({ length: 20 }, (_, index) =>
    t.ask('GET', index % 2 === 0 ? '/' : '/nothing', { key: null, headers: { 'x-request-id': 'mine' } }),
  )
  const responses = await Promise.all(asked)
  for (const response of responses) assertEnvelope(response)
  assert.equal(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size, 20)
})

test('the wire name is configurable', async () => {
  const named = await testApp({ env: { SERVICE_NAME: 'Acme' } })
  try {
    const response = await fetch(`${named.baseUrl}/api/v1/nothing`, {
      headers: { 'user-agent': 'Tests/1.0' },
    })
    const { notice } = (await response.json()) as { notice: string }
    assert.equal(response.headers.get('x-acme-notice'), notice)
    assert.equal(response.headers.get('x-svc-notice'), null)
    assert.match(named.readKey, /^acme_live_/)
    const root = await fetch(`${named.baseUrl}/api/v1/`, { headers: { 'user-agent': 'Tests/1.0' } })
    assert.equal(((await root.json()) as { name: string }).name, 'Acme')
    const own = { 'user-agent': 'Tests/1.0', authorization: `Bearer ${named.readKey}` }
    const me = await fetch(`${named.baseUrl}/api/v1/me`, { headers: own })
    await me.text()
    assert.equal(me.status, 200)
  } finally {
    await named.close()
  }
})
