/** Addresses without their door: rounded to the hundred, as people say them, and no more precise than known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldForAddress } from '../../../src/listings/addresses/fold.ts'
import { blurredAddress } from '../../../src/listings/addresses/blurred-address.ts'
import { corpus } from './corpus.ts'

const cases: [string, string | null][] = [
  ['Av. Corrientes 1234 3º B, CABA', 'Avenida Corrientes al 1200'],
  ['Calle 54 Nº 816', 'Calle 54 al 800'],
  ['Corrientes 1.234', 'Corrientes al 1200'],
  ['Corrientes al 1200', 'Corrientes al 1200'],
  ['Av. Rivadavia 12345', 'Avenida Rivadavia al 12300'],
  ['9 de Julio 1050 PB', '9 de Julio al 1000'],
  ['Diagonal 74 1520 bis', 'Diagonal 74 al 1500'],
  // Has no hundred to name.
  ['Pasaje Bollini 55', 'Pasaje Bollini'],
  ['Ruta 8 km 50,5', 'Ruta 8'],
  ['Country Los Lagartos lote 120', 'Country Los Lagartos'],
  ['Pasaje Los Álamos s/n', 'Pasaje Los Álamos'],
  // A corner reveals the location.
  ['Corrientes y Callao', 'Corrientes'],
  ['esq. Corrientes y Callao', 'Corrientes'],
  ['Paraguay e Independencia', 'Paraguay'],
  ['Corrientes / Callao', 'Corrientes'],
  ['Corrientes - Callao', 'Corrientes'],
  ['Ortega y Gasset 1800', 'Ortega y Gasset al 1800'],
  // So do a building and nearby landmarks.
  ['Edificio Kavanagh', null],
  ['Av. Alvear Edificio Kavanagh', 'Avenida Alvear'],
  ['Galería Güemes Florida 165', null],
  ['Corrientes frente al Obelisco', 'Corrientes'],
  ['Corrientes altura Callao', 'Corrientes'],
  // The door may come first.
  ['57 Av. Corrientes', 'Avenida Corrientes'],
  ['57 Corrientes', 'Corrientes'],
  ['57 bis Corrientes', 'Corrientes'],
  ['57º Corrientes', 'Corrientes'],
  ['1234 Av. Corrientes', 'Avenida Corrientes'],
  ['57 Av. 25 de Mayo', 'Avenida 25 de Mayo'],
  ['57 9 de Julio', '9 de Julio'],
  ['57 Calle Corrientes', 'Calle Corrientes'],
  ['57-59 Corrientes', null],
  ['57/59 Corrientes', null],
  ['50 Avenida 7', null],
  ['74 Diagonal', null],
  // Streets whose name begins with a number.
  ['9 de Julio', '9 de Julio'],
  ['25 de Mayo', '25 de Mayo'],
  ['3 de Febrero', '3 de Febrero'],
  ['1º de Mayo 230', '1º de Mayo al 200'],
  ['33 Orientales 500', '33 Orientales al 500'],
  ['3 Sargentos', '3 Sargentos'],
  ['1ra Junta 450', 'Primera Junta al 400'],
  ['Calle 57', 'Calle 57'],
  ['57 y 8', 'Calle 57'],
  ['54 816', 'Calle 54 al 800'],
  ['50 / 7 y 8 Nº 620', 'Calle 50 al 600'],
  ['Diagonal 74', 'Diagonal 74'],
  // The number may be inside the name.
  ['25 de Mayo 25', null],
  ['Calle 50 50', null],
  ['11 de Septiembre de 1888 4000', null],
  ['Corrientes mil doscientos treinta y cuatro', null],
  ['Corrientes cincuenta y siete', null],
  ['Cincuenta y siete Av. Corrientes', null],
  ['Treinta y Tres Orientales 450', 'Treinta y Tres Orientales al 400'],
  ['Treinta y Tres Orientales y Mitre', 'Treinta y Tres Orientales'],
  ['Tres Arroyos', 'Tres Arroyos'],
  ['Tres Sargentos 450', 'Tres Sargentos al 400'],
  ['San Martín 1234 5678', null],
  ['1234', null],
  ['???', null],
]
for (const [address, blurred] of cases)
  test(`${address} is blurred to ${blurred}`, () => assert.equal(blurredAddress(address, {}), blurred))

test('a blurred address reveals neither the door, its unit, the corner nor the building, in any spelling', () => {
  const street = fc.constantFrom(
    'Corrientes',
    'Av. Yrigoyen',
    'Pje. Bollini',
    '9 de Julio',
    '33 Orientales',
    'Bv. Oroño',
  )
  const door = fc
    .integer({ min: 34, max: 9_999 })
    .filter((n) => n % 100 !== 0)
    .map(String)
  const spelled = fc.constantFrom(
    'mil doscientos tres',
    'cuatrocientos siete',
    'cincuenta y ocho',
    'veintitrés',
  )
  const corner = fc.constantFrom('Uruguay', 'Av. Callao', 'Independencia', 'Ituzaingó')
  const between = fc.constantFrom(
    ' y ',
    ' / ',
    '/',
    ' - ',
    ' & ',
    ' esq. ',
    ', esquina ',
    ' casi ',
    ' entre ',
  )
  const building = fc.constantFrom('Edificio Kavanagh', 'Galería Güemes', 'Shopping Abasto')
  /** Addresses, each with the text that must not appear. */
  const hiding = (written: string, ...hidden: string[]) => ({ written, hidden })
  const addresses = fc.oneof(
    fc.tuple(street, door).map(([name, n]) => hiding(`${name} ${n}`, n)),
    fc.tuple(door, street).map(([n, name]) => hiding(`${n} ${name}`, n)),
    fc.tuple(door, street).map(([n, name]) => hiding(`${n} bis ${name}`, n)),
    fc.tuple(door, door, street).map(([n, m, name]) => hiding(`${n}/${m} ${name}`, n, m)),
    fc.tuple(street, door, corner).map(([name, n, other]) => hiding(`${name} ${n} esq. ${other}`, n, other)),
    fc.tuple(street, between, corner).map(([name, sign, other]) => hiding(name + sign + other, other)),
    fc.tuple(street, spelled).map(([name, n]) => hiding(`${name} ${n}`, ...n.split(' '))),
    fc.tuple(spelled, street).map(([n, name]) => hiding(`${n} ${name}`, ...n.split(' '))),
    fc.tuple(street, door, building).map(([name, n, of]) => hiding(`${name} ${n}, ${of}`, n, of)),
    fc.tuple(building, street, door).map(([of, name, n]) => hiding(`${of}, ${name} ${n}`, n, of)),
    fc.tuple(street, building).map(([name, of]) => hiding(`${name} ${of}`, of)),
  )
  const words = (text: string) => foldForAddress(text).split(/[^\p{L}\d]+/u)
  fc.assert(
    fc.property(addresses, ({ written, hidden }) => {
      const blurred = words(blurredAddress(written, {}) ?? '')
      for (const word of hidden.flatMap(words))
        if (word !== 'av' && word !== 'y')
          assert.ok(!blurred.includes(word), `${written} → ${blurred}: ${word}`)
    }),
    { numRuns: 3_000 },
  )
})

test('no blurred address of the corpus keeps its number or unit', () => {
  let shown = 0
  for (const { address, place, read } of corpus) {
    const blurred = blurredAddress(address, place)
    if (blurred === null) continue
    shown += 1
    const number = /\d+/.exec(read.number ?? '')?.[0] ?? ''
    if (number !== '' && Number(number) % 100 !== 0)
      assert.ok(!blurred.split(/\D+/).includes(number), `${address} → ${blurred}`)
    if (read.unit !== null) assert.ok(!blurred.includes(read.unit), `${address} → ${blurred}`)
    if (/^\d{3,}$/.test(read.number ?? '') && Number(number) < 1e6)
      assert.match(blurred, / al \d+00$/, address)
  }
  assert.ok(shown > corpus.length * 0.9)
})
