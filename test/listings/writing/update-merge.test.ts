/** Updates merge as JSON Merge Patch does (RFC 7396): random sequences of PATCH and PUT are compared with a model. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, historyOf } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const record = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true })
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 3, nil: null })
const word = fc.constantFrom('uno', 'dos', 'tres', 'cuatro')
const words = fc.array(word, { maxLength: 3 })
const number = fc.integer({ min: 1, max: 5 })
const money = fc.constantFrom({ amount: 5, currency: 'USD' }, { amount: 7.5, currency: 'ARS' })

const edit = record({
  title: orNull(word),
  description: orNull(word),
  type: orNull(fc.constantFrom('Casa', 'PH', 'Quinta')),
  expenses: orNull(money),
  location: orNull(record({ city: orNull(word), province: orNull(word) })),
  features: orNull(
    record({
      bedrooms: orNull(number),
      rooms: orNull(number),
      total_m2: orNull(fc.constantFrom(1.5, 100, 250.25)),
      orientation: orNull(fc.constantFrom('N', 'SE')),
      furnished: orNull(fc.boolean()),
    }),
  ),
  amenities: orNull(words),
  video_url: orNull(fc.constantFrom('https://a.example/1', 'https://a.example/2')),
  video_urls: orNull(fc.array(fc.constant('https://a.example/1'), { maxLength: 3 })),
  rental: orNull(
    record({ min_stay: orNull(number), min_lease_months: orNull(number), services_included: orNull(words) }),
  ),
})

/** RFC 7396, section 2. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = merge(result[name], value)
  }
  return result
}

const names = [
  'title',
  'description',
  'type',
  'expenses',
  'location',
  'features',
  'amenities',
  'video_url',
  'video_urls',
  'rental',
]

/** A model's document as the API shows it: missing members read as in an empty listing. */
function asShown(document: Record<string, unknown>, empty: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => {
      const [value, nothing] = [document[name], empty[name]]
      const isObject = typeof nothing === 'object' && nothing !== null && !Array.isArray(nothing)
      return [name, isObject ? { ...nothing, ...(value as object | undefined) } : (value ?? nothing)]
    }),
  )
}

test('a sequence of edits gives the same result as its model', async () => {
  const empty = accepted(await t.ask('POST', '/properties', { body: { operation: 'rent' } }), 201)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), edit), { minLength: 1, maxLength: 8 }),
      async (edits) => {
        const external = randomUUID()
        const path = `/properties/external/${external}`
        const { id } = accepted(await t.ask('PUT', path, { body: { operation: 'rent' } }), 201)
        let document: Record<string, unknown> = {}
        let entries = 1
        for (const [byPut, body] of edits) {
          const before = asShown(document, empty)
          document = merge(document, body) as Record<string, unknown>
          const expected = asShown(document, empty)
          const response = byPut
            ? await t.ask('PUT', path, { body })
            : await t.ask('PATCH', `/properties/${id}`, { body })
          const read = accepted(response)
          assert.deepEqual(Object.fromEntries(names.map((name) => [name, read[name]])), expected)
          if (!isDeepStrictEqual(expected, before)) entries += 1
        }
        assert.equal((await historyOf(t, id)).length, entries)
      },
    ),
    { numRuns: 30 },
  )
})
