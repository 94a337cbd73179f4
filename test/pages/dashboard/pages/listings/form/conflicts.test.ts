/** Listings saved in the dashboard while others change them; the price on its own; and publishing from the form. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { setAgencyActive } from '../../../../../../src/agencies/agencies.ts'
import { isPlaceBlurred } from '../../../../../../src/listings/reading/public.ts'
import { freshAddress, publishable, testApp, type TestApp } from '../../../../../support/app/app.ts'
import { accepted, draft, historyOf, published, rowOf } from '../../../../../support/app/listings.ts'
import { signedIn, type Visitor } from '../../../visitor.ts'
import { type Fields, fieldsOf, openForm, saveTyped } from '../../../form-fields.ts'

let t: TestApp
let member: Visitor & { account: { id: string; name: string } }
before(async () => {
  t = await testApp()
  member = await signedIn(t, 'member', t.agency.id, 'en')
})
after(() => t.close())

const opened = (path: string, who: Visitor = member) => openForm(who, path)
const typed = (path: string, fields: Fields, who: Visitor = member) => saveTyped(who, path, fields)
const codeIn = (path: string | null): string => /listings\/([2-9A-Z]{8})/.exec(path ?? '')?.[1] ?? ''
const shown = async (id: string) => accepted(await t.ask('GET', `/properties/${id}`))

describe('a concurrent change', () => {
  test('is kept if only one side changed the field', async () => {
    const { id } = await published(t, { features: { bedrooms: 2, bathrooms: 1 } })
    const path = `/dashboard/listings/${id}/edit`
    const fields = await opened(path)
    const body = {
      price: { amount: 1, currency: 'ARS' },
      features: { bathrooms: 2 },
      address: freshAddress(),
    }
    const theirs = accepted(await t.ask('PATCH', `/properties/${id}`, { body }))
    const page = await member.submit(path, { ...fields, title: 'De una persona', 'features.bedrooms': '3' })
    assert.match(page.words, /Changes saved\./)
    const now = await shown(id)
    assert.deepEqual(now.price, theirs.price)
    assert.deepEqual(
      [now.title, now.address, now.features['bedrooms'], now.features['bathrooms']],
      ['De una persona', theirs.address, 3, 2],
    )
  })

  test('is shown beside one’s own if both changed the field; each is chosen separately, and the rest waits', async () => {
    const { id } = await published(t, { title: 'Antes', amenities: ['Pileta'] })
    const path = `/dashboard/listings/${id}/edit`
    const fields = {
      ...(await opened(path)),
      title: 'Mío',
      'price.amount': '7',
      amenities: 'Quincho',
      description: 'Nueva',
    }
    const body = { title: '<i>Suyo</i>', price: { amount: 9 }, amenities: ['Quincho'] }
    accepted(await t.ask('PATCH', `/properties/${id}`, { body }))
    const page = await member.post(path, fields)
    assert.equal(page.status, 412)
    assert.match(page.words, /This listing changed while you were writing \(key “test”\)/)
    assert.match(page.text, /&#60;i&#62;Suyo/)
    const conflict = fieldsOf(page.text, path)
    assert.deepEqual(conflict['conflict'], ['price', 'title'])
    assert.deepEqual(
      [conflict['title'], conflict['price.amount'], conflict['description']],
      ['Mío', '7', 'Nueva'],
    )
    assert.deepEqual([(await shown(id)).title, (await shown(id))['description']], ['<i>Suyo</i>', null])

    // An invalid choice does not count as one.
    const undecided = await member.post(path, { ...conflict, 'choice.title': 'mine' })
    assert.equal(undecided.status, 412)
    assert.match(undecided.words, /This listing changed while you were writing \(key “test”\)/)
    assert.equal((await shown(id)).title, '<i>Suyo</i>')
    const done = await member.submit(path, { ...conflict, 'choice.title': 'mine', 'choice.price': 'theirs' })
    assert.match(done.words, /Changes saved\./)
    const now = await shown(id)
    assert.deepEqual([now.title, now.price.amount, now['description']], ['Mío', 9, 'Nueva'])
  })

  test('is shown again if it changed once more before the choice was sent', async () => {
    const { id } = await draft(t, { title: 'Antes' })
    const path = `/dashboard/listings/${id}/edit`
    const fields = { ...(await opened(path)), title: 'Mío' }
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Suyo' } }))
    const conflict = fieldsOf((await member.post(path, fields)).text, path)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Suyo, otra vez' } }))
    for (const choice of ['mine', 'theirs'] as const) {
      const page = await member.post(path, { ...conflict, 'choice.title': choice })
      assert.equal(page.status, 412)
      assert.match(page.words, /Suyo, otra vez/)
    }
  })

  test('does not stop a draft from being saved: conflicting fields wait, and the rest is saved and shown', async () => {
    const { id } = await draft(t, { title: 'Antes' })
    const path = `/dashboard/listings/${id}/edit`
    const fields = { ...(await opened(path)), title: 'Mío', 'features.rooms': '4' }
    accepted(
      await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Suyo', location: { city: 'Salta' } } }),
    )
    const response = await typed(path, fields)
    assert.deepEqual(response.taken, { 'location.city': 'Salta' })
    assert.deepEqual([response.isWhole, (await shown(id)).features['rooms']], [false, 4])
    assert.match(response.parts.join(''), /name="choice\.title"/)
    // The form continues with the new version; until a choice is made, the title stays the same.
    const next = { ...fields, ...response.taken, version: String(response.version), conflict: 'title' }
    const waiting = await typed(path, { ...next, 'features.rooms': '5' })
    assert.deepEqual([(await shown(id)).title, (await shown(id)).features['rooms']], ['Suyo', 5])
    const chosen = await typed(path, {
      ...next,
      'features.rooms': '5',
      version: String(waiting.version),
      'choice.title': 'theirs',
    })
    assert.deepEqual([chosen.isWhole, chosen.taken], [true, { title: 'Suyo' }])
  })

  test('is not overwritten with an invalid or missing version', async () => {
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const fields = { ...(await opened(path)), title: 'Otro' }
    for (const version of ['0', '999999999', '1 or 1=1', '', null])
      assert.equal((await member.post(path, { ...fields, version })).status, 412, String(version))
    assert.equal((await shown(id)).title, 'Borrador')
  })

  test('is never lost when a form and a key write at the same time', async () => {
    const { id } = await draft(t, { title: 'Antes' })
    const path = `/dashboard/listings/${id}/edit`
    for (let round = 0; round < 8; round += 1) {
      const fields = { ...(await opened(path)), title: `Persona ${round}`, 'features.rooms': String(round) }
      const [page] = await Promise.all([
        member.post(path, fields),
        t.ask('PATCH', `/properties/${id}`, {
          body: { description: `Clave ${round}`, features: { garages: round } },
        }),
      ])
      assert.equal(page.status, 303, page.words.slice(0, 300))
      const now = await shown(id)
      assert.deepEqual(
        [now.title, now['description'], now.features['rooms'], now.features['garages']],
        [`Persona ${round}`, `Clave ${round}`, round, round],
      )
    }
    for (let round = 0; round < 8; round += 1) {
      const fields = { ...(await opened(path)), title: `Persona ${round} bis` }
      const [page, response] = await Promise.all([
        member.post(path, fields),
        t.ask('PATCH', `/properties/${id}`, { body: { title: `Clave ${round} bis` } }),
      ])
      // The later one noticed the earlier one: the form by a conflict, the key by its response.
      assert.equal(response.status, 200)
      assert.ok([303, 412].includes(page.status))
      assert.equal((await shown(id)).title, `Clave ${round} bis`)
    }
  })
})

describe('the price alone', () => {
  test('can be corrected, with its period for a rental', async () => {
    const { id } = await published(t, { operation: 'rent', price: { amount: 100, currency: 'USD' } })
    const path = `/dashboard/listings/${id}/price`
    const page = await member.submit(path, {
      ...(await opened(path)),
      'price.amount': '1.250',
      'price.currency': 'ARS',
      'price.period': 'week',
    })
    assert.match(page.words, /Price corrected\./)
    assert.deepEqual((await shown(id)).price, {
      amount: 1250,
      currency: 'ARS',
      period: 'week',
      on_request: false,
    })
    const asked = await member.submit(path, { ...(await opened(path)), 'price.on_request': 'yes' })
    assert.match(asked.words, /Price corrected\./)
    assert.equal((await shown(id)).price.on_request, true)
  })

  test('can be neither removed from a published listing nor overwritten', async () => {
    const { id } = await published(t)
    const path = `/dashboard/listings/${id}/price`
    const fields = await opened(path)
    assert.equal((await member.post(path, { ...fields, 'price.amount': '' })).status, 422)
    assert.equal((await member.post(path, { ...fields, 'price.amount': '-5' })).status, 400)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { price: { amount: 77 } } }))
    const page = await member.post(path, { ...fields, 'price.amount': '88' })
    assert.equal(page.status, 412)
    const conflict = fieldsOf(page.text, path)
    await member.submit(path, { ...conflict, 'choice.price': 'mine' })
    assert.equal((await shown(id)).price.amount, 88)
  })
})

describe('publishing from the form', () => {
  test('saves first, and shows what is missing beside its fields', async () => {
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const page = await member.post(path, { ...(await opened(path)), title: 'Casi', after: 'publish' })
    assert.equal(page.status, 422)
    assert.match(page.text, /id="f-address-error"/)
    const { title, status } = await shown(id)
    assert.deepEqual([title, status], ['Casi', 'draft'])
  })

  test('publishes a complete listing, and counts as a change of state', async () => {
    const { id } = await published(t)
    accepted(await t.ask('POST', `/properties/${id}/disable`, { body: {} }))
    const path = `/dashboard/listings/${id}/edit`
    const page = await member.submit(path, { ...(await opened(path)), title: 'De nuevo', after: 'publish' })
    assert.match(page.words, /Listing published\./)
    const { status, title } = await shown(id)
    assert.deepEqual([status, title], ['published', 'De nuevo'])
  })

  test('stops autosaving once the listing is published', async () => {
    const { id } = await published(t, { title: 'Pública' })
    const path = `/dashboard/listings/${id}/edit`
    const response = await typed(path, { ...(await opened(path)), title: 'A medio escri' })
    assert.deepEqual(
      [response.savesItself, response.isWhole, (await shown(id)).title],
      [false, false, 'Pública'],
    )
  })
})

test('the location shown publicly is chosen in the form, before anything is public', async () => {
  const fresh = await opened('/dashboard/listings/new')
  const fields = { ...fresh, title: 'Casa', address: freshAddress(), place_shown: 'approximate' }
  const { to } = await member.post('/dashboard/listings/new', fields)
  const row = async () => isPlaceBlurred(t.deps.db, t.agency.id, (await rowOf(t, codeIn(to))).id)
  assert.equal(await row(), true)
  const path = `${to ?? ''}/edit`
  const old = await opened(path)
  assert.equal(old['place_shown'], 'approximate')
  const response = await typed(path, { ...old, place_shown: 'exact' })
  assert.deepEqual([response.isWhole, await row()], [true, false])
  // An untouched field does not change it back.
  await member.submit(path, { ...old, title: 'Otra', place_shown: 'approximate' })
  assert.equal(await row(), false)
})

test('operators can write too, by the button only, and the audit log has it', async () => {
  const operator = await signedIn(t, 'operator', null, 'en')
  const home = `/dashboard/operator/agencies/${t.agency.slug}`
  const fresh = await opened(`${home}/listings/new`, operator)
  const { to } = await operator.post(`${home}/listings/new`, { ...fresh, title: 'Del operador' })
  const id = codeIn(to)
  const path = `${home}/listings/${id}/edit`
  assert.match((await operator.get(path)).text, /data-autosave="no"/)
  await operator.submit(path, { ...(await opened(path, operator)), title: 'Otra vez', type: 'Casa' })
  assert.equal((await historyOf(t, id)).at(-1)?.actor.kind, 'operator')
  const audit = await operator.get('/dashboard/operator/audit')
  assert.match(audit.words, new RegExp(`Edited the listing [^]*${id}[^]*Created the listing`))
})

test('limits apply: new listings are shared with keys, and saves are limited per person', async () => {
  const small = await testApp({ limits: { new_listings_per_hour: 2, saves_per_person_per_minute: 3 } })
  try {
    const who = await signedIn(small, 'member', small.agency.id, 'en')
    const create = async (title: string) =>
      who.post('/dashboard/listings/new', { ...(await opened('/dashboard/listings/new', who)), title })
    accepted(await small.ask('POST', '/properties', { body: { title: 'De la clave' } }), 201)
    const first = await create('Uno')
    assert.equal(first.status, 303)
    const full = await create('Dos')
    assert.equal(full.status, 429)
    assert.match(full.headers.get('retry-after') ?? '', /^[1-9]/)
    assert.equal((await small.ask('POST', '/properties', { body: { title: 'Otra' } })).status, 429)
    const edit = `${first.to ?? ''}/edit`
    const save = async (title: string) => who.post(edit, { ...(await opened(edit, who)), title })
    assert.equal((await save('Tres')).status, 303)
    assert.equal((await save('Cuatro')).status, 429)
    const waiting = await typed(edit, { ...(await opened(edit, who)), title: 'Cinco' }, who)
    assert.match(waiting.problems[''] ?? '', /You have reached a limit/)
    const colleague = await signedIn(small, 'member', small.agency.id, 'en')
    const response = await typed(edit, { ...(await opened(edit, colleague)), title: 'Seis' }, colleague)
    assert.deepEqual([response.isWhole, response.problems], [true, {}])
  } finally {
    await small.close()
  }
})

test('people of a deactivated agency cannot write, and a removed listing has no form', async () => {
  const own = await t.newAgency()
  const who = await signedIn(t, 'owner', own.agency.id, 'en')
  const { to } = await who.post('/dashboard/listings/new', {
    ...(await opened('/dashboard/listings/new', who)),
    title: 'Una',
  })
  const path = `${to ?? ''}/edit`
  const fields = await opened(path, who)
  await setAgencyActive(t.deps.db, own.agency.slug, false, t.clock)
  for (const page of ['/dashboard/listings/new', path, `${to ?? ''}/price`]) {
    assert.equal((await who.get(page)).status, 403, page)
    assert.equal((await who.post(page, fields)).status, 403, page)
  }
  assert.doesNotMatch((await who.get(to ?? '')).text, /\/edit"|\/price"/)
  await setAgencyActive(t.deps.db, own.agency.slug, true, t.clock)
  await who.submit(`${to ?? ''}/delete`)
  assert.equal((await who.get(path)).status, 404)
  assert.equal((await who.post(path, fields)).status, 404)
})

test('the list links to forms: a new listing, each row, incomplete drafts, stale listings', async () => {
  const own = await t.newAgency()
  const who = await signedIn(t, 'member', own.agency.id, 'en')
  const empty = await who.get('/dashboard/listings')
  assert.match(empty.text, /href="\/dashboard\/listings\/new"/)
  const make = async (body: Record<string, unknown>) =>
    accepted(await t.ask('POST', '/properties', { key: own.writeKey, body }), 201)
  const old = await make(publishable({ title: 'Vieja' }))
  const fresh = await make(publishable({ title: 'Nueva' }))
  const started = await make({ title: 'Empezada', type: 'Casa' })
  const { id: uuid } = await rowOf(t, old.id, own.agency.id)
  const longAgo = new Date(Date.now() - 91 * 86_400_000).toISOString()
  await sql`update properties set updated_at = ${longAgo} where agency_id = ${own.agency.id} and id = ${uuid}`.execute(
    t.deps.db,
  )
  const all = await who.get('/dashboard/listings')
  for (const { id } of [old, fresh, started])
    for (const path of ['edit', 'price']) assert.ok(all.text.includes(`/dashboard/listings/${id}/${path}"`))
  assert.match(all.words, /Draft 4 items missing/)
  const stale = await who.get('/dashboard/listings?stale=1')
  assert.match(stale.words, /Published listings that nobody has changed in the last 90 days/)
  assert.match(stale.words, /1 listing\b/)
  assert.ok(stale.text.includes(old.id) && !stale.text.includes(fresh.id))
  assert.match((await who.get('/dashboard/listings?stale=1&q=nueva')).words, /0 listings/)
})
