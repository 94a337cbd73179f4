/** The operator's console for hundreds of agencies: the search box, the table, traffic, the audit log's filters, and confirmations. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { getAgency } from '../../../../../src/agencies/agencies.ts'
import { saveAgencyProfile } from '../../../../support/app/agency-profile.ts'
import { publishable, testApp, type TestApp } from '../../../../support/app/app.ts'
import { accepted, published } from '../../../../support/app/listings.ts'
import { newTestKey } from '../../../../support/app/test-key.ts'
import { person, signedIn, type Visitor } from '../../visitor.ts'

let t: TestApp
let operator: Visitor
const console_ = '/dashboard/operator'

before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' } })
  operator = await signedIn(t, 'operator', null, 'en')
})
after(() => t.close())

/** The target of the search box, or the page with its results. */
async function find(text: string) {
  const asked = await operator.post(`${console_}/find`, { q: text })
  if (asked.status !== 303 || !(asked.to ?? '').startsWith(`${console_}/find?`)) return asked
  return await operator.get(asked.to ?? '')
}

test('a bookmark with a former slug redirects to the page, and its form still works', async () => {
  const { agency, writeKey } = await t.newAgency()
  const listing = accepted(await t.ask('POST', '/properties', { key: writeKey, body: publishable() }), 201)
  await newTestKey(t, agency)
  const was = `${console_}/agencies/${agency.slug}`
  const now = `${console_}/agencies/${agency.slug}-now`
  await saveAgencyProfile(t.deps, agency.id, { slug: `${agency.slug}-now` })
  for (const rest of [
    '',
    `/listings/${listing.id}`,
    '/listings?status=all&q=casa',
    '/test',
    '/test/listings',
  ]) {
    const { status, to } = await operator.get(was + rest)
    assert.deepEqual([status, to], [303, now + rest])
    assert.equal((await operator.get(now + rest)).status, 200)
  }
  const sent = await operator.post(`${was}/settings/mails/enquiries`, {})
  assert.deepEqual([sent.status, sent.to?.startsWith(now)], [303, true])
  for (const path of [`${was}-test`, `${now}-test`, `${console_}/agencies/nobody`])
    assert.equal((await operator.get(path)).status, 404, path)
  // It reveals the agency to no one else.
  const owner = await signedIn(t, 'owner')
  assert.equal((await owner.get(was)).status, 404)
  assert.equal((await owner.post(`${was}/settings/mails/enquiries`, {})).status, 404)
})

describe('the search box finds', () => {
  test('a request by its id, of any agency, old or new', async () => {
    const { agency, writeKey } = await t.newAgency()
    const response = await t.ask('GET', '/me', { key: writeKey })
    await t.deps.requestLog.flush()
    const id = response.headers.get('x-request-id') ?? ''
    const path = `${console_}/agencies/${agency.slug}/requests/${id}`
    assert.equal((await find(id)).to, path)
    assert.equal((await operator.get(path)).status, 200)
  })

  test('a listing by code in any case, uuid and external id, and a removed one by its code', async () => {
    const listing = await published(t, { external_id: 'CRM-find-1' })
    const path = `${console_}/agencies/${t.agency.slug}/listings/${listing.id}`
    const { id } = await t.deps.db
      .selectFrom('properties')
      .select('id')
      .where('public_id', '=', listing.id)
      .executeTakeFirstOrThrow()
    for (const text of [listing.id, listing.id.toLowerCase(), id, 'CRM-find-1'])
      assert.equal((await find(text)).to, path)
    accepted(await t.ask('DELETE', `/properties/${listing.id}`))
    assert.equal((await find(listing.id)).to, path)
    assert.match((await find('CRM-find-1')).words, /Nothing found/)
  })

  test('agencies, people and keys by a part of their name, ignoring accents', async () => {
    const { agency } = await t.newAgency()
    await t.deps.db.updateTable('agencies').set({ name: 'Núñez Única' }).where('id', '=', agency.id).execute()
    assert.equal((await find('nunez uni')).to, `${console_}/agencies/${agency.slug}`)
    const former = agency.slug
    agency.slug = `nunez-${agency.id.slice(-8)}`
    await saveAgencyProfile(t.deps, agency.id, { slug: agency.slug })
    for (const text of [former, `https://listings.test/en/inmobiliarias/${former}?operation=rent`])
      assert.equal((await find(text)).to, `${console_}/agencies/${agency.slug}`)
    const { email } = await person(t, 'member', agency.id)
    assert.equal((await find(email)).to, `${console_}/agencies/${agency.slug}/people`)
    const { id, key, prefix } = await t.newKey(agency.id)
    const path = `${console_}/agencies/${agency.slug}/keys/${id}`
    assert.equal((await find(id)).to, path)
    assert.equal((await find(`${prefix}…`)).to, path)
    assert.equal((await find(key)).to, path)
    assert.equal((await operator.get(`${console_}/find?q=${former.slice(0, 6)}`)).status, 200)
  })

  test('a key, which is never in a URL, and finds nothing for a foreign one', async () => {
    const { key } = await t.newKey((await t.newAgency()).agency.id)
    const asked = await operator.post(`${console_}/find`, { q: key })
    assert.ok(!(asked.to ?? '').includes(key.slice(20)))
    const other = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    assert.match((await find(other)).words, /Nothing found/)
  })

  test('a pasted key with surrounding text or in part, which is not in a URL either', async () => {
    const { agency } = await t.newAgency()
    const { key, id } = await t.newKey(agency.id)
    for (const text of [`Authorization: Bearer ${key}`, `-H 'X-API-Key: ${key}'`, `"${key}",`])
      assert.equal(
        (await operator.post(`${console_}/find`, { q: text })).to,
        `${console_}/agencies/${agency.slug}/keys/${id}`,
      )
    for (const text of [key.slice(0, -1), `${key}x`, key.slice(0, 25), `Bearer ${key.slice(0, 30)}`]) {
      const asked = await operator.post(`${console_}/find`, { q: text })
      assert.deepEqual([asked.status, asked.to], [200, null])
    }
  })

  test('objects of a test environment, on its pages', async () => {
    const { agency } = await t.newAgency()
    const { key } = await newTestKey(t, await getAgency(t.deps.db, agency.slug))
    const response = await t.ask('GET', '/me', { key })
    await t.deps.requestLog.flush()
    const id = response.headers.get('x-request-id') ?? ''
    const { to } = await find(id)
    assert.equal(to, `${console_}/agencies/${agency.slug}/test/requests/${id}`)
    assert.equal((await operator.get(to ?? '')).status, 200)
  })

  test('nothing for blanks, markup and wildcards', async () => {
    for (const text of [
      '<script>alert(1)</script>',
      '%',
      "' or 1=1 --",
      '\\',
      'zzzzzz',
      '00000000-0000-0000-0000-000000000000',
    ]) {
      const page = await find(text)
      assert.equal(page.status, 200)
      assert.match(page.words, /Nothing found/)
      assert.doesNotMatch(page.text, /<script>alert/)
    }
    assert.equal((await operator.get(`${console_}/find`)).status, 200)
  })
})

test('the table of agencies counts listings and requests, sorts, filters and searches', async () => {
  const { agency, writeKey } = await t.newAgency()
  await t.deps.db
    .updateTable('agencies')
    .set({ name: 'Zárate & <Hijos>' })
    .where('id', '=', agency.id)
    .execute()
  await t.ask('POST', '/properties', { key: writeKey, body: { title: 'Casa' } })
  for (let count = 0; count < 25; count += 1) await t.ask('GET', '/properties/ABCD2345', { key: writeKey })
  await t.deps.requestLog.flush()
  const page = await operator.get(`${console_}/agencies?q=zarate`)
  assert.match(page.words, /Zárate &#38; &#60;Hijos&#62;|Zárate & <Hijos>/)
  assert.match(page.words, /0 \/ 1/)
  assert.match(page.words, /96\.2%/)
  assert.doesNotMatch(page.text, /<Hijos>/)
  for (const view of ['all', 'active', 'inactive', 'failing', 'silent', 'limits'])
    for (const sort of ['name', 'listings', 'requests', 'errors', 'last', 'created'])
      assert.equal((await operator.get(`${console_}/agencies?view=${view}&sort=${sort}`)).status, 200)
  assert.match((await operator.get(`${console_}/agencies?view=failing`)).words, /Zárate/)
  assert.doesNotMatch((await operator.get(`${console_}/agencies?view=silent`)).words, /Zárate/)
  const csv = await operator.get(`${console_}/agencies.csv?q=zarate`)
  assert.match(csv.text, /Zárate & <Hijos>,[\w-]+,.*,true,0,1,26,25,/)
})

test('the console shows traffic over all agencies', async () => {
  const page = await operator.get(`${console_}/traffic?days=7`)
  assert.equal(page.status, 200)
  assert.match(page.words, /not_found/)
  assert.match(page.words, /requests in 7 days/)
})

test('deactivating an agency explains the effects, and requires its name to be typed', async () => {
  const { agency, writeKey } = await t.newAgency()
  const path = `${console_}/agencies/${agency.slug}/deactivate`
  assert.match((await operator.get(path)).words, /keys stop working immediately/)
  const refused = await operator.post(path, { confirm: 'x' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /id="f-confirm-error"/)
  assert.equal((await t.ask('GET', '/me', { key: writeKey })).status, 200)
  await operator.submit(path, { confirm: ` ${agency.slug} ` })
  assert.equal((await t.ask('GET', '/me', { key: writeKey })).status, 403)
})

test('the audit log is filtered by person, action and time, and exported as CSV', async () => {
  const { agency } = await t.newAgency()
  await operator.submit(`${console_}/agencies/${agency.slug}/deactivate`, { confirm: agency.slug })
  const lines = async (query: string) =>
    (await operator.get(`${console_}/audit.csv?${query}`)).text.trim().split('\r\n').length - 1
  assert.equal(await lines(`subject=${agency.slug}`), 1)
  assert.equal(await lines(`agency=${agency.slug}&action=agency_deactivated`), 1)
  assert.equal(await lines(`agency=${agency.slug}&action=agency_activated`), 0)
  assert.equal(await lines(`agency=${agency.slug.toUpperCase().slice(1)}&action=agency_deactivated`), 1)
  assert.equal(await lines(`agency=${agency.slug}&to=2020-01-01`), 0)
  const none = await operator.get(`${console_}/audit?agency=${agency.slug}&to=2020-01-01`)
  assert.match(none.words, /Nothing matches the filters/)
  assert.equal(await lines(`agency=${agency.slug}&who=nobody-of-that-name`), 0)
  assert.ok((await lines('action=no-such&from=x')) > 1)
  const page = await operator.get(`${console_}/audit?subject=${agency.slug}`)
  assert.match(page.words, /Agency deactivated|deactivated/i)
  const owner = await signedIn(t, 'owner', agency.id, 'en')
  const own = await owner.get('/dashboard/audit.csv?who=x&agency=other')
  assert.equal(own.status, 200)
  assert.match(own.text, /agency_deactivated/)
})
