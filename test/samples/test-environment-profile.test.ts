/**
 * The parts of a test environment that come from its agency: the profile, the origins of its keys, and public pages that are marked as a
 * test.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { getAgency, setAgencyActive } from '../../src/agencies/agencies.ts'
import { setAgencyDetails } from '../../src/agencies/details.ts'
import { saveAgencyProfile } from '../support/app/agency-profile.ts'
import { type ApiResponse, publishable, testApp, type TestApp } from '../support/app/app.ts'
import { accepted } from '../support/app/listings.ts'
import { newTestKey } from '../support/app/test-key.ts'

let t: TestApp
let testKey: Awaited<ReturnType<typeof newTestKey>>
let reading: string
before(async () => {
  t = await testApp()
  testKey = await newTestKey(t, t.agency)
  reading = (await newTestKey(t, t.agency, { scopes: ['properties:read'] })).key
})
after(() => t.close())

const listed = async (key: string, query = 'status=all'): Promise<Record<string, never>[]> => {
  const { body } = await t.ask('GET', `/properties?per_page=50&${query}`, { key })
  return body.data as unknown as Record<string, never>[]
}
type Me = {
  agency: { id: string; name: string; slug: string; test: boolean }
  key: { test: boolean }
  usage: Record<string, { used: number }>
}
const me = async (key: string): Promise<Me> => (await t.ask('GET', '/me', { key })).body.data as unknown as Me
const photosOf = (listing: Record<string, never> | undefined): string[] =>
  (listing === undefined ? [] : listing['photos']) as unknown as string[]
const refusal = ({ status, body }: ApiResponse) => `${status} ${body.error?.['code']}`

describe('the agency’s profile', () => {
  test('and its state apply to the environment immediately', async () => {
    const { db } = t.deps
    const { agency } = await t.newAgency()
    const { key, twin } = await newTestKey(t, agency)
    const etagOf = async () => (await t.ask('GET', '/properties', { key })).headers.get('etag')
    const etag = await etagOf()
    const slug = `renamed-${agency.slug}`
    const profile = { name: 'Otro Nombre', slug, email: 'hola@otro.example' }
    await saveAgencyProfile({ db, clock: t.clock }, agency.id, { ...profile, phone: '+54 11 5555-0142' })
    assert.notEqual(await etagOf(), etag)
    const { agency: renamed } = await me(key)
    assert.deepEqual([renamed.name, renamed.slug], ['Otro Nombre', `${slug}-test`])
    const [listing = {} as Record<string, never>] = await listed(key, 'fields=agency')
    assert.equal((listing['agency'] as unknown as { name: string }).name, 'Otro Nombre')
    const shown = async (path: string) => await (await fetch(`${t.baseUrl}${path}`)).text()
    assert.match(await shown(`/inmobiliarias/${slug}-test`), /Otro Nombre[^]*5555-0142/)
    await setAgencyDetails(db, agency.id, { phone: '+54 11 5555-0199' }, t.clock)
    assert.match(await shown(`/inmobiliarias/${slug}-test`), /5555-0199/)
    assert.equal((await getAgency(db, `${slug}-test`)).id, twin.id)

    await setAgencyActive(db, slug, false, t.clock)
    assert.equal(refusal(await t.ask('GET', '/me', { key })), '403 agency_not_active')
    assert.equal((await fetch(`${t.baseUrl}/inmobiliarias/${slug}-test`)).status, 410)
    await setAgencyActive(db, slug, true, t.clock)
    assert.equal((await t.ask('GET', '/me', { key })).status, 200)
  })

  test('is not lost when it changes while the first test key is being created', async () => {
    const { db } = t.deps
    for (const round of [1, 2]) {
      const { agency } = await t.newAgency()
      const slug = `raced-${round}-${agency.slug}`
      const [{ twin }] = await Promise.all([
        newTestKey(t, agency),
        saveAgencyProfile({ db, clock: t.clock }, agency.id, { name: 'Corrida', slug, email: null }).then(
          () => setAgencyActive(db, slug, false, t.clock),
        ),
      ])
      const { rows } =
        await sql`select id, name, active from agencies where slug = ${`${slug}-test`}`.execute(db)
      assert.deepEqual(rows, [{ id: twin.id, name: 'Corrida', active: false }])
    }
  })

  test('cannot take a slug whose test slug is in use', async () => {
    const { db } = t.deps
    const { agency } = await t.newAgency()
    const { agency: older } = await t.newAgency()
    await newTestKey(t, agency)
    await sql`update agencies set slug = 'wanted-test' where id = ${older.id}`.execute(db)
    await assert.rejects(
      saveAgencyProfile({ db, clock: t.clock }, agency.id, { name: 'X', slug: 'wanted', email: null }),
      /"wanted-test", which another agency has/,
    )
    assert.equal((await getAgency(db, agency.slug)).name, agency.name)
  })
})

describe('origins of test keys', () => {
  const asked = (key: string, origin: string, method = 'GET', path = '/properties', body?: unknown) =>
    t.ask(method, path, { key, headers: { origin }, ...(body === undefined ? {} : { body }) })

  test('of localhost may be combined with others unless the key writes', async () => {
    const allowed_origins = ['http://localhost:3000', 'http://127.0.0.1', 'https://www.acme.example']
    const { key } = await newTestKey(t, t.agency, { scopes: ['properties:read'], allowed_origins })
    for (const origin of allowed_origins) {
      const response = await asked(key, origin)
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, origin])
      const preflight = await fetch(`${t.baseUrl}/api/v1/properties`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      })
      assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
    }
    assert.equal(refusal(await asked(key, 'http://localhost:3001')), '403 origin_not_allowed')
    assert.equal(refusal(await asked(t.readKey, 'http://localhost:3000')), '403 origin_not_allowed')
    for (const wrong of [
      'http://acme.example',
      'http://[::1]:3000',
      'http://localhost:3000/',
      'http://localhost:80',
    ])
      await assert.rejects(
        newTestKey(t, t.agency, { scopes: ['properties:read'], allowed_origins: [wrong] }),
        { parameter: 'allowed_origins[0]' },
        wrong,
      )
    await assert.rejects(t.newKey(t.agency.id, { allowed_origins: ['http://localhost:3000'] }), {
      parameter: 'allowed_origins[0]',
    })
  })

  test('of localhost are the only ones allowed if the key writes, and let it write from there', async () => {
    const origin = 'http://localhost:5173'
    for (const scopes of [['properties:write'], ['properties:read', 'leads:write']] as const)
      for (const wrong of ['https://www.acme.example', 'http://acme.example', 'http://localhost:5173/'])
        await assert.rejects(newTestKey(t, t.agency, { scopes, allowed_origins: [origin, wrong] }), {
          parameter: 'allowed_origins[1]',
        })
    await assert.rejects(t.newKey(t.agency.id, { scopes: ['properties:write'], allowed_origins: [origin] }), {
      parameter: 'allowed_origins',
    })
    const options = async (path: string, method: string) => {
      const headers = { origin, 'access-control-request-method': method }
      const { headers: sent } = await fetch(`${t.baseUrl}/api/v1${path}`, { method: 'OPTIONS', headers })
      const { 'access-control-allow-origin': granted, 'access-control-allow-methods': methods } =
        Object.fromEntries(sent)
      return granted === origin && methods?.split(', ').includes(method) === true
    }
    assert.equal(await options('/properties', 'POST'), false)
    const { key } = await newTestKey(t, t.agency, {
      scopes: ['properties:write'],
      allowed_origins: [origin, 'http://127.0.0.1'],
    })
    const made = await asked(key, origin, 'POST', '/properties', { title: 'De localhost' })
    const path = `/properties/${(made.body.data as { id?: string }).id}`
    const responses = [
      made,
      await asked(key, origin, 'GET', path),
      await asked(key, origin, 'PATCH', path, { title: 'De otra página' }),
      await asked(key, 'http://127.0.0.1', 'PUT', `${path}/photos`, { urls: [] }),
      await asked(key, origin, 'DELETE', path),
    ]
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.get('access-control-allow-origin')]),
      [201, 200, 200, 200, 200].map((status, at) => [status, at === 3 ? 'http://127.0.0.1' : origin]),
    )
    const preflights: [string, string][] = [
      ['/properties', 'POST'],
      [path, 'PATCH'],
      [path, 'DELETE'],
      [`${path}/photos`, 'PUT'],
    ]
    for (const [at, method] of preflights) assert.equal(await options(at, method), true, method)
    for (const other of ['http://localhost:5174', 'https://www.acme.example'])
      assert.equal(refusal(await asked(key, other)), '403 origin_not_allowed')
  })

  test('of the service itself are accepted, to write too, and for no live key', async () => {
    const own = 'https://listings.test'
    for (const key of [testKey.key, reading]) {
      const response = await asked(key, own)
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, own])
    }
    const made = await asked(testKey.key, own, 'POST', '/properties', { title: 'De /docs' })
    assert.equal(made.status, 201, made.text)
    const items = [
      { title: 'De /docs', external_id: 'docs-1' },
      { title: 'x', external_id: 'docs-2' },
    ]
    const batch = await asked(testKey.key, own, 'POST', '/properties/batch', { items })
    assert.equal(batch.status, 200, batch.text)
    const refused = await asked(reading, own, 'POST', '/properties', { title: 'x' })
    assert.equal(refusal(refused), '403 insufficient_scope')
    for (const key of [t.readKey, t.writeKey])
      assert.equal(refusal(await asked(key, own)), '403 origin_not_allowed')
    for (const other of ['https://listings.test:8443', 'http://listings.test', 'null'])
      assert.equal(refusal(await asked(testKey.key, other)), '403 origin_not_allowed', other)
  })
})

describe('public pages of a test environment', () => {
  test('are marked for people and search engines, and appear in no sitemap', async () => {
    const { slug } = testKey.twin
    // Sitemaps only include agencies with published listings.
    accepted(await t.ask('POST', '/properties', { body: publishable() }), 201)
    const [published] = await listed(testKey.key, 'status=published')
    const paths = [`/inmobiliarias/${slug}`, `/inmobiliarias/${slug}/${published?.['id']}`]
    for (const path of [...paths, ...paths.map((one) => `/en${one}`)]) {
      const response = await fetch(`${t.baseUrl}${path}`)
      const page = await response.text()
      assert.deepEqual(
        [response.status, response.headers.get('x-robots-tag')],
        [200, 'noindex, nofollow'],
        path,
      )
      assert.match(page, /<meta name="robots" content="noindex, nofollow"/)
      assert.match(page, path.startsWith('/en') ? /Test environment/ : /Entorno de prueba/)
    }
    const { pathname } = new URL(photosOf(published)[0] ?? '')
    const photo = await fetch(t.baseUrl + pathname)
    assert.deepEqual([photo.status, photo.headers.get('x-robots-tag')], [200, 'noindex, nofollow'])
    const gone = await fetch(`${t.baseUrl}/inmobiliarias/${slug}/AAAAAAAA`)
    assert.deepEqual([gone.status, gone.headers.get('x-robots-tag')], [404, 'noindex, nofollow'])
    const index = await (await fetch(`${t.baseUrl}/sitemap.xml`)).text()
    assert.match(index, new RegExp(`sitemap-${t.agency.slug}-1\\.xml`))
    assert.doesNotMatch(index, /-test-/)
    assert.equal((await fetch(`${t.baseUrl}/sitemap-${slug}-1.xml`)).status, 404)
    const real = await fetch(`${t.baseUrl}/inmobiliarias/${t.agency.slug}`)
    assert.equal(real.headers.get('x-robots-tag'), null)
    assert.doesNotMatch(await real.text(), /Entorno de prueba|noindex/)
  })
})
