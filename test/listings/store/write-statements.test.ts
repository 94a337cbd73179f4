/** A listing that is written alone and the same one in a batch are stored alike; and the text that searches compare. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { searchText } from '../../../src/listings/store/write-statements.ts'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

type Entry = {
  action: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  changes: object
}

/** A row and its history entries, without the values that differ for each listing. */
async function stored(externalId: string) {
  const {
    id,
    public_id: _,
    external_id: __,
    version: ___,
    created_at: created,
    updated_at: updated,
    listed_at: ____,
    ...row
  } = await t.deps.db
    .selectFrom('properties')
    .selectAll()
    .where('external_id', '=', externalId)
    .executeTakeFirstOrThrow()
  const { rows: entries } = await sql<Entry>`
    select action, actor_kind, actor_id, actor_name, changes from listing_history
    where property_id = ${id} order by revision`.execute(t.deps.db)
  return {
    row,
    isUpdated: updated !== created,
    entries: entries.map((entry) => ({
      ...entry,
      changes: { ...entry.changes, external_id: null },
    })),
  }
}

const text = fc
  .array(fc.constantFrom('a', 'ñ', ' x', '"', '\\', '{', '}', ',', "'", 'NULL', '€', '😀', '$1', '\n'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => `A${pieces.join('')}z`)
const links = fc.uniqueArray(
  fc.nat(999).map((n) => `https://video.example/${n}?a=1,2&b={c}`),
  { maxLength: 3 },
)
const body = fc.record(
  {
    title: text,
    description: text,
    operation: fc.constant('temporary'),
    type: fc.constantFrom('Casa', 'PH', 'Departamento'),
    price: fc.record({ amount: fc.integer({ min: 1, max: 1e9 }), currency: fc.constantFrom('USD', 'ARS') }),
    expenses: fc.record({ amount: fc.integer({ min: 1, max: 1e6 }), currency: fc.constant('ARS') }),
    features: fc.record({
      bedrooms: fc.nat(9),
      total_m2: fc.integer({ min: 1, max: 9999 }).map((n) => n / 4),
    }),
    amenities: fc.uniqueArray(text, { maxLength: 4, selector: (name) => name.toLowerCase().trim() }),
    video_urls: links,
    rental: fc.record({ min_stay: fc.integer({ min: 1, max: 9 }) }),
  },
  { requiredKeys: ['title', 'operation', 'type'] },
)

describe('a listing written alone, and the same one among others', () => {
  test('are created and updated alike', async () => {
    await fc.assert(
      fc.asyncProperty(body, body, async (first, second) => {
        const location = { city: 'Azul', province: 'Buenos Aires', lat: -36.7751234, lng: -59.86 }
        const [alone, among, other] = [randomUUID(), randomUUID(), randomUUID()]
        const [here, there] = [freshAddress(), freshAddress()]
        const put = async (address: string, fields: object, status: number) =>
          accepted(
            await t.ask('PUT', `/properties/external/${alone}`, { body: { ...fields, address, location } }),
            status,
          )
        const batch = async (address: string, fields: object) => {
          const items = [
            { external_id: among, ...fields, address, location },
            { external_id: other, title: randomUUID() },
          ]
          const response = await t.ask('POST', '/properties/batch', { body: { items } })
          assert.equal(response.status, 200, response.text)
        }
        const same = async () => {
          const [one, two] = [await stored(alone), await stored(among)]
          const { address: _, search_folded: __, street_key: ___, ...rowOfOne } = one.row
          const { address: ____, search_folded: _____, street_key: ______, ...rowOfTwo } = two.row
          assert.deepEqual(rowOfOne, rowOfTwo)
          assert.equal(one.isUpdated, two.isUpdated)
          const without = ({ entries }: typeof one) =>
            entries.map((entry) => ({ ...entry, changes: { ...entry.changes, address: null } }))
          assert.deepEqual(without(one), without(two))
        }
        await put(here, first, 201)
        await batch(there, first)
        await same()
        await put(here, second, 200)
        await batch(there, second)
        await same()
      }),
      { numRuns: 20 },
    )
  })
})

describe('searchText', () => {
  test('has title, address and city folded, one per line', () => {
    assert.equal(
      searchText({ title: 'Ático  único', address: "O'Higgins 1", city: 'NÚÑEZ' }),
      "atico unico\no'higgins 1\nnunez",
    )
    assert.equal(searchText({ title: null, address: null, city: null }), '\n\n')
    assert.equal(searchText({ title: 'two\nlines', address: null, city: null }), 'two lines\n\n')
  })
})
