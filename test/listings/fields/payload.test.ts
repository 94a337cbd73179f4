/** The payload of a listing (api.md 9.2): formats, sizes, and the rules that need only the payload. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError, checked } from '../../../src/platform/errors/errors.ts'
import { bodyCheck } from '../../../src/http/input/validation.ts'
import { canonicalPayload, checkPayload, hasCents } from '../../../src/listings/fields/payload.ts'
import { patchSchema, payloadSchema } from '../../../src/listings/fields/schema.ts'
import { allFeatures, features, noFeatures, ownFields } from '../../support/app/fields.ts'

const checkSchema = bodyCheck(payloadSchema)

/** The rejected parameter, or null. Runs the same steps as the endpoint: canonical form, schema, rules. */
function refused(body: unknown, prefix?: string): string | null {
  try {
    const canonical = canonicalPayload(body)
    checked((problems) => {
      checkSchema(canonical, problems, prefix)
      checkPayload(canonical, new Set(), problems, prefix)
    })
    return null
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'invalid_parameter', String(error))
    const { parameter = '' } = error
    assert.ok(error.message.includes(parameter), `${error.message} names ${parameter}`)
    return parameter
  }
}

const text = (length: number, character = 'ñ') => character.repeat(length)
const list = (length: number, item: unknown = 'x') => Array.from({ length }, () => item)

/** Each field with valid values, and invalid values with the parameter of their error. */
const fields: Record<
  string,
  { takes: readonly unknown[]; refuses: readonly (readonly [value: unknown, parameter?: string])[] }
> = {
  ...ownFields,
  price: {
    takes: [
      null,
      {},
      { amount: 0.01, currency: 'USD' },
      { amount: 1e12, currency: 'ARS' },
      { on_request: true },
      { on_request: true, amount: null, currency: null },
      { on_request: false, amount: 5, currency: 'USD' },
      { period: 'week' },
      { amount: 99.99, currency: 'USD', period: 'night' },
    ],
    refuses: [
      [[], 'price'],
      [100, 'price'],
      [{ amount: 0, currency: 'USD' }, 'price.amount'],
      [{ amount: -1, currency: 'USD' }, 'price.amount'],
      [{ amount: 1e12 + 1, currency: 'USD' }, 'price.amount'],
      [{ amount: 1.001, currency: 'USD' }, 'price.amount'],
      [{ amount: '5', currency: 'USD' }, 'price.amount'],
      [{ amount: 5, currency: 'EUR' }, 'price.currency'],
      [{ amount: 5, currency: 'usd' }, 'price.currency'],
      [{ period: 'day' }, 'price.period'],
      [{ on_request: 'yes' }, 'price.on_request'],
      [{ on_request: true, amount: 5, currency: 'USD' }, 'price.on_request'],
      [{ on_request: true, currency: 'USD' }, 'price.on_request'],
      [{ total: 5 }, 'price.total'],
    ],
  },
  expenses: {
    takes: [null, {}, { amount: 0, currency: 'ARS' }, { amount: 10.5, currency: 'ARS' }],
    refuses: [
      [{ amount: -1 }, 'expenses.amount'],
      [{ amount: 0.001 }, 'expenses.amount'],
      [{ currency: 'X' }, 'expenses.currency'],
      [{ period: 'month' }, 'expenses.period'],
      [5, 'expenses'],
    ],
  },
  location: {
    takes: [
      null,
      {},
      { city: text(80), province: null },
      { lat: -90, lng: 180 },
      { lat: 0, lng: 0 },
      { lat: null, lng: null },
    ],
    refuses: [
      [{ city: text(81) }, 'location.city'],
      [{ city: ' ' }, 'location.city'],
      [{ province: 7 }, 'location.province'],
      [{ lat: -90.1, lng: 0 }, 'location.lat'],
      [{ lat: 0, lng: 180.5 }, 'location.lng'],
      [{ lat: '-34', lng: 0 }, 'location.lat'],
      [{ lat: -34 }, 'location.lng'],
      [{ lng: -58 }, 'location.lat'],
      [{ lat: -34, lng: null }, 'location.lng'],
      [{ lat: null }, 'location.lat'],
      [{ neighborhood: 'Núñez' }, 'location.neighborhood'],
    ],
  },
  features: {
    takes: [
      null,
      {},
      allFeatures,
      noFeatures,
      ...Object.entries(features).flatMap(([name, { takes }]) => takes.map((value) => ({ [name]: value }))),
      { disposition: 'FRENTE', orientation: 'so' },
    ],
    refuses: [
      ...Object.entries(features).flatMap(([name, { refuses }]) =>
        refuses.map((value) => [{ [name]: value }, `features.${name}`] as const),
      ),
      [{ pool: true }, 'features.pool'],
    ],
  },
  photos: {
    takes: [null, [], ['https://a.example/1.jpg'], list(60)],
    refuses: [[[''], 'photos[0]'], [['x', 7], 'photos[1]'], ['x'], [[text(2049, 'x')], 'photos[0]']],
  },
  rental: {
    takes: [
      null,
      {},
      { period: 'month', min_stay: 0, min_lease_months: 36, services_included: ['Agua'] },
      { min_stay: null, services_included: null },
    ],
    refuses: [
      [{ period: 'year' }, 'rental.period'],
      [{ min_stay: 1.5 }, 'rental.min_stay'],
      [{ min_stay: -1 }, 'rental.min_stay'],
      [{ min_lease_months: '36' }, 'rental.min_lease_months'],
      [{ services_included: [''] }, 'rental.services_included[0]'],
      [{ deposit: 1 }, 'rental.deposit'],
    ],
  },
  status: { takes: ['published', 'draft', 'disabled', null], refuses: [['removed'], ['Published'], [true]] },
  force_duplicate: { takes: [true, false, null], refuses: [['true'], [1]] },
}

describe('each field of a payload', () => {
  for (const [name, { takes, refuses }] of Object.entries(fields)) {
    test(`${name} accepts valid values`, () => {
      for (const value of takes) assert.equal(refused({ [name]: value }), null, JSON.stringify(value))
    })
    test(`${name} refuses other values, naming its path, inside a batch too`, () => {
      for (const [value, parameter = name] of refuses) {
        assert.equal(refused({ [name]: value }), parameter, JSON.stringify(value))
        assert.equal(refused({ [name]: value }, 'items[3]'), `items[3].${parameter}`)
      }
    })
  }

  test('is one of those in docs/api.md, and read-only fields are refused', () => {
    assert.deepEqual(Object.keys(payloadSchema.properties).sort(), Object.keys(fields).sort())
    for (const name of [
      'id',
      'url',
      'reserved',
      'agency',
      'published_at',
      'created_at',
      'updated_at',
      'location_status',
      'warnings',
    ]) {
      assert.equal(refused({ [name]: null }), name)
    }
  })

  test('may be sent in a PATCH, except status', () => {
    const names = Object.keys(fields).filter((name) => name !== 'status')
    assert.deepEqual(Object.keys(patchSchema.properties).sort(), names.sort())
  })
})

describe('canonicalPayload', () => {
  test('converts type, disposition and orientation, and does not mutate its argument', () => {
    const sent = {
      type: 'galpon',
      features: { disposition: 'LATERAL', orientation: 'ne', rooms: 3 },
      title: 'casa',
    }
    const copy = structuredClone(sent)
    assert.deepEqual(canonicalPayload(sent), {
      type: 'Galpón',
      features: { disposition: 'Lateral', orientation: 'NE', rooms: 3 },
      title: 'casa',
    })
    assert.deepEqual(sent, copy)
  })

  test('returns anything but an object unchanged', () => {
    for (const body of [null, [], 'x', 7, { features: 'x' }, { type: null, features: null }])
      assert.deepEqual(canonicalPayload(body), body)
  })
})

describe('hasCents', () => {
  test('is true for every amount in whole cents up to 10¹², and false for finer ones', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 1, max: 1e8 }),
          fc.maxSafeNat().map((cents) => cents % 1e14),
        ),
        (cents) => {
          const amount = Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`)
          assert.equal(hasCents(amount), true)
          assert.equal(hasCents(Number(`${amount.toFixed(2)}5`)), false)
        },
      ),
      { numRuns: 2000 },
    )
    for (const amount of [0.1 + 0.2, 1.005, 0.001, 1e-9]) assert.equal(hasCents(amount), false)
    for (const amount of [1e12, 0.07, 1.1, 4.35, 999_999_999_999.99]) assert.equal(hasCents(amount), true)
  })
})
