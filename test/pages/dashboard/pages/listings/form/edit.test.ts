/** Listings written in the dashboard: input has the same effect as through the API, and no other change is overwritten. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshAddress, testApp, type TestApp } from '../../../../../support/app/app.ts'
import { accepted, draft, historyOf, published } from '../../../../../support/app/listings.ts'
import { signedIn, visitor, type Visitor } from '../../../visitor.ts'
import { features, lotFeatures, ownFields } from '../../../../../support/app/fields.ts'
import { type Fields, fieldsOf, openForm, type Saved, saveTyped } from '../../../form-fields.ts'

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

const typedOf = (all: Readonly<Record<string, { typed: readonly [string, unknown] }>>, prefix = '') =>
  Object.fromEntries(
    Object.entries(all).map(
      ([
        name,
        {
          typed: [text],
        },
      ]) => [`${prefix}${name}`, text],
    ),
  )
const readOf = (all: Readonly<Record<string, { typed: readonly [string, unknown] }>>) =>
  Object.fromEntries(
    Object.entries(all).map(
      ([
        name,
        {
          typed: [, value],
        },
      ]) => [name, value],
    ),
  )

const whole: Fields = {
  ...typedOf(ownFields),
  ...typedOf(features, 'features.'),
  'price.amount': '450.000,50',
  'price.currency': 'ARS',
  'price.period': 'week',
  'expenses.amount': '0',
  'expenses.currency': 'USD',
  'location.city': 'Ciudad Autónoma de Buenos Aires',
  'location.province': 'Ciudad Autónoma de Buenos Aires',
  'location.lat': '-34,5895',
  'location.lng': '-58.4262',
  'rental.min_stay': '7',
  'rental.min_lease_months': '24',
  'rental.services_included': 'Agua\r\nGas',
}

test('every field of the contract can be written, in people’s own spelling', async () => {
  const page = await member.submit('/dashboard/listings/new', {
    ...(await opened('/dashboard/listings/new')),
    ...whole,
  })
  assert.match(page.words, /Draft saved\./)
  const [, id = ''] = /listings\/([2-9A-Z]{8})\/edit/.exec(page.text) ?? []
  const listing = await shown(id)
  const { price, location, rental } = listing
  assert.deepEqual(
    { price, expenses: listing['expenses'], rental },
    {
      price: { amount: 450_000.5, currency: 'ARS', period: 'week', on_request: false },
      expenses: { amount: 0, currency: 'USD' },
      rental: { period: 'week', min_stay: 7, min_lease_months: 24, services_included: ['Agua', 'Gas'] },
    },
  )
  assert.deepEqual(
    [location.city, location.lat, location.lng, listing.location_status],
    ['Ciudad Autónoma de Buenos Aires', -34.5895, -58.4262, 'manual'],
  )
  assert.deepEqual(listing.features, readOf(features))
  for (const [name, value] of Object.entries(readOf(ownFields)))
    assert.deepEqual((listing as Record<string, unknown>)[name], value, name)
  const [created] = await historyOf(t, id)
  assert.deepEqual(
    [created?.action, created?.actor.kind, created?.actor.id],
    ['created', 'person', member.account.id],
  )
  // The form shows what the listing has: saving it unchanged changes nothing.
  const again = await member.submit(
    `/dashboard/listings/${id}/edit`,
    await opened(`/dashboard/listings/${id}/edit`),
  )
  assert.match(again.words, /Draft saved\. Last change: \w/)
  assert.equal((await historyOf(t, id)).length, 1)
})

test('pasted texts are understood, and texts that are too long are reported rather than cut', async () => {
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
  const response = await typed(path, pasted)
  assert.equal(response.isWhole, true)
  // The form shows the parsed values.
  assert.deepEqual(
    [response.reworded['price.amount'], response.reworded['price.currency']],
    ['120,000', 'USD'],
  )
  const { price, features, ...more } = await shown(id)
  assert.deepEqual([price.amount, price.currency], [120_000, 'USD'])
  assert.deepEqual(more['expenses'], { amount: 85_000, currency: 'ARS' })
  assert.deepEqual([features['covered_m2'], features['total_m2']], [85.5, 1_250])
  const long = await typed(path, { ...(await opened(path)), address: 'Calle '.repeat(60) })
  assert.match(long.problems['address'] ?? '', /^Use at most \d+ characters/)
})

test('signing in again returns to the form that was sent', async () => {
  const { id } = await draft(t)
  const path = `/dashboard/listings/${id}/edit`
  const gone = visitor(t)
  assert.equal(
    (await gone.post(path, { title: 'x' })).to,
    `/dashboard/sign-in?next=${encodeURIComponent(path)}`,
  )
  assert.equal((await gone.post(`/dashboard/listings/${id}/publish`)).to, '/dashboard/sign-in')
})

test('a lot has only the features of lots, and a sale has no rental terms, whatever the form contains', async () => {
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
  assert.deepEqual(
    given,
    Object.entries(readOf(features)).filter(([name]) => lotFeatures.includes(name)),
  )
  assert.deepEqual([listing.rental, listing.price.period], [null, undefined])
})

describe('errors are shown beside their fields, all at once, with the text typed', () => {
  const wrong: Fields = {
    'price.amount': 'mucho',
    'features.rooms': '51',
    'features.total_m2': 'x',
    'location.lat': '-34.6',
    video_url: 'video.example',
    external_id: 'con espacios',
    title: 'Bien',
  }
  // Values that cannot be parsed, and values that the contract rejects.
  const unread = ['price.amount', 'features.total_m2', 'location.lng']
  const refused = ['features.rooms', 'video_url', 'external_id']

  test('for a new listing, which is not created', async () => {
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

  test('for an autosaved draft, which keeps the rest', async () => {
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const response = await typed(path, { ...(await opened(path)), ...wrong })
    assert.deepEqual(Object.keys(response.problems).sort(), [...unread, ...refused].sort())
    assert.equal(response.isWhole, false)
    assert.equal((await shown(id)).title, 'Bien')
  })

  test('for an external id that another listing has', async () => {
    await draft(t, { external_id: 'THEIRS-1' })
    const { id } = await draft(t)
    const path = `/dashboard/listings/${id}/edit`
    const response = await typed(path, { ...(await opened(path)), title: 'Nuevo', external_id: 'THEIRS-1' })
    assert.match(response.problems['external_id'] ?? '', /Another listing now has/)
    const { title, external_id } = await shown(id)
    assert.deepEqual([title, external_id], ['Nuevo', null])
  })

  test('for a published listing that would lose a required field', async () => {
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

  test('for texts above the maximum length, but not at it', async () => {
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
    for (const max of [20_000, 200])
      assert.ok(page.words.includes(`Use at most ${max} characters.`), `${max}`)
  })
})

describe('a listing at the same address', () => {
  test('is shown, and the new one is created anyway on request', async () => {
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

  test('delays only the address of an autosave', async () => {
    const address = freshAddress()
    const other = await draft(t, { address })
    const fields = { ...(await opened('/dashboard/listings/new')), title: 'Otra', address }
    const response = await typed('/dashboard/listings/new', fields)
    const id = codeIn(response.action)
    assert.equal((await shown(id))['address'], null)
    assert.ok(response.parts.some((part) => part.includes(`/dashboard/listings/${other.id}`)))
    assert.deepEqual(Object.keys(response.problems), ['address'])
    const later = { ...fields, version: String(response.version), force_duplicate: 'yes' }
    const forced = await typed(`/dashboard/listings/${id}/edit`, later)
    assert.deepEqual([forced.isWhole, (await shown(id))['address']], [true, address])
  })
})

describe('an autosaved new listing', () => {
  test('becomes a draft once it has content, and stays one however often it is sent', async () => {
    const fresh = await opened('/dashboard/listings/new')
    const nothing = await typed('/dashboard/listings/new', { ...fresh, operation: 'sale', type: 'Casa' })
    assert.deepEqual([nothing.action, nothing.version, nothing.isWhole], [null, null, false])
    const fields = { ...fresh, operation: 'sale', title: 'Casa' }
    const both = await Promise.all([1, 2, 3].map(() => typed('/dashboard/listings/new', fields)))
    assert.equal(new Set(both.map(({ action }) => action)).size, 1)
    const id = codeIn(both[0]?.action ?? '')
    // The response was lost, typing continued, and it is sent once more.
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

  test('shows what is missing after each save', async () => {
    const fields = { ...(await opened('/dashboard/listings/new')), title: 'Casa' }
    const first = await typed('/dashboard/listings/new', fields)
    const missing = ({ parts }: Saved) =>
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

  test('accepts photos as soon as there is a draft, on the same page', async () => {
    const path = '/dashboard/listings/new'
    const fresh = await opened(path)
    assert.doesNotMatch((await typed(path, { ...fresh, type: 'Casa' })).parts.join(''), /data-photos/)
    const first = await typed(path, { ...fresh, title: 'Con fotos' })
    const upload = `action="/dashboard/listings/${codeIn(first.action)}/photos"`
    assert.match(first.parts.join(''), new RegExp(`data-photos[^]+${upload}`))
    const changed = { ...fresh, version: String(first.version), title: 'Con más fotos' }
    assert.doesNotMatch((await typed(first.action ?? '', changed)).parts.join(''), /data-photos/)
  })

  test('is created once by buttons too', async () => {
    const fields = { ...(await opened('/dashboard/listings/new')), title: 'Doble clic' }
    const responses = await Promise.all([1, 2].map(() => member.post('/dashboard/listings/new', fields)))
    assert.equal(new Set(responses.map(({ to }) => codeIn(to))).size, 1)
    assert.equal((await member.post('/dashboard/listings/new', { ...fields, new_id: 'x' })).status, 400)
    // An old form of it does not change later edits.
    const id = codeIn(responses[0]?.to ?? '')
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Más nuevo' } }))
    await member.post('/dashboard/listings/new', fields)
    assert.equal((await shown(id)).title, 'Más nuevo')
    accepted((await t.ask('DELETE', `/properties/${id}`)) as never)
    assert.equal((await member.post('/dashboard/listings/new', fields)).status, 404)
  })

  test('does not affect another agency’s listing with the same uuid', async () => {
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

  test('is not created by a button without content', async () => {
    const page = await member.post('/dashboard/listings/new', await opened('/dashboard/listings/new'))
    assert.equal(page.status, 400)
    assert.match(page.words, /Fill in at least one field\./)
  })
})
