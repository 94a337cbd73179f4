/** The languages say the same things, and have a word for everything a listing may be. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations, periods, types } from '../../../src/listings/vocabulary.ts'
import { sorts } from '../../../src/pages/site/filters.ts'
import { english } from '../../../src/pages/site/phrases-en.ts'
import { spanish } from '../../../src/pages/site/phrases-es.ts'

const languages = [spanish, english]

/** `facts.rooms` and so on, with what kind each is. */
function shape(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([name, member]) =>
    shape(member, path === '' ? name : `${path}.${name}`),
  )
}

test('every language has every phrase', () => {
  assert.deepEqual(shape(english), shape(spanish))
})

test('every word of the vocabulary is translated', () => {
  for (const words of languages) {
    for (const [book, names] of [
      [words.types, types],
      [words.operations, operations],
      [words.periods, periods],
      [words.sorts, sorts],
    ] as const)
      assert.deepEqual(Object.keys(book).sort(), [...names].sort(), words.locale)
  }
})
