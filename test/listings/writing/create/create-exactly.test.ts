/** Strings and numbers are stored and returned exactly as sent (api.md 4.4). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, refused } from '../../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

/** Texts that some layer might alter. */
const awkward = [
  ' inner  spaces\tand\r\nlines \n',
  '<script>alert("x")</script> &amp; &lt;b&gt; <br/>',
  'e\u0301 \u00e9 ﬁ Å \u212b',
  '\u202eright to left\u202c \u200b\ufeff',
  "'; drop table properties; -- \\ \\u0041 $1 %s {{x}} ${x}",
  '👩‍👩‍👧‍👦 🏳️‍🌈 𝒜 \u{10ffff}',
  '\u0001\u001f\u007f\u0085\u2028\u2029',
  'null',
  '{"a":1}',
]

const text = (max: number) =>
  fc
    .oneof(
      fc.constantFrom(...awkward),
      fc.string({ unit: 'binary', minLength: 1, maxLength: max }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: Math.floor(max / 8) }),
    )
    .map((value) => Array.from(value.replaceAll('\0', 'x')).slice(0, max).join(''))
    .filter((value) => /\S/.test(value))

const record = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { noNullPrototype: true })

const payload = record({
  title: text(200),
  description: text(2_000),
  address: text(200),
  location: record({ city: text(80), province: text(80) }),
  amenities: fc.array(text(80), { maxLength: 5 }),
  operation: fc.constant('rent'),
  rental: record({ services_included: fc.array(text(80), { maxLength: 3 }) }),
})

test('every text is returned as sent, after a creation, an update and an upsert', async () => {
  await fc.assert(
    fc.asyncProperty(payload, payload, async (first, second) => {
      const external = randomUUID()
      const same = (read: Record<string, unknown>, sent: typeof first) => {
        const { city, province } = read['location'] as { city: string; province: string }
        const { services_included } = read['rental'] as { services_included: string[] }
        const { title, description, address, amenities, operation } = read
        assert.deepEqual(
          {
            title,
            description,
            address,
            location: { city, province },
            amenities,
            operation,
            rental: { services_included },
          },
          sent,
        )
      }
      const body = { ...first, external_id: external }
      const made = accepted(await t.ask('POST', '/properties', { body }), 201)
      try {
        same(made, first)
        same(accepted(await t.ask('GET', `/properties/${made.id}`)), first)
        same(accepted(await t.ask('PATCH', `/properties/${made.id}`, { body: second })), second)
        same(accepted(await t.ask('GET', `/properties/${made.id}`)), second)
        same(accepted(await t.ask('PUT', `/properties/external/${external}`, { body: first })), first)
        same(accepted(await t.ask('GET', `/properties/external/${external}`)), first)
      } finally {
        // Random addresses may be equal, and duplicates are not tested here.
        await t.ask('DELETE', `/properties/${made.id}`)
      }
    }),
    { numRuns: 40 },
  )
})

test('JSON escapes are not part of the text', async () => {
  const raw = String.raw`{"title":"\u00e9\ud83d\ude00\/\"\\\n","description":"\t\b\f"}`
  const made = accepted(await t.ask('POST', '/properties', { raw }), 201)
  assert.equal(made.title, 'é😀/"\\\n')
  assert.equal(made['description'], '\t\b\f')
})

/** Amounts in cents, up to the maximum. */
const cents = fc.oneof(
  fc.integer({ min: 1, max: 1e14 }),
  fc.integer({ min: 1e14 - 1000, max: 1e14 }),
  fc.integer({ min: 1, max: 1e6 }),
)

test('every amount in cents is returned as sent, and finer ones are refused', async () => {
  await fc.assert(
    fc.asyncProperty(cents, cents, async (first, second) => {
      const [amount, fees] = [first / 100, second / 100]
      const body = { price: { amount, currency: 'USD' }, expenses: { amount: fees, currency: 'ARS' } }
      const made = accepted(await t.ask('POST', '/properties', { body }), 201)
      const read = accepted(await t.ask('GET', `/properties/${made.id}`))
      assert.deepEqual([read.price.amount, read.expenses?.amount], [amount, fees])
      // Beyond 10¹⁰ a double does not always distinguish thousandths.
      const finer = { price: { amount: (first % 1e12) / 100 + 0.005, currency: 'USD' } }
      refused(await t.ask('POST', '/properties', { body: finer }), 'invalid_parameter', 'price.amount')
    }),
    { numRuns: 30 },
  )
})

test('every coordinate and area is returned as sent', async () => {
  const within = (bound: number) =>
    fc.double({ min: -bound, max: bound, noNaN: true }).map((value) => value + 0)
  const area = fc.double({ min: 0, max: 10_000_000, noNaN: true })
  await fc.assert(
    fc.asyncProperty(within(90), within(180), area, area, async (lat, lng, total_m2, covered_m2) => {
      const body = { location: { lat, lng }, features: { total_m2, covered_m2 } }
      const made = accepted(await t.ask('POST', '/properties', { body }), 201)
      const read = accepted(await t.ask('GET', `/properties/${made.id}`))
      for (const shown of [made, read]) {
        assert.deepEqual([shown.location.lat, shown.location.lng], [lat, lng])
        assert.deepEqual([shown.features['total_m2'], shown.features['covered_m2']], [total_m2, covered_m2])
      }
    }),
    { numRuns: 30 },
  )
})
