/** The catalogues of texts in both languages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { en, es } from '../../../../src/pages/dashboard/messages/catalogue.ts'

/** Every text of a catalogue by its path; for functions, their results. */
function textsOf(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const filled: unknown = value(...Array.from({ length: 5 }, () => ['7']))
    return textsOf(filled, path)
  }
  return Object.entries(value as object).flatMap(([name, part]) => textsOf(part, `${path}.${name}`))
}

test('both catalogues are complete, each in its own language', () => {
  const [spanish, english] = [textsOf(es, ''), textsOf(en, '')]
  assert.deepEqual(
    english.map(([path]) => path),
    spanish.map(([path]) => path),
  )
  const may = /^\.(errors\.limited\.1|flash\.refused|listings\.(by\.person|range))/
  for (const [index, [path, text]] of spanish.entries()) {
    if (may.test(path)) continue
    assert.notEqual(text.trim(), '', path)
    assert.doesNotMatch(english[index]?.[1] ?? '', /[¿¡áíóúñ]/, path)
  }
  // The Argentine form of address: vos, not tú.
  assert.doesNotMatch(
    spanish.map(([, text]) => text).join('\n'),
    /\b(puedes|tienes|haz|elige|revisa tu|tú)\b/i,
  )
})
