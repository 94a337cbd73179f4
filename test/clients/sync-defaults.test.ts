/** Defaults in the sync command's map: for every listing, and for the listings of one operation. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRow, type Wanted } from '../../clients/typescript/src/sync/listing.ts'
import type { MapFile } from '../../clients/typescript/src/sync/mapping.ts'
import { mapRow } from './map-row.ts'

const contentOf = (row: Record<string, unknown>, map: MapFile): Wanted['content'] => {
  const read = readRow({ place: 'x:2', values: row }, mapRow(row, map))
  assert.ok('content' in read, JSON.stringify(read))
  return read.content
}
const row = (operation: string, period?: string) => ({
  codigo: 'A',
  operacion: operation,
  precio: '100',
  ...(period === undefined ? {} : { periodo: period }),
})
const usd = { amount: 100, currency: 'USD' }
const currency = { 'price.currency': 'USD' }

describe('a default of price.period for every listing', () => {
  const defaults = { ...currency, 'price.period': 'night' }
  const cases: [string, Record<string, unknown>, object][] = [
    ['applies to a temporary rental', row('Temporario'), { ...usd, period: 'night' }],
    ['applies to a temporary rental with an empty cell', row('Temporario', ''), { ...usd, period: 'night' }],
    [
      'does not override the cell of a temporary rental',
      row('Temporario', 'Semana'),
      { ...usd, period: 'week' },
    ],
    ['does not apply to a monthly rent', row('Alquiler'), usd],
    ['does not apply to a rent with an empty cell', row('Alquiler', ''), usd],
    ['does not override the cell of a rent', row('Alquiler', 'mes'), { ...usd, period: 'month' }],
    ['does not apply to a sale', row('Venta'), usd],
    ['does not apply without an operation', { codigo: 'A', precio: '100' }, usd],
  ]
  for (const [name, cells, price] of cases)
    test(name, () => assert.deepEqual(contentOf(cells, { defaults }).price, price))

  test('follows an operation that is itself a default', () => {
    const map = { defaults: { ...defaults, operation: 'temporary' } }
    assert.deepEqual(contentOf({ codigo: 'A', precio: '100' }, map).price, { ...usd, period: 'night' })
  })
})

describe('defaults of an operation', () => {
  const defaults = {
    ...currency,
    'location.province': 'Buenos Aires',
    rent: { 'price.currency': 'ARS', 'price.period': 'month', 'features.furnished': 'no' },
    temporary: { 'price.period': 'Noche', 'rental.min_stay': 2 },
  }

  test('apply only to listings with that operation, and win over general defaults', () => {
    const location = { province: 'Buenos Aires' }
    assert.deepEqual(
      ['Venta', 'Alquiler', 'Temporario'].map((operation) => contentOf(row(operation), { defaults })),
      [
        { operation: 'sale', price: usd, location },
        {
          operation: 'rent',
          price: { amount: 100, currency: 'ARS', period: 'month' },
          features: { furnished: false },
          location,
        },
        {
          operation: 'temporary',
          price: { ...usd, period: 'night' },
          rental: { min_stay: 2 },
          location,
        },
      ],
    )
  })

  test('are overridden by a cell', () => {
    assert.deepEqual(contentOf(row('Alquiler', 'Semana'), { defaults }).price, {
      amount: 100,
      currency: 'ARS',
      period: 'week',
    })
  })

  test('are printed with the map', async () => {
    const map = { defaults }
    const values = { codigo: 'A' }
    assert.deepEqual(mapRow(values, JSON.parse(JSON.stringify(map))), mapRow(values, map))
  })
})

describe('maps with defaults', () => {
  const wrong: [string, unknown, RegExp][] = [
    ['a list', [], /^the map must be a JSON object$/],
    ['a list of defaults', { defaults: ['x'] }, /^"defaults" of the map must be an object$/],
    ['a string of values', { values: { type: 'Casa' } }, /^"values" of the map: "type" must be an object$/],
    [
      'an unknown operation',
      { defaults: { alquiler: { 'price.period': 'month' } } },
      /^"defaults" of the map: "alquiler" is not a field, nor one of sale, rent, temporary; the fields are/,
    ],
    [
      'an operation without fields',
      { defaults: { temporary: 'night' } },
      /"temporary" must be an object of fields, such as \{"price\.period": "night"\}$/,
    ],
    [
      'an unknown field of an operation',
      { defaults: { rent: { period: 'month' } } },
      /"period" is not a field/,
    ],
    [
      'a sale with a period',
      { defaults: { sale: { 'price.period': 'month' } } },
      /a sale has no price\.period$/,
    ],
    [
      'an operation whose defaults set the operation',
      { defaults: { rent: { operation: 'sale' } } },
      /"rent" cannot set the operation$/,
    ],
    [
      'an invalid default',
      { defaults: { temporary: { 'price.period': 'nightly' } } },
      /^"defaults" of the map: price\.period "nightly" is not one of month, week, night/,
    ],
  ]
  for (const [name, map, message] of wrong)
    test(`cannot have ${name}`, () =>
      assert.throws(() => mapRow({ codigo: '' }, map as MapFile), { message }))
})
