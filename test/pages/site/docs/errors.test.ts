/** The page /docs/errors, which every error links to: each code with cause, remedy and an example. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalogue } from '../../../../src/platform/errors/error-catalogue.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { shown, unescaped, visit } from '../visit.ts'

let t: TestApp
let page = ''
before(async () => {
  t = await testApp({ env: { SERVICE_NAME: 'Acme' } })
  page = await shown(t, '/docs/errors')
})
after(() => t.close())

const codes = Object.keys(catalogue)

test('the page of errors has a section for each code, with an example that links back to it', () => {
  const sections = page.split('<section').slice(1)
  assert.deepEqual(
    sections.map((section) => /<h2 id="(\w+)"/.exec(section)?.[1]),
    codes,
  )
  for (const [index, section] of sections.entries()) {
    const code = codes[index] as keyof typeof catalogue
    assert.ok(section.includes(`>${catalogue[code].status} `), code)
    const [, example = ''] = /<pre[^>]*><code>([^<]*)<\/code>/.exec(section) ?? []
    const { error, notice } = JSON.parse(unescaped(example))
    assert.equal(error.code, code)
    assert.equal(error.docs, `https://listings.test/docs/errors#${code}`)
    assert.match(notice, /https:\/\/listings\.test\/terms$/)
  }
})

test('the page of errors links to each section from its contents', () => {
  const [, contents = ''] = page.split('<table>')
  const targets = [...contents.matchAll(/href="#(\w+)"/g)].map(([, target]) => target)
  assert.deepEqual(targets, codes)
})

test('the page of errors names the headers of this service', () => {
  assert.match(page, /X-Acme-Timestamp/)
  assert.doesNotMatch(page, /X-Svc-/)
})

test('the page of errors has one path, and supports no other method', async () => {
  const slashed = await visit(t, '/docs/errors/')
  assert.deepEqual([slashed.status, slashed.headers.get('location')], [308, '../errors'])
  const posted = await visit(t, '/docs/errors', { method: 'POST' })
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
})

test('the page of errors has whole sentences', () => {
  for (const [code, { cause, remedy }] of Object.entries(catalogue))
    for (const text of [cause, remedy]) assert.match(text, /^[A-Z`].*\.$/, code)
})
