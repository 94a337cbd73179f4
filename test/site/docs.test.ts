import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { readConfig } from '../../src/config/config.ts'
import { registerDocs } from '../../src/site/docs.ts'

let app: FastifyInstance
before(async () => {
  app = fastify()
  app.removeAllContentTypeParsers()
  await registerDocs(app, { config: readConfig({ SERVICE_NAME: 'Acme' }) })
  app.get('/outside', async () => ({}))
})
after(() => app.close())

const linked = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
/** The page's own files, as it links to them: `docs.js` and `docs.css` are ours, the rest is Swagger UI's. */
const files = async () => linked((await app.inject('/docs')).body).filter((url) => url.startsWith('docs/'))
const own = async (name: RegExp) => `/${(await files()).find((url) => name.test(url))}`
const [script, style] = [/^docs\/docs\.\w+\.js$/, /^docs\/docs\.\w+\.css$/]

test('the page names the service and has a strict policy', async () => {
  const answer = await app.inject('/docs')
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(answer.body, /<title>Acme API reference<\/title>/)
  const policy = String(answer.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; /)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
})

test('every file of the page is there, of this origin and kept for ever', async () => {
  assert.equal((await files()).length, 4)
  for (const file of await files()) {
    const answer = await app.inject(`/${file}`)
    assert.equal(answer.statusCode, 200, file)
    assert.match(String(answer.headers['content-type']), /^text\/(css|javascript); charset=utf-8$/)
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
})

test('the page and what it loads of its own name no other origin', async () => {
  const { body: html } = await app.inject('/docs')
  assert.ok(linked(html).every((url) => !/^(https?:)?\/\//.test(url)))
  for (const name of [script, style])
    assert.doesNotMatch((await app.inject(await own(name))).body, /https?:\/\//)
})

test('it shows the document of the API beside it', async () => {
  const { body } = await app.inject(await own(script))
  assert.match(body, /new URL\('\.\/api\/v1\/openapi\.json', base\)/)
})

test('files are packed for clients that take it', async () => {
  const url = await own(style)
  const plain = await app.inject(url)
  const packed = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip;q=0.8' } })
  const refusing = await app.inject({ url, headers: { 'accept-encoding': 'gzip;q=0, br' } })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body)
  assert.equal(packed.headers['vary'], 'accept-encoding')
  assert.equal(refusing.headers['content-encoding'], undefined)
  assert.equal(refusing.body, plain.body)
})

test('with a slash it leads to the page, and nothing else is below it', async () => {
  const slashed = await app.inject('/docs/')
  assert.equal(slashed.statusCode, 308)
  assert.equal(slashed.headers['location'], '../docs')
  assert.equal((await app.inject('/docs/package.json')).statusCode, 404)
  assert.equal((await app.inject('/docs/..%2findex.js')).statusCode, 404)
})

test('the routes beside it are left alone', async () => {
  assert.equal((await app.inject('/outside')).headers['content-security-policy'], undefined)
})
