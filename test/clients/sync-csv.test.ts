/** How the sync command reads cells: CSV as programs write it, and values as people do. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { csvCell, decode, parseCsv } from '../../clients/typescript/src/sync/csv.ts'
import { fields, fold, type Kind, words } from '../../clients/typescript/src/sync/fields.ts'
import { BadValue, readValue } from '../../clients/typescript/src/sync/values.ts'

describe('CSV', () => {
  const rowsOf = (text: string) => parseCsv(text).map(({ cells }) => cells)
  const cases: [string, string, string[][]][] = [
    [
      'commas and a BOM',
      '\uFEFFa,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b,c\n1;2',
      [
        ['a', 'b,c'],
        ['1', '2'],
      ],
    ],
    [
      'tabs, and old line ends',
      'a\tb\r1\t2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quotes, newlines and delimiters in quotes',
      'a,b\n"x ""y"", z","1\r\n2"\n',
      [
        ['a', 'b'],
        ['x "y", z', '1\r\n2'],
      ],
    ],
    [
      'a quote inside a cell',
      'a,b\n5" pipe,2',
      [
        ['a', 'b'],
        ['5" pipe', '2'],
      ],
    ],
    [
      'text after a closing quote',
      'a,b\n"1" m2,2',
      [
        ['a', 'b'],
        ['1 m2', '2'],
      ],
    ],
    [
      'blank lines and empty cells',
      'a,b\n\n,\n   \n1,',
      [
        ['a', 'b'],
        ['', ''],
        ['1', ''],
      ],
    ],
    [
      'a delimiter that the first row only has in quotes',
      '"a,b,c";d\n1;2',
      [
        ['a,b,c', 'd'],
        ['1', '2'],
      ],
    ],
    ['nothing', '', []],
  ]
  for (const [name, text, expected] of cases) test(name, () => assert.deepEqual(rowsOf(text), expected))

  test('counts lines, and names the line of an unclosed quote', () => {
    assert.deepEqual(
      parseCsv('a\n"1\n2"\n\n3').map(({ line }) => line),
      [1, 2, 5],
    )
    assert.throws(() => parseCsv('a,b\n1,2\n3,"4\n5'), /line 3 is never closed/)
  })

  test('reads back whatever was written', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => text.trim() === text)
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 })
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n', '\r'),
        (rows, sign, end) => {
          const text = rows.map((row) => row.map(quote).join(sign)).join(end)
          assert.deepEqual(
            parseCsv(text, sign).map(({ cells }) => cells),
            rows,
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  test('decodes Windows encodings', () => {
    assert.equal(decode(Buffer.from('Ñandú', 'utf8')), 'Ñandú')
    assert.equal(decode(Buffer.from('Ñandú €', 'latin1').fill(0x80, 6)), 'Ñandú €')
    const all = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index)
    assert.equal(decode(all), new TextDecoder('windows-1252').decode(all))
    assert.equal(decode(Buffer.from('\uFEFFÑandú', 'utf16le')), 'Ñandú')
  })

  test('does not let spreadsheets execute formulas', () => {
    assert.deepEqual(['=1+1', 'a"b', -5, null, '+54'].map(csvCell), [`'=1+1`, '"a""b"', '-5', '', `'+54`])
  })
})

describe('values of cells', () => {
  const cases: [Kind, unknown, unknown][] = [
    ['money', '120000', 120_000],
    ['money', '120.000', 120_000],
    ['money', '1.250.000,50', 1_250_000.5],
    ['money', '1,250,000.50', 1_250_000.5],
    ['money', 'U$S 99,500', 99_500],
    ['money', '$ 85.000,-', 85_000],
    ['money', '1500.5', 1500.5],
    ['money', '1500,50', 1500.5],
    ['money', 85_000.5, 85_000.5],
    ['money', 'Consultar', null],
    ['number', '95,5 m²', 95.5],
    ['number', '120 mts.', 120],
    ['money', 'US$ 95.000.-', 95_000],
    ['integer', '3 años', 3],
    ['integer', '2 dorm.', 2],
    ['number', '0.500', 0.5],
    ['integer', '3', 3],
    ['coordinate', '-34,921', -34.921],
    ['coordinate', '-57.954', -57.954],
    ['boolean', 'Sí', true],
    ['boolean', 'NO', false],
    ['boolean', true, true],
    ['operation', 'Alquiler Temporario', 'temporary'],
    ['type', 'dpto.', 'Departamento'],
    ['type', 'GALPON', 'Galpón'],
    ['currency', 'U$S', 'USD'],
    ['currency', '$', 'ARS'],
    ['period', 'por mes', 'month'],
    ['orientation', 'Noroeste', 'NO'],
    ['status', 'Vendida', 'disabled:sold'],
    ['list', 'Pileta | Parrilla|', ['Pileta', 'Parrilla']],
    ['list', 'Pileta, Parrilla', ['Pileta', 'Parrilla']],
    [
      'urls',
      'https://a.example/1,2;3.jpg, https://a.example/4.jpg;https://b.example/5.jpg',
      ['https://a.example/1,2;3.jpg', 'https://a.example/4.jpg', 'https://b.example/5.jpg'],
    ],
    ['urls', ['https://a.example/1.jpg', ' https://a.example/1.jpg'], ['https://a.example/1.jpg']],
    ['text', '  ', null],
    ['text', ' a b ', 'a b'],
  ]
  for (const [kind, cell, expected] of cases)
    test(`${JSON.stringify(cell)} is read as ${kind}`, () =>
      assert.deepEqual(readValue(kind, cell), expected))

  test('a format resolves ambiguous values', () => {
    assert.equal(readValue('money', '120.000', { decimal: '.' }), 120)
    assert.equal(readValue('number', '95,500', { decimal: ',' }), 95.5)
    assert.deepEqual(readValue('list', 'a/b', { list: '/' }), ['a', 'b'])
  })

  const wrong: [Kind, unknown][] = [
    ['money', 'mucho'],
    ['integer', '2,5'],
    ['boolean', 'quizás'],
    ['type', 'Castillo'],
    ['external_id', 'a b'],
    ['external_id', 'x'.repeat(65)],
    ['text', { a: 1 }],
    ['text', ['a']],
    ['list', [1]],
    ['type', '__proto__'],
  ]
  for (const [kind, cell] of wrong)
    test(`${JSON.stringify(cell).slice(0, 20)} is refused as ${kind}`, () =>
      assert.throws(() => readValue(kind, cell), BadValue))

  test('every known word maps to a value of the API, and every name is case-folded', () => {
    for (const [name, { names }] of Object.entries(fields))
      for (const one of names) assert.equal(fold(one), one, name)
    for (const known of Object.values(words))
      for (const word of Object.keys(known)) assert.equal(fold(word), word)
    const all = Object.values(fields).flatMap(({ names }) => names)
    assert.deepEqual(
      all.filter((name, index) => all.indexOf(name) !== index),
      [],
    )
  })
})
