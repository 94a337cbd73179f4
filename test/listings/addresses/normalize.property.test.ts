/** Properties of every address (api.md 12.4): stability, and changes that never affect a key. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { streetTypes, titles } from '../../../src/listings/addresses/abbreviations.ts'
import { normalizeAddress } from '../../../src/listings/addresses/normalize.ts'
import { isSameAddress } from './same-address.ts'
import { corpus } from './corpus.ts'

const runs = { numRuns: 2000 }

/** Parts of addresses, combined in any order. */
const pieces =
  `San Martín Av. Avenida Calle 50 7 620 1234 100 Nº N° n no # e/ entre y esq. s/n S N / - , ( ) km 50,5 1.234 bis Mz
  Manzana Lote L M 4 12 A B a 1º 3ro 1a 4to piso P PB depto Dpto UF u f Torre de la del Mayo Julio 9 25 Ruta RN RP R
  nacional Barrio Bº Country Villa Casa Rosario CABA C.A.B.A. Buenos Aires Bs. As. Santa Fe Córdoba Capital Federal Palermo
  C1043AAZ B1638 CP 1900 al altura Norte (O) Oeste sin número O'Higgins D´ Gral. Dr. Sta. Pte Entre Ríos ex frente fondo
  edificio colectora provincia dto interno x 0 0012 12345678 ñ Ü X III argentina
  T1 x3f9 5f 123abc e7 _ 1888 1816 Septiembre Los 33 17000000 Regimiento`.split(/\s+/u)
const jumble = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(' ', ' ', ' ', ', ', '')), { maxLength: 14 })
  .map((parts) => parts.flat().join(''))
const anyText = fc.oneof(
  jumble,
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(...corpus.map((row) => row.address)),
)
const place = fc.record(
  {
    city: fc.constantFrom(
      'Rosario',
      'Palermo',
      'Buenos Aires',
      'GBA',
      'Capital',
      '9 de Julio',
      'V. María, Cba',
      '12',
      'Loteo 12',
      'T-1 B1638',
      null,
    ),
    province: fc.constantFrom('CABA', 'Buenos Aires', 'Córdoba', 'Canelones', 'Jujuy', null),
  },
  { requiredKeys: [] },
)

/** The abbreviations of a word in a street's name. */
function known(word: string, leads: boolean): readonly string[] {
  const lists: Readonly<Record<string, readonly string[]>> = leads ? { ...titles, ...streetTypes } : titles
  return lists[word] ?? []
}

/** Other spellings of the same address. */
const rewrites: Record<string, (address: string) => string> = {
  'upper case': (address) => address.toUpperCase(),
  'lower case': (address) => address.toLowerCase(),
  'no accents': (address) => address.normalize('NFD').replace(/\p{M}/gu, ''),
  'accents apart': (address) => address.normalize('NFD'),
  'more space': (address) => ` ${address.replaceAll(' ', ' \u00a0\t ').replaceAll(',', ' , ')} `,
  'full width digits': (address) =>
    address.replace(/\d/gu, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  'invisible characters': (address) => address.replaceAll(' ', ' \u200b').replaceAll('a', 'a\u00ad'),
}

describe('any text of an address', () => {
  test('is parsed without an exception, and parsing the result again changes nothing', () => {
    fc.assert(
      fc.property(anyText, place, (address, listing) => {
        const once = normalizeAddress(address, listing)
        assert.deepEqual(normalizeAddress(once.text, listing), once)
      }),
      runs,
    )
  })

  test('is parsed the same again without the listing when it was parsed without it', () => {
    fc.assert(
      fc.property(anyText, (address) => {
        const once = normalizeAddress(address)
        assert.deepEqual(normalizeAddress(once.text), once)
      }),
      runs,
    )
  })

  test('has the same key in any spelling', () => {
    fc.assert(
      fc.property(jumble, place, (address, listing) => {
        const { key } = normalizeAddress(address, listing)
        for (const [name, rewrite] of Object.entries(rewrites)) {
          if (name === 'more space' && address.includes(',')) continue
          assert.deepEqual(normalizeAddress(rewrite(address), listing).key, key, name)
        }
      }),
      runs,
    )
  })
})

describe('every address of the corpus', () => {
  for (const [name, rewrite] of Object.entries(rewrites)) {
    test(`has the same key: ${name}`, () => {
      for (const { address, place: listing } of corpus) {
        // A space would end the decimals of `km 404,5` and the thousands of `14,500`.
        if (name === 'more space' && /\d,\d/u.test(address)) continue
        const { key } = normalizeAddress(address, listing)
        assert.deepEqual(normalizeAddress(rewrite(address), listing).key, key, address)
      }
    })
  }

  test('has the same key with every known abbreviation', () => {
    let tried = 0
    for (const { address, place: listing } of corpus) {
      const { street, text, key } = normalizeAddress(address, listing)
      const words = street?.split(' ') ?? []
      for (const [i, word] of words.entries()) {
        const shorts = known(word, i === 0)
        for (const short of shorts.flatMap((abbreviation) => [abbreviation, `${abbreviation}.`])) {
          const shortened: string = words.with(i, short).join(' ') + text.slice(street?.length)
          assert.deepEqual(normalizeAddress(shortened, listing).key, key, shortened)
          tried += 1
        }
      }
    }
    assert.ok(tried > 500, `${tried} abbreviations tried`)
  })
})

describe('composed addresses', () => {
  const name = fc.constantFrom(
    'Corrientes',
    'San Martín',
    'Lisandro de la Torre',
    '9 de Julio',
    "O'Higgins",
    'Entre Ríos',
    'Gral. Paz',
  )
  const type = fc.constantFrom(
    ['Av.', 'Avenida', 'AVDA'],
    ['Bv.', 'Boulevard', 'bulevar'],
    ['Pje.', 'Pasaje', 'psje'],
    ['', 'Calle', ''],
  )
  const number = fc.integer({ min: 1, max: 99_999 })
  const sign = fc.constantFrom(' ', ' Nº ', ' N° ', ', ', ' nro. ', ' #', ' al ', ' No. ')
  const unit = fc.constantFrom(
    '',
    ' 3º B',
    ' piso 3 dto B',
    ' PB',
    ', UF 12',
    ' - 4to A',
    ' esq. Alem',
    ' e/ Alem y Roca',
  )
  const city = fc.constantFrom(
    ['', 'Rosario'],
    [', Rosario', null],
    [', Rosario, Santa Fe', null],
    [' - ROSARIO - STA FE', null],
    [', S2000 Rosario, Prov. de Santa Fe, Argentina', 'rosario'],
  )
  const variant = fc.record({ way: fc.nat(2), sign, unit, city, dotted: fc.boolean() })

  test('are equal whatever their number sign, unit, cross streets and place', () => {
    fc.assert(
      fc.property(type, name, number, variant, variant, (types, street, door, a, b) => {
        const write = ({ way, sign: nr, unit: flat, city: [tail], dotted }: typeof a) =>
          `${types[way]} ${street}${nr}${dotted ? door.toLocaleString('es-AR') : door}${flat}${tail}`
        const read = (v: typeof a) => normalizeAddress(write(v), { city: v.city[1] })
        assert.equal(read(a).number, String(door), write(a))
        assert.ok(isSameAddress(read(a).key, read(b).key), `${write(a)} / ${write(b)}`)
        const next = normalizeAddress(`${types[0]} ${street} ${door + 1}, Rosario`)
        assert.ok(!isSameAddress(read(a).key, next.key))
      }),
      runs,
    )
  })
})

describe('unexpected names', () => {
  const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
  const token = fc.oneof(
    fc.uuid(),
    hex(8),
    hex(32),
    fc.stringMatching(/^[a-z][0-9][a-z]{2}[0-9]{2}[a-z]$/),
    fc.integer({ min: 1_000_000_000, max: 2_000_000_000_000 }).map(String),
    fc.integer({ min: 1, max: 9_999 }).map((n) => `prueba-${n}`),
    fc.integer({ min: 1, max: 9_999 }).map((n) => `prueba${n}`),
  )
  const frame = fc.constantFrom('Calle X ', 'Av. Test X ', 'Pasaje Los X Nº ')

  test('keep their numbers apart from the door’s, and streets and doors apart', () => {
    const write = (words: string, name: string, door: number) => `${words.replace('X', name)}${door}`
    fc.assert(
      fc.property(frame, token, token, fc.integer({ min: 1, max: 99_999 }), (words, name, other, door) => {
        const read = normalizeAddress(write(words, name, door))
        assert.equal(read.number, String(door), write(words, name, door))
        assert.ok(isSameAddress(read.key, normalizeAddress(write(words, name.toUpperCase(), door)).key))
        assert.ok(!isSameAddress(read.key, normalizeAddress(write(words, name, door + 1)).key))
        const elsewhere = normalizeAddress(write(words, other, door))
        // `T-1` is `T1`.
        if (other.replaceAll('-', '') !== name.replaceAll('-', ''))
          assert.ok(!isSameAddress(read.key, elsewhere.key))
      }),
      runs,
    )
  })
})

test('an address can have any length', () => {
  for (const piece of [
    ...pieces,
    ...pieces.map((word) => `${word} `),
    'e/ 7 y 8 ',
    'T-1 ',
    'Mz 4 , ',
    'Santa Fe ',
    '1/',
    '1.',
    '((',
  ]) {
    const { text } = normalizeAddress(piece.repeat(100_000))
    assert.ok(text.length > 0)
    normalizeAddress(piece.repeat(Math.floor(500 / piece.length)))
  }
})
