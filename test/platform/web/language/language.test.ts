/** The language of pages, chosen from the browser's preferences. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredLanguage } from '../../../../src/platform/web/language/language.ts'

for (const [header, language] of [
  [undefined, 'es'],
  ['', 'es'],
  ['en', 'en'],
  ['EN-us', 'en'],
  ['es-AR,es;q=0.9,en;q=0.8', 'es'],
  ['en-GB,en;q=0.9,es;q=0.8', 'en'],
  ['fr-FR,en;q=0.4,es;q=0.6', 'es'],
  ['fr, de', 'es'],
  ['en;q=0, es;q=0.1', 'es'],
  ['en;q=0', 'es'],
  ['*', 'es'],
  [';;;,,,q=', 'es'],
  ['english', 'es'],
] as const) {
  test(`Accept-Language ${header} gives pages in ${language}`, () =>
    assert.equal(preferredLanguage(header), language))
}
