/** The sitemaps: every published listing of every active agency in both languages, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { setAgencyActive } from '../../../../src/agencies/agencies.ts'
import { urlsInFile } from '../../../../src/pages/site/files/sitemap.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, draft, published } from '../../../support/app/listings.ts'
import { visit } from '../visit.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

type Entry = { loc: string; lastmod: string }

async function entries(path: string): Promise<Entry[]> {
  const { status, headers, text } = await visit(t, path)
  assert.equal(status, 200, `${path}: ${text}`)
  assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8')
  assert.match(
    text,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<(urlset|sitemapindex) xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n/,
  )
  return [...text.matchAll(/<loc>([^<]*)<\/loc><lastmod>([^<]*)<\/lastmod>/g)].map(
    ([, loc = '', lastmod = '']) => ({ loc, lastmod }),
  )
}
const file = (slug = t.agency.slug, number = 1) => `/sitemap-${slug}-${number}.xml`

describe('the sitemap of an agency', () => {
  test('has its page and its published listings, with the time of their last change', async () => {
    const first = await published(t)
    const second = await published(t)
    await draft(t)
    const gone = await published(t)
    accepted(await t.ask('POST', `/properties/${gone.id}/disable`, { body: {} }))
    accepted(await t.ask('POST', '/properties', { key: t.other.writeKey, body: { title: 'x' } }), 201)
    const agency = `https://listings.test/inmobiliarias/${t.agency.slug}`
    const english = (loc: unknown) => String(loc).replace('/inmobiliarias', '/en/inmobiliarias')
    const found = await entries(file())
    assert.deepEqual(
      found.slice(2),
      [second, first].flatMap(({ url, updated_at: lastmod }) => [
        { loc: url, lastmod },
        { loc: english(url), lastmod },
      ]),
    )
    assert.deepEqual(
      found.slice(0, 2).map(({ loc }) => loc),
      [agency, english(agency)],
    )
    for (const { loc } of found) assert.equal((await visit(t, loc)).status, 200, loc)
  })

  test('is in the index as long as it has entries', async () => {
    const index = await entries('/sitemap.xml')
    assert.deepEqual(
      index.map(({ loc }) => loc),
      [`https://listings.test${file()}`],
    )
    await published(t)
    const [entry] = await entries('/sitemap.xml')
    assert.ok((entry?.lastmod ?? '') > (index[0]?.lastmod ?? ''))
  })

  test('disappears and returns with its agency', async () => {
    await setAgencyActive(t.deps.db, t.agency.slug, false, t.clock)
    assert.deepEqual(await entries('/sitemap.xml'), [])
    assert.equal((await visit(t, file())).status, 404)
    await setAgencyActive(t.deps.db, t.agency.slug, true, t.clock)
    assert.equal((await entries('/sitemap.xml')).length, 1)
    assert.ok((await entries(file())).length > 2)
  })

  test('is split before a file becomes too long', async () => {
    const { agency, writeKey } = await t.newAgency()
    accepted(await t.ask('POST', '/properties', { key: writeKey, body: { title: 'x' } }), 201)
    const listings = urlsInFile / 2 + 7
    await sql`
      insert into properties (agency_id, id, public_id, version, status, photos, created_at, updated_at)
      select ${agency.id}, gen_random_uuid(), translate(lpad(to_hex(n), 8, 'Z'), '01', 'XY'), 1, 'published', '{a,b,c}', now() + n * interval '1 s', now()
      from generate_series(1, ${listings}::int) n`.execute(t.deps.db)
    await sql`update agency_revisions set revision = revision + 1 where agency_id = ${agency.id}`.execute(
      t.deps.db,
    )
    const locs = (await entries('/sitemap.xml'))
      .map(({ loc }) => loc)
      .filter((loc) => loc.includes(agency.slug))
    assert.deepEqual(
      locs,
      [1, 2].map((number) => `https://listings.test${file(agency.slug, number)}`),
    )
    const [first, second] = [await entries(file(agency.slug, 1)), await entries(file(agency.slug, 2))]
    assert.equal(first.length, urlsInFile + 2)
    assert.equal(second.length, 14)
    assert.equal(new Set([...first, ...second].map(({ loc }) => loc)).size, listings * 2 + 2)
    assert.equal((await visit(t, file(agency.slug, 3))).status, 404)
  })

  test('is not found at any other URL', async () => {
    const { slug } = t.agency
    for (const path of [
      `/sitemap-${slug}.xml`,
      `/sitemap-${slug}-0.xml`,
      `/sitemap-${slug}-01.xml`,
      `/sitemap-${slug}-1`,
      '/sitemap-.xml',
      '/sitemap-nadie-1.xml',
      '/sitemap-%00-1.xml',
      `/sitemap-${slug}-9999999999.xml`,
      '/sitemaps.xml',
    ])
      assert.equal((await visit(t, path)).status, 404, path)
  })

  test('responds to HEAD, and to no other method', async () => {
    for (const path of ['/sitemap.xml', file()]) {
      const head = await visit(t, path, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text], [200, ''])
      const post = await visit(t, path, { method: 'POST', body: 'x' })
      assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD'])
    }
  })
})
