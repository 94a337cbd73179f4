/**
 * `POST /properties/batch` (api.md 16.2): an invalid item fails alone, with the error of its single operation and the path of the
 * wrong field.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { freshAddress, photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { draft, published, rowOf, tracesOf } from '../../support/app/listings.ts'
import { resultsOf, summaryOf } from '../support/batch-results.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const send = (items: unknown) => t.ask('POST', '/properties/batch', { body: { items } })
const batch = async (items: unknown) => resultsOf(await send(items)).map(summaryOf)

describe('only the invalid item of a batch fails', () => {
  const good = () => ({ external_id: `good-${randomUUID()}`, title: 'Buena' })
  const wrong: readonly (readonly [what: string, item: unknown, told: string])[] = [
    ['no external_id', { title: 'x' }, '400 invalid_parameter items[1].external_id'],
    ['null for external_id', { external_id: null }, '400 invalid_parameter items[1].external_id'],
    ['a number for external_id', { external_id: 7 }, '400 invalid_parameter items[1].external_id'],
    ['an empty external_id', { external_id: '' }, '400 invalid_parameter items[1].external_id'],
    [
      'an external_id of 65 characters',
      { external_id: 'x'.repeat(65) },
      '400 invalid_parameter items[1].external_id',
    ],
    ['an external_id with a slash', { external_id: 'a/b' }, '400 invalid_parameter items[1].external_id'],
    ['an unknown action', { external_id: 'w', action: 'upssert' }, '400 invalid_parameter items[1].action'],
    [
      'an inherited name for action',
      { external_id: 'w', action: 'toString' },
      '400 invalid_parameter items[1].action',
    ],
    ['an upper-case action', { external_id: 'w', action: 'DELETE' }, '400 invalid_parameter items[1].action'],
    ['null for action', { external_id: 'w', action: null }, '400 invalid_parameter items[1].action'],
    ['a list for action', { external_id: 'w', action: ['delete'] }, '400 invalid_parameter items[1].action'],
    ['an empty action', { external_id: 'w', action: '' }, '400 invalid_parameter items[1].action'],
    ['null', null, '400 invalid_parameter items[1]'],
    ['a string item', 'delete', '400 invalid_parameter items[1]'],
    ['a number item', 7, '400 invalid_parameter items[1]'],
    ['a list item', [{ external_id: 'w' }], '400 invalid_parameter items[1]'],
    ['a boolean item', true, '400 invalid_parameter items[1]'],
    ['an unknown field', { external_id: 'w', colour: 'red' }, '400 invalid_parameter items[1].colour'],
    ['a read-only field', { external_id: 'w', id: 'ABCD' }, '400 invalid_parameter items[1].id'],
    ['a string with U+0000', { external_id: 'w', title: 'a\0b' }, '400 invalid_parameter items[1].title'],
    [
      'a lone surrogate',
      { external_id: 'w', location: { city: '\ud800' } },
      '400 invalid_parameter items[1].location.city',
    ],
    ['U+0000 in external_id', { external_id: 'w\0' }, '400 invalid_parameter items[1].external_id'],
    ['U+0000 in a field name', { external_id: 'w', 'a\0': 1 }, '400 invalid_parameter items[1].a\0'],
    ['an invalid field', { external_id: 'w', title: '' }, '400 invalid_parameter items[1].title'],
    [
      'an invalid nested field',
      { external_id: 'w', price: { amount: 1, currency: 'USD', period: 'year' } },
      '400 invalid_parameter items[1].price.period',
    ],
    [
      'a period on a sale',
      { external_id: 'w', operation: 'sale', price: { amount: 1, currency: 'USD', period: 'month' } },
      '400 invalid_parameter items[1].price.period',
    ],
    [
      'an amount without currency',
      { external_id: 'w', price: { amount: 1 } },
      '400 invalid_parameter items[1].price.currency',
    ],
    [
      'a third of a cent',
      { external_id: 'w', price: { amount: 0.001, currency: 'USD' } },
      '400 invalid_parameter items[1].price.amount',
    ],
    [
      'a latitude without longitude',
      { external_id: 'w', location: { lat: -34 } },
      '400 invalid_parameter items[1].location.lng',
    ],
    [
      'an invalid feature',
      { external_id: 'w', features: { rooms: -1 } },
      '400 invalid_parameter items[1].features.rooms',
    ],
    [
      'an invalid amenity',
      { external_id: 'w', amenities: ['a', ''] },
      '400 invalid_parameter items[1].amenities[1]',
    ],
    [
      'a photo that is not https',
      { external_id: 'w', photos: ['https://a.example/1', 'http://a.example/2'] },
      '400 invalid_parameter items[1].photos[1]',
    ],
    [
      'a field that PATCH lacks',
      { external_id: 'w', action: 'update', status: 'draft' },
      '400 invalid_parameter items[1].status',
    ],
    [
      'a field with enable',
      { external_id: 'w', action: 'enable', title: 'x' },
      '400 invalid_parameter items[1].title',
    ],
    [
      'a field with delete',
      { external_id: 'w', action: 'delete', reason: 'sold' },
      '400 invalid_parameter items[1].reason',
    ],
    [
      'a title with disable',
      { external_id: 'w', action: 'disable', title: 'x' },
      '400 invalid_parameter items[1].title',
    ],
    [
      'an unknown reason',
      { external_id: 'w', action: 'disable', reason: 'bored' },
      '400 invalid_parameter items[1].reason',
    ],
    ['a reason with upsert', { external_id: 'w', reason: 'sold' }, '400 invalid_parameter items[1].reason'],
    [
      'an invalid closing date',
      { external_id: 'w', action: 'disable', reason: 'sold', closed_at: 'soon' },
      '400 invalid_parameter items[1].closed_at',
    ],
    [
      'a publication without the required fields',
      { external_id: 'w', status: 'published' },
      '422 not_publishable',
    ],
    ['an update of a missing listing', { external_id: 'nobody', action: 'update' }, '404 not_found'],
    ['a suspension of a missing listing', { external_id: 'nobody', action: 'disable' }, '404 not_found'],
    ['a publication of a missing listing', { external_id: 'nobody', action: 'enable' }, '404 not_found'],
  ]
  for (const [what, item, expected] of wrong) {
    test(`for ${what}, with ${expected}`, async () => {
      const [before, after] = [good(), good()]
      assert.deepEqual(await batch([before, item, after]), ['201', expected, '201'])
      const left = (await t.ask('GET', '/properties?status=all&external_id=w')).body as unknown as {
        meta: { total: number }
      }
      assert.equal(left.meta.total, 0)
    })
  }

  test('when a draft is disabled, or enabled without the required fields', async () => {
    const external_id = 'a-draft'
    await draft(t, { external_id })
    const results = resultsOf(
      await send([
        { external_id, action: 'disable' },
        { external_id, action: 'enable' },
      ]),
    )
    assert.deepEqual(results.map(summaryOf), ['400 invalid_parameter items[0].status', '422 not_publishable'])
    assert.deepEqual(results[1]?.error?.['missing'], ['type', 'operation', 'address', 'price', 'photos'])
  })

  test('for a duplicate, naming the existing listing, created in the batch or before', async () => {
    const address = freshAddress()
    const { id } = await draft(t, { address })
    const [one, two] = [freshAddress(), 'dup-two']
    const results = resultsOf(
      await send([
        { external_id: 'dup-one', address },
        { external_id: two, address: one },
        { external_id: 'dup-three', action: 'create', address: one.toUpperCase() },
        { external_id: 'dup-four', address: one, force_duplicate: true },
        { external_id: 'dup-five', address: freshAddress() },
        { external_id: 'dup-five', address: one },
        { external_id: 'dup-five', address: one, force_duplicate: true },
        { external_id: 'dup-four', action: 'update', address },
        { external_id: 'dup-four', action: 'update', address, force_duplicate: true },
      ]),
    )
    assert.deepEqual(results.map(summaryOf), [
      '409 duplicate_property items[0].address',
      '201',
      '409 duplicate_property items[2].address',
      '201',
      '201',
      '409 duplicate_property items[5].address',
      '200',
      '409 duplicate_property items[7].address',
      '200',
    ])
    assert.equal(results[0]?.error?.['existing_id'], id)
    assert.equal(results[2]?.error?.['existing_id'], results[1]?.data?.['id'])
  })

  test('and changes nothing, whatever its error or position', async () => {
    const listing = await published(t, { external_id: 'unchanged' })
    const response = await leavingFirstOnly([
      { external_id: 'unchanged', action: 'update', title: null },
      { external_id: 'unchanged', action: 'update', photos: [] },
      { external_id: 'unchanged', action: 'disable', close_price: 5 },
      { external_id: 'never-1', ...publishable({ photos: photoUrls(2) }) },
      {
        external_id: 'never-2',
        ...publishable({ photos: ['https://photos.example/x.jpg', 'https://10.0.0.1/y.jpg'] }),
      },
    ])
    assert.equal((await rowOf(t, listing.id)).status, 'published')
    assert.deepEqual(response, [
      '422 not_publishable',
      '422 insufficient_photos',
      '400 invalid_parameter items[2].close_price',
      '422 insufficient_photos',
      '400 invalid_parameter items[4].photos[1]',
    ])
  })

  async function leavingFirstOnly(items: unknown[]): Promise<string[]> {
    const before = await tracesOf(t)
    const responses = await batch(items)
    assert.deepEqual(await tracesOf(t), before)
    return responses
  }
})
