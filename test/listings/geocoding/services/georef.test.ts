/** Requests to georef, single and in bulk, and the responses in its own documentation. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ServiceFailure } from '../../../../src/platform/outside/outside-service.ts'
import type { PostalAddress } from '../../../../src/listings/geocoding/geocoder.ts'
import { georef } from '../../../../src/listings/geocoding/services/georef.ts'
import { choosePin, type Lookup, toLookup } from '../../../../src/listings/geocoding/lookup.ts'

function ask(address: string, city: string | null = null, province: string | null = null): Lookup {
  const place: PostalAddress = { address, city, province }
  const lookup = toLookup(place)
  assert.ok(lookup !== null)
  return lookup
}

describe('a request to georef', () => {
  for (const [what, lookup, parameters] of [
    [
      'names street, number, town and province',
      ask('San Martín al 1200, 2º A', 'Olivos', 'GBA Norte'),
      { direccion: 'San Martín 1200', provincia: 'Buenos Aires', localidad: 'Olivos' },
    ],
    [
      'treats the Ciudad Autónoma as a province',
      ask('av corrientes 4820', 'Palermo'),
      { direccion: 'Avenida Corrientes 4820', provincia: 'Ciudad Autónoma de Buenos Aires' },
    ],
    [
      'distinguishes the house number from a numbered street',
      ask('50 nº 620 e/ 6 y 7', 'La Plata'),
      { direccion: 'Calle 50 N° 620', localidad: 'La Plata' },
    ],
    ['keeps a corner', ask('Corrientes y Callao'), { direccion: 'Corrientes y Callao' }],
    ['omits bis', ask('Mitre 55 bis', 'Rosario'), { direccion: 'Mitre 55', localidad: 'Rosario' }],
  ] as const) {
    test(what, () => {
      assert.deepEqual(georef.request([lookup]), {
        path: 'direcciones',
        query: { ...parameters, max: '10' },
      })
    })
  }

  test('has many queries in one body', () => {
    const lookups = [ask('Mitre 55', 'Rosario'), ask('Calle 7 100', 'La Plata', 'Buenos Aires')]
    assert.deepEqual(georef.request(lookups), {
      path: 'direcciones',
      body: {
        direcciones: [
          { direccion: 'Mitre 55', localidad: 'Rosario', max: 10 },
          { direccion: 'Calle 7 N° 100', provincia: 'Buenos Aires', localidad: 'La Plata', max: 10 },
        ],
      },
    })
  })

  test('with the maximum of queries stays within the service’s limit', () => {
    const lookups = Array.from({ length: georef.perRequest }, (_, i) => ask(`Mitre ${i + 1}`))
    const { direcciones } = georef.request(lookups).body as { direcciones: { max: number }[] }
    assert.ok(direcciones.length <= 1_000)
    assert.ok(direcciones.reduce((sum, { max }) => sum + max, 0) <= 5_000)
  })
})

/** The example from the documentation on normalising addresses, for the house instead of the corner. */
const documented = {
  cantidad: 1,
  direcciones: [
    {
      altura: { unidad: 'nro', valor: 260 },
      calle: { categoria: 'AV', id: '1401401002460', nombre: 'AV SANTA FE' },
      calle_cruce_1: { categoria: 'CALLE', id: '1401401038100', nombre: 'SANTA ROSA' },
      calle_cruce_2: { categoria: 'AV', id: '1401401002060', nombre: 'AV COLON' },
      departamento: { id: '14014', nombre: 'Capital' },
      localidad_censal: { id: '14014010', nombre: 'Córdoba' },
      nomenclatura: 'AV SANTA FE 260 (ENTRE SANTA ROSA Y AV COLON), Capital, Córdoba',
      piso: null,
      provincia: { id: '14', nombre: 'Córdoba' },
      ubicacion: { lat: -31.4080674840673, lon: -64.20062417513701 },
    },
  ],
  inicio: 0,
  total: 1,
  parametros: {},
}
const first = documented.direcciones[0]
const inCordoba = ask('Av. Santa Fe nro 260 2º C', 'Córdoba')
const pinInCordoba = { lat: -31.4080674840673, lng: -64.20062417513701, status: 'resolved' }

function pinOf(lookup: Lookup, response: unknown): unknown {
  return choosePin(lookup, georef.read(response, [lookup])[0] ?? [])
}

describe('a response of georef', () => {
  test('as documented gives the pin', () => assert.deepEqual(pinOf(inCordoba, documented), pinInCordoba))

  test('with only the department is judged by it', () => {
    const { localidad_censal: _, ...older } = { ...first, departamento: { id: '14014', nombre: 'Córdoba' } }
    assert.deepEqual(pinOf(inCordoba, { direcciones: [older] }), pinInCordoba)
  })

  test('in a district that the census treats as one town accepts its towns', () => {
    const inOlivos = {
      ...first,
      calle: { nombre: 'SAN MARTIN' },
      altura: { valor: 1200 },
      localidad_censal: { id: '06861010', nombre: 'Vicente López' },
      provincia: { id: '06', nombre: 'Buenos Aires' },
      ubicacion: { lat: -34.51, lon: -58.49 },
    }
    const response = { direcciones: [inOlivos] }
    const pin = { lat: -34.51, lng: -58.49, status: 'resolved' }
    assert.deepEqual(pinOf(ask('San Martín 1200', 'Olivos', 'Buenos Aires'), response), pin)
    assert.deepEqual(pinOf(ask('San Martín 1200', 'Vicente López', 'Buenos Aires'), response), pin)
    assert.equal(pinOf(ask('San Martín 1200', 'Martínez', 'Buenos Aires'), response), null)
    // Elsewhere a department has several towns.
    const inFunes = { ...inOlivos, departamento: { id: '82084', nombre: 'Rosario' } }
    Object.assign(inFunes, { localidad_censal: { nombre: 'Funes' }, provincia: { nombre: 'Santa Fe' } })
    assert.equal(pinOf(ask('San Martín 1200', 'Rosario'), { direcciones: [inFunes] }), null)
  })

  for (const [what, change] of [
    [
      'numbers as strings',
      { altura: { valor: '260' }, ubicacion: { lat: '-31.4080674840673', lon: '-64.20062417513701' } },
    ],
    ['only the number', { altura: 260 }],
    ['only the names', { calle: 'AV SANTA FE', provincia: 'Córdoba', localidad_censal: 'Córdoba' }],
    ['a town in the other name field', { localidad_censal: undefined, localidad: { nombre: 'Córdoba' } }],
    ['an empty town', { localidad_censal: { id: null, nombre: null }, departamento: { nombre: 'Córdoba' } }],
    ['unknown parts', { version: 3, altura: { valor: 260, unidad: 'nro', extra: [] } }],
    [
      'only the full address line',
      {
        calle: undefined,
        provincia: null,
        departamento: null,
        localidad_censal: null,
        nomenclatura: 'AV SANTA FE 260, Córdoba, Córdoba',
      },
    ],
  ] as const) {
    test(`with ${what} still gives the pin`, () =>
      assert.deepEqual(pinOf(inCordoba, { direcciones: [{ ...first, ...change }] }), pinInCordoba))
  }

  for (const [what, change] of [
    ['without a place', { ubicacion: null }],
    ['with half a place', { ubicacion: { lat: -31.4 } }],
    ['of another number', { altura: { valor: 262 } }],
    [
      'of another town in the full address line only',
      { localidad_censal: null, departamento: null, nomenclatura: 'AV SANTA FE 260, Alta Gracia, Córdoba' },
    ],
    [
      'of another province in the full address line only',
      { provincia: null, nomenclatura: 'AV SANTA FE 260, Córdoba, Salta' },
    ],
    ['without a town', { localidad_censal: null, departamento: null, nomenclatura: null }],
  ] as const) {
    test(`${what} gives no pin`, () =>
      assert.equal(
        pinOf(ask('Av. Santa Fe nro 260 2º C', 'Córdoba', 'Córdoba'), {
          direcciones: [{ ...first, ...change }],
        }),
        null,
      ))
  }

  test('to several queries is read in request order, and garbage in one part leaves the others', () => {
    const lookups = [inCordoba, ask('Mitre 1', 'Azul'), inCordoba]
    const nonsense = { direcciones: [{ ...first, ubicacion: { lat: 'south', lon: 'west' } }] }
    const read = georef.read({ resultados: [documented, nonsense, { direcciones: [] }] }, lookups)
    assert.deepEqual(
      read.map((candidates) => candidates?.length ?? null),
      [1, null, 0],
    )
  })

  for (const [what, response] of [
    ['with fewer results than lookups', { resultados: [documented] }],
    ['to one, for several lookups', documented],
    ['of errors', { errores: [[]] }],
  ] as const) {
    test(`${what} is garbage`, () => {
      assert.throws(
        () => georef.read(response, [inCordoba, inCordoba]),
        (error) => error instanceof ServiceFailure && error.kind === 'nonsense',
      )
    })
  }
})
