/** The test environment in the dashboard: created by its first key, with the agency's pages, and a button that resets it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { testSamples } from '../../../../src/samples/test-environment.ts'
import { testApp, type TestApp } from '../../../support/app/app.ts'
import { signedIn, type Visitor } from '../visitor.ts'

let t: TestApp
let owner: Visitor
let member: Visitor
let operator: Visitor
before(async () => {
  t = await testApp({ limits: { test_resets_per_hour: 1 } })
  owner = await signedIn(t, 'owner', t.agency.id, 'en')
  member = await signedIn(t, 'member', t.agency.id, 'en')
  operator = await signedIn(t, 'operator', null, 'en')
})
after(() => t.close())

const form = { name: 'Trying out', scopes: 'properties:read', kind: 'test' }
let key: string

test('a test environment explains itself before it exists, and names the people who can create it', async () => {
  const page = await owner.get('/dashboard/test')
  assert.match(page.words, /No test environment yet/)
  assert.match(page.text, /href="\/dashboard\/keys\/new\?kind=test"/)
  const members = await member.get('/dashboard/test')
  assert.match(members.words, /An owner creates it/)
  assert.doesNotMatch(members.text, /keys\/new/)
  assert.equal((await owner.get('/dashboard/test/listings')).status, 404)
  assert.equal((await owner.post('/dashboard/test/reset')).status, 404)
})

test('a test environment is not created by a refused form', async () => {
  const wrong = await owner.post('/dashboard/keys/new', { ...form, allowed_origins: 'http://acme.example' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /value="test"\s+checked/)
  assert.match(wrong.words, /or http:\/\/localhost:3000/)
  const sites = { scopes: 'properties:write', allowed_origins: 'https://www.acme.example' }
  const writer = await owner.post('/dashboard/keys/new', { ...form, ...sites })
  assert.match(writer.words, /takes only http:\/\/localhost/)
  assert.match((await owner.get('/dashboard/test')).words, /No test environment yet/)
})

test('a test environment is created with the first test key, which is shown once with a command to try it', async () => {
  const page = await owner.post('/dashboard/keys/new', { ...form, allowed_origins: 'http://localhost:5173' })
  assert.equal(page.status, 200, page.words)
  key = /id="new-key"\s*>\s*(svc_test_\w{40})/.exec(page.text)?.[1] ?? ''
  assert.match(page.text, new RegExp(`-H (&#34;|")Authorization: Bearer ${key}\\1`))
  const [, id = ''] = /href="\/dashboard\/test\/keys\/([0-9a-f-]{36})"/.exec(page.text) ?? []
  assert.match((await owner.get(`/dashboard/test/keys/${id}`)).words, /http:\/\/localhost:5173/)
  assert.equal((await owner.get(`/dashboard/keys/${id}`)).status, 404)
  assert.ok((await owner.get('/dashboard/keys')).text.includes(`/dashboard/test/keys/${id}`))
  const { rows } = await sql`select 1 from account_notices`.execute(t.deps.db)
  assert.equal(rows.length, 0)
})

test('a test environment shows its listings, keys and requests on pages that are marked', async () => {
  const published = testSamples.filter(({ status }) => status === 'published').length
  const page = await member.get('/dashboard/test')
  assert.match(page.words, new RegExp(`Published ${published} Drafts 2 Suspended 3 Active test keys 1`))
  const listings = await member.get('/dashboard/test/listings')
  assert.match(listings.words, new RegExp(`${testSamples.length} listings`))
  const [, listing = ''] = /href="(\/dashboard\/test\/listings\/\w{8})"/.exec(listings.text) ?? []
  const one = await member.get(listing)
  assert.doesNotMatch(one.words, /no longer kept/)
  for (const path of ['/listings', '/keys', '/usage', '/requests'])
    assert.match((await member.get(`/dashboard/test${path}`)).words, /nothing you see here is real/)
  for (const path of ['/listings', '/keys', '/usage', '/requests'])
    assert.doesNotMatch((await member.get(`/dashboard${path}`)).words, /nothing you see here is real|SAMPLE-/)
  // The API shows test keys a person's changes there.
  const changed = await member.submit(`${listing}/delete`)
  assert.match(changed.words, /nothing you see here is real/)
})

test('a test environment is reset by a button, up to an hourly limit', async () => {
  const before = await t.ask('GET', '/properties', { key })
  const done = await member.submit('/dashboard/test/reset')
  assert.match(done.words, /The test environment has its 14 sample listings again/)
  const after = await t.ask('GET', '/properties', { key })
  assert.notEqual(before.headers.get('etag'), after.headers.get('etag'))
  const refused = await owner.submit('/dashboard/test/reset')
  assert.match(refused.words, /too many|limit|Try again/i)
})

test('a test environment is logged for the agency, and shown below it to operators', async () => {
  const log = await owner.get('/dashboard/audit')
  assert.match(log.words, /Emptied and refilled the test environment/)
  assert.match(log.words, /Created the key svc_test_/)
  const home = `/dashboard/operator/agencies/${t.agency.slug}`
  assert.ok((await operator.get(home)).text.includes(`${home}/test"`))
  const environment = await operator.get(`${home}/test`)
  assert.ok(environment.text.includes(`${home}/test/listings`))
  const list = await operator.get('/dashboard/operator/agencies')
  assert.doesNotMatch(list.text, /-test/)
  const all = await operator.get('/dashboard/operator/audit')
  assert.ok(!all.text.includes(`agencies/${t.agency.slug}-test`))
  const taken = await operator.post('/dashboard/operator/new-agency', {
    name: 'X',
    slug: 'x-test',
    email: '',
  })
  assert.match(taken.words, /reserved for test environments/)
})

test('a test environment is refused with an explanation if another agency has its slug', async () => {
  const { agency } = await t.newAgency()
  await sql`update agencies set slug = ${`${t.other.agency.slug}-test`} where id = ${agency.id}`.execute(
    t.deps.db,
  )
  const other = await signedIn(t, 'owner', t.other.agency.id, 'en')
  const page = await other.post('/dashboard/keys/new', form)
  assert.equal(page.status, 400)
  assert.match(page.words, /another agency has taken its name in URLs/)
})
