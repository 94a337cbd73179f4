/** Each language has a word for every option of a listing. The types ensure that each has every phrase. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations, periods, types } from '../../../src/listings/fields/vocabulary.ts'
import { sorts } from '../../../src/pages/site/agency/filters.ts'
import { phrases } from '../../../src/pages/site/phrases/phrases.ts'

test('every word of the vocabulary is translated', () => {
  for (const words of Object.values(phrases)) {
    for (const [book, names] of [
      [words.types, types],
      [words.operations, operations],
      [words.periods, periods],
      [words.sorts, sorts],
    ] as const)
      assert.deepEqual(Object.keys(book).sort(), [...names].sort(), words.locale)
  }
})
