/** Listings in the dashboard: searches find what the API finds, and actions have the same effect as the API's. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { photoUrls, testApp, type TestApp } from '../../../../support/app/app.ts'
import { accepted, draft, historyOf, published, rowOf } from '../../../../support/app/listings.ts'
import { fieldsOf } from '../../form-fields.ts'
import { type VisitedPage, signedIn, type Visitor } from '../../visitor.ts'

let t: TestApp
let owner: Visitor & { account: { id: string; name: string } }
before(async () => {
  t = await testApp({ limits: { state_changes_per_day: 6, disables_per_day: 2, enables_per_day: 2 } })
  owner = await signedIn(t, 'owner', t.agency.id, 'en')
})
after(() => t.close())

const codesOf = (text: string) => [...text.matchAll(/\/listings\/([2-9A-Z]{8})"/g)].map(([, code]) => code)

test('filters, search, order and pages give the API’s results', async () => {
  const own = await t.newAgency()
  const who = await signedIn(t, 'owner', own.agency.id, 'en')
  const make = (body: Record<string, unknown>) => t.ask('POST', '/properties', { key: own.writeKey, body })
  for (let count = 0; count < 23; count += 1) {
    await make({
      title: count % 2 === 0 ? `Casa ${count}` : `Departamento con balcón ${count}`,
      type: count % 2 === 0 ? 'Casa' : 'Departamento',
      operation: 'sale',
      price: { amount: 50_000 + count * 10_000, currency: count % 3 === 0 ? 'ARS' : 'USD' },
      features: { bedrooms: count % 4, covered_m2: 40 + count },
      location: { city: count % 5 === 0 ? 'Córdoba' : 'La Plata' },
    })
  }
  const queries = [
    '',
    'q=balcon',
    'type=casa&sort=price_asc',
    'city=cordoba&sort=price_desc',
    'currency=USD&min_price=100000&max_price=200000',
    'bedrooms=2&min_m2=50',
    'q=casa&sort=updated',
    'status=draft&page=2',
    'status=published',
  ]
  for (const query of queries) {
    const sent = new URLSearchParams({ status: 'all', per_page: '20', fields: 'id' })
    for (const [name, value] of new URLSearchParams(query)) sent.set(name, value)
    const api = await t.ask('GET', `/properties?${sent}`, { key: own.writeKey })
    const expected = (api.body.data as unknown as { id: string }[]).map(({ id }) => id)
    for (const view of ['', '&view=cards']) {
      const page = await who.get(`/dashboard/listings?${query}${view}`)
      assert.deepEqual(codesOf(page.text), expected, query)
      const { total } = (api.body as unknown as { meta: { total: number } }).meta
      assert.match(page.words, new RegExp(`\\b${total} listings?\\b`))
    }
  }
  const first = await who.get('/dashboard/listings')
  assert.match(first.text, /rel="next" href="\/dashboard\/listings\?page&#61;2"/)
  assert.doesNotMatch(first.text, /rel="prev"/)
  const { to } = await who.get('/dashboard/listings?view=cards&page=150')
  assert.match(to ?? '', /^\/dashboard\/listings\?view=cards&page=\d$/)
})

test('the search finds whole or partial codes and external ids of one’s own agency only', async () => {
  const own = await t.newAgency()
  const who = await signedIn(t, 'owner', own.agency.id, 'en')
  const make = async (body: Record<string, unknown>) =>
    accepted(await t.ask('POST', '/properties', { key: own.writeKey, body }), 201).id
  const [first, second, third] = [
    await make({ title: 'Casa', external_id: 'RN-0412_b', type: 'Casa' }),
    await make({ title: 'Casa con RN-04 en el nombre', type: 'PH' }),
    await make({ title: 'Lote' }),
  ]
  const found = async (q: string, more = '') => {
    const page = await who.get(`/dashboard/listings?q=${encodeURIComponent(q)}${more}`)
    assert.equal(page.status, 200, page.words)
    const codes = [...new Set(codesOf(page.text))]
    assert.match(page.words, new RegExp(`\\b${codes.length} listings?\\b`))
    return codes.toSorted()
  }
  for (const [q, expected] of [
    [third, [third]],
    [third.toLowerCase(), [third]],
    [` ${third.slice(1, 7)} `, [third]],
    ['RN-0412_b', [first]],
    ['rn-0412_B', [first]],
    ['0412', [first]],
    ['rn-04', [first, second]],
    ['rn_0412', []],
    ['rn-04 nombre', [second]],
    ['casa', [first, second]],
  ] as const)
    for (const more of ['', '&view=cards', '&sort=price_asc', '&sort=updated'])
      assert.deepEqual(await found(q, more), expected.toSorted(), q + more)
  assert.deepEqual(await found('rn-04', '&type=Casa'), [first])
  assert.deepEqual(await found(third, '&status=published'), [])
  // The API does not search that way either; it has a parameter for each.
  const api = await t.ask('GET', '/properties?status=all&q=0412', { key: own.writeKey })
  assert.deepEqual(api.body.data, [])
  for (const q of [first, first.slice(0, 6), 'RN-0412_b', '0412']) {
    const page = await owner.get(`/dashboard/listings?q=${q}`)
    assert.deepEqual(codesOf(page.text), [], q)
  }
})

test('prices and areas can be searched in people’s own spelling', async () => {
  const own = await t.newAgency()
  const who = await signedIn(t, 'owner', own.agency.id, 'en')
  const make = async (amount: number, currency: string, area: number) => {
    const body = { price: { amount, currency }, features: { covered_m2: area } }
    return accepted(await t.ask('POST', '/properties', { key: own.writeKey, body }), 201).id
  }
  const [pesos, dollars] = [await make(450_000, 'ARS', 85.5), await make(120_000, 'USD', 1_250)]
  for (const [query, expected, currency] of [
    [{ max_price: '$ 450.000' }, [pesos], 'ARS'],
    [{ min_price: '450.000 pesos', currency: 'USD' }, [pesos], 'ARS'],
    [{ min_price: 'U$S 120.000' }, [dollars], 'USD'],
    [{ min_price: '120,000', currency: 'USD' }, [dollars], 'USD'],
    [{ min_m2: '1.250' }, [dollars], ''],
    [{ max_m2: '85,5' }, [pesos], ''],
  ] as const) {
    const path = `/dashboard/listings?${new URLSearchParams(query)}`
    const page = await who.get(path)
    assert.deepEqual(codesOf(page.text), expected, path)
    // The form shows the parsed value.
    assert.equal(fieldsOf(page.text, '/dashboard/listings')['currency'], currency, path)
  }
  const two = await who.get(
    `/dashboard/listings?${new URLSearchParams({ min_price: 'USD 1', max_price: '$ 9' })}`,
  )
  assert.equal(two.status, 400)
})

test('an invalid search is reported beside its field', async () => {
  for (const [query, text] of [
    ['min_price=5', /Choose a currency/],
    ['min_price=abc&currency=USD', /not valid/],
    ['type=Castillo', /not valid/],
    ['page=0', /There is one thing to correct/],
    ['q=%25%25', /not valid/],
  ] as const) {
    const page = await owner.get(`/dashboard/listings?${query}`)
    assert.equal(page.status, 400, query)
    assert.match(page.words, text)
  }
  for (const query of ['status=nonsense', 'view=x', 'unknown=1', 'page='])
    assert.equal((await owner.get(`/dashboard/listings?${query}`)).status, 200, query)
})

test('a listing’s page shows all of its fields, and treats them as text', async () => {
  const hostile = '"><script>alert(1)</script>'
  const { id } = await published(t, {
    title: hostile,
    description: `<img src=x onerror=alert(1)>\nsegunda línea`,
    external_id: 'CRM-1',
    amenities: [hostile, 'Pileta'],
    expenses: { amount: 1500.5, currency: 'ARS' },
    features: { bedrooms: 3, pet_friendly: true },
    video_url: 'https://video.example/?a=1&b="',
  })
  const page = await owner.get(`/dashboard/listings/${id}`)
  assert.doesNotMatch(page.text, /<script>alert|<img src=x/)
  for (const text of [
    'CRM-1',
    'ARS 1,500.50',
    'Bedrooms 3',
    'Pets allowed Yes',
    'Pileta',
    'Published',
    'Created',
    '-34.92000, -57.95000',
  ])
    assert.ok(page.words.includes(text), text)
  const { id: uuid } = await rowOf(t, id)
  assert.equal((await owner.get(`/dashboard/listings/${uuid}`)).status, 200)
  const [photo = ''] = /\/photos\/[^"]+/.exec(page.text) ?? []
  assert.equal((await fetch(`${t.baseUrl}${photo}`)).status, 200)
})

test('the page shows what a listing is missing, and publishing waits for it', async () => {
  const { id } = await draft(t)
  const page = await owner.get(`/dashboard/listings/${id}`)
  assert.match(page.words, /5 items missing/)
  assert.match(page.text, new RegExp(`listings/${id}/edit#f-address" data-field>Address<`))
  assert.doesNotMatch(page.text, /listings\/\w+\/publish"/)
  const forced = await owner.submit(`/dashboard/listings/${id}/publish`)
  assert.match(forced.words, /It cannot be published yet\. Missing: Type, Operation, Address/)
  assert.equal(accepted(await t.ask('GET', `/properties/${id}`)).status, 'draft')
})

test('the history shows the outcome of each photo', async () => {
  const { id, photos } = await published(t)
  const set = async (urls: string[]) =>
    accepted(await t.ask('PUT', `/properties/${id}/photos`, { body: { urls } })).photos
  await set(photos.toReversed())
  await set([...photoUrls(2), ...photos.slice(1)])
  await set(await set([...photos.slice(1), ...photoUrls(1)]))
  const { words } = await owner.get(`/dashboard/listings/${id}`)
  for (const text of [
    '3 photos (reordered)',
    '4 photos (2 added, 1 removed)',
    '3 photos (1 added, 2 removed)',
  ])
    assert.ok(words.includes(text), text)
})

test('the history has pages of twenty, latest first, and shows long values in full', async () => {
  const { id } = await draft(t, { title: 'Número 0' })
  for (let count = 1; count <= 40; count += 1)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: `Número ${count}` } }))
  const description = `${'palabra '.repeat(60)}y la última`
  accepted(await t.ask('PATCH', `/properties/${id}`, { body: { description } }))
  const entries = (text: string) =>
    [...text.matchAll(/<li><p>\s*<span class="strong">([^<]+)</g)].map(([, action]) => action)
  const path = `/dashboard/listings/${id}`
  const linked = ({ text }: VisitedPage, rel: string) =>
    new RegExp(`rel="${rel}" href="([^"]+)#history"`).exec(text)?.[1]?.replaceAll('&#61;', '=') ?? ''
  const first = await owner.get(path)
  const second = await owner.get(linked(first, 'next'))
  const last = await owner.get(linked(second, 'next'))
  assert.deepEqual(
    [first, second, last].map(({ text }) => entries(text).length),
    [20, 20, 2],
  )
  assert.ok(first.words.includes('y la última'))
  assert.doesNotMatch(first.text, /rel="prev"/)
  assert.doesNotMatch(last.text, /rel="next"/)
  // The way back has the same pages, even if there are newer entries.
  accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Número 41' } }))
  const listed = ({ text }: VisitedPage) =>
    text.slice(text.indexOf('class="timeline"'), text.indexOf('class="pager"'))
  const middle = await owner.get(linked(last, 'prev'))
  assert.equal(listed(middle), listed(second))
  const top = await owner.get(linked(middle, 'prev'))
  assert.deepEqual(
    entries(top.text),
    Array.from({ length: 20 }, () => 'Edited'),
  )
  assert.deepEqual(entries(last.text), ['Edited', 'Created'])
  // The creation shows the original values.
  assert.match(last.words, /Created .* Title – Número 0/)
  assert.match(second.words, /Title Número 20 Número 21/)
})

test('people’s actions share limits with keys, and the history names the person', async () => {
  const { id } = await published(t)
  const act = (name: string, fields = {}) => owner.submit(`/dashboard/listings/${id}/${name}`, fields)
  await act('reserve')
  await act('release')
  await act('suspend', {
    reason: 'sold',
    close_price: '90000.5',
    close_currency: 'USD',
    closed_at: '2026-01-31',
  })
  const row = await rowOf(t, id)
  assert.deepEqual(
    [row.status, row.close_reason, row.close_amount, row.closed_at],
    ['disabled', 'sold', 90_000.5, '2026-01-31T15:00:00.000Z'],
  )
  accepted(await t.ask('POST', `/properties/${id}/enable`))
  await act('suspend', { reason: 'other', close_price: '', closed_at: '' })
  assert.equal((await rowOf(t, id)).close_amount, null)
  accepted(await t.ask('POST', `/properties/${id}/enable`))
  assert.match((await act('delete')).words, /You have reached a limit\. Try again in (24 hours|1 day)/)
  const history = await historyOf(t, id)
  assert.deepEqual(
    history.slice(1).map(({ action, actor }) => `${action} ${actor.kind} ${actor.id === owner.account.id}`),
    [
      'reserved person true',
      'released person true',
      'disabled person true',
      'published key false',
      'disabled person true',
      'published key false',
    ],
  )
  const page = await owner.get(`/dashboard/listings/${id}`)
  assert.match(page.words, new RegExp(`Reserved · ${owner.account.name}`))
  assert.match(page.words, /Published · key “test”/)
  assert.match(page.words, /Closing price – USD\s90,000\.50/)
  // The notified channels, and the state of each.
  assert.match(page.words, /Email Waiting Marketplace Waiting/)
  const refused = await owner.post(`/dashboard/listings/${id}/suspend`, { reason: 'other' })
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})

test('a closing price without a sale or rental is refused beside its field', async () => {
  const { id } = await published(t)
  const sent = { reason: 'other', close_price: '90000', close_currency: 'USD', closed_at: '' }
  const refused = await owner.post(`/dashboard/listings/${id}/suspend`, sent)
  assert.equal(refused.status, 400)
  assert.match(refused.words, /Only for the reasons “Sold” and “Rented”/)
  assert.equal((await rowOf(t, id)).status, 'published')
})

test('the reason of a suspension can be corrected, without a change of state', async () => {
  const { id } = await published(t)
  const body = { reason: 'sold', close_price: 80_000, closed_at: '2026-01-31T02:30:00Z' }
  accepted(await t.ask('POST', `/properties/${id}/disable`, { body }))
  const path = `/dashboard/listings/${id}/suspend`
  const { text } = await owner.get(`/dashboard/listings/${id}`)
  assert.match(text, /name="close_price"[^>]*value="80,000"/)
  // The day in Argentina.
  assert.match(text, /name="closed_at"[^>]*value="2026-01-30"/)
  const sent = { reason: 'sold', close_price: '82,500', close_currency: 'USD', closed_at: '2026-01-30' }
  assert.match((await owner.submit(path, sent)).words, /Reason and closing saved/)
  const row = await rowOf(t, id)
  assert.deepEqual([row.close_amount, row.closed_at], [82_500, '2026-01-31T02:30:00.000Z'])
  const history = await historyOf(t, id)
  assert.deepEqual(
    history.slice(-2).map(({ action }) => action),
    ['disabled', 'closing_recorded'],
  )
  await owner.submit(path, { reason: 'other' })
  assert.equal((await rowOf(t, id)).close_amount, null)
})

test('invalid closing data is reported beside its field, keeping the text typed', async () => {
  const { id } = await published(t)
  for (const [fields, name] of [
    [{ reason: 'sold', close_price: '-5' }, 'close_price'],
    [{ reason: 'sold', close_price: '1.0055' }, 'close_price'],
    [{ reason: 'other', close_price: '5' }, 'close_price'],
    [{ reason: 'other', closed_at: '2026-01-31' }, 'closed_at'],
    [{ reason: 'sold', closed_at: 'soon' }, 'closed_at'],
    [{ reason: 'because' }, 'reason'],
  ] as const) {
    const page = await owner.post(`/dashboard/listings/${id}/suspend`, fields)
    assert.equal(page.status, 400)
    assert.match(page.text, new RegExp(`id="f-${name}-error"`))
    assert.match(page.text, /<details class="action" name="listing-action"\s+open/)
  }
  assert.equal(accepted(await t.ask('GET', `/properties/${id}`)).status, 'published')
})

test('an action on an outdated version changes nothing', async () => {
  const { id } = await published(t)
  const page = await owner.get(`/dashboard/listings/${id}`)
  const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? ''
  accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otra' } }))
  const late = await owner.submit(`/dashboard/listings/${id}/delete`, { version })
  assert.match(late.words, /changed while you were looking/)
  assert.equal((await t.ask('GET', `/properties/${id}`)).status, 200)
  const odd = await owner.submit(`/dashboard/listings/${id}/delete`, { version: '1 or 1=1' })
  assert.match(odd.words, /changed while you were looking/)
  assert.equal((await t.ask('GET', `/properties/${id}`)).status, 200)
})

test('a removed listing keeps its history, and the operator restores it, with another id if its own is in use', async () => {
  const { id } = await published(t, { external_id: 'TAKEN-1' })
  await owner.submit(`/dashboard/listings/${id}/delete`)
  assert.ok(codesOf((await owner.get('/dashboard/listings?status=removed')).text).includes(id))
  assert.ok(!codesOf((await owner.get('/dashboard/listings')).text).includes(id))
  const page = await owner.get(`/dashboard/listings/${id}`)
  assert.match(page.words, /Removed on .* Only the operator|The operator can restore it/)
  assert.doesNotMatch(page.text, /\/photos\//)
  assert.equal((await owner.post(`/dashboard/listings/${id}/publish`)).status, 404)

  await draft(t, { external_id: 'TAKEN-1' })
  const operator = await signedIn(t, 'operator', null, 'en')
  const path = `/dashboard/operator/agencies/${t.agency.slug}/listings/${id}`
  const conflict = await operator.post(`${path}/restore`)
  assert.equal(conflict.status, 409)
  assert.match(conflict.words, /Another listing now has its external ID/)
  const odd = await operator.post(`${path}/restore`, { choice: 'other', external_id: 'no good' })
  assert.match(odd.text, /value="no good"/)
  assert.equal(odd.status, 400)
  const done = await operator.submit(`${path}/restore`, { choice: 'other', external_id: 'FREE-1' })
  assert.match(done.words, /Listing restored\./)
  const row = await rowOf(t, id)
  assert.deepEqual([row.external_id, row.status, row.deleted_at], ['FREE-1', 'disabled', null])
  assert.equal((await historyOf(t, id)).at(-1)?.actor.kind, 'operator')
  assert.equal((await operator.post(`${path}/restore`)).status, 404)
})
