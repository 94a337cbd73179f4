/** The documentation under /docs: complete, searchable, compressed, without broken links, and loading nothing from other sites. */
import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { endpoints } from '../../../../src/api/endpoints.ts'
import { readConfig } from '../../../../src/platform/config/config.ts'
import { errorCodesOf } from '../../../../src/http/openapi/errors.ts'
import { registerDocs } from '../../../../src/pages/site/docs/docs.ts'
import type { SearchEntry } from '../../../../src/pages/site/docs/search-entries.ts'
import { synonyms } from '../../../../src/pages/site/docs/synonyms.ts'

const baseUrl = 'https://acme.test'
let app: FastifyInstance
let page = ''
before(async () => {
  app = fastify()
  app.removeAllContentTypeParsers()
  const config = readConfig({ SERVICE_NAME: 'Acme', PUBLIC_BASE_URL: baseUrl })
  registerDocs(app, { config }, endpoints)
  app.get('/outside', async () => ({}))
  page = (await app.inject('/docs')).body
})
after(() => app.close())

const linked = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&#61;', '='))
/** The page's own files, as it links to them. */
const files = () => linked(page).filter((url) => /^\.\/docs\/[a-z]+\.\w+\.(js|css|svg)$/.test(url))
const searched = async () => JSON.parse((await app.inject('/docs/search.json')).body) as SearchEntry[]

test('the documentation names the service and has a strict policy', async () => {
  const response = await app.inject('/docs')
  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(response.body, /<title>API reference · Acme<\/title>/)
  const policy = String(response.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  const known = { 'if-none-match': String(response.headers['etag']) }
  assert.equal((await app.inject({ url: '/docs', headers: known })).statusCode, 304)
})

test('every file of the documentation exists on this origin and is cached permanently', async () => {
  assert.equal(files().length, 3)
  for (const file of files()) {
    const response = await app.inject(file.slice(1))
    assert.equal(response.statusCode, 200, file)
    assert.match(
      String(response.headers['content-type']),
      /^(text\/(css|javascript)|image\/svg\+xml); charset/,
    )
    assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(response.headers['x-content-type-options'], 'nosniff')
  }
})

test('the documentation loads nothing from other sites, links relatively, and shows no example service', async () => {
  const guides = linked(page).filter((url) => url.startsWith('docs/guides/'))
  assert.ok(guides.length > 0)
  for (const path of ['docs', 'docs/errors', 'docs/contract', ...guides]) {
    const { body } = await app.inject(`/${path}`)
    const links = linked(body)
    assert.deepEqual(
      links.filter((url) => /^(https?:)?\/\//.test(url) || url.startsWith('/')),
      [],
      path,
    )
    assert.doesNotMatch(body, /\bsvc_|X-Svc|listings\.example/, path)
  }
  for (const file of files().filter((name) => !name.endsWith('.svg')))
    assert.doesNotMatch((await app.inject(file.slice(1))).body, /https?:\/\//)
})

test('every documented operation has its parameters, its errors, four samples and a form', () => {
  for (const endpoint of endpoints) {
    const [, rest = ''] = page.split(`<section class="operation" id="${endpoint.operationId}">`)
    const [section = ''] = rest.split('<section')
    assert.ok(
      section.includes(`>${endpoint.method}</span> <code>${endpoint.path}</code>`),
      endpoint.operationId,
    )
    for (const name of Object.keys({ ...endpoint.params?.properties, ...endpoint.query?.properties }))
      assert.ok(section.includes(`<code class="name">${name}</code>`), `${endpoint.operationId} ${name}`)
    for (const code of errorCodesOf(endpoint))
      assert.ok(section.includes(`href="docs/errors#${code}"`), `${endpoint.operationId} ${code}`)
    for (const language of ['curl', 'ts', 'php', 'python'])
      assert.ok(section.includes(`<div data-language="${language}">`), `${endpoint.operationId} ${language}`)
    assert.ok(section.includes(`<form data-method="${endpoint.method}" data-path="${endpoint.path}"`))
  }
})

test('documented responses show headers and fields, and descriptions link to the sections they name', () => {
  const [, rest = ''] = page.split('<section class="operation" id="getMe">')
  const [me = ''] = rest.split('<section')
  assert.match(me, /href="#header-X-RateLimit-Reset"/)
  assert.doesNotMatch(me, /href="#header-Link"/)
  for (const name of ['limits', 'usage'])
    assert.match(me, new RegExp(`<summary>Fields of <code>${name}</code>`))
  assert.match(page, /id="header-X-RateLimit-Reset">[^]*?Seconds until the next minute begins\./)
  assert.match(page, /id="header-Link">[^]*?On every response\./)
  assert.match(page, /id="header-Retry-After">[^]*?With 409, 429, 503\./)
  for (const section of ['signed-requests', 'keeping-a-copy'])
    assert.ok(page.includes(`<a href="#${section}">`))
})

test('links within the documentation resolve', async () => {
  const documents = new Map<string, string>([['docs', page]])
  const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
  const bodyOf = async (path: string) => {
    const known = documents.get(path) ?? (await app.inject(`/${path}`)).body
    documents.set(path, known)
    return known
  }
  const wanted = new Set((await searched()).map(({ href }) => href))
  for (const path of [
    'docs',
    'docs/errors',
    'docs/contract',
    ...linked(page).filter((url) => /^docs\/guides\/[a-z-]+$/.test(url)),
  ]) {
    for (const url of linked(await bodyOf(path))) {
      const target = new URL(url, `${baseUrl}/${path}`)
      if (target.pathname.startsWith('/docs')) wanted.add(`${target.pathname.slice(1)}${target.hash}`)
    }
  }
  for (const target of wanted) {
    const [path = '', id] = target.split('#')
    // Checked above.
    if (/\.(js|css|svg)$/.test(path)) continue
    const body = await bodyOf(path)
    assert.match(body, /^<!doctype html>/, target)
    if (id !== undefined) assert.ok(idsOf(body).has(id), target)
  }
})

test('the documentation’s search finds operations, rules, errors, models and guides by their text', async () => {
  const entries = await searched()
  const found = (words: string) =>
    entries
      .filter(({ text }) => words.split(' ').every((word) => text.includes(word)))
      .map(({ href }) => href)
  for (const [words, href] of [
    ['per_page', 'docs#listProperties'],
    ['close_price sold', 'docs#disableProperty'],
    ['idempotency_key_required', 'docs/errors#idempotency_key_required'],
    ['signed requests hmac', 'docs#signed-requests'],
    ['age_years', 'docs#model-Property'],
    ['duplicate takes no position', 'docs/contract#134-verdicts'],
  ] as const) {
    assert.ok(found(words).includes(href), `${words}: ${found(words).join(' ')}`)
  }
})

test('synonyms lead to entries of the documentation’s search', async () => {
  const entries = await searched()
  const known = new Set(entries.map(({ href }) => href))
  for (const [hrefs, words] of Object.entries(synonyms))
    for (const href of hrefs.split(' ')) assert.ok(known.has(href), `${words}: ${href}`)
  const list = entries.find(({ href }) => href === 'docs#listProperties')
  assert.match(list?.synonyms ?? '', /^ ?pagination .*paginacion/)
})

test('pages of the documentation are compressed for clients that accept it', async () => {
  const packed = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'br, gzip;q=0.8' } })
  const refusing = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip;q=0, br' } })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(packed.rawPayload).toString(), page)
  assert.equal(packed.headers['vary'], 'accept-encoding')
  assert.ok(packed.rawPayload.length < 60_000, `${packed.rawPayload.length} bytes`)
  assert.equal(refusing.headers['content-encoding'], undefined)
  assert.equal(refusing.body, page)
})

test('a trailing slash redirects to the documentation, and nothing else is below it', async () => {
  for (const [path, target] of [
    ['/docs/', '../docs'],
    ['/docs/guides', '../docs'],
    ['/docs/guides/', '../../docs'],
  ] as const) {
    const slashed = await app.inject(path)
    assert.equal(slashed.statusCode, 308)
    assert.equal(new URL(target, baseUrl + path).pathname, '/docs')
    assert.equal(slashed.headers['location'], target)
  }
  for (const path of ['package.json', '..%2findex.js', 'guides/none', 'guides/..%2f..%2fapi'])
    assert.equal((await app.inject(`/docs/${path}`)).statusCode, 404, path)
})

test('routes outside the documentation are unaffected', async () => {
  assert.equal((await app.inject('/outside')).headers['content-security-policy'], undefined)
})
