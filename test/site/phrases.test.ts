/** The languages say the same things, and have a word for everything a listing may be. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dispositions, operations, orientations, periods, types } from '../../src/properties/vocabulary.ts'
import { day, excerpt, money, number, oneLine } from '../../src/site/format.ts'
import { sorts } from '../../src/site/filters.ts'
import { languages } from '../../src/web/language.ts'
import { phrases } from '../../src/site/language.ts'

/** `facts.rooms` and so on, with what kind each is. */
function shape(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([name, member]) =>
    shape(member, path === '' ? name : `${path}.${name}`),
  )
}

test('every language has every phrase', () => {
  for (const language of languages) assert.deepEqual(shape(phrases(language)), shape(phrases('es')), language)
})

test('every word of the vocabulary is translated', () => {
  for (const language of languages) {
    const words = phrases(language)
    for (const [book, names] of [
      [words.types, types],
      [words.operations, operations],
      [words.periods, periods],
      [words.dispositions, dispositions],
      [words.orientations, orientations],
      [words.sorts, sorts],
    ] as const)
      assert.deepEqual(Object.keys(book).sort(), [...names].sort(), language)
  }
})

test('money and numbers are written as the language does', () => {
  const [es, en] = [phrases('es'), phrases('en')]
  const plain = (text: string) => text.replaceAll('\u00a0', ' ')
  for (const [amount, currency, spanish, english] of [
    [248_000, 'USD', 'USD 248.000', 'USD 248,000'],
    [1_500, 'ARS', '$ 1.500', 'ARS 1,500'],
    [1_500.5, 'USD', 'USD 1.500,50', 'USD 1,500.50'],
    [0.07, 'USD', 'USD 0,07', 'USD 0.07'],
    [1e12, 'ARS', '$ 1.000.000.000.000', 'ARS 1,000,000,000,000'],
  ] as const) {
    assert.equal(plain(money(amount, currency, es)), spanish)
    assert.equal(plain(money(amount, currency, en)), english)
  }
  assert.equal(number(39.5, es), '39,5')
  // Late in the evening of Buenos Aires it is already tomorrow in UTC.
  assert.equal(day('2026-11-21T02:00:00.000Z', es), '20 de noviembre de 2026')
  assert.equal(day('2026-11-21T02:00:00.000Z', en), 'November 20, 2026')
})

test('texts are cut between words, and never within a character', () => {
  assert.equal(excerpt('Casa  con\n\njardín', 40), 'Casa con jardín')
  assert.equal(excerpt('Casa con jardín, y pileta', 18), 'Casa con jardín…')
  for (let length = 2; length < 30; length++) {
    const cut = excerpt('🏡'.repeat(20), length)
    assert.ok(cut.length <= length && cut.isWellFormed(), cut)
  }
  assert.equal(oneLine('a\u202Eb\u0000c \u2067d\t e'), 'a b c d e')
})
