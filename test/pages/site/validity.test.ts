/** How long caches may keep a public page: until the agency, one of its listings or its profile changes, and no longer. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { get as httpGet } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setAgencyDetails } from '../../../src/agencies/details.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, draft, published, type Shown } from '../../support/app/listings.ts'
import { secondApp } from '../../support/app/second-app.ts'
import { visit } from './visit.ts'

let t: TestApp
let listing: Shown
let pages: string[] = []
before(async () => {
  t = await testApp()
  listing = await published(t)
  const agency = `/inmobiliarias/${t.agency.slug}`
  pages = [
    `${agency}/${listing.id}`,
    `/en${agency}/${listing.id}`,
    agency,
    `${agency}?q=casa`,
    `/sitemap-${t.agency.slug}-1.xml`,
  ]
})
after(() => t.close())

const tagOf = async (page: string) => (await visit(t, page)).headers.get('etag') ?? ''
const asked = (page: string, headers: Record<string, string>) => visit(t, page, { headers })

describe('a public page', () => {
  test('is revalidated each time, and not sent again to clients that have it', async () => {
    for (const page of [...pages, '/sitemap.xml', '/', '/en/', '/terms']) {
      const { headers, text } = await visit(t, page)
      assert.equal(headers.get('cache-control'), 'public, max-age=0, must-revalidate', page)
      assert.equal(headers.get('vary'), 'accept-encoding', page)
      const tag = headers.get('etag') ?? ''
      // The ETag is computed from the text itself, so that no ETag ever identifies two texts.
      assert.equal(tag, `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"`, page)
      for (const known of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
        const again = await asked(page, { 'if-none-match': known })
        assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag], page)
      }
      assert.equal((await asked(page, { 'if-none-match': '"x"' })).status, 200, page)
    }
  })

  test('has an ETag for each language and search', async () => {
    const searches = [
      '',
      '?operation=sale',
      '?q=casa',
      '?operation=rent',
      '?sort=price_asc',
      '?type=Casa&q=casa',
    ]
    const agency = `/inmobiliarias/${t.agency.slug}`
    const tags = await Promise.all(
      [
        ...searches.map((search) => agency + search),
        ...searches.map((search) => `/en${agency}${search}`),
        ...pages.slice(0, 2),
      ].map(tagOf),
    )
    assert.equal(new Set(tags).size, tags.length)
  })

  test('has one ETag for every spelling of a search', async () => {
    const agency = `/inmobiliarias/${t.agency.slug}`
    const tag = await tagOf(`${agency}?type=Galp%C3%B3n&q=x`)
    for (const same of [
      '?q=x&type=galpon',
      '?q=+x+&type=GALPON&city=&page=1&utm_source=y',
      '?type=Galp%C3%B3n&q=x&sort=recent&page=0',
    ])
      assert.equal(await tagOf(agency + same), tag, same)
  })

  test('changes with any write of the agency, its profile and its contact details', async () => {
    const change = async (what: string, act: () => Promise<unknown>) => {
      const before = await Promise.all(pages.map(tagOf))
      await act()
      const now = await Promise.all(pages.map(tagOf))
      now.forEach((tag, index) => assert.notEqual(tag, before[index], `${what}: ${pages[index]}`))
    }
    await change('edited', async () =>
      accepted(await t.ask('PATCH', `/properties/${listing.id}`, { body: { title: 'Casa nueva' } })),
    )
    await change('another one', () => published(t))
    await change('contact', () =>
      setAgencyDetails(t.deps.db, t.agency.id, { phone: '+54 11 5555-0142' }, t.clock),
    )
  })

  test('stays the same when another agency writes', async () => {
    const before = await Promise.all(pages.map(tagOf))
    accepted(await t.ask('POST', '/properties', { key: t.other.writeKey, body: { title: 'x' } }), 201)
    assert.deepEqual(await Promise.all(pages.map(tagOf)), before)
  })

  test('has the same ETag on every instance', async () => {
    const other = await secondApp(t)
    try {
      for (const page of pages) {
        const response = await fetch(other.baseUrl + page)
        await response.body?.cancel()
        assert.equal(response.headers.get('etag'), await tagOf(page))
      }
    } finally {
      await other.close()
    }
  })
})

describe('Last-Modified of a public page', () => {
  test('is the time of the last change, and enough for a conditional request', async () => {
    const [page = ''] = pages
    t.clock.offsetMs += 5_000
    await draft(t)
    t.clock.offsetMs += 5_000
    const since = (await visit(t, page)).headers.get('last-modified') ?? ''
    const changed = await t.deps.db
      .selectFrom('agency_revisions')
      .select('changed_at')
      .where('agency_id', '=', t.agency.id)
      .executeTakeFirstOrThrow()
    assert.equal(Date.parse(since), Math.ceil(Date.parse(changed.changed_at) / 1000) * 1000)
    assert.equal((await asked(page, { 'if-modified-since': since })).status, 304)
    assert.equal((await asked(page, { 'if-modified-since': since, 'if-none-match': '"x"' })).status, 200)
    for (const wrong of [
      'yesterday',
      new Date(Date.parse(since) - 1000).toUTCString(),
      new Date(Date.parse(since) + 1e9).toUTCString(),
    ])
      assert.equal((await asked(page, { 'if-modified-since': wrong })).status, 200, wrong)
  })

  test('does not hide a change in the same second', async () => {
    const [page = ''] = pages
    for (let round = 0; round < 5; round++) {
      accepted(await t.ask('PATCH', `/properties/${listing.id}`, { body: { title: `Casa ${round}` } }))
      const first = await visit(t, page)
      accepted(
        await t.ask('PATCH', `/properties/${listing.id}`, { body: { title: `Casa ${round} cambiada` } }),
      )
      const since = first.headers.get('last-modified') ?? ''
      assert.match(
        (await asked(page, { 'if-modified-since': since })).text,
        new RegExp(`Casa ${round} cambiada`),
      )
    }
  })
})

describe('compression of public pages', () => {
  /** fetch would decompress. */
  const packed = (page: string, encoding: string) =>
    new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
      httpGet(t.baseUrl + page, { headers: { 'accept-encoding': encoding } }, (response) => {
        buffer(response).then(
          (bytes) => resolve({ encoding: response.headers['content-encoding'], bytes }),
          reject,
        )
      }).on('error', reject)
    })

  test('is used for clients that accept it', async () => {
    for (const page of [...pages, '/', '/terms', '/robots.txt']) {
      const [plain, small] = [await packed(page, 'identity'), await packed(page, 'br;q=1, gzip;q=0.5')]
      assert.deepEqual([plain.encoding, small.encoding], [undefined, 'gzip'], page)
      assert.equal(gunzipSync(small.bytes).toString(), plain.bytes.toString(), page)
      assert.equal((await packed(page, 'gzip;q=0')).encoding, undefined)
    }
  })
})
