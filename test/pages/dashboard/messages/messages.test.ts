/** The texts of the dashboard: none remains after its last use is gone, and one thing has the singular. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { en, es } from '../../../../src/pages/dashboard/messages/catalogue.ts'

const root = new URL('../../../../src/', import.meta.url).pathname
const words = new Set(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|js|sql)$/.test(file) && !file.startsWith('pages/dashboard/messages/'))
    .flatMap((file) => wordsOf(readFileSync(join(root, file), 'utf8'))),
)

function wordsOf(text: string): string[] {
  return text.match(/[\w\p{L}]+/gu) ?? []
}

type Texts = Readonly<{ [name: string]: unknown }>

function leftOver(texts: Texts, path: readonly string[] = []): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    if (typeof text === 'object' && text !== null && !Array.isArray(text))
      return leftOver(text as Texts, [...path, name])
    return wordsOf(name).every((word) => words.has(word)) ? [] : [[...path, name].join('.')]
  })
}

test('every text is used in the sources', () => {
  assert.deepEqual(leftOver(es), [])
  assert.deepEqual(leftOver({ keys: { nobodyNamesThis: '' } }), ['keys.nobodyNamesThis'])
})

test('numbers of one have the singular', () => {
  assert.equal(es.flash.photosFailAgain('1', '1'), '1 foto sigue sin guardarse. Se guardó 1.')
  assert.equal(es.flash.photosFailAgain('2', '3'), '3 fotos siguen sin guardarse. Se guardaron 2.')
  assert.equal(es.requests.someFailed(1, 1), 'Falló 1 de 1 operación.')
  assert.equal(es.requests.someFailed(2, 3), 'Fallaron 2 de 3 operaciones.')
  assert.equal(en.requests.someFailed(1, 1), '1 of 1 operation failed.')
})
