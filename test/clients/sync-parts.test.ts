/**
 * The parts of the sync command that need no service: what it reads, how it compares, what it remembers, how it counts.
 */
import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Me, Property } from '../../clients/typescript/src/index.ts'
import { readArguments } from '../../clients/typescript/src/sync/arguments.ts'
import { differences, patchOf } from '../../clients/typescript/src/sync/compare.ts'
import { csvCell, decode, parseCsv } from '../../clients/typescript/src/sync/csv.ts'
import { fields, fold, type Kind, words } from '../../clients/typescript/src/sync/fields.ts'
import { type Intent, openJournal } from '../../clients/typescript/src/sync/journal.ts'
import { type BadRow, readRow, type Wanted } from '../../clients/typescript/src/sync/listing.ts'
import { lock } from '../../clients/typescript/src/sync/lock.ts'
import { type MapFile, mapColumns, mapSource } from '../../clients/typescript/src/sync/mapping.ts'
import { newProgress } from '../../clients/typescript/src/sync/progress.ts'
import { nothing, Room } from '../../clients/typescript/src/sync/room.ts'
import { readSource, type Source } from '../../clients/typescript/src/sync/source.ts'
import { duration } from '../../clients/typescript/src/sync/texts.ts'
import { inWordsOfFile } from '../../clients/typescript/src/sync/wording.ts'
import { BadValue, readValue } from '../../clients/typescript/src/sync/values.ts'
import { quickDirectory } from '../support/quick-directory.ts'

const directory = mkdtempSync(join(quickDirectory(), 'listings-sync-'))
after(() => rmSync(directory, { recursive: true }))

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
      'a delimiter of the first row that only stands in quotes',
      '"a,b,c";d\n1;2',
      [
        ['a,b,c', 'd'],
        ['1', '2'],
      ],
    ],
    ['nothing', '', []],
  ]
  for (const [name, text, expected] of cases) it(name, () => assert.deepEqual(rowsOf(text), expected))

  it('knows the lines, and names that of a quote left open', () => {
    assert.deepEqual(
      parseCsv('a\n"1\n2"\n\n3').map(({ line }) => line),
      [1, 2, 5],
    )
    assert.throws(() => parseCsv('a,b\n1,2\n3,"4\n5'), /line 3 is never closed/)
  })

  it('reads back whatever was written', () => {
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

  it('is decoded as Windows wrote it', () => {
    assert.equal(decode(Buffer.from('Ñandú', 'utf8')), 'Ñandú')
    assert.equal(decode(Buffer.from('Ñandú €', 'latin1').fill(0x80, 6)), 'Ñandú €')
    const all = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index)
    assert.equal(decode(all), new TextDecoder('windows-1252').decode(all))
    assert.equal(decode(Buffer.from('\uFEFFÑandú', 'utf16le')), 'Ñandú')
  })

  it('gives spreadsheets no formulas', () => {
    assert.deepEqual(['=1+1', 'a"b', -5, null, '+54'].map(csvCell), [`'=1+1`, '"a""b"', '-5', '', `'+54`])
  })
})

describe('values', () => {
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
    it(`${kind} ${JSON.stringify(cell)}`, () => assert.deepEqual(readValue(kind, cell), expected))

  it('a format decides what may be read in two ways', () => {
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
    it(`no ${kind}: ${JSON.stringify(cell).slice(0, 20)}`, () =>
      assert.throws(() => readValue(kind, cell), BadValue))

  it('what is known by a word is a value of the API, and its name is folded', () => {
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

describe('rows', () => {
  const read = (row: Record<string, unknown>, map?: MapFile): Wanted & Partial<BadRow> =>
    readRow({ place: 'x:2', values: row }, mapColumns(Object.keys(row), map)) as Wanted & Partial<BadRow>

  it('become listings', () => {
    const { content, photos, status, reason } = read({
      Código: 'A-1',
      Operación: 'Alquiler',
      Tipo: 'Lote',
      Precio: '$ 250.000',
      Período: '',
      Expensas: '',
      Dormitorios: '2',
      'Superficie total': '300',
      Latitud: '',
      Longitud: '',
      Localidad: 'La Plata',
      'Foto 2': 'https://p.example/2.jpg',
      'Foto 1': 'https://p.example/1.jpg',
      Estado: 'Alquilado',
      'Nota interna': 'x',
    })
    assert.deepEqual(content, {
      operation: 'rent',
      type: 'Lote',
      price: { amount: 250_000, currency: 'ARS' },
      expenses: null,
      features: { total_m2: 300 },
      location: { city: 'La Plata' },
    })
    assert.deepEqual(photos, ['https://p.example/1.jpg', 'https://p.example/2.jpg'])
    assert.deepEqual([status, reason], ['disabled', 'rented'])
  })

  it('take defaults and words of the map', () => {
    const map = {
      columns: { Ref: 'external_id', Rubro: 'type', Precio: 'price.amount', Tipo: null },
      defaults: { 'price.currency': 'USD', 'location.province': 'Buenos Aires' },
      values: { type: { 'dúplex Grande': 'Casa' } },
    }
    const { content } = read({ Ref: '1', Rubro: 'DUPLEX  grande', Precio: '10', Tipo: 'x' }, map)
    assert.deepEqual(content, {
      type: 'Casa',
      price: { amount: 10, currency: 'USD' },
      location: { province: 'Buenos Aires' },
    })
  })

  it('tell everything that is wrong', () => {
    const { externalId, problems } = read({ codigo: '1', precio: '5', dormitorios: 'x', tipo: 'Torre' })
    assert.equal(externalId, '1')
    assert.equal(problems?.length, 3)
    assert.deepEqual(read({ codigo: ' ', titulo: 'x' }).problems, ['codigo: is empty'])
  })

  it('of the API itself are read as they are', () => {
    const { content, status } = read({
      id: '7KQ2M9XA',
      external_id: 'A',
      status: 'draft',
      'price.amount': 1.5,
      'price.currency': 'USD',
      'price.on_request': false,
      'features.disposition': 'Frente',
      photos: [],
      updated_at: 'x',
    })
    assert.deepEqual(content, {
      price: { amount: 1.5, currency: 'USD', on_request: false },
      features: { disposition: 'Frente' },
    })
    assert.equal(status, 'draft')
  })
})

let folders = 0

function sourceOf(files: Record<string, string>): Source {
  folders += 1
  const folder = join(directory, `source-${folders}`)
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return readSource(folder)
}

function wantedOf(files: Record<string, string>, map?: MapFile): (Wanted & Partial<BadRow>)[] {
  const source = sourceOf(files)
  const mapped = mapSource(source, map)
  return source.tables.flatMap((table) =>
    table.rows.map((row) => readRow(row, mapped.of(table, row)) as Wanted & Partial<BadRow>),
  )
}

describe('files and objects with columns of their own', () => {
  it('say nothing about what they do not have', () => {
    const [a, b, c, d, e, f] = wantedOf({
      'a.csv': 'codigo;titulo;precio;fotos\n1;Uno;U$S 10;https://p.example/1.jpg',
      'b.csv': 'ref;title\n2;Dos',
      'c.json': JSON.stringify([
        { external_id: '3', titulo: 'Tres', price: { amount: 5, currency: 'USD' }, photos: [] },
        { external_id: '4', title: 'Cuatro', features: { bedrooms: 2 }, expenses: null },
        { id: '5', rental: null },
        { external_id: '6', id: '7', title: null },
      ]),
    })
    assert.deepEqual(a?.content, { title: 'Uno', price: { amount: 10, currency: 'USD' } })
    assert.deepEqual([b?.content, b?.photos], [{ title: 'Dos' }, undefined])
    assert.deepEqual([c?.content, c?.photos], [{ title: 'Tres', price: { amount: 5, currency: 'USD' } }, []])
    assert.deepEqual(d?.content, { title: 'Cuatro', features: { bedrooms: 2 }, expenses: null })
    assert.deepEqual(e?.problems, ['external_id: is empty'])
    assert.deepEqual([f?.externalId, f?.content], ['6', { title: null }])
  })

  it('may have their fields named by one map', () => {
    const files = { 'a.csv': 'codigo,nota\n1,a', 'b.csv': 'codigo,remark\n2,b' }
    const map = { columns: { nota: 'title', remark: 'title' }, defaults: { 'price.currency': 'USD' } }
    assert.deepEqual(
      wantedOf(files, map).map(({ content }) => content),
      [{ title: 'a' }, { title: 'b' }],
    )
  })

  it('have rows that are cut short, which clear nothing', () => {
    const [cut, whole] = wantedOf({ 'a.csv': 'sep=;\r\ncodigo;titulo;precio\r\n1;Uno\r\n;;;;\r\n2;;;;\r\n' })
    assert.deepEqual(
      [cut?.place, cut?.externalId, cut?.problems],
      ['a.csv:3', '1', ['has 2 cells, fewer than the 3 columns']],
    )
    assert.deepEqual(
      [whole?.place, whole?.content],
      ['a.csv:5', { title: null, price: { amount: null, currency: null } }],
    )
  })
})

describe('what people write', () => {
  const [one, two] = wantedOf({
    'a.csv': [
      'Código;Calle;Altura;Precio (USD);Expensas ($);Dorm.;Amb.;Cochera;Antigüedad;Sup. total [m²];Publicar;Rubro',
      'A;Calle 48;1234;95.000;12.500;Monoambiente;monoambiente;Sí;A estrenar;1.250;Sí;x',
      'B;Diagonal 74;;1.250;;2 dorm;3 amb;No;3 años;95,5;;x',
    ].join('\n'),
  })

  it('is read', () => {
    assert.deepEqual([one?.problems, two?.problems], [undefined, undefined])
    assert.deepEqual(one?.content, {
      price: { amount: 95_000, currency: 'USD' },
      expenses: { amount: 12_500, currency: 'ARS' },
      address: 'Calle 48 1234',
      features: { bedrooms: 0, rooms: 1, garages: 1, age_years: 0, total_m2: 1250 },
    })
    assert.deepEqual(two?.content.address, 'Diagonal 74')
    assert.deepEqual(two?.content.features, {
      bedrooms: 2,
      rooms: 3,
      garages: 0,
      age_years: 3,
      total_m2: 95.5,
    })
    assert.deepEqual([one?.status, two?.status, two?.hasStatus], ['published', undefined, true])
  })

  const columns: [string, string[], unknown[], number][] = [
    ['the other cells decide', ['1.250', '95.5'], [1.25, 95.5], 1],
    ['they agree with what is usual', ['1.250', '95,5'], [1250, 95.5], 0],
    ['no other cell decides', ['1.250', '80'], [1250, 80], 1],
    ['they contradict each other', ['1.250', '95.5', '95,5'], [1250, 95.5, 95.5], 1],
  ]
  for (const [name, cells, expected, notes] of columns)
    it(`with one sign before three digits: ${name}`, () => {
      const files = { 'a.csv': `codigo;m2\n${cells.map((cell, index) => `${index};${cell}`).join('\n')}` }
      assert.deepEqual(
        wantedOf(files).map(({ content }) => content.features?.total_m2),
        expected,
      )
      assert.equal(mapSource(sourceOf(files)).notes.length, notes)
    })

  it('of expenses without a currency is in pesos', () => {
    const [found] = wantedOf({ 'a.csv': 'codigo,expensas,address,numero\n1,5000,Calle 1 Nº 2,77' })
    assert.deepEqual(found?.content, { expenses: { amount: 5000, currency: 'ARS' }, address: 'Calle 1 Nº 2' })
    assert.equal(found?.hasAssumedCurrency, true)
  })
})

describe('maps', () => {
  it('are printed to be edited, and mean the same then', () => {
    const columns = ['Cod', 'Titulo', 'Foto 2', 'Cosa', 'Fotos', 'Imagen principal', 'Foto 1']
    const source = sourceOf({ 'a.csv': columns.join() })
    const { printed } = mapSource(source)
    assert.deepEqual(printed.columns, {
      Cod: 'external_id',
      Titulo: 'title',
      'Foto 2': 'photos',
      Cosa: null,
      Fotos: 'photos',
      'Imagen principal': 'photos',
      'Foto 1': 'photos',
    })
    const again = mapColumns(columns, JSON.parse(JSON.stringify(printed)))
    assert.deepEqual(again, mapColumns(columns))
    assert.deepEqual(again.photoColumns, ['Imagen principal', 'Fotos', 'Foto 1', 'Foto 2'])
  })

  const wrong: [string, MapFile, RegExp][] = [
    ['an unknown member', { colums: {} } as MapFile, /"colums"; it may have columns/],
    ['a column that is not there', { columns: { B: 'title' } }, /"B", which the file does not have/],
    ['an unknown field', { columns: { A: 'titel' } }, /"titel" is not a field/],
    ['one field twice', { columns: { A: 'title', C: 'title' } }, /"A" and "C" both mean title/],
    ['a strange sign', { decimal: ';' } as unknown as MapFile, /must be "\." or ","/],
  ]
  for (const [name, map, message] of wrong)
    it(`cannot have ${name}`, () => assert.throws(() => mapColumns(['A', 'C'], map), message))
})

it('files and folders are read whole', () => {
  const folder = join(directory, 'folder')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.csv'), 'codigo,titulo\n1,uno\n2,"dos",extra')
  writeFileSync(
    join(folder, 'b.json'),
    '{"listings":[{"external_id":"3","price":{"amount":1,"currency":"USD"}}, 7]}',
  )
  writeFileSync(join(folder, 'c.ndjson'), '\uFEFF{"external_id":"4"}\r\n\r\n{"external_id":"5"}\n')
  writeFileSync(join(folder, 'read.me'), 'no')
  writeFileSync(join(folder, '.hidden.csv'), 'no')
  const { rows, columns } = readSource(folder)
  assert.deepEqual(columns, ['codigo', 'titulo', 'external_id', 'price.amount', 'price.currency'])
  assert.deepEqual(
    rows.map(({ place, problem }) => [place, problem]),
    [
      ['a.csv:2', undefined],
      ['a.csv:3', 'has 3 cells, more than the 2 columns'],
      ['b.json[0]', undefined],
      ['b.json[1]', 'is not an object'],
      ['c.ndjson:1', undefined],
      ['c.ndjson:3', undefined],
    ],
  )
  const bad = join(directory, 'bad.ndjson')
  writeFileSync(bad, '{}\n{')
  assert.equal(readSource(bad).rows[1]?.problem, 'is not JSON')
  writeFileSync(join(directory, 'twice.csv'), 'a,a\n1,2')
  assert.throws(() => readSource(join(directory, 'twice.csv')), /two columns "a"/)
  assert.throws(() => readSource(join(directory, 'x.xlsx')), /ENOENT|has to end with/)
})

it('reports are written as the source is, and what else a folder has is named', () => {
  const folder = join(directory, 'like')
  mkdirSync(join(folder, 'old'), { recursive: true })
  writeFileSync(join(folder, 'a.csv'), 'sep=;\ncodigo;a,b,c\n1;2')
  for (const name of ['photos.zip', 'report.csv', 'map.json']) writeFileSync(join(folder, name), '')
  const source = readSource(folder, [join(folder, 'report.csv'), join(folder, 'map.json')])
  assert.deepEqual(source.skipped, ['old/', 'photos.zip'])
  assert.deepEqual(source.style, { delimiter: ';', hasBom: false })
  writeFileSync(join(folder, 'a.csv'), Buffer.from('codigo\ttítulo\n1\t2', 'latin1'))
  assert.deepEqual(readSource(folder, [join(folder, 'report.csv'), join(folder, 'map.json')]).style, {
    delimiter: '\t',
    hasBom: true,
  })
})

it('messages of the service are told in words of the file', () => {
  const columns = new Map([['price.amount', 'Precio']])
  const cases: [string, string][] = [
    ['`items[6].price.amount` must be a number.', '"Precio" must be a number.'],
    ['items[6].photos[2] is not a URL', 'photos, number 3 is not a URL'],
    ['as items[6].title', 'as title'],
    [
      'If you mean to list both, send force_duplicate: true.',
      'If you mean to list both, use --force-duplicates.',
    ],
  ]
  for (const [message, expected] of cases) assert.equal(inWordsOfFile(message, columns), expected)
})

describe('comparing', () => {
  const property = {
    title: 'Casa',
    operation: 'sale',
    type: 'Casa',
    price: { amount: 100, currency: 'USD', on_request: false },
    expenses: null,
    location: { city: 'La Plata', province: null, lat: 1, lng: 2, neighborhood: null },
    features: { bedrooms: 2, garages: null },
    amenities: [],
    rental: null,
  } as unknown as Property
  const cases: [string, Wanted['content'], Wanted['content']][] = [
    [
      'nothing',
      {
        title: 'Casa',
        price: { amount: 100, currency: 'USD' },
        amenities: [],
        expenses: null,
        rental: { min_stay: null },
      },
      {},
    ],
    ['a text', { title: null }, { title: null }],
    [
      'an amount goes with its currency',
      { price: { amount: 90, currency: 'USD' } },
      { price: { amount: 90, currency: 'USD' } },
    ],
    ['a price on request', { price: { on_request: true } }, { price: { on_request: true } }],
    ['one feature', { features: { bedrooms: 3, garages: null } }, { features: { bedrooms: 3 } }],
    [
      'an operation takes the price along',
      { operation: 'rent' },
      { operation: 'rent', price: { amount: 100, currency: 'USD' } },
    ],
    ['a lot has no rooms', { type: 'Lote', features: { bedrooms: 9 } }, { type: 'Lote' }],
    ['the order of a list', { amenities: ['a'] }, { amenities: ['a'] }],
  ]
  for (const [name, content, expected] of cases)
    it(name, () => assert.deepEqual(patchOf(differences(content, property), content, property), expected))
})

describe('the journal', () => {
  const path = join(directory, 'journal')
  const intent = (id: string): Intent => ({ id, at: '', key: id, subjects: [], kind: 'batch', items: [] })

  it('survives a kill in the middle of a line, and forgets what is over', () => {
    const journal = openJournal(path, 'agency')
    journal.learn(
      new Map([
        ['A', { content: '1' }],
        ['B', { content: '2' }],
      ]),
    )
    journal.begin(intent('one'))
    journal.begin(intent('two'))
    journal.settle(
      'one',
      new Map([
        ['A', { content: '3' }],
        ['B', { deleted: true }],
      ]),
    )
    appendFileSync(path, '{"done":"tw')
    const again = openJournal(path, 'agency')
    assert.deepEqual(
      [...again.known],
      [
        ['A', { content: '3' }],
        ['B', { deleted: true }],
      ],
    )
    assert.deepEqual(again.open(), [intent('two')])
    again.settle('two', new Map())
    again.close()
    assert.equal(readFileSync(path, 'utf8').split('\n').length, 4)
    truncateSync(path, 20)
    assert.deepEqual([...openJournal(path, 'agency').known], [])
  })

  it('is of one agency', () => {
    openJournal(path, 'agency').close()
    assert.throws(() => openJournal(path, 'other'), /of another agency/)
    writeFileSync(path, 'codigo,titulo\n')
    assert.throws(() => openJournal(path, 'agency'), /is not a journal/)
    assert.equal(readFileSync(path, 'utf8'), 'codigo,titulo\n')
  })

  it('is used by one run at a time, and a killed one holds nothing', () => {
    const file = join(directory, 'lock')
    const release = lock(file)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.ppid)))
    assert.throws(() => lock(file), /uses this journal already/)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, '4194305'))
    lock(file)()
    release()
  })
})

describe('room', () => {
  let now = Date.parse('2026-11-22T10:30:00Z')
  const limit = (max: number, seconds: number) => ({ max, window_seconds: seconds })
  const use = (remaining: number, at: string) => ({ used: 0, remaining, resets_at: `2026-11-${at}:00Z` })
  const me = {
    limits: {
      writes_per_minute: limit(60, 60),
      writes_per_day: limit(2000, 86_400),
      new_listings_per_hour: limit(20, 3600),
      new_listings_per_day: limit(100, 86_400),
      photos_per_day: limit(300, 86_400),
    },
    usage: {
      writes_per_minute: use(60, '22T10:31'),
      writes_per_day: use(2000, '23T00:00'),
      new_listings_per_hour: use(5, '22T11:00'),
      new_listings_per_day: use(100, '23T00:00'),
      photos_per_day: use(300, '23T00:00'),
    },
  } as unknown as Me
  const room = new Room(me, () => now)

  it('opens with its windows', () => {
    const need = { ...nothing, newListings: 6, writes: 6 }
    assert.deepEqual(room.short(need), ['new_listings_per_hour'])
    assert.equal(room.opensAt(['new_listings_per_hour']), Date.parse('2026-11-22T11:00:00Z'))
    now = Date.parse('2026-11-22T13:20:00Z')
    assert.deepEqual(room.short(need), [])
    room.charge({ ...nothing, newListings: 20 })
    assert.deepEqual(room.short(need), ['new_listings_per_hour'])
    assert.equal(room.opensAt(['new_listings_per_hour']), Date.parse('2026-11-22T14:00:00Z'))
  })

  it('estimates by the limit that takes longest', () => {
    const load = { writes: 2000, newListings: 2000, photos: 20_000 }
    const estimate = room.estimate(load)
    assert.ok(estimate !== null && 'ms' in estimate)
    assert.equal(estimate.limit, 'photos_per_day')
    assert.equal(duration(estimate.ms), '65 days')
    const without = room.estimate({ ...load, photos: 0 })
    assert.equal(
      without !== null && 'ms' in without && `${without.limit} ${duration(without.ms)}`,
      'new_listings_per_day 19 days',
    )
    assert.equal(room.estimate({ ...nothing, writes: 1 }), null)
    assert.deepEqual(room.never({ ...nothing, photos: 301 }), ['photos_per_day'])
  })
})

it('progress is a bar on a terminal, and lines elsewhere', () => {
  const state = (done: number) => ({ done, total: 40, failed: 1, remainingMs: 120_000 })
  const drawn = (isTTY: boolean) => {
    const pieces: string[] = []
    const progress = newProgress({ isTTY, columns: 100, write: (text) => pieces.push(text) })
    for (let done = 0; done <= 40; done += 1) progress.show(state(done))
    progress.waiting(60_000, ['writes_per_minute'])
    progress.end()
    return pieces
  }
  assert.equal(drawn(true).length, 43)
  assert.match(drawn(true)[20] ?? '', /\[K\[#{15}\.{15}\] 50 % · 20 of 40 · 1 failed · about 2 minutes left$/)
  assert.equal(drawn(false).length, 22)
  assert.match(drawn(false).at(-1) ?? '', /waiting for writes_per_minute until 1970-01-01T00:01:00Z\n$/)
})

describe('arguments', () => {
  const environment = { SVC_API_KEY: 'k', SVC_BASE_URL: 'https://l.example' }
  const read = (text: string, env: Record<string, string> = environment) =>
    readArguments(text.split(' '), env)

  it('are read', () => {
    const settings = read('sync a.csv --apply --max-delete-share 5% --max-wait 15m')
    assert.deepEqual([settings.apply, settings.maxDeleteShare, settings.maxWaitMs], [true, 0.05, 900_000])
    assert.equal(read('sync a.csv').maxWaitMs, Number.POSITIVE_INFINITY)
  })

  const wrong: [string, string, RegExp, Record<string, string>?][] = [
    ['another command', 'push a.csv', /the command is "sync"/],
    ['no source', 'sync', /one SOURCE/],
    ['a key among the words', 'sync a.csv --key svc_live_x', /Unknown option '--key'/],
    ['no key', 'sync a.csv', /SVC_API_KEY/, {}],
    ['no address', 'sync a.csv', /--url/, { SVC_API_KEY: 'k' }],
    ['a plan that is judged and carried out', 'sync a.csv --apply --dry-run', /choose one/],
    ['a strange share', 'sync a.csv --max-delete-share 120', /0 to 100/],
    ['a strange duration', 'sync a.csv --max-wait soon', /15m/],
  ]
  for (const [name, text, message, env] of wrong)
    it(name, () => assert.throws(() => read(text, env), message))
})
