/** Strict-Transport-Security: on every response, if the public URL is https and the operator has not turned it off. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { published } from '../../support/app/listings.ts'

const header = 'strict-transport-security'

/** Paths of every kind, existing and missing. */
const addresses = [
  'GET /',
  'GET /en/',
  'GET /api/v1',
  'GET /api/v1/health',
  'GET /api/v1/openapi.json',
  'GET /api/v1/properties',
  'DELETE /api/v1/health',
  'GET /api/v1/nothing',
  'OPTIONS /api/v1/properties',
  'GET /docs',
  'GET /terms',
  'GET /robots.txt',
  'GET /favicon.ico',
  'GET /sitemap.xml',
  'GET /.well-known/security.txt',
  'GET /inmobiliarias/nobody',
  'GET /photos/nothing/nothing/large.webp',
  'GET /dashboard',
  'GET /dashboard/sign-in',
  'GET /dashboard/nothing',
  'PROPFIND /dashboard',
  'GET /nothing',
  'GET /%',
] as const

async function told(t: TestApp, asked: string, init: RequestInit = {}): Promise<string | null> {
  const [method = '', path = ''] = asked.split(' ')
  const response = await fetch(`${t.baseUrl}${path}`, { ...init, method, redirect: 'manual' })
  await response.arrayBuffer()
  return response.headers.get(header)
}

/** The response to lines that are not a request. */
async function toldNonsense(t: TestApp): Promise<string | null> {
  const socket = connect(Number(new URL(t.baseUrl).port), '127.0.0.1')
  socket.end('nonsense\r\n\r\n')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await once(socket, 'close')
  assert.match(text, /^HTTP\/1\.1 400 /)
  return new RegExp(`^${header}: (.*)\r$`, 'm').exec(text)?.[1] ?? null
}

describe('Strict-Transport-Security is sent, if the public URL is https, for', () => {
  let t: TestApp
  before(async () => {
    t = await testApp()
  })
  after(() => t.close())

  for (const asked of addresses) {
    test(asked, async () => assert.equal(await told(t, asked), 'max-age=31536000'))
  }
  test('a stored photo, and its 304', async () => {
    const [photo] = (await published(t)).photos
    const path = `GET ${new URL(photo ?? '').pathname}`
    assert.equal(await told(t, path), 'max-age=31536000')
    assert.equal(await told(t, path, { headers: { 'if-none-match': '*' } }), 'max-age=31536000')
  })
  test('a request that the parser rejects', async () =>
    assert.equal(await toldNonsense(t), 'max-age=31536000'))
})

for (const [why, env] of Object.entries<Record<string, string>>({
  'with a plain http URL': { PUBLIC_BASE_URL: 'http://listings.test' },
  'with HSTS=off': { HSTS: 'off' },
})) {
  test(`no response has Strict-Transport-Security ${why}`, async () => {
    const t = await testApp({ env })
    try {
      for (const asked of addresses) assert.equal(await told(t, asked), null, asked)
      assert.equal(await toldNonsense(t), null)
    } finally {
      await t.close()
    }
  })
}
