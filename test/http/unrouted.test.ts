/** A method that a path does not have (api.md 4.1): 405 with `Allow` on every path of the service, 404 on unknown paths. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../support/app/app.ts'
import { sendLines } from '../support/network/raw-http.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const ask = async (method: string, path: string): Promise<string> => {
  const response = await sendLines(t.baseUrl, [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    'User-Agent: Tests/1.0',
  ])
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1]
  const allow = /^allow: (.*)\r$/im.exec(response)?.[1]
  return allow === undefined ? `${status}` : `${status} ${allow}`
}

const read = '405 GET, HEAD'
const served: Record<string, string> = {
  '/': read,
  '/?x=1': read,
  '/en': read,
  '/en/': read,
  '/favicon.ico': read,
  '/dashboard': read,
  '/dashboard/': read,
  '/dashboard/sign-in?next=x': '405 GET, HEAD, POST',
  '/dashboard/%73ign-in': '405 GET, HEAD, POST',
  '/dashboard/sign-out': '405 POST',
  '/dashboard/welcome/abc': read,
  '/dashboard/keys/new': '405 GET, HEAD, POST',
  '/dashboard/keys/ABCD2345': read,
  '/dashboard/listings/ABCD/reserve': '405 POST',
  '/dashboard/operator/agencies/acme/people': read,
  '/dashboard/assets/dashboard.css': read,
  '/docs': read,
  '/docs/docs.css': read,
  '/en/inmobiliarias/acme': read,
  '/healthz/ready': read,
  '/inmobiliarias/acme/ABCD2345': read,
  '/photos/a/b/c/d.webp': read,
  '/robots.txt': read,
  '/site/style.css': read,
  '/sitemap.xml': read,
  '/terms': read,
  '/api/v1/properties/batch': '405 POST',
  '/api/v1/properties/ABCD2345': '405 GET, HEAD, PATCH, DELETE',
}

describe('a 405 lists the methods of', () => {
  for (const [path, expected] of Object.entries(served)) {
    test(path, async () => {
      // A common method, one unknown to the router, and one unknown to the parser.
      for (const method of ['PUT', 'PROPFIND', 'FETCH'])
        assert.equal(await ask(method, path), expected, method)
    })
  }
})

test('a URL in absolute form is routed', async () => {
  assert.equal(await ask('PROPFIND', 'http://listings.test/terms?x=1'), read)
})

test('an unknown path is 404', async () => {
  for (const path of [
    '/nothing',
    '/dashboard/nothing',
    '/dashboard/keys%2Fnew/nothing',
    '/dashboard/keys//rotate',
    '/photos/a',
    '/enx',
  ])
    for (const method of ['GET', 'PUT', 'PROPFIND', 'FETCH'])
      assert.equal(await ask(method, path), '404', `${method} ${path}`)
})

test('the dashboard and the public pages return 405 as a page, with its headers', async () => {
  for (const path of ['/dashboard/sign-in', '/terms']) {
    const response = await fetch(`${t.baseUrl}${path}`, { method: 'DELETE', body: '{}' })
    assert.equal(response.status, 405)
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.match(await response.text(), /^<!doctype html>/i)
  }
})
