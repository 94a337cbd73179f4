/**
 * `POST /properties/batch` (api.md 16): the six actions and the result of each item. Errors, limits and the comparison with single
 * operations are in the other batch tests.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshAddress, photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { draft, historyOf, published, revisionOf } from '../../support/app/listings.ts'
import { type Result, resultsOf, summaryOf } from '../support/batch-results.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const send = (items: unknown) => t.ask('POST', '/properties/batch', { body: { items } })
const batch = async (items: unknown) => resultsOf(await send(items)).map(summaryOf)

describe('the actions of a batch', () => {
  test('run all six in order, with the statuses of the single operations', async () => {
    const [made, changed, gone] = ['made', 'changed', 'gone'].map((name) => `six-${name}`)
    await published(t, { external_id: changed })
    const response = await send([
      { external_id: made, action: 'create', ...publishable() },
      { external_id: changed, title: 'Sin acción' },
      { external_id: `six-new`, action: 'upsert', title: 'Nueva' },
      { external_id: changed, action: 'update', description: null },
      { external_id: changed, action: 'disable', reason: 'sold', close_price: 90_000 },
      { external_id: changed, action: 'enable' },
      { external_id: made, action: 'delete' },
      { external_id: gone, action: 'delete' },
    ])
    const results = resultsOf(response)
    assert.deepEqual(
      results.map(({ external_id, action, status }) => [external_id, action, status]),
      [
        [made, 'create', 201],
        [changed, 'upsert', 200],
        ['six-new', 'upsert', 201],
        [changed, 'update', 200],
        [changed, 'disable', 200],
        [changed, 'enable', 200],
        [made, 'delete', 200],
        [gone, 'delete', 404],
      ],
    )
    assert.deepEqual(
      results.map(({ data }) => data?.['status']),
      ['published', 'published', 'draft', 'published', 'disabled', 'published', undefined, undefined],
    )
    // Each result shows the listing as its item left it, and for a removal what DELETE returns.
    assert.equal(results[1]?.data?.['title'], 'Sin acción')
    const { id, deleted_at, ...removal } = results[6]?.data ?? {}
    assert.deepEqual(removal, { external_id: made, deleted: true })
    assert.equal(id, results[0]?.data?.['id'])
    assert.equal(new Date(String(deleted_at)).toISOString(), deleted_at)
  })

  test('return the whole listing, as a read shows it', async () => {
    const external_id = 'as-read'
    const [result] = resultsOf(await send([{ external_id, ...publishable() }]))
    const { body } = await t.ask('GET', `/properties/external/${external_id}`)
    assert.deepEqual(result?.data, body.data)
  })

  test('warn about each ignored field, beside the item’s data', async () => {
    const external_id = 'with-warnings'
    await draft(t, { external_id })
    const [lot, second] = resultsOf(
      await send([
        { external_id: 'warned-lot', type: 'lote', features: { bedrooms: 2, total_m2: 300 } },
        { external_id, status: 'published', photos: photoUrls(1), address: freshAddress() },
      ]),
    )
    const codes = (result?: Result) => result?.warnings.map(({ code, parameter }) => `${code} ${parameter}`)
    assert.deepEqual(codes(lot), ['feature_not_applicable features.bedrooms'])
    assert.deepEqual(codes(second)?.sort(), [
      'location_unresolved address',
      'photos_ignored photos',
      'status_ignored status',
    ])
  })

  test('run in order on one external id: created, changed, removed, created again', async () => {
    const external_id = 'again-and-again'
    const address = freshAddress()
    assert.deepEqual(
      await batch([
        { external_id, action: 'create', address, title: 'Primera' },
        { external_id, action: 'create', title: 'Otra' },
        { external_id, action: 'update', title: 'Segunda' },
        { external_id, action: 'delete' },
        { external_id, action: 'update', title: 'Tercera' },
        { external_id, action: 'create', address, title: 'Cuarta' },
        { external_id, title: 'Quinta' },
      ]),
      ['201', '409 external_id_exists items[1].external_id', '200', '200', '404 not_found', '201', '200'],
    )
    const { body } = await t.ask('GET', `/properties/external/${external_id}`)
    assert.equal((body.data as Record<string, unknown>)['title'], 'Quinta')
    const { rows } = await sql<{ title: string; gone: boolean }>`select title, deleted_at is not null as gone
      from properties where agency_id = ${t.agency.id} and external_id = ${external_id} order by created_at`.execute(
      t.deps.db,
    )
    assert.deepEqual(rows, [
      { title: 'Segunda', gone: true },
      { title: 'Quinta', gone: false },
    ])
  })

  test('have a revision and a history entry for each item with an effect, by this request', async () => {
    const external_id = 'with-history'
    const before = await revisionOf(t)
    const response = await send([
      { external_id, action: 'create', ...publishable() },
      { external_id, action: 'update', title: '' },
      { external_id, action: 'update', title: 'Otra' },
      { external_id, action: 'update', title: 'Otra' },
      { external_id, action: 'disable', reason: 'suspended' },
      { external_id, action: 'disable' },
    ])
    const [made] = resultsOf(response)
    assert.equal(await revisionOf(t), before + 3)
    const entries = await historyOf(t, String(made?.data?.['id']))
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['created', 'updated', 'disabled'],
    )
    for (const { request_id, actor } of entries) {
      assert.equal(request_id, response.headers.get('x-request-id'))
      assert.equal(actor.kind, 'key')
    }
  })

  test('return no ETag, which belongs to a single listing', async () => {
    assert.equal((await send([{ external_id: 'no-etag' }])).headers.get('etag'), null)
  })
})
