/** Unknown paths: a page for clients that accept HTML, JSON for programs, and only JSON below /api. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, published } from '../../../support/app/listings.ts'
import { attributes, readable, visit } from '../visit.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const asked = (path: string, accept: string, method = 'GET') =>
  visit(t, path, { method, headers: { accept } })
/** The link to the page in the other language. */
const switchOf = (page: string) => attributes(/<a class="language"[^>]*>/.exec(page)?.[0] ?? '', 'href')[0]

/** Sends the path as typed, because `fetch` would normalize it. */
async function asTyped(path: string): Promise<string> {
  const { hostname, port } = new URL(t.baseUrl)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers: { accept: browser } }, (response) => {
      assert.equal(response.statusCode, 404, path)
      readText(response).then(resolve, reject)
    })
      .on('error', reject)
      .end()
  })
}

describe('an unknown path', () => {
  test('is a page for browsers, in the language of the path, with a link to the other', async () => {
    for (const [path, language, title, other] of [
      ['/nada/por-aca?x=1', 'es-AR', 'No encontramos esta página', '/en/nada/por-aca'],
      ['/en/nothing', 'en-US', 'We could not find this page', '/nothing'],
      ['/english', 'es-AR', 'No encontramos esta página', '/en/english'],
      ['/photos/a/b/c/d', 'es-AR', 'No encontramos esta página', '/en/photos/a/b/c/d'],
      ['/sitemap-nadie-1.xml', 'es-AR', 'No encontramos esta página', '/en/sitemap-nadie-1.xml'],
    ] as const) {
      const { status, headers, text } = await asked(path, browser)
      assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], path)
      assert.match(text, new RegExp(`<html lang="${language}">`))
      assert.match(readable(text), new RegExp(title))
      assert.equal(switchOf(text), other)
      assert.match(text, /name="robots" content="noindex, follow"/)
      assert.doesNotMatch(text, /rel="canonical"|og:/)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('vary'), 'accept')
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    }
  })

  test('is JSON for clients that accept anything, or prefer JSON', async () => {
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, text/html;q=0.5',
      'text/html;q=0',
      'image/*',
    ]) {
      const { status, headers, text } = await asked('/nada', accept)
      assert.deepEqual(
        [status, headers.get('content-type')],
        [404, 'application/json; charset=utf-8'],
        accept,
      )
      assert.equal((JSON.parse(text) as { error: { code: string } }).error.code, 'not_found')
      assert.equal(headers.get('vary'), 'accept')
    }
  })

  test('is JSON below /api, for every client', async () => {
    for (const path of ['/api', '/api/', '/api/v1/nada', '/api/v2', '/%61pi/v1/nada', '/api/v1/properties']) {
      const { headers } = await asked(path, browser)
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', path)
      assert.equal(headers.get('vary'), null)
    }
  })

  test('cannot inject a link to another host, or markup', async () => {
    for (const path of [
      '//evil.example/x',
      '/en//evil.example/x',
      '/en/\\evil.example',
      '/\\/evil.example',
      '/en///\\/evil.example',
      'http://evil.example//evil.example/x',
    ]) {
      const link = switchOf(await asTyped(path)) ?? ''
      assert.match(link, /^\/[^/\\]/, path)
      assert.equal(new URL(link, 'https://listings.test').origin, 'https://listings.test', path)
    }
    const page = await asTyped(`/<script>alert(1)</script>"onmouseover="x`)
    assert.doesNotMatch(page, /<script>|"onmouseover/)
  })

  test('is refused with a page for other methods too', async () => {
    const { status, headers, text } = await asked('/terms', browser, 'POST')
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
    assert.match(readable(text), /Esto no se puede hacer acá/)
    assert.equal((await asked('/nada', browser, 'DELETE')).status, 404)
  })
})

test('a removed listing links to the other language, and to similar listings of the agency', async () => {
  const sold = await published(t, { title: 'Casa vendida' })
  const near = await published(t, { title: 'Casa parecida' })
  accepted(await t.ask('POST', `/properties/${sold.id}/disable`, { body: { reason: 'sold' } }))
  const path = `/inmobiliarias/${t.agency.slug}/${sold.id}`
  for (const [url, other, said] of [
    [path, `/en${path}`, 'Esta propiedad ya no está publicada'],
    [`/en${path}`, path, 'This property is no longer listed'],
  ] as const) {
    const { status, text } = await visit(t, url)
    assert.equal(status, 410)
    assert.equal(switchOf(text), other)
    assert.match(readable(text), new RegExp(`${said}.*Casa parecida`))
    assert.ok(attributes(text, 'href').some((href) => href.endsWith(`/${near.id}`)))
    assert.doesNotMatch(text, /Casa vendida/)
  }
})
