/** Lookups of the geocoder: spellings of one address are one lookup, and addresses without street numbering are not looked up. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PostalAddress } from '../../../src/listings/geocoding/geocoder.ts'
import { type Lookup, toLookup } from '../../../src/listings/geocoding/lookup.ts'

function place(address: string, city: string | null = null, province: string | null = null): PostalAddress {
  return { address, city, province }
}

function asked(given: PostalAddress): Lookup {
  const lookup = toLookup(given)
  assert.ok(lookup !== null, `not asked: ${given.address}`)
  return lookup
}

describe('the lookup of an address is the same', () => {
  for (const [what, a, b] of [
    ['abbreviations', place('Av. Corrientes 4820', 'CABA'), place('AVENIDA CORRIENTES Nº 4820', 'CABA')],
    ['units', place('Mitre 500 3º B', 'Rosario'), place('Mitre 500', 'Rosario')],
    [
      'the position of the city',
      place('Mitre 500, Rosario, Santa Fe'),
      place('Mitre 500', 'Rosario', 'Santa Fe'),
    ],
    [
      'names of the Ciudad Autónoma',
      place('Thames 1800', 'Palermo'),
      place('Thames 1800', 'Capital Federal'),
    ],
    ['names of provinces', place('Mitre 500', 'Azul', 'Bs. As.'), place('Mitre 500', 'Azul', 'Buenos Aires')],
    ['accents', place('Peru 100', 'Cordoba'), place('Perú 100', 'Córdoba')],
  ] as const) {
    test(`regardless of ${what}`, () => assert.equal(asked(a).key, asked(b).key))
  }
})

describe('the lookup of an address differs', () => {
  const usual = asked(place('Mitre 500', 'Rosario', 'Santa Fe'))
  for (const [what, other] of [
    ['number', place('Mitre 501', 'Rosario', 'Santa Fe')],
    ['number with bis', place('Mitre 500 bis', 'Rosario', 'Santa Fe')],
    ['street without a number', place('Mitre', 'Rosario', 'Santa Fe')],
    ['street', place('Moreno 500', 'Rosario', 'Santa Fe')],
    ['city', place('Mitre 500', 'Funes', 'Santa Fe')],
    ['province', place('Mitre 500', 'Rosario', 'Salta')],
    ['place without a province', place('Mitre 500', 'Rosario')],
  ] as const) {
    test(`for another ${what}`, () => assert.notEqual(asked(other).key, usual.key))
  }
})

test('a lookup takes the digits of a number as the door', () => {
  const { number, door } = asked(place('San Martín 100 bis', 'Rosario'))
  assert.deepEqual([number, door], ['100bis', '100'])
})

describe('no lookup is made for', () => {
  for (const address of [
    '',
    'Ruta 8 Km 50, Pilar',
    'Ruta 8, Pilar',
    'Autopista Panamericana',
    'Barrio Los Robles, Mz 4, Lote 12',
    '4820',
  ]) {
    test(JSON.stringify(address), () => assert.equal(toLookup(place(address)), null))
  }
})
