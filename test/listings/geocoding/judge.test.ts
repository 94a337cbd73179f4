/** Which of a geocoder's answers is the pin, and when none is: no other city or province, no guess between several. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PostalAddress } from '../../../src/listings/geocoding/geocoder.ts'
import { type Candidate, cityKey, judge, toQuestion } from '../../../src/listings/geocoding/question.ts'

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

/** What becomes of the answer: a status with the point, or nothing. */
function judged(place: Partial<PostalAddress>, candidates: readonly Candidate[]): unknown {
  const question = toQuestion({ ...rosario, ...place })
  assert.ok(question !== null)
  const pin = judge(question, candidates)
  return pin === null ? null : `${pin.status} ${pin.lat} ${pin.lng}`
}

const here = 'resolved -32.95 -60.64'
const onTheStreet = 'approximate -32.95 -60.64'

describe('the place', () => {
  for (const [what, place, answer, wanted] of [
    ['the very city and province', {}, {}, here],
    ['another city', {}, { city: 'Funes' }, null],
    ['another province', {}, { province: 'Salta' }, null],
    ['another province, with no city asked', { city: null }, { province: 'Salta' }, null],
    ['no city in the answer', {}, { city: null }, null],
    ['no province in the answer', {}, { province: null }, null],
    ['no province asked', { province: null }, {}, here],
    ['neither asked', { city: null, province: null }, {}, here],
    ['a province by its code', {}, { province: 'AR-S' }, here],
    ['a province by another name', { province: 'Pcia. de Sta. Fe' }, {}, here],
    ['a province nobody knows', { province: 'Atlantis' }, {}, null],
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
    test(what, () => assert.equal(judged(place, [candidate(answer)]), wanted))
  }

  test('one of several in the right city is found', () => {
    const answers = [candidate({ city: 'Funes', lat: -32.91 }), candidate(), candidate({ province: 'Salta' })]
    assert.equal(judged({}, answers), here)
  })
})

describe('coordinates', () => {
  for (const [what, point] of [
    ['in the sea off Africa', { lat: 0, lng: 0 }],
    ['swapped', { lat: -60.64, lng: -32.95 }],
    ['of another country', { lat: -33.4489, lng: -70.6693 }],
    ['beyond the world', { lat: -320.95, lng: -60.64 }],
    ['no numbers', { lat: Number.NaN, lng: Number.NaN }],
  ] as const) {
    test(`${what} are none`, () => assert.equal(judged({}, [candidate(point)]), null))
  }
})

describe('precision', () => {
  for (const [what, address, numbers, wanted] of [
    ['the very number', 'San Martín 1000', ['1000'], here],
    ['one of the house’s numbers', 'San Martín 1000', ['998', '1000'], here],
    ['the street alone', 'San Martín 1000', [], onTheStreet],
    ['another number', 'San Martín 1000', ['1002'], null],
    ['no number asked', 'San Martín', [], onTheStreet],
    ['no number asked, a house answered', 'San Martín', ['7'], null],
    ['bis asked, the house before it answered', 'San Martín 1000 bis', ['1000'], onTheStreet],
    ['bis asked and answered', 'San Martín 1000 bis', ['1000bis'], here],
  ] as const) {
    test(what, () => assert.equal(judged({ address }, [candidate({ numbers })]), wanted))
  }

  test('the number is better than the street', () => {
    assert.equal(judged({}, [candidate({ numbers: [], lat: -32.99 }), candidate()]), here)
  })
})

describe('several', () => {
  test('parts of the same block are one place', () => {
    assert.equal(judged({}, [candidate(), candidate({ lat: -32.951 })]), here)
  })

  test('the same number on streets of the same name in other parts of the city is no place', () => {
    assert.equal(judged({}, [candidate(), candidate({ lat: -32.99 })]), null)
  })

  test('the street called exactly so is the one, however many contain its name', () => {
    const longer = candidate({ street: 'GRL SAN MARTIN DE TOURS', lat: -32.99 })
    assert.equal(judged({}, [longer, candidate()]), here)
  })

  test('streets that both contain the name are no place', () => {
    const answers = [
      candidate({ street: 'BARTOLOME MITRE' }),
      candidate({ street: 'EMILIO MITRE', lat: -32.99 }),
    ]
    assert.equal(judged({ address: 'Mitre 1000' }, answers), null)
  })

  test('a former or longer name is trusted where nothing competes', () => {
    assert.equal(judged({ address: 'Mitre 1000' }, [candidate({ street: 'BARTOLOME MITRE' })]), here)
  })

  test('cities that compete, with none asked, are no place', () => {
    const answers = [candidate(), candidate({ city: 'Salta', province: 'Salta', lat: -24.78, lng: -65.42 })]
    assert.equal(judged({ city: null, province: null }, answers), null)
  })

  test('blocks of a street are the street; those of two streets are not', () => {
    const blocks = [candidate({ numbers: [] }), candidate({ numbers: [], lat: -32.99 })]
    assert.equal(judged({ address: 'San Martín' }, blocks), onTheStreet)
    const two = [
      candidate({ street: 'BARTOLOME MITRE', numbers: [] }),
      candidate({ street: 'EMILIO MITRE', numbers: [] }),
    ]
    assert.equal(judged({ address: 'Mitre' }, two), null)
  })

  test('nothing is nothing', () => assert.equal(judged({}, []), null))
})
