/** An agency's settings: owners' changes take effect at once, on its pages, in the API and in the log, and invalid ones are rejected. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { getAgencyDetails } from '../../../../../src/agencies/details.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { accepted, published } from '../../../../support/app/listings.ts'
import { signedIn, visitor, type Visitor } from '../../visitor.ts'

let t: TestApp
let owner: Visitor
let operator: Visitor
const settings = '/dashboard/settings'
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' }, limits: { slug_changes_per_month: 2 } })
  owner = await signedIn(t, 'owner', t.agency.id, 'en')
  operator = await signedIn(t, 'operator', null, 'en')
})
after(() => t.close())

const slugNow = async () =>
  (
    await t.deps.db
      .selectFrom('agencies')
      .select('slug')
      .where('id', '=', t.agency.id)
      .executeTakeFirstOrThrow()
  ).slug
const details = async () => await getAgencyDetails(t.deps.db, t.agency.id)
const publicPage = async (prefix = '') => await visitor(t).get(`${prefix}/inmobiliarias/${await slugNow()}`)
const entries = async () =>
  await t.deps.db
    .selectFrom('audit_log')
    .select(['details', 'actor_kind'])
    .where('agency_id', '=', t.agency.id)
    .where('action', '=', 'agency_changed')
    .orderBy('at')
    .execute()

describe('the details of an agency', () => {
  test('are shown to visitors at once, and the changes are logged', async () => {
    const { id } = await published(t)
    const page = await owner.submit(settings, {
      name: ' Río & Cía ',
      email: 'hola@rio.example',
      phone: '011 5555-0142',
      whatsapp: '11 5555-0199',
      website: 'www.rio.example',
      address: 'Mitre 415, Tandil',
      licence_college: 'CUCICBA',
      licence_number: '1234',
      broker: 'Ana Pérez',
      about: 'Since 1998.\r\nIn every street.',
    })
    assert.match(page.words, /Saved/)
    const { words } = await publicPage('/en')
    for (const text of [
      'Río &#38; Cía',
      '+54 11 5555-0142',
      'Mitre 415, Tandil',
      'Since 1998. In every street.',
    ])
      assert.ok(words.includes(text), text)
    const licence = 'Río &#38; Cía · Licensed broker: Ana Pérez · Licence CUCICBA 1234'
    assert.ok(words.includes(licence))
    const listing = await visitor(t).get(`/inmobiliarias/${t.agency.slug}/${id}`)
    assert.match(listing.words, /Corredor responsable: Ana Pérez · Matrícula CUCICBA 1234/)
    const { agency } = accepted(await t.ask('GET', `/properties/${id}`)) as unknown as {
      agency: Record<string, unknown>
    }
    assert.deepEqual(agency, {
      name: 'Río & Cía',
      slug: t.agency.slug,
      url: `https://listings.test/inmobiliarias/${t.agency.slug}`,
    })
    const { whatsapp, website, about } = await details()
    assert.deepEqual(
      [whatsapp, website, about],
      ['+54 9 11 5555-0199', 'https://www.rio.example', 'Since 1998.\nIn every street.'],
    )
    const [entry] = (await entries()).slice(-1)
    assert.equal(entry?.actor_kind, 'person')
    assert.deepEqual(entry?.details, {
      name: 'Río & Cía',
      email: 'hola@rio.example',
      phone: '+54 11 5555-0142',
      whatsapp,
      website,
      office: 'Mitre 415, Tandil',
      licence_college: 'CUCICBA',
      licence_number: '1234',
      broker: 'Ana Pérez',
      about: true,
    })
  })

  test('stay when left out, are removed when empty, and an unchanged form is not logged', async () => {
    await owner.submit(settings, { phone: '011 5555-0142', whatsapp: '11 5555-0199', broker: 'Ana Pérez' })
    const before = (await entries()).length
    await owner.submit(settings, { phone: '+54 11 5555-0142' })
    assert.equal((await entries()).length, before)
    await owner.submit(settings, { phone: '', broker: '  ' })
    const { phone, broker, whatsapp } = await details()
    assert.deepEqual([phone, broker, whatsapp], [null, null, '+54 9 11 5555-0199'])
    assert.deepEqual((await entries()).at(-1)?.details, { phone: '–', broker: '–' })
  })

  test('are refused beside their field if invalid, keeping the text typed, and nothing is changed', async () => {
    await owner.submit(settings, { licence_college: 'CUCICBA', licence_number: '1234' })
    const before = await details()
    for (const [name, value] of [
      ['name', ' '],
      ['name', 'x'.repeat(121)],
      ['email', 'x'],
      ['phone', '5555-0142'],
      ['phone', '(0)11'],
      ['whatsapp', 'call me'],
      ['website', 'javascript:alert(1)'],
      ['website', 'javascript:alert(1).x'],
      ['website', 'rio'],
      ['address', 'x'.repeat(201)],
      ['licence_number', ''],
      ['broker', 'a\u202eb'],
      ['about', 'x'.repeat(2_001)],
    ] as const) {
      const refused = await owner.post(settings, { broker: 'Changed', [name]: value })
      assert.equal(refused.status, 400, `${name} ${value}`)
      assert.match(refused.text, new RegExp(`id="f-${name}-error"`))
      assert.match(refused.text, /value="(Changed|a\u202eb)"/)
    }
    assert.deepEqual(await details(), before)
  })

  test('may be written in Argentine style', async () => {
    for (const [name, typed, saved] of [
      ['phone', '11 5555-0142', '+54 11 5555-0142'],
      ['phone', '+598 2 555 0142', '+598 2 555 0142'],
      ['whatsapp', '02494 555014', '+54 9 2494 555014'],
      ['website', 'rio.example/inicio', 'https://rio.example/inicio'],
      ['website', 'http://rio.example', 'http://rio.example'],
    ] as const) {
      await owner.submit(settings, { [name]: typed })
      assert.equal((await details())[name], saved)
    }
  })

  test('are shown as text everywhere', async () => {
    const text = `"><script>alert(1)</script>'`
    const name = `Río ${text}`
    await owner.submit(settings, {
      name,
      address: text,
      licence_college: text,
      licence_number: text,
      broker: text,
      about: text,
    })
    const console = `/dashboard/operator/agencies/${t.agency.slug}`
    for (const [who, path] of [
      [owner, settings],
      [owner, `${settings}/address`],
      [owner, '/dashboard/audit'],
      [owner, '/dashboard/people'],
      [operator, '/dashboard/operator/agencies'],
      [operator, console],
      [operator, `${console}/settings`],
      [operator, '/dashboard/operator/audit'],
    ] as const) {
      const page = await who.get(path)
      assert.equal(page.status, 200)
      assert.doesNotMatch(page.text, /<script>|"><script/, path)
    }
    assert.doesNotMatch((await publicPage()).text, /<script>alert/)
    await owner.submit(settings, { name: 'Río' })
  })
})

describe('office hours', () => {
  test('are set by day, shown in both languages, and removed again', async () => {
    const fields = Object.fromEntries(
      [0, 1, 2, 3, 4].flatMap((day) => [
        [`d${day}-1-opens`, '09:30'],
        [`d${day}-1-closes`, '13:00'],
        [`d${day}-2-opens`, '15:00'],
        [`d${day}-2-closes`, '19:00'],
      ]),
    )
    await owner.submit(`${settings}/hours`, { ...fields, 'd5-1-opens': '10:00', 'd5-1-closes': '13:00' })
    assert.match((await publicPage()).words, /Lunes a viernes 9:30 a 13 y 15 a 19 h Sábado 10 a 13 h/)
    assert.match((await publicPage('/en')).words, /Monday to Friday 9:30 to 13:00, 15:00 to 19:00 Saturday/)
    assert.match((await owner.get(`${settings}/hours`)).text, /name="d0-2-opens" value="15:00"/)
    await owner.submit(`${settings}/hours`, {})
    assert.equal((await details()).hours, null)
    assert.doesNotMatch((await publicPage()).words, /Horarios/)
  })

  test('are refused by day if invalid', async () => {
    const refused = await owner.post(`${settings}/hours`, { 'd2-1-opens': '13:00', 'd2-1-closes': '09:00' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /id="f-hours\.2-error"/)
    assert.match(refused.text, /name="d2-1-opens" value="13:00"/)
    assert.equal((await owner.post(`${settings}/hours`, { 'd2-1-opens': '13:00' })).status, 400)
  })
})

describe('the colour of an agency', () => {
  test('is chosen and removed', async () => {
    await owner.submit(`${settings}/look/colour`, { own: 'yes', accent: '#AA3300' })
    assert.equal((await details()).accent, '#aa3300')
    assert.match((await publicPage()).text, /\/site\/accent\/aa3300\./)
    await owner.submit(`${settings}/look/colour`, { accent: '#aa3300' })
    assert.equal((await details()).accent, null)
    for (const accent of ['red', '#fff', '#aa3300}*{', ''])
      assert.equal((await owner.post(`${settings}/look/colour`, { own: 'yes', accent })).status, 400)
  })
})

describe('the web address of an agency', () => {
  const address = `${settings}/address`

  test('changes at once, and the old one redirects to it', async () => {
    const old = t.agency.slug
    const page = await owner.submit(address, { slug: `${old}-b` })
    assert.match(page.words, /URL changed/)
    assert.match(page.words, new RegExp(`inmobiliarias/${old} .*Reserved for this agency`))
    assert.equal((await visitor(t).get(`/inmobiliarias/${old}`)).to, `/inmobiliarias/${old}-b`)
    assert.equal((await publicPage()).status, 200)
    assert.deepEqual((await entries()).at(-1)?.details, { was: old })
  })

  test('is refused if unavailable, without counting', async () => {
    for (const slug of ['', 'Río', 'a--b', t.other.agency.slug, 'acme-test', 'x'.repeat(64)]) {
      const refused = await owner.post(address, { slug })
      assert.equal(refused.status, 400, slug)
      assert.match(refused.text, /id="f-slug-error"/)
    }
    const neighbour = await signedIn(t, 'owner', t.other.agency.id)
    assert.equal((await neighbour.post(address, { slug: t.agency.slug })).status, 400, 'the old one is kept')
    const same = await owner.post(address, { slug: await slugNow() })
    assert.equal(same.status, 303)
    await owner.submit(address, { slug: `${t.agency.slug}-c` })
  })

  test('changes no more often than the limit allows, except for operators', async () => {
    const slug = await slugNow()
    const refused = await owner.post(address, { slug: `${t.agency.slug}-d` })
    assert.equal(refused.status, 429)
    assert.match(refused.words, /You can change it again in \d+ days?/)
    assert.equal(await slugNow(), slug)
    const page = await operator.submit(`/dashboard/operator/agencies/${slug}/settings/address`, {
      slug: t.agency.slug,
    })
    assert.equal(page.status, 200)
    assert.equal(await slugNow(), t.agency.slug)
    assert.equal((await owner.get(address)).status, 200)
  })
})

test('members have no settings, and no link to them', async () => {
  const member = await signedIn(t, 'member')
  assert.doesNotMatch((await member.get('/dashboard')).text, /dashboard\/settings/)
  assert.match((await owner.get('/dashboard')).text, /href="\/dashboard\/settings"/)
})
