/** The operator's console: agencies, their people, keys and listings, the health of the service, and the audit log of operators. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getAgencyDetails } from '../../../../../src/agencies/details.ts'
import { getAgency } from '../../../../../src/agencies/agencies.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { accepted, historyOf, published } from '../../../../support/app/listings.ts'
import { newTestKey } from '../../../../support/app/test-key.ts'
import { signedIn, type Visitor } from '../../visitor.ts'

let t: TestApp
let operator: Visitor
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' } })
  operator = await signedIn(t, 'operator', null, 'en')
})
after(() => t.close())

const home = '/dashboard/operator/agencies'

test('an agency is created, changed, deactivated and activated, and each action is logged', async () => {
  const wrong = await operator.post('/dashboard/operator/new-agency', {
    name: 'Río',
    slug: 'Río',
    email: 'x',
  })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /id="f-slug-error"/)
  assert.match(wrong.text, /value="Río"/)
  const taken = await operator.post('/dashboard/operator/new-agency', { name: 'Río', slug: t.agency.slug })
  assert.match(taken.words, /This name is taken/)
  const page = await operator.submit('/dashboard/operator/new-agency', {
    name: 'Río',
    slug: 'rio',
    email: 'a@rio.example',
  })
  assert.match(page.words, /Río was created/)

  assert.equal((await operator.post(`${home}/rio/settings`, { name: '', email: '' })).status, 400)
  const contact = { phone: '+54 11 5555-0142', whatsapp: '', website: 'https://rio.example' }
  const odd = { name: 'Río Norte', phone: '5555-0142' }
  const refused = await operator.post(`${home}/rio/settings`, odd)
  assert.deepEqual([refused.status, /id="f-phone-error"/.test(refused.text)], [400, true])
  assert.equal((await getAgency(t.deps.db, 'rio')).name, 'Río')
  await operator.submit(`${home}/rio/settings`, { name: 'Río Sur', email: '', ...contact })
  assert.match((await operator.submit(`${home}/rio/settings/address`, { slug: 'rio-sur' })).words, /rio-sur/)
  const agency = await getAgency(t.deps.db, 'rio-sur')
  assert.deepEqual([agency.name, agency.email], ['Río Sur', null])
  const { phone, whatsapp, website } = await getAgencyDetails(t.deps.db, agency.id)
  assert.deepEqual({ phone, whatsapp, website }, { ...contact, whatsapp: null })
  assert.match((await operator.get(`${home}/rio-sur/settings`)).text, /value="\+54 11 5555-0142"/)

  const { key } = await t.newKey(agency.id)
  await operator.submit(`${home}/rio-sur/deactivate`, { confirm: 'rio-sur' })
  assert.equal((await t.ask('GET', '/me', { key })).status, 403)
  await operator.submit(`${home}/rio-sur/activate`)
  assert.equal((await t.ask('GET', '/me', { key })).status, 200)

  const log = await operator.get('/dashboard/operator/audit')
  const told = [
    'Activated the agency rio-sur',
    'Deactivated the agency rio-sur',
    'Changed the profile of the agency rio-sur',
    'Created the agency rio',
  ]
  let from = 0
  for (const text of told) {
    const at = log.words.indexOf(text, from)
    assert.ok(at >= from, `${text} in ${log.words}`)
    from = at
  }
})

test('an operator acts on an agency’s keys and listings under their own name, and it is logged', async () => {
  const path = `${home}/${t.agency.slug}`
  const made = await operator.post(`${path}/keys/new`, {
    kind: 'live',
    name: 'By operator',
    scopes: 'properties:read',
  })
  const key = /id="new-key"\s*>\s*(svc_live_\w{40})/.exec(made.text)?.[1] ?? ''
  assert.equal((await t.ask('GET', '/me', { key })).status, 200)
  const { id } = await published(t)
  await operator.submit(`${path}/listings/${id}/suspend`, { reason: 'suspended' })
  assert.equal((await historyOf(t, id)).at(-1)?.actor.kind, 'operator')
  assert.equal(accepted(await t.ask('GET', `/properties/${id}`)).status, 'disabled')
  const log = await operator.get('/dashboard/operator/audit')
  assert.match(log.words, new RegExp(`Suspended the listing ${id}`))
  assert.ok(log.words.includes(`Created the key ${key.slice(0, 13)}…`))
  assert.ok(!log.text.includes(key))
})

test('the limits of an agency are changed until a date, shown to its people, and reset', async () => {
  const path = `${home}/${t.other.agency.slug}`
  const owner = await signedIn(t, 'owner', t.other.agency.id, 'en')
  const limitOf = async (name: string) => {
    const { data } = (await t.ask('GET', '/me', { key: t.other.readKey })).body as unknown as {
      data: { limits: Record<string, { max: number; until: string | null }> }
    }
    return [data.limits[name]?.max, data.limits[name]?.until]
  }
  for (const [fields, problem] of [
    [{}, /Fill in at least one limit/],
    [{ max_photos_per_day: 'many' }, /id="f-max_photos_per_day-error"/],
    [{ max_photos_per_day: '-1' }, /id="f-max_photos_per_day-error"/],
    [{ max_photos_per_day: '9999999999' }, /id="f-max_photos_per_day-error"[^>]*>[^<]*0 to 1,000,000,000/],
    [{ max_photos_per_day: '7', until: '2020-01-01' }, /id="f-until-error"/],
    [{ max_photos_per_day: '7', until: 'tomorrow' }, /id="f-until-error"/],
  ] as const) {
    const refused = await operator.post(`${path}/limits`, fields)
    assert.equal(refused.status, 400, JSON.stringify(fields))
    assert.match(refused.text, problem)
  }
  const several = { max_photos_per_day: 'many', max_reads_per_day: '2.5', max_writes_per_day: '3,000' }
  const refusedAtOnce = await operator.post(`${path}/limits`, several)
  for (const [name, label] of [
    ['max_photos_per_day', 'Photos per day'],
    ['max_reads_per_day', 'Reads per day'],
  ])
    assert.match(refusedAtOnce.text, new RegExp(`href="#f-${name}"[^>]*>\\s*<strong>${label}:`))
  assert.ok(!refusedAtOnce.text.includes('f-max_writes_per_day-error'))
  assert.deepEqual(await limitOf('photos_per_day'), [1e6, null])

  const sent = { max_photos_per_day: '700', max_reads_per_day: ' 9 ', until: '2099-01-01' }
  const page = await operator.submit(`${path}/limits`, sent)
  assert.match(page.words, /Limits changed/)
  assert.match(page.words, /Photos per day 0 700 1,000,000 Dec 31, 2098, 21:00/)
  // The usage of this key, after a few requests.
  assert.match(page.words, /Reads per day [1-9] 9 1,000,000 Dec/)
  assert.deepEqual(await limitOf('photos_per_day'), [700, '2099-01-01T00:00:00.000Z'])
  assert.match((await owner.get('/dashboard/usage')).words, /700 of 700 left · until Dec 31, 2098, 21:00/)
  const log = await operator.get('/dashboard/operator/audit')
  assert.match(log.words, /Changed the limits of the agency \S+ [^.]*Photos per day: 700/)

  await operator.submit(`${path}/limits/clear`, { limit: 'photos_per_day' })
  assert.deepEqual(
    [await limitOf('photos_per_day'), await limitOf('reads_per_day')].map(([max]) => max),
    [1e6, 9],
  )
  assert.equal((await operator.post(`${path}/limits/clear`, { limit: 'photos' })).status, 400)
  await operator.submit(`${path}/limits/clear`, { limit: '' })
  assert.deepEqual(await limitOf('reads_per_day'), [1e6, null])
  const asWritten = await operator.submit(`${path}/limits`, { max_photos_per_day: '20.000' })
  assert.match(asWritten.words, /Photos per day 0 20,000 1,000,000/)
  await operator.submit(`${path}/limits/clear`, { limit: '' })

  assert.equal((await operator.post(`${path}/test/limits`, sent)).status, 404)
  await newTestKey(t, t.other.agency)
  const refused = await operator.post(`${path}/test/limits`, { max_photos_per_day: 'many' })
  assert.match(refused.text, /Empty and refill[^]*id="f-max_photos_per_day-error"/)
  const test = await operator.submit(`${path}/test/limits`, sent)
  assert.match(test.words, /Empty and refill.*Photos per day 0 700 1,000,000 Dec 31, 2098, 21:00/)
  assert.deepEqual(await limitOf('photos_per_day'), [1e6, null])
  await operator.submit(`${path}/test/limits/clear`, { limit: '' })
  assert.doesNotMatch((await operator.get(`${path}/test`)).words, /Dec 31, 2098/)
  assert.doesNotMatch((await owner.get('/dashboard/test')).text, /max_photos_per_day/)
})

test('operators manage each other', async () => {
  const page = await operator.post('/dashboard/operator/people/invite', {
    email: 'olga@svc.example',
    name: 'Olga',
  })
  assert.match(page.text, /\/dashboard\/welcome\/[\w-]{43}/)
  assert.match((await operator.get('/dashboard/operator/people')).words, /olga@svc\.example.*Invited/)
})

test('the health of the service is checked again', async () => {
  const page = await operator.get('/dashboard/operator/health')
  assert.match(page.words, /Database Working PostgreSQL/)
  assert.match(page.words, /Photos Working/)
  assert.match(page.words, /Email Not in use/)
  assert.match((await operator.get('/dashboard')).words, /Active agencies/)
})

test('the audit log is paginated', async () => {
  for (const page of ['2', '0', 'x', '99999', '-1'])
    assert.equal((await operator.get(`/dashboard/operator/audit?page=${page}`)).status, 200)
})
