/**
 * Background work finds due rows by an index: without due work it touches a handful of pages, regardless of the number of listings, with or
 * without statistics.
 */
// not on Citus: it counts the pages of plain PostgreSQL's plans.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { addressRulesVersion } from '../../src/listings/addresses/normalize.ts'
import { uuidv7 } from '../../src/platform/names/ids.ts'
import { reapPhotos } from '../../src/listings/photos/unreferenced.ts'
import { geocodeUnresolved } from '../../src/listings/upkeep/geocode-unresolved.ts'
import { recomputeAddresses } from '../../src/listings/upkeep/recompute-addresses.ts'
import { type TestApp, testApp } from '../support/app/app.ts'
import { isPooled } from '../support/database/database.ts'
import { pagesTouched } from '../support/database/pages-touched.ts'

let t: TestApp
before(async () => {
  t = await testApp({ geocoder: async () => null })
})
after(() => t.close())

/** Old listings, every second one geocoded without success, each with a photo. */
async function fill(from: number, to: number): Promise<void> {
  await sql`insert into properties (agency_id, id, public_id, version, status, address, location_status, photos, created_at, updated_at,
      address_rules, sought_version)
    select ${t.agency.id}, gen_random_uuid(), 'C' || n, 1, 'draft', 'Calle ' || n, case when n % 2 = 0 then 'unresolved' else 'resolved' end,
      array['photo.' || n], now() - interval '1 year', now() - interval '1 year', ${addressRulesVersion}, 1
    from generate_series(${from}::int, ${to}::int) n`.execute(t.deps.db)
  await sql`insert into geocoding_attempts (agency_id, property_id, version, attempts, next_attempt_at)
    select agency_id, id, version, 0, now() + interval '1 week' from properties where location_status = 'unresolved'
    on conflict do nothing`.execute(t.deps.db)
}

const oneDue = 'deleting a photo that no listing shows'
const chores: Record<string, (app: Pick<TestApp, 'deps'>) => Promise<unknown>> = {
  'geocoding unresolved listings': ({ deps }) => geocodeUnresolved(deps, 50),
  'recomputing address keys': ({ deps }) => recomputeAddresses(deps, 100),
  'deleting photos, none of them due': ({ deps }) => reapPhotos(deps.photos, 100),
  // An hour after the upload at the earliest, when the tables have long been analysed.
  async [oneDue]({ deps }) {
    await sql`insert into unreferenced_photos (agency_id, photo, delete_after)
      values (${t.agency.id}, ${uuidv7()}, now() - interval '1 minute')`.execute(deps.db)
    assert.equal(await reapPhotos(deps.photos, 100), 1)
  },
}

const pagesOf = (chore: (app: Pick<TestApp, 'deps'>) => Promise<unknown>): Promise<number> =>
  pagesTouched(t.deps.db, (db) => chore({ deps: { ...t.deps, db, photos: { ...t.deps.photos, db } } }))

describe('the pages touched without due work', () => {
  const few = new Map<string, number>()
  // Through a pooler every statement is planned each time, which reads the first page of each index of its tables.
  const handful = isPooled ? 45 : 30

  test('are a handful', async () => {
    await fill(1, 300)
    for (const [name, chore] of Object.entries(chores)) {
      few.set(name, await pagesOf(chore))
      assert.ok((few.get(name) ?? 0) <= handful, `${name}: ${few.get(name)} pages`)
    }
  })

  for (const [statistics, prepare] of [
    ['without statistics', async () => await fill(301, 6_000)],
    [
      'with statistics',
      async () => {
        await sql`analyze properties, geocoding_attempts, unreferenced_photos`.execute(t.deps.db)
      },
    ],
  ] as const) {
    test(`do not grow with the listings, ${statistics}`, async () => {
      await prepare()
      for (const [name, chore] of Object.entries(chores)) {
        if (name === oneDue && statistics === 'without statistics') continue
        const pages = await pagesOf(chore)
        // Allows for one more level in some indexes, and for the first page of each, which planning reads again after `analyze`.
        assert.ok(pages <= (few.get(name) ?? 0) + 15, `${name}: ${few.get(name)} pages and then ${pages}`)
      }
    })
  }
})

test('new address rules come with an index', async () => {
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where indexname = 'properties_address_rules_idx'`.execute(t.deps.db)
  assert.match(
    rows[0]?.indexdef ?? '',
    new RegExp(
      `WHERE \\(\\(address_rules < ${addressRulesVersion}\\) OR \\(place_blurred AND \\(rough_folded IS NULL\\)\\)\\)$`,
    ),
  )
})
