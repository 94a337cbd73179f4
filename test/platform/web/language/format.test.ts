/** Numbers, money and dates in the format of each language. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formats } from '../../../../src/platform/web/language/format.ts'

test('money and numbers are formatted by language', () => {
  const { es, en } = formats
  const plain = (text: string) => text.replaceAll('\u00a0', ' ')
  for (const [amount, currency, spanish, english] of [
    [248_000, 'USD', 'USD 248.000', 'USD 248,000'],
    [1_500, 'ARS', '$ 1.500', 'ARS 1,500'],
    [1_500.5, 'USD', 'USD 1.500,50', 'USD 1,500.50'],
    [0.07, 'USD', 'USD 0,07', 'USD 0.07'],
    [1e12, 'ARS', '$ 1.000.000.000.000', 'ARS 1,000,000,000,000'],
  ] as const) {
    assert.equal(plain(es.money(amount, currency)), spanish)
    assert.equal(plain(en.money(amount, currency)), english)
  }
  assert.equal(es.number(39.5), '39,5')
  // Late in the evening in Buenos Aires, UTC is already on the next day.
  assert.equal(es.longDate('2026-11-21T02:00:00.000Z'), '20 de noviembre de 2026')
  assert.equal(en.longDate('2026-11-21T02:00:00.000Z'), 'November 20, 2026')
})

test('dates and durations are formatted briefly, in Argentina’s time zone', () => {
  const { es, en } = formats
  assert.match(es.plainMoment('2026-11-21T02:30:00.000Z'), /^20 nov 2026, 23:30$/)
  assert.match(en.plainDate('2026-11-21T02:30:00.000Z'), /Nov 20, 2026/)
  const span = (from: string, to: string) => String(es.span(from, to)).replaceAll(/<[^>]+>/g, '')
  const [evening, night] = ['2026-11-21T02:30:00.000Z', '2026-11-21T02:55:59.000Z']
  assert.equal(span(evening, night), '20 nov 2026, 23:30–23:55')
  assert.equal(span(night, night), '20 nov 2026, 23:55')
  assert.equal(span(night, '2026-11-21T03:05:00.000Z'), '20 nov 2026, 23:55 – 21 nov 2026, 00:05')
  assert.equal(es.wait(61), '2 minutos')
  assert.equal(en.wait(86_000), '24 hours')
})

test('a listing’s price is formatted the same way for the dashboard, public pages and history', () => {
  const { es, en } = formats
  const plain = (shown: ReturnType<typeof es.price>) => [
    shown?.amount.replaceAll('\u00a0', ' '),
    shown?.period,
  ]
  const price = { amount: 450_000, currency: 'ARS', period: 'month', onRequest: false }
  assert.deepEqual(plain(es.price(price)), ['$ 450.000', 'por mes'])
  assert.deepEqual(plain(en.price(price)), ['ARS 450,000', 'per month'])
  const sale = { amount: 250_000, currency: 'USD', period: null, onRequest: false }
  assert.deepEqual(plain(es.price(sale)), ['USD 250.000', null])
  // The amount of such a listing is private.
  assert.deepEqual(plain(es.price({ ...sale, onRequest: true })), ['Consultar precio', null])
  assert.deepEqual(plain(en.price({ ...price, onRequest: true })), ['Price on request', null])
  assert.equal(es.price({ ...sale, amount: null }), null)
})
