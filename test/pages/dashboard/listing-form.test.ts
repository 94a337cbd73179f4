// Listings written in the dashboard: what is sent becomes what the API would make of it, and nobody's change is overwritten.
import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { sql } from 'kysely'
import { setAgencyActive } from '../../../src/agencies/agencies.ts'
import { isPlaceBlurred } from '../../../src/listings/place-shown.ts'
import { freshAddress, publishable, testApp, type TestApp } from '../../support/app.ts'
import { accepted, draft, historyOf, published, rowOf } from '../../support/listings.ts'
import { fieldsOf } from './form-fields.ts'
import { signedIn, visitor, type Visitor } from './visitor.ts'

let t: TestApp
let member: Visitor & { account: { id: string; name: string } }
before(async () => {
  t = await testApp()
  member = await signedIn(t, 'member', t.agency.id, 'en')
})
after(() => t.close())

type Fields = Record<string, string | string[] | null>
type Answer = {
  version: number | null
  action: string | null
  savesItself: boolean
  isWhole: boolean
  problems: Record<string, string>
  reworded: Record<string, string>
  taken: Record<string, string>
  parts: string[]
}

/** The form as its page has it. */
async function opened(path: string, who: Visitor = member): Promise<Fields> {
  const page = await who.get(path)
  assert.equal(page.status, 200, page.words)
  return fieldsOf(page.text, path)
}

/** A save as the script sends it while somebody types. */
async function typed(path: string, fields: Fields, who: Visitor = member): Promise<Answer> {
  const answer = await who.post(path, fields, { accept: 'application/json' })
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.text) as Answer
}

const codeIn = (path: string | null): string => /listings\/([2-9A-Z]{8})/.exec(path ?? '')?.[1] ?? ''
const shown = async (id: string) => accepted(await t.ask('GET', `/properties/${id}`))

const whole: Fields = {
  operation: 'rent',
  type: 'Departamento',
  'price.amount': '450.000,50',
  'price.currency': 'ARS',
  'price.period': 'week',
  'expenses.amount': '0',
  'expenses.currency': 'USD',
  address: ' Gorriti 4521, 3.º B ',
  'location.city': 'Ciudad Autónoma de Buenos Aires',
  'location.province': 'Ciudad Autónoma de Buenos Aires',
  'location.lat': '-34,5895',
  'location.lng': '-58.4262',
  'features.rooms': '3',
  'features.bedrooms': '2',
  'features.bathrooms': '1',
  'features.garages': '0',
  'features.age_years': '12',
  'features.total_m2': '1.085,5 m²',
  'features.covered_m2': '78',
  'features.disposition': 'Contrafrente',
  'features.orientation': 'NE',
  'features.credit_eligible': 'no',
  'features.pet_friendly': 'yes',
  'features.furnished': '',
  title: 'Departamento con balcón',
  description: 'Primera línea\r\n\r\nSegunda <b>línea</b>',
  amenities: 'Pileta\r\n  Parrilla  \r\n\r\n',
  video_url: 'https://video.example/1',
  video_urls: 'https://video.example/2\r\nhttps://video.example/3',
  virtual_tour_url: 'https://tour.example/1',
  'rental.min_stay': '7',
  'rental.min_lease_months': '24',
  'rental.services_included': 'Agua\r\nGas',
  external_id: 'FORM-1',
}

test('every field of the contract can be written, as people write', async () => {
  const page = await member.submit('/dashboard/listings/new', {
    ...(await opened('/dashboard/listings/new')),
    ...whole,
  })
  assert.match(page.words, /Draft saved\./)
  const [, id = ''] = /listings\/([2-9A-Z]{8})\/edit/.exec(page.text) ?? []
  const listing = await shown(id)
  const { price, expenses, address, location, features, rental, title, description } = listing
  assert.deepEqual(
    { price, expenses, address, title, description, rental },
    {
      price: { amount: 450_000.5, currency: 'ARS', period: 'week', on_request: false },
      expenses: { amount: 0, currency: 'USD' },
      address: 'Gorriti 4521, 3.º B',
      title: 'Departamento con balcón',
      description: 'Primera línea\n\nSegunda <b>línea</b>',
      rental: { period: 'week', min_stay: 7, min_lease_months: 24, services_included: ['Agua', 'Gas'] },
    },
  )
  assert.deepEqual(
    [location.city, location.lat, location.lng, listing.location_status],
    ['Ciudad Autónoma de Buenos Aires', -34.5895, -58.4262, 'manual'],
  )
  assert.deepEqual(features, {
    bedrooms: 2,
    bathrooms: 1,
    rooms: 3,
    total_m2: 1085.5,
    covered_m2: 78,
    garages: 0,
    age_years: 12,
    disposition: 'Contrafrente',
    orientation: 'NE',
    pet_friendly: true,
    furnished: null,
    credit_eligible: false,
  })
  assert.deepEqual(
    [
      listing['amenities'],
      listing['video_url'],
      listing['video_urls'],
      listing['virtual_tour_url'],
      listing.external_id,
    ],
    [
      ['Pileta', 'Parrilla'],
      'https://video.example/1',
      ['https://video.example/2', 'https://video.example/3'],
      'https://tour.example/1',
      'FORM-1',
    ],
  )
  const [created] = await historyOf(t, id)
  assert.deepEqual(
    [created?.action, created?.actor.kind, created?.actor.id],
    ['created', 'person', member.account.id],
  )
  // What the form shows of it is what the listing has: saving it as it is changes nothing.
  const again = await member.submit(
    `/dashboard/listings/${id}/edit`,
    await opened(`/dashboard/listings/${id}/edit`),
  )
  assert.match(again.words, /Draft saved\. Last change: \w/)
  assert.equal((await historyOf(t, id)).length, 1)
})

test('texts are read as people paste them, and what is too long is told, not cut', async () => {
  const { id } = await draft(t)
  const path = `/dashboard/listings/${id}/edit`
  const pasted = {
    ...(await opened(path)),
    'price.amount': 'U$S 120.000.-',
    'price.currency': 'ARS',
    'expenses.amount': '$ 85 000',
    'expenses.currency': 'ARS',
    'features.covered_m2': '85,5 mts2',
    'features.total_m2': '1.250 metros cuadrados',
  }
  const answer = await typed(path, pasted)
  assert.equal(answer.isWhole, true)
  // The form shows what was understood.
  assert.deepEqual([answer.reworded['price.amount'], answer.reworded['price.currency']], ['120,000', 'USD'])
  const { price, features, ...more } = await shown(id)
  assert.deepEqual([price.amount, price.currency], [120_000, 'USD'])
  assert.deepEqual(more['expenses'], { amount: 85_000, currency: 'ARS' })
  assert.deepEqual([features['covered_m2'], features['total_m2']], [85.5, 1_250])
  const long = await typed(path, { ...(await opened(path)), address: 'Calle '.repeat(60) })
  assert.match(long.problems['address'] ?? '', /^Use at most \d+ characters/)
})

test('who signs in again goes back to the form that was sent', async () => {
  const { id } = await draft(t)
  const path = `/dashboard/listings/${id}/edit`
  const gone = visitor(t)
  assert.equal(
    (await gone.post(path, { title: 'x' })).to,
    `/dashboard/sign-in?next=${encodeURIComponent(path)}`,
  )
  assert.equal((await gone.post(`/dashboard/listings/${id}/publish`)).to, '/dashboard/sign-in')
})

test('a lot has three features, a sale no rental conditions, whatever else the form holds', async () => {
  const { to } = await member.post('/dashboard/listings/new', {
    ...(await opened('/dashboard/listings/new')),
    ...whole,
    type: 'Lote',
    operation: 'sale',
    address: freshAddress(),
    external_id: '',
  })
  const listing = await shown(codeIn(to))
  const given = Object.entries(listing.features).filter(([, value]) => value !== null)
  assert.deepEqual(Object.fromEntries(given), { total_m2: 1085.5, orientation: 'NE', credit_eligible: false })
  assert.deepEqual([listing.rental, listing.price.period], [null, undefined])
})

describe('what is wrong is told beside its field, all at once, with what was typed', () => {
  const wrong: Fields = {
    'price.amount': 'mucho',
    'features.rooms': '51',
    'features.total_m2': 'x',
    'location.lat': '-34.6',
    video_url: 'video.example',
    external_id: 'con espacios',
    title: 'Bien',
  }
  // What cannot be read, and what the contract refuses of the rest.
  const unread = ['price.amount', 'features.total_m2', 'location.lng']
  const refused = ['features.rooms', 'video_url', 'external_id']

  it('a new listing is not created', async () => {
    const { meta } = (await t.ask('GET', '/properties?status=all')).body as unknown as {
      meta: { total: number }
    }
    const fresh = await opened('/dashboard/listings/new')
    for (const [fields, told] of [
      [wrong, [...unread, ...refused]],
      [{ ...wrong, 'price.amount': '1', 'features.total_m2': '', 'location.lat': '' }, refused],
    ] as const) {
      const page = await member.post('/dashboard/listings/new', { ...fresh, ...fields })
      assert.equal(page.status, 400)
      for (const name of told) assert.match(page.text, new RegExp(`id="f-${name}-error"`), name)
      const again = fieldsOf(page.text, '/dashboard/listings/new')
      for (const [name, text] of Object.entries({ ...fields, new_id: fresh['new_id'] }))
        assert.equal(again[name], text, name)
    }
    const { body } = await t.ask('GET', '/properties?status=all')
    assert.equal((body as unknown as { meta: { total: number } }).meta.total, meta.total)
  })

  it('a draft that is saved while somebody types keeps the rest', async () => {
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const answer = await typed(path, { ...(await opened(path)), ...wrong })
    assert.deepEqual(Object.keys(answer.problems).sort(), [...unread, ...refused].sort())
    assert.equal(answer.isWhole, false)
    assert.equal((await shown(id)).title, 'Bien')
  })

  it('an external id that another listing has', async () => {
    await draft(t, { external_id: 'THEIRS-1' })
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const answer = await typed(path, { ...(await opened(path)), title: 'Nuevo', external_id: 'THEIRS-1' })
    assert.match(answer.problems['external_id'] ?? '', /Another listing now has/)
    const { title, external_id } = await shown(id)
    assert.deepEqual([title, external_id], ['Nuevo', null])
  })

  it('a published listing that would lack something', async () => {
    const { id } = await published(t)
    const path = `/dashboard/listings/${id}/edit`
    const page = await member.post(path, { ...(await opened(path)), title: ' ', 'price.amount': '' })
    assert.equal(page.status, 422)
    assert.match(
      page.text,
      /id="f-title-error"[^]*id="f-price.amount-error"|id="f-price.amount-error"[^]*id="f-title-error"/,
    )
    assert.match(page.words, /A published listing needs this\./)
  })

  it('the longest texts pass, longer ones do not', async () => {
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const longest = '😀'.repeat(20_000)
    const { to } = await member.post(path, { ...(await opened(path)), description: longest })
    assert.equal(codeIn(to), id)
    assert.ok((await shown(id))['description'] === longest)
    const page = await member.post(path, {
      ...(await opened(path)),
      description: `${longest}ñ`,
      title: 'ñ'.repeat(201),
    })
    assert.equal(page.status, 400)
    for (const most of [20_000, 200])
      assert.ok(page.words.includes(`Use at most ${most} characters.`), `${most}`)
  })
})

describe('a listing at the same address', () => {
  it('is shown, and the new one created nevertheless if that is wanted', async () => {
    const address = freshAddress()
    const other = await draft(t, { address, title: 'La primera' })
    const fields = { ...(await opened('/dashboard/listings/new')), title: 'La segunda', address }
    const page = await member.post('/dashboard/listings/new', fields)
    assert.equal(page.status, 409)
    assert.match(page.text, new RegExp(`href="/dashboard/listings/${other.id}"`))
    assert.match(page.words, /View La primera/)
    const { to } = await member.post('/dashboard/listings/new', { ...fields, force_duplicate: 'yes' })
    assert.equal((await shown(codeIn(to)))['address'], address)
  })

  it('keeps the address back while somebody types, and nothing else', async () => {
    const address = freshAddress()
    const other = await draft(t, { address })
    const fields = { ...(await opened('/dashboard/listings/new')), title: 'Otra', address }
    const answer = await typed('/dashboard/listings/new', fields)
    const id = codeIn(answer.action)
    assert.equal((await shown(id))['address'], null)
    assert.ok(answer.parts.some((part) => part.includes(`/dashboard/listings/${other.id}`)))
    assert.deepEqual(Object.keys(answer.problems), ['address'])
    const later = { ...fields, version: String(answer.version), force_duplicate: 'yes' }
    const forced = await typed(`/dashboard/listings/${id}/edit`, later)
    assert.deepEqual([forced.isWhole, (await shown(id))['address']], [true, address])
  })
})

describe('a new listing while somebody types', () => {
  it('becomes a draft once there is something to keep, and stays one however often that is sent', async () => {
    const fresh = await opened('/dashboard/listings/new')
    const nothing = await typed('/dashboard/listings/new', { ...fresh, operation: 'sale', type: 'Casa' })
    assert.deepEqual([nothing.action, nothing.version, nothing.isWhole], [null, null, false])
    const fields = { ...fresh, operation: 'sale', title: 'Casa' }
    const both = await Promise.all([1, 2, 3].map(() => typed('/dashboard/listings/new', fields)))
    assert.equal(new Set(both.map(({ action }) => action)).size, 1)
    const id = codeIn(both[0]?.action ?? '')
    // The answer was lost, somebody typed on, and it is sent once more.
    const more = await typed('/dashboard/listings/new', {
      ...fields,
      title: 'Casa con patio',
      address: freshAddress(),
    })
    assert.deepEqual([codeIn(more.action), more.isWhole], [id, true])
    assert.equal((await shown(id)).title, 'Casa con patio')
    assert.deepEqual(
      (await historyOf(t, id)).map(({ action }) => action),
      ['created', 'updated'],
    )
  })

  it('tells what is missing after each save', async () => {
    const fields = { ...(await opened('/dashboard/listings/new')), title: 'Casa' }
    const first = await typed('/dashboard/listings/new', fields)
    const missing = ({ parts }: Answer) =>
      [...parts.join('').matchAll(/href="#(f-[\w.]+|form-photos)"/g)].map(([, at]) => at)
    assert.deepEqual(missing(first), ['f-type', 'f-operation', 'f-address', 'f-price.amount', 'form-photos'])
    const path = first.action ?? ''
    const more = {
      ...fields,
      version: String(first.version),
      type: 'Casa',
      operation: 'temporary',
      'price.amount': '1',
      'price.currency': 'USD',
    }
    const second = await typed(path, more)
    assert.deepEqual(missing(second), ['f-address', 'f-price.period', 'form-photos'])
  })

  it('takes photos as soon as there is a draft, on the same page', async () => {
    const path = '/dashboard/listings/new'
    const fresh = await opened(path)
    assert.doesNotMatch((await typed(path, { ...fresh, type: 'Casa' })).parts.join(''), /data-photos/)
    const first = await typed(path, { ...fresh, title: 'Con fotos' })
    const upload = `action="/dashboard/listings/${codeIn(first.action)}/photos"`
    assert.match(first.parts.join(''), new RegExp(`data-photos[^]+${upload}`))
    const changed = { ...fresh, version: String(first.version), title: 'Con más fotos' }
    assert.doesNotMatch((await typed(first.action ?? '', changed)).parts.join(''), /data-photos/)
  })

  it('is sent once by buttons too', async () => {
    const fields = { ...(await opened('/dashboard/listings/new')), title: 'Doble clic' }
    const answers = await Promise.all([1, 2].map(() => member.post('/dashboard/listings/new', fields)))
    assert.equal(new Set(answers.map(({ to }) => codeIn(to))).size, 1)
    assert.equal((await member.post('/dashboard/listings/new', { ...fields, new_id: 'x' })).status, 400)
    // An old form of it changes nothing that was changed since.
    const id = codeIn(answers[0]?.to ?? '')
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Más nuevo' } }))
    await member.post('/dashboard/listings/new', fields)
    assert.equal((await shown(id)).title, 'Más nuevo')
    accepted((await t.ask('DELETE', `/properties/${id}`)) as never)
    assert.equal((await member.post('/dashboard/listings/new', fields)).status, 404)
  })

  it('of an agency does not meet one of another with the same uuid', async () => {
    const foreign = await signedIn(t, 'member', t.other.agency.id, 'en')
    const fields = { ...(await opened('/dashboard/listings/new', foreign)), title: 'Ajena' }
    const { to } = await foreign.post('/dashboard/listings/new', fields)
    const own = await member.post('/dashboard/listings/new', {
      ...fields,
      _csrf: (await opened('/dashboard/listings/new'))['_csrf'] ?? null,
    })
    assert.notEqual(codeIn(own.to), codeIn(to))
    assert.equal((await shown(codeIn(own.to))).title, 'Ajena')
  })

  it('nothing at all is not created by a button', async () => {
    const page = await member.post('/dashboard/listings/new', await opened('/dashboard/listings/new'))
    assert.equal(page.status, 400)
    assert.match(page.words, /Fill in at least one field\./)
  })
})

describe('what others changed meanwhile', () => {
  it('stays, where only one side changed it', async () => {
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

  it('is shown beside one’s own, where both did; each is chosen, and the rest waits', async () => {
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

    // Nothing is taken for a choice that is none.
    const undecided = await member.post(path, { ...conflict, 'choice.title': 'mine' })
    assert.equal(undecided.status, 412)
    assert.match(undecided.words, /This listing changed while you were writing \(key “test”\)/)
    assert.equal((await shown(id)).title, '<i>Suyo</i>')
    const done = await member.submit(path, { ...conflict, 'choice.title': 'mine', 'choice.price': 'theirs' })
    assert.match(done.words, /Changes saved\./)
    const now = await shown(id)
    assert.deepEqual([now.title, now.price.amount, now['description']], ['Mío', 9, 'Nueva'])
  })

  it('is shown again, where it changed once more before the choice was sent', async () => {
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

  it('does not stop a draft from being saved: what is in conflict waits, the rest is kept and shown', async () => {
    const { id } = await draft(t, { title: 'Antes' })
    const path = `/dashboard/listings/${id}/edit`
    const fields = { ...(await opened(path)), title: 'Mío', 'features.rooms': '4' }
    accepted(
      await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Suyo', location: { city: 'Salta' } } }),
    )
    const answer = await typed(path, fields)
    assert.deepEqual(answer.taken, { 'location.city': 'Salta' })
    assert.deepEqual([answer.isWhole, (await shown(id)).features['rooms']], [false, 4])
    assert.match(answer.parts.join(''), /name="choice\.title"/)
    // The form goes on with the new version; until somebody chooses, the title stays as it is.
    const next = { ...fields, ...answer.taken, version: String(answer.version), conflict: 'title' }
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

  it('is not overwritten by a version that never was, nor by none', async () => {
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const fields = { ...(await opened(path)), title: 'Otro' }
    for (const version of ['0', '999999999', '1 or 1=1', '', null])
      assert.equal((await member.post(path, { ...fields, version })).status, 412, String(version))
    assert.equal((await shown(id)).title, 'Borrador')
  })

  it('is never lost when a form and a key write at the same moment', async () => {
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
      const [page, answer] = await Promise.all([
        member.post(path, fields),
        t.ask('PATCH', `/properties/${id}`, { body: { title: `Clave ${round} bis` } }),
      ])
      // Whoever came first was seen by the other: the form by a conflict, the key by its answer.
      assert.equal(answer.status, 200)
      assert.ok([303, 412].includes(page.status))
      assert.equal((await shown(id)).title, `Clave ${round} bis`)
    }
  })
})

describe('the price alone', () => {
  it('is corrected, with its period for a rental', async () => {
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

  it('is not taken away from a published listing, nor overwritten', async () => {
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
  it('saves first, and says what is missing beside its fields', async () => {
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const page = await member.post(path, { ...(await opened(path)), title: 'Casi', after: 'publish' })
    assert.equal(page.status, 422)
    assert.match(page.text, /id="f-address-error"/)
    const { title, status } = await shown(id)
    assert.deepEqual([title, status], ['Casi', 'draft'])
  })

  it('publishes what is complete, and counts as a change of state', async () => {
    const { id } = await published(t)
    accepted(await t.ask('POST', `/properties/${id}/disable`, { body: {} }))
    const path = `/dashboard/listings/${id}/edit`
    const page = await member.submit(path, { ...(await opened(path)), title: 'De nuevo', after: 'publish' })
    assert.match(page.words, /Listing published\./)
    const { status, title } = await shown(id)
    assert.deepEqual([status, title], ['published', 'De nuevo'])
  })

  it('nothing that somebody types is saved by itself once it is published', async () => {
    const { id } = await published(t, { title: 'Pública' })
    const path = `/dashboard/listings/${id}/edit`
    const answer = await typed(path, { ...(await opened(path)), title: 'A medio escri' })
    assert.deepEqual([answer.savesItself, answer.isWhole, (await shown(id)).title], [false, false, 'Pública'])
  })
})

test('what public pages show of the place is chosen in the form, before anything is public', async () => {
  const fresh = await opened('/dashboard/listings/new')
  const fields = { ...fresh, title: 'Casa', address: freshAddress(), place_shown: 'approximate' }
  const { to } = await member.post('/dashboard/listings/new', fields)
  const row = async () => isPlaceBlurred(t.deps.db, t.agency.id, (await rowOf(t, codeIn(to))).id)
  assert.equal(await row(), true)
  const path = `${to ?? ''}/edit`
  const old = await opened(path)
  assert.equal(old['place_shown'], 'approximate')
  const answer = await typed(path, { ...old, place_shown: 'exact' })
  assert.deepEqual([answer.isWhole, await row()], [true, false])
  // Who did not touch it does not change it back.
  await member.submit(path, { ...old, title: 'Otra', place_shown: 'approximate' })
  assert.equal(await row(), false)
})

test('operators write too, by the button alone, and it is in the audit log', async () => {
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

test('limits hold: new listings with those of keys, and saves of one person', async () => {
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
    const answer = await typed(edit, { ...(await opened(edit, colleague)), title: 'Seis' }, colleague)
    assert.deepEqual([answer.isWhole, answer.problems], [true, {}])
  } finally {
    await small.close()
  }
})

test('people of a deactivated agency write nothing; a removed listing has no form', async () => {
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

test('the list leads to writing: a new one, each row, what drafts lack, what nobody changed for long', async () => {
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
