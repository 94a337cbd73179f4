/**
 * The SQL of a list (api.md 14.1) on a real database: pages neither overlap nor leave gaps, and values never become part of the SQL.
 * The API's list is checked against an oracle elsewhere.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Filters } from '../../../../src/listings/reading/list/list-filters.ts'
import { findPage, findPageAndTotal, type Sort } from '../../../../src/listings/reading/list/list-sql.ts'
import { listListings, type TotalsMemory, totalsMemory } from '../../../../src/listings/reading/list/list.ts'
import { listingColumns } from '../../../../src/listings/listing.ts'
import type { Known } from '../../../api/support/list-oracle.ts'
import { seedListings } from '../../../api/support/seeded-listings.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { revisionOf } from '../../../support/app/listings.ts'

let t: TestApp
let known: Known[]
before(async () => {
  t = await testApp()
  known = await seedListings(t, t.agency, 120, 7)
  await seedListings(t, t.other.agency, 20, 8)
})
after(() => t.close())

const sorts: readonly Sort[] = ['recent', 'price_asc', 'price_desc', 'updated']
const everything: Filters = { status: 'all' }
const page = async (filters: Filters, sort: Sort, limit: number, offset: number) =>
  (await findPage(t.deps.db, t.agency.id, { filters, sort, limit, offset })).listings
const ids = (listings: readonly { public_id: string }[]) => listings.map(({ public_id }) => public_id)

describe('pages of a list', () => {
  test('of every size add up to the whole, in one order', async () => {
    for (const sort of sorts) {
      const whole = ids(await page(everything, sort, 1000, 0))
      assert.equal(whole.length, known.filter(({ removed }) => !removed).length)
      assert.equal(new Set(whole).size, whole.length)
      for (const limit of [1, 7, 50]) {
        const offsets = Array.from({ length: Math.ceil(whole.length / limit) }, (_, index) => index * limit)
        const pages = await Promise.all(offsets.map((offset) => page(everything, sort, limit, offset)))
        assert.deepEqual(pages.flatMap(ids), whole)
      }
    }
  })

  test('are the same with and without their total', async () => {
    const filters: Filters[] = [
      everything,
      { status: 'published' },
      { status: 'draft', q: 'casa' },
      { status: 'all', currency: 'USD', max_price: 100 },
      { status: 'all', city: 'nowhere' },
    ]
    for (const filter of filters) {
      const whole = await page(filter, 'recent', 1000, 0)
      for (const offset of [0, 5, 1000]) {
        const both = await findPageAndTotal(t.deps.db, t.agency.id, {
          filters: filter,
          sort: 'recent',
          limit: 5,
          offset,
        })
        assert.equal(both.total, whole.length)
        assert.deepEqual(ids(both.listings), ids(whole.slice(offset, offset + 5)))
        assert.deepEqual(ids(both.listings), ids(await page(filter, 'recent', 5, offset)))
      }
    }
  })

  test('hold whole listings', async () => {
    const [first] = await page(everything, 'recent', 1, 0)
    for (const column of listingColumns) assert.notEqual(first?.[column], undefined, column)
    assert.match(first?.updated_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('include listings with the longest texts, which fit into an index', async () => {
    // Four bytes a character, and incompressible.
    const random = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x1_f300 + randomInt(0x400))).join('')
    const longest = { title: random(200), address: random(200), location: { city: random(80) } }
    const { status, body } = await t.ask('POST', '/properties', { body: longest })
    assert.equal(status, 201)
    const word = [...longest.title].slice(50, 60).join('')
    const found = await page({ status: 'draft', neighborhood: word }, 'recent', 5, 0)
    assert.deepEqual(ids(found), [body.data['id']])
    await t.ask('DELETE', `/properties/${body.data['id']}`)
  })

  test('include listings of one agency only', async () => {
    const nobody = await findPageAndTotal(t.deps.db, '019ab0c4-6d2e-7c31-9a55-0d1f7be3a901', {
      filters: everything,
      sort: 'recent',
      limit: 50,
      offset: 0,
    })
    assert.deepEqual(nobody, { revision: 0, total: 0, listings: [] })
  })
})

describe('values in a list’s filters', () => {
  test('are never part of the SQL, and have no special meaning in LIKE', async () => {
    const hostile = [
      "'",
      "''; drop table properties; --",
      '$1',
      '%',
      '_',
      '\\',
      '%%',
      String.raw`\%`,
      'a\nb',
      '\u0001',
      "\\' or true --",
      '🏡'.repeat(80),
    ]
    for (const value of hostile) {
      for (const name of ['q', 'city', 'neighborhood', 'external_id'] as const) {
        const { total } = await findPageAndTotal(t.deps.db, t.agency.id, {
          filters: { status: 'all', [name]: value },
          sort: 'recent',
          limit: 5,
          offset: 0,
        })
        assert.ok(total < known.length, `${name}=${value} found everything`)
      }
      const { total } = await findPageAndTotal(t.deps.db, t.agency.id, {
        filters: { status: 'all', q: value, by_code: true },
        sort: 'recent',
        limit: 5,
        offset: 0,
      })
      assert.ok(total < known.length, `${value} found everything by code`)
    }
    assert.ok((await page(everything, 'recent', 1, 0)).length === 1)
  })

  test('with LIKE’s special characters match only themselves', async () => {
    const has = (sign: string) =>
      known.filter(
        ({ removed, title, address, city }) =>
          !removed && [title, address, city].some((text) => text?.includes(sign)),
      ).length
    for (const sign of ['%', '_', '\\']) {
      const { total } = await findPageAndTotal(t.deps.db, t.agency.id, {
        filters: { status: 'all', neighborhood: sign },
        sort: 'recent',
        limit: 1,
        offset: 0,
      })
      assert.equal(total, has(sign), sign)
      assert.ok(total > 0)
    }
  })

  test('at the ends of their ranges are accepted', async () => {
    const ends: Partial<Filters>[] = [
      { min_price: 0, currency: 'USD' },
      { max_price: 1e12, currency: 'ARS' },
      { min_price: 0.000_000_1, currency: 'USD' },
      { bedrooms: 50 },
      { min_m2: 1e7 },
      { updated_since: '0001-01-01T00:00:00.000Z' },
      { updated_since: '9999-12-31T23:59:59.999Z' },
    ]
    for (const filter of ends) await page({ ...everything, ...filter }, 'price_asc', 5, 0)
  })
})

describe('totals of a list', () => {
  const everyone = JSON.stringify(everything)
  const list = (totals: TotalsMemory, revision: number, filters: Filters = everything, at = 1) =>
    listListings(
      t.deps.db,
      totals,
      { id: t.agency.id, revision },
      { filters, sort: 'recent', page: at, perPage: 5 },
    )

  test('are cached for one revision and one query', async () => {
    const totals = totalsMemory()
    const revision = await revisionOf(t)
    const first = await list(totals, revision)
    assert.equal(first.revision, revision)
    // A cached total is not checked, so a wrong one shows whether the list counted again.
    totals.keep(t.agency.id, revision, everyone, 7)
    const again = await list(totals, revision)
    assert.deepEqual([again.total, ids(again.listings)], [7, ids(first.listings)])
    assert.deepEqual(await list(totals, revision, everything, 3), { revision, total: 7, listings: [] })
    assert.notEqual((await list(totals, revision, { status: 'draft' })).total, 7)
    assert.equal((await list(totals, revision - 1)).total, first.total)
    assert.equal((await list(totals, revision)).total, first.total)
  })

  test('belong to the same snapshot as the rows, whatever was written since the revision was read', async () => {
    const totals = totalsMemory()
    const revision = await revisionOf(t)
    const { total } = await list(totals, revision)
    const written = await t.ask('POST', '/properties', { body: { title: 'Nueva' } })
    const found = await list(totals, revision)
    assert.deepEqual([found.revision, found.total], [revision + 1, total + 1])
    assert.equal(found.listings[0]?.public_id, written.body.data['id'])
    assert.equal(totals.find(t.agency.id, revision + 1, everyone), total + 1)
  })
})
