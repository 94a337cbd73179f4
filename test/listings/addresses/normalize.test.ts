/** The address normalizer against the annotated corpus, and its decisions one by one (api.md 12.4). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressRulesVersion, normalizeAddress } from '../../../src/listings/addresses/normalize.ts'
import type { LocalityOfListing } from '../../../src/listings/addresses/normalize.ts'
import { corpus } from './corpus.ts'
import { isSameAddress } from './same-address.ts'

type Listing = [address: string, place?: LocalityOfListing]

const key = ([address, place]: Listing) => normalizeAddress(address, place).key
const same = (a: Listing, b: Listing) => isSameAddress(key(a), key(b))

describe('the corpus of addresses', () => {
  test('has at least 300 different addresses', () => {
    assert.ok(new Set(corpus.map(({ address }) => address)).size >= 300)
  })

  test('is parsed as annotated', () => {
    for (const { address, place, read, group } of corpus) {
      const { text: _, key, ...parts } = normalizeAddress(address, place)
      assert.deepEqual(parts, read, address)
      assert.equal(key === null, group === '-', `key of ${address}`)
    }
  })

  test('matches within each group and nowhere else', () => {
    const keys = corpus.map(({ address, place }) => key([address, place]))
    for (const [i, a] of corpus.entries()) {
      for (const [j, b] of corpus.entries()) {
        const expected = a.group !== '-' && (i === j || (a.group !== '=' && a.group === b.group))
        assert.equal(isSameAddress(keys[i] ?? null, keys[j] ?? null), expected, `${a.address} / ${b.address}`)
      }
    }
  })
})

describe('the comparison of addresses', () => {
  test('ignores abbreviations, case, accents and spaces', () => {
    assert.ok(same(['Av. Gral. Paz 100'], ['AVENIDA  GENERAL PAZ nº100']))
    assert.ok(same(['Peña 2300'], ['pena 2.300']))
  })

  test('does not treat a missing kind of street as an abbreviation', () => {
    assert.ok(!same(['Avenida San Martín 100'], ['San Martín 100']))
    assert.ok(!same(['Pasaje San Martín 100'], ['Avenida San Martín 100']))
  })

  test('includes a number inside the name, whatever follows it', () => {
    assert.ok(!same(['Calle 11 de Septiembre 1888 4000'], ['Calle 11 de Septiembre 1888 4002']))
    assert.ok(same(['11 de Septiembre 1888 4000'], ['11 de septiembre de 1888 nº 4000 PB']))
    assert.ok(!same(['Batalla de 1812 300'], ['Batalla de 1812 302']))
    assert.ok(!same(['Los 33 Orientales 200'], ['Los 33 Orientales 202']))
    assert.ok(!same(['Mitre 1888 4000'], ['Mitre 1888 4002']))
    assert.ok(!same(['Mitre 1732182000 10'], ['Mitre 1732182000 12']))
    assert.ok(same(['Mitre 1234 1900 La Plata'], ['Mitre 1234, La Plata']), 'a postal code is none')
  })

  test('treats a word with digits as one word', () => {
    for (const [a, b] of [
      ['Calle 1a2b3c4d 123', 'Calle 1a2b9f9f 123'],
      ['Calle Test 1a2b3c4d', 'Calle Test 1a2b9f9f'],
      ['Calle Test abc123 456', 'Calle Test abc123 457'],
      ['Calle Test123 456', 'Calle Test123 457'],
      ['Calle T-1 100', 'Calle T-2 100'],
      ['Calle prueba-1732182000 100', 'Calle prueba-1732182001 100'],
      ['Calle 3f2a9c1e-7b1d-4c2e-9f3a-1b2c3d4e5f60 1', 'Calle 3f2a9c1e-7b1d-4c2e-9f3a-1b2c3d4e5f61 1'],
      ['Calle 5f 100', 'Calle 6a 100'],
    ] as const) {
      assert.ok(!same([a], [b]), `${a} / ${b}`)
    }
    assert.ok(same(['Calle T-1 100'], ['calle t1 nº 100 3º B']))
    assert.ok(same(['Corrientes1234'], ['Corrientes 1234']))
    assert.ok(same(['Mz4 Lote12'], ['Mz 4 Lote 12']))
  })

  test('accepts numbers of any length', () => {
    assert.ok(same(['Mitre 123456789012'], ['Mitre Nº 123456789012']))
    assert.ok(!same(['Mitre 123456789012'], ['Mitre 123456789013']))
  })

  test('ignores the unit', () => {
    assert.ok(same(['Mitre 100 3º B'], ['Mitre 100 piso 8']))
  })

  test('includes the city, if both are known', () => {
    assert.ok(same(['Mitre 100', { city: 'Morón' }], ['Mitre 100']))
    assert.ok(same(['Mitre 100', { city: 'Morón' }], ['Mitre 100, MORON']))
    assert.ok(!same(['Mitre 100', { city: 'Morón' }], ['Mitre 100', { city: 'Lanús' }]))
    assert.ok(!same(['Mitre 100, Morón'], ['Mitre 100, Lanús']))
  })

  test('never matches an address without a number, not even itself', () => {
    for (const address of [
      'Mitre',
      'Mitre s/n',
      'Mitre y Belgrano',
      'Ruta 8',
      '9 de Julio',
      'Calle 50',
      '',
      '100',
    ]) {
      assert.equal(key([address]), null, address)
      assert.equal(same([address], [address]), false, address)
    }
  })

  test('distinguishes numbers', () => {
    for (const other of [
      'Mitre 101',
      'Mitre 100 bis',
      'Mitre 1000',
      'Mitre 100 Oeste',
      'Mitre km 100',
      'Mitre lote 100',
    ]) {
      assert.ok(key([other]), other)
      assert.ok(!same(['Mitre 100'], [other]), other)
    }
  })
})

describe('the city in an address', () => {
  test('of the listing wins over the one in the text', () => {
    assert.equal(normalizeAddress('Mitre 100, Morón', { city: 'Lanús' }).city, 'Lanús')
  })

  test('is unknown if the listing names a region, and then the text counts', () => {
    assert.equal(key(['Mitre 100', { city: 'GBA Norte' }])?.cityKey, null)
    assert.equal(normalizeAddress('Mitre 100, Olivos', { city: 'GBA Norte' }).city, 'Olivos')
  })

  test('is the same for the Ciudad Autónoma and its neighbourhoods', () => {
    const ways: LocalityOfListing[] = [
      { city: 'CABA' },
      { city: 'Capital Federal' },
      { city: 'Ciudad Autónoma de Buenos Aires', province: 'Buenos Aires' },
      { city: 'Palermo' },
      { city: 'Belgrano', province: 'Capital Federal' },
      { city: 'Buenos Aires' },
      { city: 'Buenos Aires', province: 'CABA' },
      { city: 'Bs. As.' },
      { province: 'C.A.B.A.' },
      { city: 'Un barrio sin nombre', province: 'CABA' },
      { city: '', province: 'caba' },
    ]
    for (const place of ways) assert.equal(key(['Mitre 100', place])?.cityKey, 'caba', JSON.stringify(place))
    assert.notEqual(key(['Mitre 100', { city: 'Belgrano', province: 'Santa Fe' }])?.cityKey, 'caba')
    assert.notEqual(key(['Mitre 100', { city: 'San Nicolás', province: 'Buenos Aires' }])?.cityKey, 'caba')
  })

  test('may have digits in its name, and postal codes around it', () => {
    assert.ok(!same(['Mitre 100', { city: 'Loteo 1' }], ['Mitre 100', { city: 'Loteo 2' }]))
    assert.ok(!same(['Mitre 100', { city: 'Test-1' }], ['Mitre 100', { city: 'Test-2' }]))
    assert.ok(!same(['Mitre 100', { city: 'Villa x1y2' }], ['Mitre 100', { city: 'Villa x1y3' }]))
    assert.equal(normalizeAddress('Mitre 100', { city: 'loteo 1' }).city, 'Loteo 1')
    for (const city of [
      '1900 La Plata',
      'La Plata 1900',
      'B1900 La Plata',
      'B1900ABC La Plata',
      'La Plata-1900',
    ])
      assert.equal(key(['Mitre 100', { city }])?.cityKey, 'laplata', city)
    assert.equal(key(['Mitre 100', { city: '9 de Julio' }])?.cityKey, '9dejulio')
    assert.equal(key(['Mitre 100', { city: '1900' }])?.cityKey, null)
  })

  test('is stored unchanged, with its province, if unknown', () => {
    const { city, province } = normalizeAddress('Mitre 100', { city: 'villa ninguna', province: 'Canelones' })
    assert.deepEqual({ city, province }, { city: 'Villa Ninguna', province: 'Canelones' })
  })
})

describe('an unparseable address', () => {
  test('is stored unchanged and has no key', () => {
    for (const address of ['', '   ', '???', '¡!\u0000', '1234', 'Nº 100', 'x'.repeat(501)]) {
      const { text, key, street } = normalizeAddress(address)
      assert.deepEqual({ text, key, street }, { text: address, key: null, street: null })
    }
    assert.equal(normalizeAddress('  ¿? 1234 ').text, '  ¿? 1234 ')
  })

  test('may consist of words that name members of objects', () => {
    for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      for (const address of [`9 de ${word} 100`, `${word} 100 ${word}`, `Mitre 100 (${word}), ${word}`]) {
        assert.equal(typeof normalizeAddress(address, { city: word, province: word }).text, 'string')
      }
    }
  })

  test('does not hide the place that the listing names', () => {
    const { street, city, province } = normalizeAddress('???', { city: 'Morón', province: 'Bs. As.' })
    assert.deepEqual({ street, city, province }, { street: null, city: 'Morón', province: 'Buenos Aires' })
  })
})

test('the address rules have a version', () => {
  assert.equal(addressRulesVersion, 2)
})
