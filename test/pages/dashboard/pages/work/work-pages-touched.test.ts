/**
 * Database pages that the list of work touches for an agency of 50,000 listings, with or without statistics. Most listings need no work,
 * and the rest are found by partial indexes.
 */
// not on Citus: it counts the pages of plain PostgreSQL's plans.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { addressRulesVersion } from '../../../../../src/listings/addresses/normalize.ts'
import { ownAgency } from '../../../../../src/pages/dashboard/serving/access.ts'
import { findWork, type Work } from '../../../../../src/pages/dashboard/pages/work/find-work.ts'
import {
  farDegrees,
  findListingsWithWarnings,
  findUnplaced,
  maxFound,
} from '../../../../../src/listings/reading/warnings/attention.ts'
import { corners } from '../../../../../src/listings/geocoding/country.ts'
import { type TestApp, testApp } from '../../../../support/app/app.ts'
import { isPooled } from '../../../../support/database/database.ts'
import { pagesTouched } from '../../../../support/database/pages-touched.ts'

const size = 50_000

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

/** Published, draft and suspended listings of a large agency; `some` of them with each kind of work. */
async function fill(some: number): Promise<void> {
  const { db } = t.deps
  await sql`insert into properties (agency_id, id, public_id, version, status, title, operation, type, price_amount, price_currency, address,
      location_status, lat, lng, photos, created_at, updated_at, address_rules, sought_version)
    select ${t.agency.id}, gen_random_uuid(), 'C' || n, 1, case when n % 5 < 3 then 'published' when n % 5 = 3 then 'draft' else 'disabled' end,
      'Casa ' || n, 'sale', 'Casa', 1000, 'USD', 'Calle ' || n,
      case when n <= ${some}::int then 'unresolved' else 'manual' end,
      case when n <= ${some}::int then null when n <= 2 * ${some}::int then -57.95 else -34.9 end,
      case when n <= ${some}::int then null when n <= 2 * ${some}::int then -34.92 else -57.9 end,
      '{a.1,b.1,c.1}', now() - interval '1 year', now() - case when n <= 3 * ${some}::int then interval '1 year' else n * interval '1 minute' end,
      ${addressRulesVersion}, 1
    from generate_series(1, ${size}::int) n`.execute(db)
  await sql`insert into photo_sources (agency_id, property_id, sources, photos, warnings, warned_at, to_mend)
    select agency_id, id, '{}', '{}', '{"failed": [], "kept": null}', case when number <= ${some}::int then now() end,
      case when number <= ${some}::int then 1 else 0 end
    from (select agency_id, id, row_number() over () as number from properties where agency_id = ${t.agency.id}) p`.execute(
    db,
  )
  const { id: key } = await t.newKey(t.agency.id)
  await sql`insert into request_log (agency_id, request_id, key_id, at, method, path, status, ms)
    select ${t.agency.id}, gen_random_uuid(), ${key}, now() - n * interval '10 seconds', 'GET', '/api/v1/properties', 200, 2
    from generate_series(1, 20000) n`.execute(db)
  await sql`insert into request_days (agency_id, key_id, day, code, requests)
    select ${t.agency.id}, ${key}, date_trunc('day', now() - n * interval '1 day', 'UTC'), code, 500
    from generate_series(0, 89) n, unnest(array['', 'rate_limited', 'not_found']) code`.execute(db)
}

const work = (db: TestApp['deps']['db']): Promise<Work> =>
  findWork(db, t.clock, ownAgency({ ...t.agency, active: true }))

for (const [statistics, prepare] of [
  ['without statistics', () => fill(1_000)],
  [
    'with statistics',
    async () => {
      await sql`vacuum analyze properties, photo_sources, request_days, request_log`.execute(t.deps.db)
    },
  ],
] as const) {
  test(`work among ${size} listings, ${statistics}, touches a few pages for each examined listing`, async () => {
    await prepare()
    // 200 of each kind with their rows, 100 drafts, the daily counts of a key, and a thousand index entries.
    const max = isPooled ? 5_000 : 4_500
    const pages = await pagesTouched(t.deps.db, work)
    const began = performance.now()
    const found = await work(t.deps.db)
    t.deps.log.info({ pages, ms: performance.now() - began }, 'work of a large agency')
    assert.ok(pages <= max, `${pages} pages`)
    assert.equal(found.photos[0]?.listings, maxFound + 1)
    assert.equal(found.unplaced[0]?.listings, maxFound + 1)
    assert.equal(found.pins.length, maxFound + 1)
    assert.equal(found.drafts.length, 100)
    assert.equal(found.stale, 1_001)
    assert.equal(found.troubles.length, 1)
  })
}

test('the first kinds of work are found in few pages', async () => {
  for (const find of [
    findListingsWithWarnings,
    (db: TestApp['deps']['db'], id: string) => findUnplaced(db, id, 3),
  ])
    assert.ok((await pagesTouched(t.deps.db, (db) => find(db, t.agency.id, { limit: 3 }))) < 2_000, find.name)
})

test('the index of work covers the whole country in degrees', async () => {
  for (const [lat, lng] of corners) {
    assert.ok(lat > farDegrees.south && lat < farDegrees.north, String(lat))
    assert.ok(lng > farDegrees.west && lng < farDegrees.east, String(lng))
  }
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where indexname = 'properties_far_idx'`.execute(t.deps.db)
  for (const degrees of Object.values(farDegrees))
    assert.match(rows[0]?.indexdef ?? '', new RegExp(`'?${degrees}\\b`))
})
