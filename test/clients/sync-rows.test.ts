/** How the sync command turns the rows of a file into listings or errors. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type BadRow, readRow, type Wanted } from '../../clients/typescript/src/sync/listing.ts'
import { type MapFile, mapSource } from '../../clients/typescript/src/sync/mapping.ts'
import { readSource, type Source } from '../../clients/typescript/src/sync/source.ts'
import { inWordsOfFile } from '../../clients/typescript/src/sync/wording.ts'
import { quickDirectory } from '../support/quick-directory.ts'
import { mapRow } from './map-row.ts'

const directory = mkdtempSync(join(quickDirectory(), 'listings-sync-'))
after(() => rmSync(directory, { recursive: true }))

describe('rows of a file', () => {
  const read = (row: Record<string, unknown>, map?: MapFile): Wanted & Partial<BadRow> =>
    readRow({ place: 'x:2', values: row }, mapRow(row, map)) as Wanted & Partial<BadRow>

  test('become listings', () => {
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

  test('use the defaults and words of the map', () => {
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

  test('report every error', () => {
    const { externalId, problems } = read({ codigo: '1', precio: '5', dormitorios: 'x', tipo: 'Torre' })
    assert.equal(externalId, '1')
    assert.equal(problems?.length, 3)
    assert.deepEqual(read({ codigo: ' ', titulo: 'x' }).problems, ['codigo: is empty'])
  })

  test('in the API’s own format are read unchanged', () => {
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
  test('leave fields alone that they do not have', () => {
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

  test('can have their fields named by one map', () => {
    const files = { 'a.csv': 'codigo,nota\n1,a', 'b.csv': 'codigo,remark\n2,b' }
    const map = { columns: { nota: 'title', remark: 'title' }, defaults: { 'price.currency': 'USD' } }
    assert.deepEqual(
      wantedOf(files, map).map(({ content }) => content),
      [{ title: 'a' }, { title: 'b' }],
    )
  })

  test('may have truncated rows, which clear nothing', () => {
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

describe('values as people write them', () => {
  const [one, two] = wantedOf({
    'a.csv': [
      'Código;Calle;Altura;Precio (USD);Expensas ($);Dorm.;Amb.;Cochera;Antigüedad;Sup. total [m²];Publicar;Rubro',
      'A;Calle 48;1234;95.000;12.500;Monoambiente;monoambiente;Sí;A estrenar;1.250;Sí;x',
      'B;Diagonal 74;;1.250;;2 dorm;3 amb;No;3 años;95,5;;x',
    ].join('\n'),
  })

  test('are read', () => {
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
    ['other cells decide', ['1.250', '95.5'], [1.25, 95.5], 1],
    ['they match the usual format', ['1.250', '95,5'], [1250, 95.5], 0],
    ['no other cell decides', ['1.250', '80'], [1250, 80], 1],
    ['cells contradict each other', ['1.250', '95.5', '95,5'], [1250, 95.5, 95.5], 1],
  ]
  for (const [name, cells, expected, notes] of columns)
    test(`with one separator before three digits are read: ${name}`, () => {
      const files = { 'a.csv': `codigo;m2\n${cells.map((cell, index) => `${index};${cell}`).join('\n')}` }
      assert.deepEqual(
        wantedOf(files).map(({ content }) => content.features?.total_m2),
        expected,
      )
      assert.equal(mapSource(sourceOf(files)).notes.length, notes)
    })

  test('of expenses without a currency are in pesos', () => {
    const [found] = wantedOf({ 'a.csv': 'codigo,expensas,address,numero\n1,5000,Calle 1 Nº 2,77' })
    assert.deepEqual(found?.content, { expenses: { amount: 5000, currency: 'ARS' }, address: 'Calle 1 Nº 2' })
    assert.equal(found?.hasAssumedCurrency, true)
  })
})

describe('maps of columns', () => {
  test('are printed for editing, and have the same effect afterwards', () => {
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
    const row = Object.fromEntries(columns.map((column) => [column, '']))
    const again = mapRow(row, JSON.parse(JSON.stringify(printed)))
    assert.deepEqual(again, mapRow(row))
    assert.deepEqual(again.photoColumns, ['Imagen principal', 'Fotos', 'Foto 1', 'Foto 2'])
  })

  const wrong: [string, MapFile, RegExp][] = [
    ['an unknown member', { colums: {} } as MapFile, /"colums"; it may have columns/],
    ['a missing column', { columns: { B: 'title' } }, /"B", which the file does not have/],
    ['an unknown field', { columns: { A: 'titel' } }, /"titel" is not a field/],
    ['one field twice', { columns: { A: 'title', C: 'title' } }, /"A" and "C" both mean title/],
    ['an invalid decimal separator', { decimal: ';' } as unknown as MapFile, /must be "\." or ","/],
  ]
  for (const [name, map, message] of wrong)
    test(`cannot have ${name}`, () => assert.throws(() => mapRow({ A: '', C: '' }, map), message))
})

test('files and folders are read completely', () => {
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

test('reports use the source’s words, and name other files in the folder', () => {
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

test('messages of the service are translated to the words of the file', () => {
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
