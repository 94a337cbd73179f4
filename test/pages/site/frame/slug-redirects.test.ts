/** The URLs of an agency whose slug has changed: they redirect to the new ones, in every language and with every query. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { saveAgencyProfile } from '../../../support/app/agency-profile.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, published } from '../../../support/app/listings.ts'
import { newTestKey } from '../../../support/app/test-key.ts'
import { shown, visit } from '../visit.ts'

let t: TestApp
let was = ''
let code = ''
const now = 'renamed'
before(async () => {
  t = await testApp()
  was = t.agency.slug
  code = (await published(t)).id
  await newTestKey(t, t.agency)
  await saveAgencyProfile(t.deps, t.agency.id, { slug: now })
})
after(() => t.close())

const movedTo = async (path: string, init: RequestInit = {}) => {
  const { status, headers } = await visit(t, path, init)
  return [status, headers.get('location'), headers.get('cache-control')]
}

describe('a former URL', () => {
  test('of the agency or a listing redirects to the new one', async () => {
    for (const prefix of ['', '/en']) {
      for (const rest of [
        '',
        `/${code}`,
        '?operation=sale&q=casa%20a&page=2',
        `/${code}?utm_source=portal`,
      ]) {
        const path = `${prefix}/inmobiliarias/${was}${rest}`
        const expected = `${prefix}/inmobiliarias/${now}${rest}`
        assert.deepEqual(await movedTo(path), [301, expected, 'no-store'])
        assert.deepEqual(await movedTo(path, { method: 'HEAD' }), [301, expected, 'no-store'])
        assert.match(await shown(t, expected), /<h1/)
      }
    }
  })

  test('of the map’s pins or of the enquiry form redirects too', async () => {
    for (const rest of ['/mapa.json?operation=sale', '/consulta', `/${code}/consulta`])
      assert.deepEqual(await movedTo(`/inmobiliarias/${was}${rest}`), [
        301,
        `/inmobiliarias/${now}${rest}`,
        'no-store',
      ])
    // The form's text is sent along.
    assert.deepEqual(
      await movedTo(`/en/inmobiliarias/${was}/${code}/consulta`, {
        method: 'POST',
        body: new URLSearchParams(),
      }),
      [308, `/en/inmobiliarias/${now}/${code}/consulta`, 'no-store'],
    )
  })

  test('with an unknown listing does not redirect', async () => {
    for (const odd of ['%2F%2Fevil.example', '..%2F..%2Fdashboard', '%0D%0AX:y', 'nope'])
      for (const rest of ['', '/consulta'])
        assert.deepEqual(await movedTo(`/inmobiliarias/${was}/${odd}${rest}`), [404, null, 'no-store'], odd)
  })

  test('of a test environment or a sitemap redirects too', async () => {
    assert.deepEqual(await movedTo(`/inmobiliarias/${was}-test`), [
      301,
      `/inmobiliarias/${now}-test`,
      'no-store',
    ])
    assert.deepEqual(await movedTo(`/sitemap-${was}-1.xml`), [301, `/sitemap-${now}-1.xml`, 'no-store'])
    const { text } = await visit(t, '/sitemap.xml')
    assert.ok(text.includes(`/sitemap-${now}-1.xml`) && !text.includes(was))
  })

  test('of a missing page redirects to one that says so', async () => {
    const [status, location] = await movedTo(`/inmobiliarias/${was}/ZZZZZZZZ`)
    assert.deepEqual([status, location], [301, `/inmobiliarias/${now}/ZZZZZZZZ`])
    assert.equal((await visit(t, String(location))).status, 404)
  })

  test('belongs to the agency again once it takes the slug back', async () => {
    await saveAgencyProfile(t.deps, t.agency.id, { slug: was })
    assert.equal((await visit(t, `/inmobiliarias/${was}`)).status, 200)
    assert.deepEqual(await movedTo(`/inmobiliarias/${now}`), [301, `/inmobiliarias/${was}`, 'no-store'])
    await saveAgencyProfile(t.deps, t.agency.id, { slug: now })
  })
})

test('the API returns the new URLs at once, and photos keep theirs', async () => {
  const { body } = await t.ask('GET', '/me')
  const { agency } = body.data as unknown as { agency: { slug: string; url: string } }
  assert.deepEqual([agency.slug, agency.url], [now, `https://listings.test/inmobiliarias/${now}`])
  const listing = accepted(await t.ask('GET', `/properties/${code}`))
  assert.equal(listing['url'], `https://listings.test/inmobiliarias/${now}/${code}`)
  const [photo = ''] = listing['photos'] as string[]
  assert.equal((await visit(t, photo)).status, 200)
})
