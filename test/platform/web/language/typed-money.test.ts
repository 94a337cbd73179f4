/** Money as people type it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formats } from '../../../../src/platform/web/language/format.ts'
import { typedCurrency, typedMoney } from '../../../../src/platform/web/language/typed-money.ts'

test('a typed amount is read with either decimal separator', () => {
  for (const [text, amount] of [
    ['90000', 90_000],
    ['90.000', 90_000],
    ['90,000', 90_000],
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['1.234.567', 1_234_567],
    ['90000.5', 90_000.5],
    ['90,50', 90.5],
    ['US$ 90.000', 90_000],
    ['USD 90.000', 90_000],
    ['$ 1 250 000', 1_250_000],
    ['U$S 120.000', 120_000],
    ['u$s120.000,50', 120_000.5],
    ['U$D 120,000.50', 120_000.5],
    ['120.000 dólares', 120_000],
    ['120,000 dollars', 120_000],
    ['AR$ 85.000', 85_000],
    ['$ 120.000.-', 120_000],
    ['$\u00a0120.000,--', 120_000],
    ['120 000', 120_000],
    ['0', 0],
  ] as const)
    assert.equal(typedMoney(text), amount, text)
})

test('a typed currency is read from its names', () => {
  for (const [text, currency] of [
    ['U$S 120.000', 'USD'],
    ['USD 1', 'USD'],
    ['us$1', 'USD'],
    ['1 dólar', 'USD'],
    ['ARS 1', 'ARS'],
    ['85.000 pesos', 'ARS'],
    ['$ 1', 'ARS'],
    ['$1.500', 'ARS'],
    ['AR$ 1', 'ARS'],
    ['1 dollar', 'USD'],
    ['120,000 dollars', 'USD'],
    ['1', null],
  ] as const)
    assert.equal(typedCurrency(text), currency, text)
})

test('a malformed or ambiguous typed amount is refused', () => {
  for (const text of [
    '',
    ' ',
    '-5',
    'x',
    '1.0055',
    '1.00.5',
    '1,2,3',
    '1.234.56',
    '1e5',
    '0x10',
    '.5',
    '5.',
    '1.234,567',
    '٣',
  ])
    assert.equal(typedMoney(text), null, text)
})

test('every amount in the format of the pages is read, with its currency', () => {
  const cents = fc.integer({ min: 0, max: 1e13 }).map((value) => value / 100)
  for (const language of ['es', 'en'] as const) {
    const format = formats[language]
    fc.assert(
      fc.property(cents, fc.constantFrom('USD', 'ARS'), (amount, currency) => {
        const text = format.money(amount, currency)
        assert.deepEqual([typedMoney(text), typedCurrency(text)], [amount, currency])
      }),
    )
  }
})
