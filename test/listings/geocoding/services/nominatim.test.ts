/** Requests to Nominatim, and how the parts of its addresses are interpreted. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nominatim } from '../../../../src/listings/geocoding/services/nominatim.ts'
import { choosePin, type Lookup, toLookup } from '../../../../src/listings/geocoding/lookup.ts'

function ask(address: string, city: string | null = null, province: string | null = null): Lookup {
  const lookup = toLookup({ address, city, province })
  assert.ok(lookup !== null)
  return lookup
}

describe('a request to Nominatim', () => {
  const usual = {
    country: 'Argentina',
    countrycodes: 'ar',
    format: 'jsonv2',
    addressdetails: '1',
    'accept-language': 'es',
    limit: '10',
  }
  for (const [what, lookup, parameters] of [
    [
      'is structured, with the number before the street',
      ask('San Martín al 1200, 2º A', 'Olivos', 'GBA Norte'),
      { street: '1200 San Martín', city: 'Olivos', state: 'Buenos Aires' },
    ],
    [
      'uses the map’s name for the city of the Ciudad Autónoma',
      ask('av corrientes 4820', 'Palermo'),
      { street: '4820 Avenida Corrientes', city: 'Buenos Aires', state: 'Ciudad Autónoma de Buenos Aires' },
    ],
    ['omits unknown parts', ask('San Martín'), { street: 'San Martín' }],
  ] as const) {
    test(what, () => {
      assert.deepEqual(nominatim.request([lookup]), { path: 'search', query: { ...parameters, ...usual } })
    })
  }
})

type Address = Record<string, string | number>

function pinOf(lookup: Lookup, address: Address, changes: object = {}): unknown {
  const place = { lat: '-34.5881000', lon: '-58.4103000', address, ...changes }
  const [candidates] = nominatim.read([place], [lookup])
  const pin = choosePin(lookup, candidates ?? [])
  return pin === null ? null : pin.status
}

const inCaba = ask('Av. Santa Fe 3253', 'CABA')
const caba = { road: 'Avenida Santa Fe', city: 'Buenos Aires', 'ISO3166-2-lvl4': 'AR-C', country_code: 'ar' }
const inLanus = ask('Tuyutí 2556', 'Valentín Alsina', 'Buenos Aires')
const lanus = {
  house_number: '2556',
  road: 'Tuyutí',
  neighbourhood: 'Valentín Alsina',
  town: 'Valentín Alsina',
  state_district: 'Partido de Lanús',
  state: 'Buenos Aires',
  'ISO3166-2-lvl4': 'AR-B',
  country_code: 'ar',
}

describe('a response of Nominatim', () => {
  for (const [what, lookup, address, wanted] of [
    ['house in the Ciudad Autónoma', inCaba, { ...caba, house_number: '3253' }, 'resolved'],
    ['street in the Ciudad Autónoma', inCaba, caba, 'approximate'],
    ['house with several numbers', inCaba, { ...caba, house_number: '3251;3253' }, 'resolved'],
    ['house with a range of numbers', inCaba, { ...caba, house_number: '3253-3259' }, 'resolved'],
    ['another house', inCaba, { ...caba, house_number: '3255' }, null],
    ['house in a town', inLanus, lanus, 'resolved'],
    ['house in another town of the district', ask('Tuyutí 2556', 'Gerli', 'Buenos Aires'), lanus, null],
    [
      'house in a village',
      ask('Tuyutí 2556', 'El Triángulo'),
      { ...lanus, town: '', village: 'El Triángulo' },
      'resolved',
    ],
    [
      'neighbourhood called like the city',
      ask('Tuyutí 2556', 'San Martín', 'Buenos Aires'),
      { ...lanus, town: 'Bahía Blanca', suburb: 'San Martín' },
      null,
    ],
    ['place called like the street', inLanus, { ...lanus, road: undefined }, null],
    ['street over the border', inLanus, { ...lanus, country_code: 'uy' }, null],
  ] as [string, Lookup, Address, string | null][]) {
    test(`${what}: ${wanted ?? 'none'}`, () => assert.equal(pinOf(lookup, address), wanted))
  }

  test('may have numeric house numbers', () => {
    assert.equal(pinOf(inLanus, { ...lanus, house_number: 2556 }, { lat: -34.5 }), 'resolved')
  })

  for (const lat of ['', 'NaN', '-34,5', '0x22', '1e1', null]) {
    test(`with coordinates ${JSON.stringify(lat)} is garbage`, () => {
      assert.throws(() => pinOf(inCaba, caba, { lat }), { kind: 'nonsense' })
    })
  }
})
