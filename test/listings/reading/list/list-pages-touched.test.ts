/**
 * Pages touched by lists on a database without statistics: a new one before its first autovacuum, or one that lost them in a crash. However
 * wrong the planner's estimates, the pages touched grow no faster than the agency.
 */
// not on Citus: it counts the pages of plain PostgreSQL's plans.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import type { Db } from '../../../../src/platform/db/database.ts'
import type { Executor } from '../../../../src/platform/db/statements/statement.ts'
import { findChanges } from '../../../../src/listings/reading/changes.ts'
import type { Filters } from '../../../../src/listings/reading/list/list-filters.ts'
import { findPage, findPageAndTotal, type Sort } from '../../../../src/listings/reading/list/list-sql.ts'
import { noContent } from '../../../../src/listings/fields/content.ts'
import type { Listing } from '../../../../src/listings/listing.ts'
import { countKinds, countPublished, findPublishedCodes } from '../../../../src/listings/reading/public.ts'
import { findSimilar } from '../../../../src/listings/reading/similar.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { inDatabase, type TestServer, testServer } from '../../../support/database/database.ts'

const size = 1_000
const perPage = 20
/** Pages of 8 kB: some of the heap and indexes for each listing, and some for each merged range. */
const pagesAtMost = 4 * size + 500

let t: TestApp
let server: TestServer
let client: Client
before(async () => {
  t = await testApp()
  server = await testServer()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.deps.db)
  // Plans belong to a session.
  client = new Client(inDatabase(server.connection, rows[0]?.name ?? ''))
  await client.connect()
  const tables = await client.query<{ relname: string }>(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  for (const { relname } of tables.rows)
    await client.query(`alter table ${escapeIdentifier(relname)} set (autovacuum_enabled = off)`)
})
after(async () => {
  await client.end()
  await t.close()
  await server.release()
})

const streets = ['Mitre', 'San Martín', 'Belgrano', 'Rivadavia', 'Las Heras']
const cities = ['La Plata', 'Rosario', 'Mendoza', 'Salta']
const operations = ['sale', 'rent', 'temporary']

/** Batches, edits, states and removals, like those of agencies' systems. */
async function seed(): Promise<void> {
  const send = async (numbers: readonly number[], itemOf: (n: number) => object) => {
    for (let at = 0; at < numbers.length; at += 50) {
      const items = numbers.slice(at, at + 50).map((n) => ({ external_id: `N-${n}`, ...itemOf(n) }))
      const { body, text } = await t.ask('POST', '/properties/batch', { body: { items } })
      assert.equal((body as unknown as { meta: { failed: number } }).meta.failed, 0, text)
    }
  }
  const numbers = Array.from({ length: size }, (_, n) => n)
  await send(numbers, (n) => ({
    title: `Casa ${n} con jardín`,
    operation: operations[n % 3],
    type: 'Casa',
    price: { amount: 50_000 + n, currency: n % 2 === 0 ? 'USD' : 'ARS' },
    address: `${streets[n % 5]} ${n + 1}`,
    location: { city: cities[n % 4], province: 'Buenos Aires', lat: -34.9, lng: -57.9 },
    features: { bedrooms: n % 5, covered_m2: 40 + (n % 90) },
  }))
  await send(
    numbers.filter((n) => n % 7 === 0),
    (n) => ({ title: `Casa ${n} con parque` }),
  )
  await client.query(
    `update properties set status = 'published', published_at = created_at, photos = '{a,b,c}'
     where agency_id = $1 and status = 'draft' and price_amount::int % 4 = 0`,
    [t.agency.id],
  )
  await send(
    numbers.filter((n) => n % 10 === 0),
    () => ({ action: 'delete' }),
  )
}

const sorts: readonly Sort[] = ['recent', 'price_asc', 'price_desc', 'updated']
const searches: readonly Partial<Filters>[] = [
  {},
  { q: 'casa' },
  { q: 'mitre 41' },
  { q: 'n-41', by_code: true },
  { city: 'rosario' },
  { neighborhood: 'belgrano' },
  { operation: 'sale' },
  { operation: 'sale', currency: 'USD', max_price: 51_000 },
  { bedrooms: 3, min_m2: 60 },
  { q: 'mitre casa', publicly: true },
  { updated_since: '2020-01-01T00:00:00.000Z' },
  { external_id: 'N-7' },
]

const sample = {
  ...noContent,
  id: '019a0000-0000-7000-8000-000000000000',
  operation: 'sale',
  type: 'Casa',
  price_amount: 50_400,
  price_currency: 'USD',
  city: 'Salta',
  features: { bedrooms: 2 },
} as unknown as Listing

type Ask = (db: Executor, agencyId: string, offset: number) => Promise<unknown>
/** Lists of the API, the dashboard, the public pages and the sitemaps. */
const asks = new Map<string, Ask>([
  ['sitemap', (db, id, offset) => findPublishedCodes(db as Db, id, { limit: perPage, offset })],
  ['sitemaps', (db, id) => countPublished(db as Db, [id])],
  ['kinds', (db, id) => countKinds(db, id)],
  [
    'similar',
    (db, id) => findSimilar(db, { ...sample, agency_id: id }, 3, (lat, lng) => ({ lat, lng, radius: 0 })),
  ],
])
for (const status of ['published', 'all'] as const)
  for (const sort of sorts)
    for (const search of searches)
      for (const find of [findPage, findPageAndTotal]) {
        const filters = { status, ...search }
        asks.set(`${find.name} ${sort} ${JSON.stringify(filters)}`, (db, id, offset) =>
          find(db, id, { filters, sort, limit: perPage, offset }),
        )
      }

type Statement = { text: string; values: string[] }

async function statementOf(ask: Ask, offset: number): Promise<Statement> {
  let statement: Statement | undefined
  const noting: Executor = {
    run: async ({ text, values: given }) => {
      const values = given.map((value) => (Array.isArray(value) ? `{${value.join()}}` : String(value)))
      statement = { text, values: values.map((value) => escapeLiteral(value)) }
      return []
    },
  }
  await ask(noting, t.agency.id, offset)
  return statement ?? assert.fail('no statement was sent')
}

async function pagesTouched(prepared: string, { values }: Statement): Promise<number> {
  const { rows } = await client.query(
    `explain (analyze, buffers, timing off, format json) execute ${prepared} (${values.join()})`,
  )
  const plan = rows[0]['QUERY PLAN'][0].Plan as Record<string, number>
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}

const changesAtATime = 20
/** A page of changes costs the same at any size: its rows plus one, in each of the two merged ranges, and the path to them. */
const feedPagesAtMost = 2 * (changesAtATime + 1) + 20
const feeds = new Map<string, Ask>(
  [true, false].map((seesDrafts) => [
    `changes, ${seesDrafts ? 'all' : 'ever published'}`,
    (db, id, after) => findChanges(db, id, after, changesAtATime, seesDrafts),
  ]),
)
for (const [name, ask] of feeds) asks.set(name, ask)

describe('a list on a database without statistics', () => {
  before(async () => {
    // Plans of a connection that was opened while the tables were nearly empty.
    await client.query(`set plan_cache_mode = force_generic_plan`)
    for (const [index, ask] of [...asks.values()].entries()) {
      const statement = await statementOf(ask, 0)
      await client.query(`prepare early_${index} as ${statement.text}`)
      await pagesTouched(`early_${index}`, statement)
    }
  })

  test(`touches few pages at ${size} listings`, async () => {
    await seed()
    const { rows } = await client.query(`select from pg_statistic where starelid = 'properties'::regclass`)
    assert.equal(rows.length, 0)
    const tooMany: string[] = []
    for (const [index, [name, ask]] of [...asks].entries())
      for (const offset of [0, 100]) {
        const statement = await statementOf(ask, offset)
        const judge = (plan: string, pages: number) => {
          if (pages > (feeds.has(name) ? feedPagesAtMost : pagesAtMost))
            tooMany.push(`${pages} from ${offset}, ${plan} plan: ${name}`)
        }
        await client.query(`prepare late as ${statement.text}`)
        await client.query(`set plan_cache_mode = force_generic_plan`)
        judge('early', await pagesTouched(`early_${index}`, statement))
        judge('generic', await pagesTouched('late', statement))
        await client.query(`set plan_cache_mode = force_custom_plan`)
        judge('custom', await pagesTouched('late', statement))
        await client.query('deallocate late')
      }
    assert.deepEqual(tooMany, [])
  })

  test('reads the texts of a search from an index only, for visitors too', async () => {
    await client.query('set enable_seqscan = off')
    for (const publicly of [{}, { publicly: true }] as const) {
      const filters: Filters = { status: 'published', q: 'mitre', ...publicly }
      const statement = await statementOf(
        (db, id, offset) => findPage(db, id, { filters, sort: 'recent', limit: perPage, offset }),
        0,
      )
      await client.query(`prepare searching as ${statement.text}`)
      const { rows } = await client.query(
        `explain (format json) execute searching (${statement.values.join()})`,
      )
      assert.match(JSON.stringify(rows), /"Index Only Scan"[^}]*"properties_searched_idx"/)
      await client.query('deallocate searching')
    }
  })
})
