/** Agencies' texts where only one line fits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  endsWithCity,
  everydayLocality,
  excerpt,
  oneLine,
} from '../../../../src/platform/web/language/text.ts'

test('an excerpt is cut between words, and never within a character', () => {
  assert.equal(excerpt('Casa  con\n\njardín', 40), 'Casa con jardín')
  assert.equal(excerpt('Casa con jardín, y pileta', 18), 'Casa con jardín…')
  for (let length = 2; length < 30; length++) {
    const cut = excerpt('🏡'.repeat(20), length)
    assert.ok(cut.length <= length && cut.isWellFormed(), cut)
  }
  assert.equal(oneLine('a\u202Eb\u0000c \u2067d\t e'), 'a b c d e')
})

test('the capital has its common name, once', () => {
  const capital = 'Ciudad Autónoma de Buenos Aires'
  assert.deepEqual(
    [everydayLocality(capital), everydayLocality('Tandil'), everydayLocality(null)],
    ['CABA', 'Tandil', null],
  )
  assert.ok(endsWithCity('Gorriti 4875, Palermo, CABA', capital))
  assert.ok(!endsWithCity('Gorriti 4875, CABA', 'Tandil'))
})
