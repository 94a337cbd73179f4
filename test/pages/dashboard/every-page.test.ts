/** Rules for every page of the table: permissions, isolation between agencies, accepted forms, and security headers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pages } from '../../../src/pages/dashboard/all-pages.ts'
import type { Page } from '../../../src/pages/dashboard/serving/page.ts'
import { createTwin } from '../../../src/agencies/twins.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { uuidv7 } from '../../../src/platform/names/ids.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { accepted, published } from '../../support/app/listings.ts'
import { storePasskey } from './pages/account/passkey-responses.ts'
import { person, type Person, signedIn, visitor, type Visitor } from './visitor.ts'

let t: TestApp
let people: Record<'owner' | 'member' | 'operator' | 'foreigner', Person>
/** Values for the parameters of paths, of the agency and of another one. */
let own: Record<string, string>
let foreign: Record<string, string>
/** The same for operators, who manage each other. */
let colleague: Record<string, string>
/** The same for their test environments. */
let ownTest: Record<string, string>
let foreignTest: Record<string, string>

before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' } })
  const { agency, other } = t
  people = {
    owner: await signedIn(t, 'owner'),
    member: await signedIn(t, 'member'),
    operator: await signedIn(t, 'operator'),
    foreigner: await signedIn(t, 'owner', other.agency.id),
  }
  const thingsOf = async (agencyId: string, slug: string, key: string): Promise<Record<string, string>> => {
    const made = await t.ask('POST', '/properties', { key, body: { title: '<b>Casa</b> & "jardín"' } })
    const listing = accepted(made, 201)
    await t.deps.requestLog.flush()
    return {
      agency: slug,
      listing: listing.id,
      request: made.headers.get('x-request-id') ?? '',
      key: (await t.newKey(agencyId)).id,
      person: (await person(t, 'member', agencyId)).id,
    }
  }
  own = await thingsOf(agency.id, agency.slug, t.writeKey)
  foreign = await thingsOf(other.agency.id, other.agency.slug, other.writeKey)
  const twinThings = async (of: { id: string; slug: string }): Promise<Record<string, string>> => {
    const twin = await inTransaction(t.deps.db, (tx) => createTwin(tx, of.id, uuidv7(), t.clock))
    const { key } = await t.newKey(twin.id, { scopes: ['properties:write'] })
    return await thingsOf(twin.id, of.slug, key)
  }
  ownTest = await twinThings(agency)
  foreignTest = await twinThings(other.agency)
  await published(t)
  const stranger = await signedIn(t, 'owner', other.agency.id)
  const { id } = await t.deps.db
    .selectFrom('account_sessions')
    .select('id')
    .where('account_id', '=', stranger.account.id)
    .executeTakeFirstOrThrow()
  for (const things of [own, foreign]) things['session'] = id
  for (const { account } of [people.owner, people.owner]) own['passkey'] = await storePasskey(t, account)
  foreign['passkey'] = await storePasskey(t, stranger.account)
  const event = await t.deps.db
    .selectFrom('notification_events')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  Object.assign(own, { event: event.id, channel: 'marketplace', token: 'x'.repeat(43) })
  colleague = { ...own, person: (await person(t, 'operator')).id }
})
after(() => t.close())

const filled = ({ path }: Page, things: Record<string, string>) =>
  path.replaceAll(/:(\w+)/g, (_match, name: string) => things[name] ?? uuidv7())
/** Values for its parameters: of the agency, or of the environment that the page is about. */
const ownOf = ({ isTest, path }: Page): Record<string, string> =>
  path.includes('/operator/people/') ? colleague : isTest === true ? ownTest : own
const foreignOf = ({ isTest }: Page) => (isTest === true ? foreignTest : foreign)
const isOfAgency = ({ path }: Page) => /:(listing|key|passkey|person|session|request)/.test(path)
const needsSession = ({ access }: Page) => !['anyone', 'guest'].includes(access)
/** The roles that may see a page, among people who are signed in. */
const admitted: Record<string, readonly string[]> = {
  person: ['owner', 'member', 'operator'],
  agency: ['owner', 'member'],
  owner: ['owner'],
  operator: ['operator'],
}
const send = (who: Visitor, { method }: Page, path: string) =>
  method === 'GET' ? who.get(path) : who.post(path)

test('the table of pages has the expected ones, each once', () => {
  assert.ok(pages.length > 70)
  const names = pages.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(names).size, names.length)
})

describe('a visitor without a session', () => {
  for (const page of pages.filter(needsSession)) {
    test(`is sent from ${page.method} ${page.path} to sign in`, async () => {
      const response = await send(visitor(t), page, filled(page, own))
      assert.equal(response.status, 303)
      assert.match(response.to ?? '', /^\/dashboard\/sign-in(\?next=%2Fdashboard%2F.+)?$/)
    })
  }
})

test('a script gets JSON: where to sign in, and what failed', async () => {
  const headers = { accept: 'application/json' }
  const signIn = await visitor(t).get('/dashboard/keys', headers)
  assert.equal(signIn.status, 401)
  assert.deepEqual(JSON.parse(signIn.text), { to: '/dashboard/sign-in?next=%2Fdashboard%2Fkeys' })
  const missing = await people.owner.get(`/dashboard/listings/${uuidv7()}`, headers)
  assert.equal(missing.status, 404)
  assert.equal(JSON.parse(missing.text).error.code, 'not_found')
})

describe('people without permission', () => {
  for (const page of pages.filter(({ access }) => access in admitted)) {
    for (const role of ['owner', 'member', 'operator'] as const) {
      if (admitted[page.access]?.includes(role)) continue
      test(`get 404 as ${role}: ${page.method} ${page.path}`, async () => {
        const response = await send(people[role], page, filled(page, own))
        assert.equal(response.status, 404, response.words)
      })
    }
  }
})

describe('a parameter that cannot be stored or decoded is not found by', () => {
  for (const page of pages.filter(({ path }) => path.includes(':'))) {
    test(`${page.method} ${page.path}`, async () => {
      const who = page.path.includes(':agency') ? people.operator : people.owner
      for (const [, name = ''] of page.path.matchAll(/:(\w+)/g))
        for (const odd of ['%00', 'a%00', `${ownOf(page)[name] ?? ''}%00`, '%ff', '%', 'x'.repeat(300)]) {
          const response = await send(who, page, filled(page, { ...ownOf(page), [name]: odd }))
          const told = `${name} is ${odd}: ${response.status} ${response.words}`
          if (needsSession(page)) assert.equal(response.status, 404, told)
          else assert.ok(response.status < 500, told)
        }
    })
  }
})

describe('another agency’s objects are not found by', () => {
  for (const page of pages.filter((one) => needsSession(one) && isOfAgency(one))) {
    test(`${page.method} ${page.path}`, async () => {
      const isConsole = page.path.includes(':agency')
      const who = isConsole ? people.operator : people.owner
      // Operators see every agency, but each one's pages show only its own objects.
      const response = await send(who, page, filled(page, { ...foreignOf(page), agency: t.agency.slug }))
      assert.equal(response.status, 404, response.words)
      if (isConsole) {
        const beside = await send(people.foreigner, page, filled(page, own))
        assert.equal(beside.status, 404)
      }
    })
  }
  test('objects of the test environment are not found on the agency’s pages, nor the other way round', async () => {
    for (const page of pages.filter((one) => /:(listing|key|request)/.test(one.path))) {
      const who = page.path.includes(':agency') ? people.operator : people.owner
      const response = await send(who, page, filled(page, page.isTest === true ? own : ownTest))
      assert.equal(response.status, 404, `${page.method} ${page.path}`)
    }
  })
  test('a test environment without a test key, or under its own slug, is not found', async () => {
    const { agency } = await t.newAgency()
    const console = '/dashboard/operator/agencies'
    for (const path of [`${console}/${agency.slug}/test/keys`, `${console}/${t.agency.slug}-test`])
      assert.equal((await people.operator.get(path)).status, 404, path)
    const shown = await people.operator.get(`${console}/${agency.slug}/test`)
    assert.match(shown.words, /Todavía no hay un entorno de prueba/)
  })
  test('an unknown agency is not found', async () => {
    const response = await people.operator.get('/dashboard/operator/agencies/nobody/keys')
    assert.equal(response.status, 404)
  })
})

const refusedForms: readonly [Record<string, string | null>, Record<string, string>][] = [
  [{ _csrf: null }, {}],
  [{ _csrf: '' }, {}],
  [{ _csrf: 'A'.repeat(43) }, {}],
  [{ _csrf: 'ñ'.repeat(43) }, {}],
  [{}, { 'sec-fetch-site': 'cross-site' }],
  [{}, { 'sec-fetch-site': 'same-site' }],
  [{}, { origin: 'https://evil.example' }],
  [{}, { origin: 'null' }],
]

describe('a form is refused', () => {
  for (const page of pages.filter(({ method }) => method === 'POST')) {
    test(`by POST ${page.path} without its token, with another’s, or from another site`, async () => {
      const path = filled(page, ownOf(page))
      // A visitor between password and second factor only has a session of that stage: see the tests of signing in.
      if (page.access === 'factor') return
      const who = needsSession(page) ? people[page.access === 'operator' ? 'operator' : 'owner'] : visitor(t)
      await who.get('/dashboard')
      // One check serves every page: the first page for each role is tested in all ways.
      const isFirst = pages.find(({ method, access }) => method === 'POST' && access === page.access) === page
      for (const [fields, headers] of isFirst
        ? refusedForms
        : refusedForms.filter((_, index) => index % 4 === 0)) {
        const response = await who.post(path, fields, headers)
        assert.equal(response.status, 403, `${JSON.stringify([fields, headers])} ${response.words}`)
        assert.match(response.text, /<h1>/)
      }
    })
  }
})

describe('a form with files', () => {
  const takes = pages.filter(({ takesFile }) => takesFile === true)
  const file = new File(['<svg onload=alert(1)>'], 'a.svg', { type: 'image/svg+xml' })
  const whoOf = ({ access }: Page) => people[access === 'operator' ? 'operator' : 'owner']
  for (const page of takes) {
    test(`is refused by POST ${page.path} without its token before the files, with another’s, or from another site`, async () => {
      const who = whoOf(page)
      const path = filled(page, ownOf(page))
      await who.get('/dashboard')
      const own = /name="_csrf"\s+value="([^"]+)"/.exec((await who.get('/dashboard')).text)?.[1] ?? ''
      await people.foreigner.get('/dashboard')
      const foreignToken =
        /name="_csrf"\s+value="([^"]+)"/.exec((await people.foreigner.get('/dashboard')).text)?.[1] ?? ''
      const tries: [readonly (readonly [string, string | File])[], Record<string, string>, string | null][] =
        [
          [[['photo', file]], {}, null],
          [[['photo', file]], {}, ''],
          [[['photo', file]], {}, foreignToken],
          [
            [
              ['photo', file],
              ['_csrf', own],
            ],
            {},
            null,
          ],
          [[['photo', file]], { 'sec-fetch-site': 'cross-site' }, own],
          [[['photo', file]], { origin: 'https://evil.example' }, own],
        ]
      for (const [parts, headers, token] of tries) {
        const response = await who.upload(path, parts, headers, token)
        assert.equal(response.status, 403, `${JSON.stringify(headers)} ${token} ${response.words}`)
      }
    })
    test(`is accepted by POST ${page.path} only from people with permission, for their own objects`, async () => {
      const stranger = await visitor(t).upload(filled(page, ownOf(page)), [['photo', file]])
      assert.equal(stranger.status, 303)
      assert.match(stranger.to ?? '', /^\/dashboard\/sign-in(\?next=%2Fdashboard%2F.+)?$/)
      // A page without parameters of an agency is about the agency of the visitor.
      if (isOfAgency(page) || page.access === 'operator') {
        const foreigner = await people.foreigner.upload(filled(page, ownOf(page)), [['photo', file]])
        assert.equal(foreigner.status, 404)
      }
      if (!isOfAgency(page)) return
      const others = { ...foreignOf(page), agency: t.agency.slug }
      assert.equal((await whoOf(page).upload(filled(page, others), [['photo', file]])).status, 404)
    })
  }
  test('is refused by every other page', async () => {
    for (const page of pages) {
      if (page.method !== 'POST' || page.takesFile === true || !(page.access in admitted)) continue
      const response = await whoOf(page).upload(filled(page, ownOf(page)), [['photo', file]])
      assert.equal(response.status, 415, page.path)
    }
  })
})

describe('every page', () => {
  const shown = pages.filter(
    ({ method, path, access }) => method === 'GET' && access !== 'factor' && !path.includes(':token'),
  )
  test('accepts any query', async () => {
    const names =
      'action agency before city code currency cursor days external_id from key method min_price page parameter path q request_id sort stale status subject to type view who'
    const odd = [
      '%00',
      'a%2500%00',
      '%ED%A0%80',
      '9999-12-31',
      '0000-01-01',
      '-1',
      '%25_%5C',
      `${'9'.repeat(400)}`,
    ]
    for (const page of shown) {
      const who = needsSession(page) ? people[page.access === 'operator' ? 'operator' : 'owner'] : visitor(t)
      for (const value of odd) {
        const query = names
          .split(' ')
          .map((name) => `${name}=${value}`)
          .join('&')
        const { status } = await who.get(`${filled(page, ownOf(page))}?${query}`)
        assert.ok(status < 500, `${page.path} with ${value}`)
      }
    }
  })

  for (const language of ['es-AR', 'en'] as const) {
    for (const page of shown) {
      test(`at ${page.path} in ${language} is shown, with strict security headers`, async () => {
        const who = needsSession(page)
          ? people[page.access === 'operator' ? 'operator' : 'owner']
          : visitor(t)
        const response = await who.get(filled(page, ownOf(page)), { 'accept-language': language })
        // Without the link from a mail.
        if (/\/(password|confirm-email)$/.test(page.path)) assert.equal(response.status, 404)
        else if (response.status === 303) assert.match(page.path, /second-factor/)
        else assert.equal(response.status, 200, response.words)
        const { headers, text } = response
        assert.match(
          headers.get('content-security-policy') ?? '',
          /^default-src 'none'; script-src 'self'; style-src 'self';/,
        )
        assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/)
        assert.deepEqual(
          ['x-content-type-options', 'x-frame-options', 'referrer-policy', 'cache-control'].map((name) =>
            headers.get(name),
          ),
          ['nosniff', 'DENY', 'same-origin', 'no-store'],
        )
        if (response.status === 303) return
        if (page.isData === true) {
          assert.match(headers.get('content-type') ?? '', /^(text\/csv|application\/json); charset=utf-8$/)
          return
        }
        assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
        assert.match(text, language === 'en' ? /<html lang="en-US">/ : /<html lang="es-AR">/)
        assert.equal([...text.matchAll(/<h1[ >]/g)].length, 1, 'one heading')
        assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|<[^>]+\s(style|on\w+)=/i)
        // A token can be any letters.
        assert.doesNotMatch(text.replaceAll(/"[\w-]{43}"/g, ''), /\[object|undefined|NaN|<b>Casa/)
        assert.ok(
          [...text.matchAll(/<form[^>]*method="post"/g)].length <= [...text.matchAll(/name="_csrf"/g)].length,
        )
      })
    }
  }
})

test('an unknown path is a page too, whatever the request', async () => {
  for (const path of ['/dashboard/nope', '/dashboard/listings/NOPE1234', '/dashboard/keys/x']) {
    const response = await people.owner.get(path)
    assert.equal(response.status, 404)
    assert.match(response.text, /<h1>Página no encontrada<\/h1>/)
  }
  assert.equal((await people.owner.get('/dashboard/')).to, '/dashboard')
  const json = await fetch(`${t.baseUrl}/dashboard/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(json.status, 415)
  assert.match(json.headers.get('content-type') ?? '', /^text\/html/)
  const large = await visitor(t).post('/dashboard/sign-in', { email: 'x'.repeat(70_000) })
  assert.equal(large.status, 413)
  const nul = await people.owner.post('/dashboard/account/profile', { name: 'a\0b', language: 'es' })
  assert.equal(nul.status, 400)
  assert.match(nul.text, /<!doctype html>/)
  // These hide text, or change its direction.
  for (const mark of ['\u200b', '\u202e', '\u2066', '\u00ad']) {
    const odd = await people.owner.post('/dashboard/account/profile', { name: `a${mark}b`, language: 'es' })
    assert.equal(odd.status, 400, JSON.stringify(mark))
  }
})

test('a method that a page does not have is 405, and lists those it has', async () => {
  const methods = Map.groupBy(pages, ({ path }) => path)
  for (const [path, those] of methods) {
    const allowed = those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const url = filled(those[0] as Page, own)
    for (const method of ['PUT', allowed.includes('GET') ? 'DELETE' : 'GET']) {
      const response = await fetch(`${t.baseUrl}${url}`, { method, redirect: 'manual' })
      const allow = (response.headers.get('allow') ?? '').split(', ')
      assert.deepEqual([response.status, allow.sort()], [405, allowed.sort()], `${method} ${path}`)
      assert.match(await response.text(), /<!doctype html>/)
    }
  }
})

test('cookies are limited to this host and https, and hidden from scripts', async () => {
  const [line = ''] = (await fetch(`${t.baseUrl}/dashboard/sign-in`)).headers.getSetCookie()
  assert.match(line, /^__Host-dashboard-guest=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
})

test('assets are cached permanently under names that depend on their content', async () => {
  const page = await visitor(t).get('/dashboard/sign-in')
  const names = [...page.text.matchAll(/(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g)].map(
    ([, name]) => name ?? '',
  )
  assert.equal(names.length, 4)
  for (const name of names) {
    const response = await fetch(`${t.baseUrl}${name}`)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    await response.arrayBuffer()
  }
  assert.equal((await fetch(`${t.baseUrl}/dashboard/assets/dashboard.css`)).status, 404)
})
