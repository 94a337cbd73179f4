/** One 400 names every error found in one pass (api.md 5.1): query, body and headers, each field once. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ApiResponse, type Ask, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { listingOf, refused } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

type FieldError = { parameter: string; message: string }

function errorsOf(response: ApiResponse): FieldError[] {
  return refused(response, 'invalid_parameter')['errors'] as FieldError[]
}

const namesOf = (response: ApiResponse) => errorsOf(response).map(({ parameter }) => parameter)
const long = 'x'.repeat(201)

/** Requests with all of their invalid parameters. */
const requests: Record<string, [method: string, path: string, ask: Ask, parameters: string[]]> = {
  'fields of every kind, including nested ones and list elements': [
    'POST',
    '/properties',
    {
      body: {
        title: long,
        type: 'Castillo',
        price: { amount: -1, currency: 'EUR', surprise: 1 },
        features: { bedrooms: 51, rooms: 1.5 },
        amenities: ['Pileta', 5, ' '],
        photos: ['https://a.example/1.jpg', 'http://a.example/2.jpg', 7, 'https://10.0.0.1/3.jpg'],
        unknown: true,
        another: true,
      },
    },
    [
      'title',
      'type',
      'price.amount',
      'price.currency',
      'price.surprise',
      'features.bedrooms',
      'features.rooms',
      'amenities[1]',
      'amenities[2]',
      'photos[2]',
      'unknown',
      'another',
      'photos[1]',
      'photos[3]',
    ],
  ],
  'rules beyond the schema, along with schema errors': [
    'POST',
    '/properties',
    {
      body: {
        title: 5,
        price: { amount: 1.234, currency: 'USD' },
        expenses: { amount: 1e-3, currency: 'ARS' },
        video_url: 'https://',
        video_urls: ['https://a.example/', 'https:// b/'],
        location: { lat: 1 },
        status: 'disabled',
      },
    },
    ['title', 'price.amount', 'expenses.amount', 'location.lng', 'video_url', 'video_urls[1]', 'status'],
  ],
  'rules between fields, together': [
    'POST',
    '/properties',
    {
      body: {
        operation: 'sale',
        price: { amount: 1, period: 'month' },
        expenses: { currency: 'ARS' },
        rental: { min_stay: 2 },
        photos: ['ftp://a.example/1.jpg', 'x'],
      },
    },
    ['price.period', 'price.currency', 'expenses.amount', 'rental', 'photos[0]', 'photos[1]'],
  ],
  'repeated fields, invalid strings and unknown fields': [
    'POST',
    '/properties',
    { raw: '{"title":"a","title":"b","description":"\\u0000","price":{"amount":1,"amount":2},"nope":1}' },
    ['title', 'price.amount', 'description', 'nope'],
  ],
  'a query along with a body and a header': [
    'PATCH',
    '/properties/abc?a=1&b=&c=1&c=2',
    { body: { title: 1 }, headers: { 'idempotency-key': 'no' } },
    ['b', 'c', 'id', 'a', 'title', 'Idempotency-Key'],
  ],
  'a parameter, a segment of the path and a field of one name': [
    'PATCH',
    '/properties/abc?id=1&title=x',
    { body: { title: 1, id: 'x' } },
    ['id', 'id', 'title', 'id', 'title'],
  ],
  'an upsert’s query, fields and header': [
    'PUT',
    '/properties/external/nobody-has-it?x=1',
    { body: { external_id: 'other', photos: ['x'] }, headers: { 'idempotency-key': 'no' } },
    ['x', 'Idempotency-Key', 'photos[0]', 'external_id'],
  ],
  'the two external ids of an upsert, along with its photos': [
    'PUT',
    '/properties/external/nobody-has-it',
    { body: { external_id: 'other', photos: ['x'] } },
    ['external_id', 'photos[0]'],
  ],
  'a missing key along with fields': [
    'POST',
    '/properties',
    { body: { title: 1 }, headers: { 'idempotency-key': '' } },
    ['title', 'Idempotency-Key'],
  ],
  'a malformed key along with photos': [
    'POST',
    '/properties',
    { body: { photos: ['x'] }, headers: { 'idempotency-key': 'no' } },
    ['Idempotency-Key', 'photos[0]'],
  ],
  'a query along with an unparseable body': ['POST', '/properties?x=1', { raw: '{"title":' }, ['x', 'body']],
  'all parameters of a list': [
    'GET',
    '/properties?page=0&per_page=51&sort=best&type=Castillo&updated_since=yesterday&q=%3F&fields=id,nope&min_price=1&city=%CC%81&limit=5&bedrooms=',
    {},
    [
      'bedrooms',
      'limit',
      'sort',
      'page',
      'per_page',
      'type',
      'currency',
      'city',
      'q',
      'updated_since',
      'fields',
    ],
  ],
  'rules of a list beyond its schema': [
    'GET',
    '/properties?type=Castillo&fields=nope&q=%3F',
    {},
    ['type', 'q', 'fields'],
  ],
  'parameters of a read': ['GET', '/properties/abc?fields=nope&x=1', {}, ['id', 'x', 'fields']],
  'a body that a read does not accept': [
    'GET',
    '/properties?x=1&fields=nope',
    { raw: '{}' },
    ['body', 'x', 'fields'],
  ],
  'closing data': [
    'POST',
    '/properties/7KQ2M9XA/disable',
    { body: { reason: 'gone', close_price: 1.234, closed_at: 'today', x: 1 } },
    ['reason', 'x', 'close_price', 'closed_at'],
  ],
  'URLs of photos': [
    'POST',
    '/properties/7KQ2M9XA/photos',
    { body: { urls: [5, 'http://a.example/1.jpg', 'https://a.example/2.jpg', 'https://localhost/3.jpg'] } },
    ['urls[0]', 'urls[1]', 'urls[3]'],
  ],
  'only URLs of photos': [
    'POST',
    '/properties/7KQ2M9XA/photos',
    { body: { urls: ['http://a.example/1.jpg', 'https://a.example/2.jpg', 'https://localhost/3.jpg'] } },
    ['urls[0]', 'urls[2]'],
  ],
  'fields of a dry run, which needs no key': [
    'POST',
    '/properties?dry_run=true',
    { body: { title: 1, photos: ['x'] }, headers: { 'idempotency-key': 'no' } },
    ['title', 'photos[0]'],
  ],
  'photos to set': [
    'PUT',
    '/properties/7KQ2M9XA/photos',
    {
      body: { urls: ['https://a.example/1.jpg', 'ftp://a.example/', 'https://a.example/1.jpg'], refresh: 1 },
    },
    ['refresh', 'urls[1]', 'urls[2]'],
  ],
  'parameters of the feed of changes': [
    'GET',
    '/changes?cursor=x&limit=0&fields=nope',
    {},
    ['limit', 'fields', 'cursor'],
  ],
  'an address to geocode': [
    'POST',
    '/geocode',
    { body: { city: '', province: 5, street: 'x' } },
    ['address', 'city', 'province', 'street'],
  ],
}

describe('one 400 names', () => {
  for (const [name, [method, path, ask, parameters]] of Object.entries(requests))
    test(name, async () =>
      assert.deepEqual(namesOf(await t.ask(method, path, ask)).sort(), [...parameters].sort()),
    )

  test('photos of an upsert that would create, but not those that an update ignores', async () => {
    const body = { title: 5, photos: ['x', 'https://a.example/1.jpg'] }
    const put = (id: string) => t.ask('PUT', `/properties/external/${id}`, { body })
    assert.deepEqual(namesOf(await put('not-known')), ['title', 'photos[0]'])
    const { external_id: known } = listingOf(await t.ask('PUT', '/properties/external/known', { body: {} }))
    assert.deepEqual(namesOf(await put(String(known))), ['title'])
  })

  test('all errors of an item of a batch, with paths in the batch', async () => {
    const known = 'known-too'
    await t.ask('PUT', `/properties/external/${known}`, { body: {} })
    const response = await t.ask('POST', '/properties/batch', {
      body: {
        items: [
          { title: 5, photos: [1] },
          { external_id: 'a b', action: 'explode', title: 5 },
          { external_id: 'A', action: 'create', status: 'disabled', photos: ['x'], price: { amount: 1.234 } },
          { external_id: 'B', action: 'create', operation: 'sale', price: { amount: 1, period: 'month' } },
          { external_id: 'C', action: 'disable', close_price: 1.234, closed_at: 'x', y: 1 },
          7,
          { external_id: 'D', title: 5, status: 'disabled', photos: ['x', 'https://a.example/1.jpg'] },
          { external_id: known, title: 5, status: 'disabled', photos: ['x'] },
        ],
      },
    })
    const { results } = response.body as unknown as { results: { error: { errors: FieldError[] } }[] }
    const named = results.map(({ error }) => error.errors.map(({ parameter }) => parameter).sort())
    assert.deepEqual(named, [
      ['items[0].external_id', 'items[0].photos[0]', 'items[0].title'],
      ['items[1].action', 'items[1].external_id'],
      ['items[2].photos[0]', 'items[2].price.amount', 'items[2].status'],
      ['items[3].price.currency', 'items[3].price.period'],
      ['items[4].close_price', 'items[4].closed_at', 'items[4].y'],
      ['items[5]'],
      ['items[6].photos[0]', 'items[6].status', 'items[6].title'],
      ['items[7].title'],
    ])
  })

  test('closing data for a listing without a closing reason', async () => {
    const created = await t.ask('POST', '/properties', { body: publishable() })
    const body = { reason: 'other', close_price: 1, closed_at: '2026-01-01' }
    const response = await t.ask('POST', `/properties/${created.body.data['id']}/disable`, { body })
    assert.deepEqual(namesOf(response), ['close_price', 'closed_at'])
  })
})

describe('the list of errors', () => {
  test('has at most 20 entries, the first of which is the parameter', async () => {
    const body = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`unknown_${index}`, 1]))
    const response = await t.ask('POST', '/properties', { body })
    assert.equal(errorsOf(response).length, 20)
    assert.equal(response.body.error['parameter'], 'unknown_0')
  })

  test('has names of at most a hundred characters, and omits no shorter one', async () => {
    const name = 'n'.repeat(250_000)
    const cut = `${'n'.repeat(100)}…`
    const response = await t.ask('POST', '/properties', {
      raw: `{"${name}":["\\u0000","\\u0000"],"title":5}`,
    })
    assert.deepEqual(
      errorsOf(response).map(({ parameter, message }) => [parameter, message.length < 200]),
      [
        [cut, true],
        ['title', true],
      ],
    )
    const item = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}`.padEnd(90, 'x'), 1]))
    const batch = await t.ask('POST', '/properties/batch', { body: { items: [item] } })
    const { results } = batch.body as unknown as { results: { error: { errors: FieldError[] } }[] }
    assert.equal(results[0]?.error.errors.length, 20)
  })

  test('has every unknown name in a list, and every foreign photo', async () => {
    const [fields] = errorsOf(await t.ask('GET', '/properties?fields=id,aa,bb,aa'))
    assert.match(fields?.message ?? '', /^fields has the unknown names "aa", "bb"\. Use any of: id, /)
    const created = await t.ask('POST', '/properties', { body: {} })
    const photos = ['https://a.example/1.jpg', 'https://a.example/2.jpg']
    const path = `/properties/${created.body.data['id']}`
    const refusal = errorsOf(await t.ask('PATCH', path, { body: { photos } }))
    assert.deepEqual(
      refusal.map(({ parameter, message }) => [parameter, message.split(' ')[0]]),
      photos.map((url) => ['photos', url]),
    )
  })

  test('says for each what to send', async () => {
    const response = await t.ask('POST', '/properties', { body: { title: 5, type: 'Castillo' } })
    const [title, type] = errorsOf(response)
    assert.equal(title?.message, 'title must be a string or null.')
    assert.match(type?.message ?? '', /^type must be one of: Casa, /)
    const messages: [method: string, path: string, body: unknown, message: RegExp][] = [
      ['POST', '/properties', { video_urls: ['ftp://a'] }, /^video_urls\[0\] must start with http:\/\/ or/],
      ['POST', '/properties', { price: { currency: 5 } }, /^price\.currency must be one of: USD, ARS\.$/],
      ['POST', '/properties/batch', { items: [] }, /^items must have at least 1 item\.$/],
      ['PATCH', '/properties/7KQ2M9XA', { status: 'draft' }, /^status cannot be edited\. Use POST .*enable/],
      ['PATCH', '/properties/%ZZ', {}, /^id has malformed percent-encoding/],
      ['GET', '/properties?city=%00', undefined, /^city contains U\+0000, which is not allowed/],
    ]
    for (const [method, path, body, message] of messages)
      assert.match(
        errorsOf(await t.ask(method, path, body === undefined ? {} : { body }))[0]?.message ?? '',
        message,
      )
    const items = [{ external_id: 'A', action: 'update', status: 'draft' }]
    const batch = await t.ask('POST', '/properties/batch', { body: { items } })
    assert.match(batch.text, /"items\[0\]\.status cannot be edited/)
    const hidden = await t.ask('GET', '/properties?status=draft', { key: t.readKey })
    const scope = refused(hidden, 'insufficient_scope')
    assert.match(
      String(scope['message']),
      /^This value of the filter status needs the scope properties:write/,
    )
    const path = `/properties/${(await t.ask('POST', '/properties', { body: {} })).body.data['id']}`
    const tag = await t.ask('PATCH', path, { body: {}, headers: { 'if-match': 'abc' } })
    assert.match(String(refused(tag, 'precondition_failed')['message']), /^If-Match is not an entity tag of/)
  })
})
