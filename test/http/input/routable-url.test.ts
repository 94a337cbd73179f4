/** URLs that cannot be decoded (api.md 1.4): checked in the usual order; the error names the parameter. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { buildApp, type Watch } from '../../../src/app.ts'
import { routableUrl } from '../../../src/http/input/routable-url.ts'
import { isStorable } from '../../../src/http/input/strict-json.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { published } from '../../support/app/listings.ts'
import { rawRequest } from '../../support/network/raw-http.ts'

const isDecodable = (path: string) => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

describe('routableUrl', () => {
  test('leaves a decodable URL unchanged', () => {
    for (const url of ['/', '/api/v1/properties?page=2', '/a/%C3%B1?q=%ff', '/a%2Fb/%25ff', '/a?%', ''])
      assert.equal(routableUrl(url), url)
  })

  test('replaces segments that cannot be decoded, and leaves the query', () => {
    assert.equal(routableUrl('/a/%ff%fe/b?x=%ff'), '/a/%EF%BF%BD/b?x=%ff')
    assert.equal(routableUrl('/%zz/%C3%B1/%'), '/%EF%BF%BD/%C3%B1/%EF%BF%BD')
    assert.equal(routableUrl('http://h/%ff'), 'http://h/%EF%BF%BD')
  })

  test('gives the target * a path', () => {
    assert.equal(routableUrl('*'), '/*')
  })

  test('replaces U+0000 alone, and leaves the query', () => {
    assert.equal(routableUrl('/a%00b/%00%00?x=%00'), '/a%EF%BF%BDb/%EF%BF%BD%EF%BF%BD?x=%00')
    assert.equal(routableUrl('/a/%2500/%00/%ff'), '/a/%2500/%EF%BF%BD/%EF%BF%BD')
  })

  test('gives a path that can be decoded and stored, with as many segments', () => {
    const piece = fc.constantFrom(
      'a',
      '/',
      '%',
      '0',
      '%00',
      '%ff',
      '%C3',
      '%B1',
      '%25',
      '%2F',
      '?',
      '=',
      '%e2%82',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
        (url) => {
          const [path = ''] = routableUrl(url).split('?')
          assert.ok(isDecodable(path))
          assert.ok(isStorable(decodeURIComponent(path)))
          assert.equal(path.split('/').length, (url.split('?')[0] ?? '').split('/').length)
        },
      ),
    )
  })
})

describe('a URL that cannot be decoded, or is no path', () => {
  let t: TestApp
  before(async () => {
    t = await testApp()
  })
  after(() => t.close())

  const ask = async (method: string, path: string, key: string | null = t.writeKey, agent = 'Tests/1.0') => {
    const response = await rawRequest(t.baseUrl, {
      method,
      path: `/api/v1${path}`,
      headers: { 'user-agent': agent, ...(key === null ? {} : { 'x-api-key': key }) },
    })
    for (const name of ['x-request-id', 'x-svc-notice', 'link']) assert.ok(response.headers[name], name)
    const { error } = JSON.parse(response.text) as { error: { code: string; parameter?: string } }
    return [response.status, error.parameter ?? error.code]
  }

  test('* is no resource, with any method', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
      for (const accept of ['*/*', 'text/html']) {
        const { status } = await rawRequest(t.baseUrl, { method, path: '*', headers: { accept } })
        assert.equal(status, 404, `${method} ${accept}`)
      }
  })

  for (const bad of ['%ff%fe', '%', '%zz', 'abcd%', '%C3', '%ED%A0%80', '%c0%af']) {
    test(`${bad} as an id or an external id: 400 naming it`, async () => {
      assert.deepEqual(await ask('GET', `/properties/${bad}`), [400, 'id'])
      assert.deepEqual(await ask('GET', `/properties/${bad}?fields=id`, t.readKey), [400, 'id'])
      assert.deepEqual(await ask('DELETE', `/properties/${bad}`), [400, 'id'])
      assert.deepEqual(await ask('POST', `/properties/${bad}/disable`), [400, 'id'])
      assert.deepEqual(await ask('GET', `/properties/external/${bad}`), [400, 'external_id'])
      assert.deepEqual(await ask('PUT', `/properties/external/${bad}`), [400, 'external_id'])
    })
  }

  test('is checked in the usual order', async () => {
    assert.deepEqual(await ask('GET', '/properties/%ff', t.writeKey, 'GPTBot/1.2'), [403, 'forbidden'])
    assert.deepEqual(await ask('GET', '/%ff'), [404, 'not_found'])
    assert.deepEqual(await ask('GET', '/properties/%ff/%fe'), [404, 'not_found'])
    assert.deepEqual(await ask('GET', '/health%ff'), [404, 'not_found'])
    assert.deepEqual(await ask('PUT', '/properties/%ff'), [405, 'method_not_allowed'])
    assert.deepEqual(await ask('PROPFIND', '/properties/%ff'), [405, 'method_not_allowed'])
    assert.deepEqual(await ask('GET', '/properties/%ff/photos'), [405, 'method_not_allowed'])
    assert.deepEqual(await ask('GET', '/properties/%ff', null), [401, 'missing_api_key'])
    assert.deepEqual(await ask('DELETE', '/properties/%ff', t.readKey), [403, 'insufficient_scope'])
    assert.deepEqual(await ask('GET', '/properties?city=%ff'), [400, 'city'])
  })

  test('does not find a page either', async () => {
    for (const path of ['/%ff', '/photos/%ff/a', '/docs/%ff', '/.well-known/%ff']) {
      const { status } = await rawRequest(t.baseUrl, { method: 'GET', path })
      assert.equal(status, 404, path)
    }
  })

  test('breaks no route of the service, in any of its parameters', async () => {
    const routes: { method: string; url: string }[] = []
    const watch: Watch = (app) =>
      void app.addHook('onRoute', ({ method, url, config }) => {
        const isPage = url.startsWith('/dashboard')
        if (!isPage && url.includes(':') && config?.refuses !== true)
          for (const one of [method].flat()) routes.push({ method: one, url })
      })
    await (await buildApp(t.deps, pino({ level: 'silent' }), [watch])).close()
    assert.ok(routes.length > 30)
    const { id } = await published(t)
    const known: Record<string, string> = {
      slug: t.agency.slug,
      agency: t.agency.id,
      id,
      code: id,
      listing: id,
    }
    const headers = { 'user-agent': 'Tests/1.0', 'x-api-key': t.writeKey, 'content-type': 'application/json' }
    for (const { method, url } of routes)
      for (const [, odd = ''] of url.matchAll(/:(\w+)/g))
        for (const bad of [
          '%00',
          'a%00',
          `${known[odd] ?? 'a'}%00`,
          '%ff',
          '%',
          '%ED%A0%80',
          'x'.repeat(300),
        ]) {
          const path = url.replaceAll(/:(\w+)/g, (_, name: string) =>
            name === odd ? bad : (known[name] ?? 'a'),
          )
          const { status } = await rawRequest(t.baseUrl, { method, path, headers })
          assert.ok(status < 500, `${method} ${path}: ${status}`)
        }
  })
})
