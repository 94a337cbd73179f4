/** Dry runs (api.md 19): they return what the real request would, and have no effect except one counted write. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Mail } from '../../../src/delivery/mails/mailer.ts'
import { type ApiResponse, freshAddress, photoUrls, picture, publishable } from '../../support/app/app.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  filesOf,
  published,
  refused,
  type Shown,
  usageOf,
} from '../../support/app/listings.ts'
import { warningsOf } from '../../support/app/listings.ts'
import { resultsOf, summaryOf } from '../support/batch-results.ts'

let t: TestApp
/** Everything downloaded, geocoded and notified. */
let outside = 0
const mails: Mail[] = []
before(async () => {
  t = await testApp({
    geocoder: async () => {
      outside += 1
      return null
    },
    source: async (address) => {
      outside += 1
      return picture(address)
    },
    mailer: mails,
  })
})
after(() => t.close())

/** The one request that a dry run counts, and the request log. */
const ofRequests = ['key_usage', 'request_log', 'request_days']

/** The whole database as text, without the effects of every request. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ table_name: string }>`select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(t.deps.db)
  const tables = rows.map(({ table_name }) => table_name).filter((name) => !ofRequests.includes(name))
  const texts = tables.map(async (name) => {
    const all = sql<{ text: string }>`select coalesce(string_agg(x::text, ';' order by x::text), '') as text
      from ${sql.table(name)} x`
    return `${name}: ${(await all.execute(t.deps.db)).rows[0]?.text}`
  })
  return (await Promise.all(texts)).join('\n')
}

type Tried = { dry_run: unknown; cost: unknown; room: unknown }
const triedOf = ({ body: { dry_run, cost, room } }: ApiResponse): Tried => ({ dry_run, cost, room })
const enough = { ok: true, limits: [], retry_after: null }
const costing = (cost: object): Tried => ({
  dry_run: true,
  cost: { writes: 1, new_listings: 0, photos: 0, state_changes: 0, ...cost },
  room: enough,
})

/** Sends a request without an Idempotency-Key. */
const tryOut = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  t.ask(method, `${path}?dry_run=true`, { body, headers: { 'idempotency-key': '', ...headers } })

describe('a dry run', () => {
  test('has no effect except one counted write, and no ETag', async () => {
    const [open, closed] = [await published(t), await draft(t, { ...publishable(), status: 'draft' })]
    const external = `EXT-${randomUUID()}`
    const whole = { ...publishable(), location: { city: 'La Plata' } }
    const batch = {
      items: [
        { external_id: external, action: 'create', ...whole, status: 'draft' },
        { external_id: external, action: 'enable' },
        { external_id: external, action: 'update', title: 'Otra' },
        { external_id: external, action: 'delete' },
      ],
    }
    const requests: [string, string, unknown, number, object][] = [
      ['POST', '/properties', whole, 201, { new_listings: 1, photos: 3 }],
      ['POST', '/properties', { title: 'Borrador' }, 201, { new_listings: 1 }],
      ['PUT', `/properties/external/${external}`, whole, 201, { new_listings: 1, photos: 3 }],
      [
        'PATCH',
        `/properties/${open.id}`,
        { title: 'Otra', address: freshAddress(), location: null },
        200,
        {},
      ],
      ['PATCH', `/properties/${open.id}`, { photos: open.photos.slice(0, 3).reverse() }, 200, {}],
      ['PATCH', `/properties/${closed.id}`, { photos: [] }, 200, {}],
      ['PATCH', `/properties/${open.id}`, {}, 200, {}],
      ['POST', `/properties/${open.id}/disable`, { reason: 'sold' }, 200, { state_changes: 1 }],
      ['POST', `/properties/${open.id}/enable`, undefined, 200, {}],
      ['POST', `/properties/${closed.id}/enable`, {}, 200, { state_changes: 1 }],
      ['POST', '/properties/batch', batch, 200, { writes: 4, new_listings: 1, photos: 3, state_changes: 2 }],
    ]
    const [was, files] = [await everything(), await filesOf(t)]
    const usage = await usageOf(t)
    outside = mails.length = 0
    for (const [method, path, body, status, cost] of requests) {
      const response = await tryOut(method, path, body)
      assert.equal(response.status, status, `${method} ${path} ${response.text}`)
      assert.deepEqual(triedOf(response), costing(cost), `${method} ${path}`)
      for (const name of ['etag', 'idempotent-replayed']) assert.equal(response.headers.get(name), null)
      assert.ok(response.headers.has('x-ratelimit-remaining'))
    }
    assert.equal(await everything(), was)
    assert.deepEqual(await filesOf(t), files)
    assert.deepEqual([outside, mails.length], [0, 0])
    const counted = (await usageOf(t)).writes_per_day.used - usage.writes_per_day.used
    assert.equal(counted, requests.length)
  })

  test('neither needs, reads nor stores an Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    for (const sent of ['', 'x', 'no spaces!', key['idempotency-key'], key['idempotency-key']])
      accepted(await tryOut('POST', '/properties', { title: 'Probada' }, { 'idempotency-key': sent }), 201)
    const made = await t.ask('POST', '/properties', { body: { title: 'Hecha' }, headers: key })
    accepted(made, 201)
    const again = await tryOut('POST', '/properties', { title: 'Hecha' }, key)
    assert.equal(accepted(again, 201).id, null)
    assert.equal(again.headers.get('idempotent-replayed'), null)
  })

  test('set to false is the real request', async () => {
    const body = { title: 'Hecha', external_id: randomUUID() }
    const headers = { 'idempotency-key': randomUUID() }
    refused(
      await t.ask('POST', '/properties?dry_run=false', { body, headers: { 'idempotency-key': '' } }),
      'idempotency_key_required',
    )
    const made = await t.ask('POST', '/properties?dry_run=false', { body, headers })
    assert.deepEqual(Object.keys(made.body), ['data', 'warnings'])
    assert.ok(made.headers.has('etag'))
    const again = await t.ask('POST', '/properties', { body, headers })
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.text, made.text)
  })

  test('is refused without a write key, and shows no other agency', async () => {
    const { id } = await published(t)
    refused(
      await t.ask('PATCH', `/properties/${id}?dry_run=true`, { key: t.readKey, body: {} }),
      'insufficient_scope',
    )
    for (const path of [`/properties/${id}/disable`, `/properties/${id}/enable`])
      refused(await t.ask('POST', `${path}?dry_run=true`, { key: t.other.writeKey }), 'not_found')
  })
})

describe('the listing of a dry run', () => {
  test('has neither code, page nor photos if it would be created', async () => {
    const photos = [...photoUrls(3), ...photoUrls(1, 'same'), ...photoUrls(1, 'same')]
    const whole = { ...publishable({ photos, external_id: randomUUID() }), location: { city: 'La Plata' } }
    const response = await tryOut('POST', '/properties', whole)
    const shown = accepted(response, 201)
    const { lat, lng } = shown.location
    assert.deepEqual(
      [shown.id, shown['url'], shown.photos, shown.status, shown.missing, lat, lng, shown.location_status],
      [null, null, [], 'published', [], null, null, null],
    )
    assert.deepEqual(warningsOf(response), [])
    assert.equal('photos' in response.body, false)
    assert.deepEqual(triedOf(response), costing({ new_listings: 1, photos: 4 }))
    assert.ok(shown.published_at !== null && shown.created_at !== null)
    const real = accepted(await t.ask('POST', '/properties', { body: whole }), 201)
    const random = ['id', 'url', 'photos', 'location_status', 'published_at', 'created_at', 'updated_at']
    const rest = ({ ...listing }: Shown) => {
      for (const name of random) delete (listing as Record<string, unknown>)[name]
      return listing
    }
    assert.deepEqual(rest(shown), rest(real))
  })

  test('counts distinct URLs as photos', async () => {
    const few = { photos: [...photoUrls(2, 'few'), ...photoUrls(2, 'few')] }
    const refusal = refused(await tryOut('POST', '/properties', publishable(few)), 'insufficient_photos')
    assert.deepEqual(refusal['missing'], ['photos'])
    const asDraft = await tryOut('POST', '/properties', publishable({ ...few, status: 'draft' }))
    assert.deepEqual(accepted(asDraft, 201).missing, ['photos'])
    const [one = '', other = ''] = photoUrls(2, 'few')
    const alike = [one, `${one}#cover`, one.replace('https://', 'HTTPS://'), other]
    const written = publishable({ photos: alike, status: 'draft' })
    const tried = await tryOut('POST', '/properties', written)
    assert.deepEqual(triedOf(tried), costing({ new_listings: 1, photos: 2 }))
    assert.deepEqual(accepted(tried, 201).missing, ['photos'])
    const real = await t.ask('POST', '/properties', { body: written })
    const statuses = Object.values(real.body.photos ?? []).map(({ status }) => status)
    assert.deepEqual(statuses, ['stored', 'duplicate', 'duplicate', 'stored'])
    refused(
      await t.ask('POST', '/properties', { body: publishable({ photos: alike }) }),
      'insufficient_photos',
    )
    const enough = await tryOut('POST', '/properties', publishable({ status: 'draft' }))
    assert.deepEqual(accepted(enough, 201).missing, [])
  })

  test('shows its current photos, and what would then be missing', async () => {
    const { id, photos } = await draft(t, { ...publishable(), status: 'draft' })
    const left = accepted(await tryOut('PATCH', `/properties/${id}`, { photos: photos.slice(1) }))
    assert.deepEqual([left.photos, left.missing], [photos, ['photos']])
    const turned = accepted(await tryOut('PATCH', `/properties/${id}`, { photos: photos.toReversed() }))
    assert.deepEqual([turned.photos, turned.missing], [photos, []])
  })

  test('has no coordinates and no warning where an address would be geocoded', async () => {
    const before = await published(t)
    const address = freshAddress()
    const response = await tryOut('PATCH', `/properties/${before.id}`, { address })
    const after = accepted(response)
    const place = { ...before.location, lat: null, lng: null }
    const { updated_at } = after
    assert.deepEqual(after, { ...before, address, location: place, location_status: null, updated_at })
    assert.deepEqual(warningsOf(response), [])
    const sent = accepted(
      await tryOut('PATCH', `/properties/${before.id}`, { address, location: { lat: -34, lng: -58 } }),
    )
    assert.deepEqual([sent.location.lat, sent.location_status], [-34, 'manual'])
    const kept = await draft(t, { address: freshAddress() })
    assert.equal(kept.location_status, 'unresolved')
    const titled = accepted(await tryOut('PATCH', `/properties/${kept.id}`, { title: 'Otra' }))
    assert.equal(titled.location_status, 'unresolved')
  })

  test('has the other warnings', async () => {
    const { external_id } = await draft(t, { external_id: randomUUID() })
    const ignored = await tryOut('PUT', `/properties/external/${external_id}`, {
      status: 'published',
      photos: photoUrls(1),
    })
    assert.deepEqual(warningsOf(ignored), ['status_ignored status', 'photos_ignored photos'])
    const far = await tryOut('POST', '/properties', { location: { lat: 40, lng: -3 } })
    assert.deepEqual(warningsOf(far), ['location_outside_country location'])
  })
})

test('a dry run has the same errors as the real request', async () => {
  const external_id = randomUUID()
  const there = await published(t, { external_id })
  const other = await draft(t)
  const own = `/properties/${there.id}`
  const cases: [string, string, string, unknown, Record<string, string>?][] = [
    ['not_found', 'PATCH', '/properties/ZZZZZZZZ', { title: 'x' }],
    ['not_found', 'POST', '/properties/ZZZZZZZZ/disable', {}],
    ['not_found', 'POST', '/properties/ZZZZZZZZ/enable', {}],
    ['precondition_failed', 'PATCH', own, { title: 'x' }, { 'if-match': '"no"' }],
    ['precondition_failed', 'POST', `${own}/disable`, {}, { 'if-match': '"no"' }],
    ['precondition_failed', 'POST', `${own}/enable`, {}, { 'if-match': '"no"' }],
    ['precondition_failed', 'POST', '/properties', { title: 'x' }, { 'if-match': '*' }],
    [
      'precondition_failed',
      'PUT',
      `/properties/external/${external_id}`,
      { external_id: 'y' },
      { 'if-match': '"no"' },
    ],
    [
      'precondition_failed',
      'PUT',
      `/properties/external/${randomUUID()}`,
      { title: 'x' },
      { 'if-match': '*' },
    ],
    ['duplicate_property', 'POST', '/properties', publishable({ address: there.address })],
    ['duplicate_property', 'PATCH', `/properties/${other.id}`, { address: there.address }],
    ['duplicate_property', 'PUT', `/properties/external/${randomUUID()}`, { address: there.address }],
    ['external_id_exists', 'POST', '/properties', publishable({ external_id })],
    ['external_id_exists', 'PATCH', `/properties/${other.id}`, { external_id }],
    ['not_publishable', 'POST', '/properties', { status: 'published', photos: photoUrls(3) }],
    ['not_publishable', 'POST', `/properties/${other.id}/enable`, {}],
    ['not_publishable', 'PATCH', own, { price: null }],
    ['insufficient_photos', 'PATCH', own, { photos: [] }],
    ['insufficient_photos', 'POST', '/properties', publishable({ photos: photoUrls(2) })],
    ['too_many_photos', 'POST', '/properties', { photos: photoUrls(51) }],
    [
      'too_many_photos',
      'POST',
      '/properties/batch',
      { items: [{ external_id: 'a', photos: photoUrls(31) }] },
    ],
    ['invalid_parameter', 'POST', '/properties/batch', { items: [] }],
    ['invalid_parameter', 'POST', '/properties', { photos: ['https://10.0.0.1/a.jpg'] }],
    ['invalid_parameter', 'POST', '/properties', { surprise: 1 }],
    ['invalid_parameter', 'POST', '/properties', { status: 'disabled' }],
    ['invalid_parameter', 'PUT', `/properties/external/${external_id}`, { external_id: 'other' }],
    ['invalid_parameter', 'PATCH', own, { photos: photoUrls(3) }],
    ['invalid_parameter', 'PATCH', own, { operation: 'rent' }],
    ['invalid_parameter', 'POST', `/properties/${other.id}/disable`, {}],
    ['invalid_parameter', 'POST', `${own}/disable`, { close_price: 5 }],
    ['unsupported_media_type', 'PATCH', own, {}, { 'content-type': 'text/plain' }],
  ]
  const errorOf = ({ status, body }: ApiResponse) => {
    const { request_id: _id, ...error } = body.error as Record<string, unknown>
    return { status, error, others: Object.keys(body) }
  }
  for (const [code, method, path, body, headers = {}] of cases) {
    const tried = await tryOut(method, path, body, headers)
    refused(tried, code as 'not_found')
    const real = await t.ask(method, path, { body, headers })
    assert.deepEqual(errorOf(tried), errorOf(real), `${method} ${path}`)
  }
})

describe('the items of a batch run dry', () => {
  test('see the effects of earlier ones', async () => {
    const address = freshAddress()
    const whole = { ...publishable({ address }), location: { city: 'La Plata' }, status: 'draft' }
    const there = await published(t, { external_id: randomUUID() })
    const [A, B, C] = [randomUUID(), randomUUID(), there.external_id]
    const response = await tryOut('POST', '/properties/batch', {
      items: [
        { external_id: A, action: 'create', ...whole },
        { external_id: B, action: 'create', ...whole },
        { external_id: A, action: 'enable' },
        { external_id: A, title: 'Otra' },
        { external_id: A, action: 'create' },
        { external_id: A, action: 'delete' },
        { external_id: B, action: 'create', ...whole, photos: [] },
        { external_id: C, action: 'update', photos: there.photos.slice().reverse() },
        { external_id: C, action: 'disable', reason: 'other' },
        { external_id: C, action: 'delete' },
        { external_id: C, action: 'update', title: 'No' },
        { external_id: C, title: 'Nueva' },
        { external_id: C, action: 'sell' },
      ],
    })
    const results = resultsOf(response)
    assert.deepEqual(results.map(summaryOf), [
      '201',
      '409 duplicate_property items[1].address',
      '200',
      '200',
      '409 external_id_exists items[4].external_id',
      '200',
      '201',
      '200',
      '200',
      '200',
      '404 not_found',
      '201',
      '400 invalid_parameter items[12].action',
    ])
    assert.equal(results[1]?.error?.['existing_id'], null)
    assert.match(String(results[1]?.error?.['message']), /by an earlier item/)
    assert.equal(results[2]?.data?.['status'], 'published')
    for (const index of [0, 2, 3, 5, 6, 11]) assert.equal(results[index]?.data?.['id'], null)
    for (const index of [7, 8]) assert.deepEqual(results[index]?.data?.['photos'], there.photos)
    assert.ok(results.every((result) => !('photos' in result)))
    assert.deepEqual(triedOf(response), costing({ writes: 13, new_listings: 3, photos: 3, state_changes: 4 }))
    const { results: _results, ...rest } = response.body as Record<string, unknown>
    assert.deepEqual(Object.keys(rest), ['meta', 'dry_run', 'cost', 'room'])
  })
})
