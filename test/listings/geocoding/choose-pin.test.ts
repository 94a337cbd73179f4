/** Which candidate of a geocoder's response is the pin, and when none is: no other city or province, no guess between several. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PostalAddress } from '../../../src/listings/geocoding/geocoder.ts'
import { type Candidate, choosePin, cityKey, toLookup } from '../../../src/listings/geocoding/lookup.ts'

const rosario: PostalAddress = { address: 'San Martín 1000', city: 'Rosario', province: 'Santa Fe' }

function candidate({
  city = 'Rosario',
  ...changes
}: Partial<Candidate> & { city?: string | null } = {}): Candidate {
  const province = changes.province === undefined ? 'Santa Fe' : changes.province
  const key = cityKey(city, province)
  return {
    street: 'SAN MARTIN',
    numbers: ['1000'],
    cityKeys: key === null ? [] : [key],
    province,
    lat: -32.95,
    lng: -60.64,
    ...changes,
  }
}

/** The result for the response: a status with the point, or null. */
function judged(place: Partial<PostalAddress>, candidates: readonly Candidate[]): unknown {
  const lookup = toLookup({ ...rosario, ...place })
  assert.ok(lookup !== null)
  const pin = choosePin(lookup, candidates)
  return pin === null ? null : `${pin.status} ${pin.lat} ${pin.lng}`
}

const here = 'resolved -32.95 -60.64'
const onTheStreet = 'approximate -32.95 -60.64'

describe('the place of a candidate', () => {
  for (const [what, place, response, wanted] of [
    ['the exact city and province', {}, {}, here],
    ['another city', {}, { city: 'Funes' }, null],
    ['another province', {}, { province: 'Salta' }, null],
    ['another province, with no city requested', { city: null }, { province: 'Salta' }, null],
    ['no city in the response', {}, { city: null }, null],
    ['no province in the response', {}, { province: null }, null],
    ['no province requested', { province: null }, {}, here],
    ['neither requested', { city: null, province: null }, {}, here],
    ['a province by its code', {}, { province: 'AR-S' }, here],
    ['a province by another name', { province: 'Pcia. de Sta. Fe' }, {}, here],
    ['an unknown province', { province: 'Atlantis' }, {}, null],
    [
      'the Ciudad Autónoma',
      { city: 'Palermo', province: null },
      { city: 'Buenos Aires', province: 'AR-C' },
      here,
    ],
    [
      'the province of Buenos Aires for the Ciudad Autónoma',
      { city: 'CABA', province: null },
      { city: 'La Plata', province: 'Buenos Aires' },
      null,
    ],
    [
      'a city by another name',
      { city: 'Bariloche', province: null },
      { city: 'San Carlos de Bariloche', province: 'Río Negro' },
      here,
    ],
  ] as const) {
    test(what, () => assert.equal(judged(place, [candidate(response)]), wanted))
  }

  test('is found among several in the right city', () => {
    const responses = [
      candidate({ city: 'Funes', lat: -32.91 }),
      candidate(),
      candidate({ province: 'Salta' }),
    ]
    assert.equal(judged({}, responses), here)
  })
})

describe('coordinates of a candidate', () => {
  for (const [what, point] of [
    ['in the sea off Africa', { lat: 0, lng: 0 }],
    ['swapped', { lat: -60.64, lng: -32.95 }],
    ['in another country', { lat: -33.4489, lng: -70.6693 }],
    ['out of range', { lat: -320.95, lng: -60.64 }],
    ['not numbers', { lat: Number.NaN, lng: Number.NaN }],
  ] as const) {
    test(`that are ${what} are refused`, () => assert.equal(judged({}, [candidate(point)]), null))
  }
})

describe('the precision of a pin', () => {
  for (const [what, address, numbers, wanted] of [
    ['the exact number', 'San Martín 1000', ['1000'], here],
    ['one of the house’s numbers', 'San Martín 1000', ['998', '1000'], here],
    ['the street alone', 'San Martín 1000', [], onTheStreet],
    ['another number', 'San Martín 1000', ['1002'], null],
    ['no number requested', 'San Martín', [], onTheStreet],
    ['no number requested, a house answered', 'San Martín', ['7'], null],
    ['bis requested, the house without bis answered', 'San Martín 1000 bis', ['1000'], onTheStreet],
    ['bis requested and answered', 'San Martín 1000 bis', ['1000bis'], here],
  ] as const) {
    test(what, () => assert.equal(judged({ address }, [candidate({ numbers })]), wanted))
  }

  test('an exact number wins over the street', () => {
    assert.equal(judged({}, [candidate({ numbers: [], lat: -32.99 }), candidate()]), here)
  })
})

describe('several candidates', () => {
  test('parts of the same block are one place', () => {
    assert.equal(judged({}, [candidate(), candidate({ lat: -32.951 })]), here)
  })

  test('the same number on equally named streets in other parts of the city is ambiguous', () => {
    assert.equal(judged({}, [candidate(), candidate({ lat: -32.99 })]), null)
  })

  test('an exact street name wins, however many streets contain it', () => {
    const longer = candidate({ street: 'GRL SAN MARTIN DE TOURS', lat: -32.99 })
    assert.equal(judged({}, [longer, candidate()]), here)
  })

  test('two streets that both contain the name are ambiguous', () => {
    const responses = [
      candidate({ street: 'BARTOLOME MITRE' }),
      candidate({ street: 'EMILIO MITRE', lat: -32.99 }),
    ]
    assert.equal(judged({ address: 'Mitre 1000' }, responses), null)
  })

  test('a former or longer name is accepted without competition', () => {
    assert.equal(judged({ address: 'Mitre 1000' }, [candidate({ street: 'BARTOLOME MITRE' })]), here)
  })

  test('competing cities are ambiguous if none was requested', () => {
    const responses = [candidate(), candidate({ city: 'Salta', province: 'Salta', lat: -24.78, lng: -65.42 })]
    assert.equal(judged({ city: null, province: null }, responses), null)
  })

  test('blocks of one street are the street; those of two streets are ambiguous', () => {
    const blocks = [candidate({ numbers: [] }), candidate({ numbers: [], lat: -32.99 })]
    assert.equal(judged({ address: 'San Martín' }, blocks), onTheStreet)
    const two = [
      candidate({ street: 'BARTOLOME MITRE', numbers: [] }),
      candidate({ street: 'EMILIO MITRE', numbers: [] }),
    ]
    assert.equal(judged({ address: 'Mitre' }, two), null)
  })

  test('no candidates give no pin', () => assert.equal(judged({}, []), null))
})
