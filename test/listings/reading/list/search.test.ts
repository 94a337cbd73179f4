/** The words and patterns of a search (api.md 14.2: `city`, `neighborhood`, `q`, `type`). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { searchConditions, searchWords } from '../../../../src/listings/reading/list/search.ts'
import { searchText } from '../../../../src/listings/store/write-statements.ts'

describe('searchWords', () => {
  test('consist of letters, digits, dot, apostrophe, slash and hyphen', () => {
    const texts: Record<string, string[]> = {
      'casa en Núñez': ['casa', 'en', 'nunez'],
      "Av. d'or 3/4 co-living": ['av.', "d'or", '3/4', 'co-living'],
      'a,b;c': ['a', 'b', 'c'],
      '100% «única»': ['100', 'unica'],
      'lu_z\\a*': ['lu', 'z', 'a'],
      '  \t\n ': [],
      '!!!': [],
      '🏡 %_': [],
      '-': ['-'],
      'n\u0303': ['n'],
      ñ: ['n'],
      '北京 ٣': ['北京', '٣'],
    }
    for (const [q, words] of Object.entries(texts)) assert.deepEqual(searchWords(q), words, q)
  })

  test('contain no special character of LIKE and no line end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (q) => {
        for (const word of searchWords(q)) assert.match(word, /^[^%_\\\s]+$/u)
      }),
      { numRuns: 1000 },
    )
  })

  test('of a text match that text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (title) => {
        const text = searchText({ title, address: null, city: null })
        for (const word of searchWords(title)) assert.ok(text.includes(word), JSON.stringify([title, word]))
      }),
      { numRuns: 1000, examples: [['ⒶΣ']] },
    )
  })
})

test('searchConditions escapes the special characters of LIKE', () => {
  const values: unknown[] = []
  const texts = { city: 'La Plata', neighborhood: String.raw`100%_a\b` }
  searchConditions(texts, (value) => `$${values.push(value) + 1}`)
  assert.deepEqual(values, ['%la plata%', String.raw`%100\%\_a\\b%`])
})
