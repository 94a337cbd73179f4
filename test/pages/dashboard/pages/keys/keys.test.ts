/** Keys in the dashboard: the rules are those of the domain, a key is shown once, and a replaced one ends on its date. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { listKeys } from '../../../../../src/access/keys/keys.ts'
import { dayMs } from '../../../../../src/platform/time/days.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { type VisitedPage, signedIn, type Visitor } from '../../visitor.ts'

let t: TestApp
let owner: Visitor
before(async () => {
  t = await testApp()
  owner = await signedIn(t, 'owner', t.agency.id, 'en')
})
after(() => t.close())
beforeEach(() => {
  t.clock.offsetMs = 0
})

const day = (offset: number) => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10)
const keyOf = ({ text }: VisitedPage) => /id="new-key"\s*>\s*(svc_live_\w{40})/.exec(text)?.[1] ?? ''
const works = async (key: string) => (await t.ask('GET', '/me', { key })).status
const ids = async () => (await listKeys(t.deps.db, t.agency.id, t.clock)).map(({ id }) => id)

async function make(fields: Record<string, string | string[]> = {}): Promise<{ key: string; id: string }> {
  const id = randomUUID()
  const page = await owner.post('/dashboard/keys/new', {
    new_id: id,
    kind: 'live',
    name: 'CRM',
    scopes: 'properties:read',
    ...fields,
  })
  assert.equal(page.status, 200, page.words)
  return { key: keyOf(page), id }
}

test('a key is created with all chosen options, shown once, and never again', async () => {
  const { key, id } = await make({
    name: ' Sitio <web> ',
    scopes: ['properties:read'],
    expires_at: day(400),
    allowed_origins: 'https://www.acme.example\r\nhttps://acme.example',
    signature_required: 'yes',
  })
  const listed = (await listKeys(t.deps.db, t.agency.id, t.clock)).find((one) => one.id === id)
  assert.deepEqual(
    [listed?.name, listed?.scopes, listed?.allowed_origins, listed?.signature_required, listed?.expires_at],
    [
      'Sitio <web>',
      ['properties:read'],
      ['https://www.acme.example', 'https://acme.example'],
      true,
      `${day(400)}T00:00:00.000Z`,
    ],
  )
  assert.equal(await works(key), 401)
  for (const path of [`/dashboard/keys/${id}`, '/dashboard/keys']) {
    const page = await owner.get(path)
    assert.ok(!page.text.includes(key) && page.text.includes(key.slice(0, 13)))
    assert.match(page.text, /Sitio &#60;web&#62;/)
  }
})

test('writing includes reading, as on the command line, and sending a form twice creates one key', async () => {
  const { key, id } = await make({ scopes: 'properties:write' })
  assert.equal((await t.ask('GET', '/properties?status=all', { key })).status, 200)
  const again = await owner.post('/dashboard/keys/new', {
    new_id: id,
    kind: 'live',
    name: 'CRM',
    scopes: 'properties:write',
  })
  assert.equal(again.status, 400)
  assert.match(again.words, /This form was already sent/)
  assert.equal((await ids()).filter((one) => one === id).length, 1)
})

const wrong: readonly (readonly [string, Record<string, string | string[]>, RegExp])[] = [
  ['no name', { name: '  ' }, /Enter a name/],
  ['a past date', { expires_at: '2020-01-01' }, /This date is in the past/],
  ['an invalid date', { expires_at: '31/12/2030' }, /Enter a valid date/],
  ['a leads key beyond 90 days', { scopes: ['leads:read'], expires_at: '2099-01-01' }, /90 days at most/],
  ['a site with a path', { allowed_origins: 'https://acme.example/' }, /nothing after it/],
  [
    'six sites',
    { allowed_origins: [1, 2, 3, 4, 5, 6].map((n) => `https://a${n}.example`).join('\n') },
    /Enter 5 sites at most/,
  ],
  [
    'sites for a write key',
    { scopes: 'properties:write', allowed_origins: 'https://acme.example' },
    /for servers only/,
  ],
  ['an unknown scope', { scopes: 'everything' }, /not valid/],
  ['no kind', { kind: [] }, /Choose whether the key is live or a test key/],
  ['an unknown kind', { kind: 'demo' }, /Choose whether the key is live or a test key/],
]
for (const [what, fields, text] of wrong) {
  test(`${what} is refused beside the field, keeping everything typed`, async () => {
    const before = await ids()
    const page = await owner.post('/dashboard/keys/new', {
      kind: 'live',
      name: 'CRM <1>',
      scopes: 'properties:read',
      ...fields,
    })
    assert.equal(page.status, 400)
    assert.match(page.words, text)
    assert.match(page.text, /aria-invalid="true"|id="f-(scopes|kind)-error"/)
    if (!('name' in fields)) assert.match(page.text, /value="CRM &#60;1&#62;"/)
    assert.deepEqual(await ids(), before)
  })
}

test('a key is rotated; the old one works until its date', async () => {
  const old = await make()
  const past = await owner.post(`/dashboard/keys/${old.id}/rotate`, { revokes_on: '2020-01-01' })
  assert.equal(past.status, 400)
  const count = (await ids()).length
  const newId = randomUUID()
  const page = await owner.post(`/dashboard/keys/${old.id}/rotate`, { new_id: newId, revokes_on: day(2) })
  const key = keyOf(page)
  assert.deepEqual([await works(old.key), await works(key)], [200, 200])
  assert.match((await owner.get(`/dashboard/keys/${old.id}`)).words, /Until/)
  const again = await owner.post(`/dashboard/keys/${old.id}/rotate`, { new_id: newId, revokes_on: day(2) })
  assert.match(again.words, /This form was already sent/)
  assert.equal((await ids()).length, count + 1)
  t.clock.offsetMs = 3 * dayMs
  assert.deepEqual([await works(old.key), await works(key)], [401, 200])
})

test('the end of a key is set, removed, and refused when invalid', async () => {
  const { key, id } = await make()
  const end = (revokes_at: string) => owner.post(`/dashboard/keys/${id}/end`, { revokes_at })
  assert.equal((await end('nonsense')).status, 400)
  assert.equal((await end(day(1))).status, 303)
  assert.equal((await end('')).status, 303)
  t.clock.offsetMs = 3 * dayMs
  assert.equal(await works(key), 200)
  t.clock.offsetMs = 0
  const page = await owner.submit(`/dashboard/keys/${id}/revoke`)
  assert.match(page.words, /The key “CRM” no longer works/)
  assert.equal(await works(key), 401)
  assert.match((await end(day(1))).words, /This key is revoked/)
  assert.equal((await owner.post(`/dashboard/keys/${id}/rotate`)).status, 400)
})

test('members see keys, but cannot change them', async () => {
  const member = await signedIn(t, 'member', t.agency.id, 'en')
  const { key, id } = await make()
  assert.equal((await member.get(`/dashboard/keys/${id}`)).status, 200)
  assert.doesNotMatch((await member.get(`/dashboard/keys/${id}`)).words, /Revoke/)
  for (const action of ['rotate', 'end', 'revoke'])
    assert.equal((await member.post(`/dashboard/keys/${id}/${action}`)).status, 404)
  assert.equal(await works(key), 200)
})

test('the page of keys shows activity by day and error, and each request by its id', async () => {
  const { key, id } = await make({ name: 'Busy' })
  const first = await t.ask('GET', '/properties?q=secreto', { key })
  await t.ask('GET', '/properties/ABCDEFGH', { key })
  await t.deps.requestLog.flush()
  const requestId = first.headers.get('x-request-id') ?? ''
  const page = await owner.get(`/dashboard/keys/${id}`)
  assert.match(page.words, /2 requests in 30 days/)
  assert.match(page.words, /not_found ×1/)
  const log = await owner.get(`/dashboard/requests?key=${id}`)
  assert.match(log.words, /GET \/api\/v1\/properties\/ABCDEFGH/)
  assert.doesNotMatch(log.words, /secreto/)
  const found = await owner.get(`/dashboard/requests?request_id=${requestId}`)
  assert.equal(found.to, `/dashboard/requests/${requestId}`)
  const foreign = await signedIn(t, 'owner', t.other.agency.id, 'en')
  assert.match((await foreign.get(`/dashboard/requests?request_id=${requestId}`)).words, /No requests/)
  assert.match((await foreign.get(`/dashboard/requests?key=${id}`)).words, /No requests/)
  assert.match((await owner.get('/dashboard/usage?days=7')).words, /Busy/)
  for (const odd of ['?key=x', '?request_id=%27', '?errors=2'])
    assert.equal((await owner.get(`/dashboard/requests${odd}`)).status, 200)
})

test('people of a deactivated agency can look but change nothing', async () => {
  const own = await t.newAgency()
  const who = await signedIn(t, 'owner', own.agency.id, 'en')
  const operator = await signedIn(t, 'operator')
  await operator.submit(`/dashboard/operator/agencies/${own.agency.slug}/deactivate`, {
    confirm: own.agency.slug,
  })
  // Shown before anyone fills in a form that would be rejected.
  for (const path of ['', '/keys', '/keys/new', '/people', '/settings'])
    assert.match((await who.get(`/dashboard${path}`)).words, /The agency is deactivated/, path)
  const refused = await who.post('/dashboard/keys/new', {
    kind: 'live',
    name: 'x',
    scopes: 'properties:read',
  })
  assert.equal(refused.status, 403)
  assert.match(refused.words, /The agency is deactivated/)
})
