/** The enumerations of api.md 9.3, and the canonical forms of values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  canonicalIn,
  canonicalType,
  currencies,
  disableReasons,
  dispositions,
  isRental,
  locationStatuses,
  operations,
  orientations,
  periods,
  statuses,
  types,
} from '../../../src/listings/fields/vocabulary.ts'

const specified: Record<string, { own: readonly string[]; words: string }> = {
  statuses: { own: statuses, words: 'published|draft|disabled' },
  operations: { own: operations, words: 'sale|rent|temporary' },
  currencies: { own: currencies, words: 'USD|ARS' },
  periods: { own: periods, words: 'month|week|night' },
  types: {
    own: types,
    words:
      'Casa|Departamento|PH|Lote|Local|Oficina|Cochera|Galpón|Finca|Quinta|Emprendimiento|Fondo de Comercio|Consultorio|Edificio|Hotel',
  },
  dispositions: { own: dispositions, words: 'Frente|Contrafrente|Interno|Lateral' },
  orientations: { own: orientations, words: 'N|S|E|O|NE|NO|SE|SO' },
  locationStatuses: { own: locationStatuses, words: 'resolved|approximate|manual|unresolved' },
  disableReasons: {
    own: disableReasons,
    words: 'sold|rented|sold_by_us|sold_by_other|contract_ended|suspended|price_change|other',
  },
}

describe('the lists of the vocabulary', () => {
  for (const [name, { own, words }] of Object.entries(specified)) {
    test(`${name} are those of docs/api.md`, () => assert.deepEqual([...own].sort(), words.split('|').sort()))
  }
  test('rentals are rent and temporary', () => {
    assert.deepEqual([...operations, null].filter(isRental), ['rent', 'temporary'])
  })
})

describe('canonical forms of words', () => {
  const canonicalDisposition = canonicalIn(dispositions)
  const canonicalOrientation = canonicalIn(orientations)
  const ways = (name: string) => [
    name,
    name.toUpperCase(),
    name.toLowerCase(),
    name.normalize('NFD'),
    name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  ]

  test('are found regardless of case and accents', () => {
    for (const type of types) for (const way of ways(type)) assert.equal(canonicalType(way), type)
    for (const name of dispositions)
      for (const way of ways(name)) assert.equal(canonicalDisposition(way), name)
    for (const name of orientations)
      for (const way of ways(name)) assert.equal(canonicalOrientation(way), name)
    assert.equal(canonicalType('FONDO de comércio'), 'Fondo de Comercio')
    assert.equal(canonicalDisposition('contrafrenté'), 'Contrafrente')
  })

  test('of unknown values are the values themselves', () => {
    const other = { a: 1 }
    for (const value of [
      'Castillo',
      '',
      'P H',
      ' Casa',
      'Casa\n',
      'Fondo  de Comercio',
      'Fondo\tde Comercio',
      'constructor',
      7,
      null,
      undefined,
      true,
    ])
      assert.equal(canonicalType(value), value)
    assert.equal(canonicalType(other), other)
    assert.equal(canonicalOrientation('norte'), 'norte')
    assert.equal(canonicalDisposition(null), null)
  })
})
