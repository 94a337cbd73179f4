/** Tables for spreadsheets: they read back unchanged, and never run as formulas. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvOf } from '../../../src/platform/web/csv.ts'

test('a CSV uses semicolons in Spanish and commas in English, and starts with a byte order mark in both', () => {
  assert.equal(csvOf(['a', 'b'], [['x', 1.5]], 'es'), '\u{feff}a;b\r\nx;1.5\r\n')
  assert.equal(csvOf(['a', 'b'], [['x,y', null]], 'en'), '\u{feff}a,b\r\n"x,y",\r\n')
})

test('a CSV quotes text that looks like a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＠A'])
    assert.match(csvOf(['a'], [[text]], 'en'), /\n"?'/)
  assert.equal(csvOf(['a'], [[-1]], 'en'), '\u{feff}a\r\n-1\r\n')
})

test('a CSV quotes a cell with a separator of either language in both', () => {
  for (const language of ['es', 'en'] as const)
    for (const text of ['x,y', 'x;y', 'x\ty'])
      assert.equal(csvOf(['a'], [[text]], language), `\u{feff}a\r\n"${text}"\r\n`)
})

/** An independent parser after RFC 4180. */
function read(csv: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  const cells = separator === ';' ? /"((?:[^"]|"")*)"|([^\r\n;"]*)/y : /"((?:[^"]|"")*)"|([^\r\n,"]*)/y
  let at = 1
  while (at < csv.length) {
    cells.lastIndex = at
    const [whole, quoted, plain] = cells.exec(csv) ?? ['']
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    at += whole.length
    if (csv[at] === separator) at += 1
    else {
      assert.equal(csv.slice(at, at + 2), '\r\n')
      at += 2
      rows.push([])
    }
  }
  return rows.slice(0, -1)
}

test('every text round-trips through a CSV', () => {
  const cell = fc
    .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'a,;"\r\n=+') }))
    .map((text) => text.replace(/^[=+\-@\t\r\n＝＋－＠]+/, ''))
  const language = fc.constantFrom('es' as const, 'en' as const)
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 })), language, (rows, language) => {
      const separator = language === 'es' ? ';' : ','
      assert.deepEqual(read(csvOf(['a', 'b'], rows, language), separator), [['a', 'b'], ...rows])
    }),
    { numRuns: 300 },
  )
})
