/** The accent colour of an agency's pages: a separate stylesheet that only they load. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setAgencyDetails } from '../../../../src/agencies/details.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { published } from '../../../support/app/listings.ts'
import { shown, visit } from '../visit.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const styles = (page: string) =>
  [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) => href)

test('pages of the agency and its listings load the stylesheet of its colour, and others do not', async () => {
  const { url } = await published(t)
  const pages = [`/inmobiliarias/${t.agency.slug}`, String(url)]
  for (const page of pages) assert.equal(styles(await shown(t, page)).length, 1)
  await setAgencyDetails(t.deps.db, t.agency.id, { accent: '#ffcc00' }, t.clock)
  for (const page of pages) {
    const [, href = ''] = styles(await shown(t, page))
    assert.match(href, /^\/site\/accent\/ffcc00\.[0-9a-f]{12}\.css$/)
    const style = await visit(t, href)
    assert.equal(style.status, 200)
    assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8')
    assert.equal(style.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    // The light scheme darkens it, the dark one keeps it.
    assert.match(style.text, /^:root\{--accent:#(?!ffcc00)[^}]*\}@media[^}]*--accent:#ffcc00;/)
  }
  assert.equal(styles(await shown(t, `/inmobiliarias/${t.other.agency.slug}`)).length, 1)
})

test('the path of colour stylesheets serves nothing else', async () => {
  for (const file of [
    'ffcc00.css',
    'ffcc00.000000000000.css',
    'FFCC00.000000000000.css',
    'red.css',
    '%7D%2A%7Bdisplay.css',
    '..%2fstyle.css',
  ])
    assert.equal((await visit(t, `/site/accent/${file}`)).status, 404, file)
})
