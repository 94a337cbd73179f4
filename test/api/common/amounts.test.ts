/** Amounts are stored as sent (api.md 4.4): with at most 2 decimals, and never rounded because a double cannot hold them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, draft, listingOf, published, refused, type Shown } from '../../support/app/listings.ts'
import { resultsOf } from '../support/batch-results.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const kept: readonly (readonly [sent: string, shown: number])[] = [
  ['1', 1],
  ['0.01', 0.01],
  ['100.1', 100.1],
  ['100.10', 100.1],
  ['100.1000000000000000000000000', 100.1],
  ['1e3', 1000],
  ['1.5E+2', 150],
  ['12345e-2', 123.45],
  ['1000000000000', 1e12],
  ['1000000000000.00', 1e12],
  ['1e12', 1e12],
  ['999999999999.99', 999_999_999_999.99],
  ['999999999999.990000000000000', 999_999_999_999.99],
  ['0.1e1', 1],
]
const changed: readonly string[] = [
  '999999999999.999999999999',
  '999999999999.99999',
  '999999999999.994',
  '123456789012.010000001',
  '100.09999999999999',
  '0.30000000000000004',
  '0.100000000000000001',
  '1.0000000000000000000001',
  '0.001',
  '1.005',
  '1e-3',
]

describe('an amount', () => {
  for (const [sent, shown] of kept) {
    test(`of ${sent} is stored`, async () => {
      const raw = `{"title":"a","price":{"amount":${sent},"currency":"USD"},"expenses":{"currency":"ARS","amount":${sent}}}`
      const listing = accepted(await t.ask('POST', '/properties', { raw }), 201)
      assert.deepEqual([listing.price.amount, listing.expenses?.amount], [shown, shown])
    })
  }

  for (const sent of changed) {
    test(`of ${sent} is refused in every field, by name`, async () => {
      const { id } = await draft(t, { external_id: null })
      const price = `{"price":{"amount":${sent},"currency":"USD"}}`
      const expenses = `{"title":"a","expenses":{"currency":"ARS","amount":${sent}}}`
      const asks = [
        ['POST', '/properties'],
        ['PATCH', `/properties/${id}`],
        ['PUT', '/properties/external/amounts-1'],
      ] as const
      for (const [method, path] of asks) {
        refused(await t.ask(method, path, { raw: price }), 'invalid_parameter', 'price.amount')
        refused(await t.ask(method, path, { raw: expenses }), 'invalid_parameter', 'expenses.amount')
      }
    })
  }

  test('of a closing follows the same rules', async () => {
    const { id } = await published(t)
    for (const sent of changed) {
      const close = (price: string) =>
        t.ask('POST', `/properties/${id}/disable`, { raw: `{"reason":"sold","close_price":${price}}` })
      refused(await close(sent), 'invalid_parameter', 'close_price')
      refused(await close(`{"currency":"USD","amount":${sent}}`), 'invalid_parameter', 'close_price.amount')
    }
    assert.equal(accepted(await t.ask('GET', `/properties/${id}`)).status, 'published')
  })

  test('in a batch fails only its item', async () => {
    const raw = `{"items":[
      {"external_id":"am-1","title":"a","price":{"amount":999999999999.99,"currency":"USD"}},
      {"external_id":"am-2","title":"b","price":{"amount":999999999999.999999999999,"currency":"USD"}},
      {"external_id":"am-3","action":"disable","reason":"sold","close_price":100.09999999999999},
      {"external_id":"am-4","title":"d"}
    ]}`
    const response = await t.ask('POST', '/properties/batch', { raw })
    assert.equal(response.status, 200)
    assert.deepEqual(
      resultsOf(response).map(({ status, error }) => [status, error?.parameter]),
      [
        [201, undefined],
        [400, 'items[1].price.amount'],
        [400, 'items[2].close_price'],
        [201, undefined],
      ],
    )
  })
})

test('other numbers may have any number of digits, and are stored as doubles', async () => {
  const raw = `{"title":"a","location":{"lat":-34.600000000000001,"lng":-58.381592123456789012},"features":{"total_m2":85.50000000000000000001}}`
  const listing: Shown = listingOf(await t.ask('POST', '/properties', { raw }))
  assert.deepEqual(
    [listing.location.lat, listing.location.lng, listing.features['total_m2']],
    [-34.6, -58.38159212345679, 85.5],
  )
})

test('a number of a hundred thousand digits is parsed quickly', async () => {
  for (const sent of [`0.${'0'.repeat(100_000)}1`, `1${'0'.repeat(100_000)}`, `1.${'0'.repeat(100_000)}`]) {
    const { status } = await t.ask('POST', '/properties', {
      raw: `{"title":"a","price":{"amount":${sent},"currency":"USD"}}`,
    })
    assert.equal(status, sent.startsWith('1.') ? 201 : 400)
  }
})
