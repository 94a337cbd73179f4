/** The content of a creation is not stored in its history entry: it is derived, whatever was written later. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { namedPhoto } from '../../../src/listings/photos/names-and-urls.ts'
import { type Changes, changesBetween } from '../../../src/listings/history/history.ts'
import { randomSteps } from '../../api/support/random-steps.ts'
import { newRun, randomWritesApp, runStep } from '../../api/support/random-writes.ts'
import { publishable, type TestApp } from '../../support/app/app.ts'
import { accepted, draft, findHistory, historyOf, rowOf, type Shown } from '../../support/app/listings.ts'
import { newTestKey, resetTestAgency } from '../../support/app/test-key.ts'
import { assertHistoryTells } from './history-replay.ts'

let t: TestApp
before(async () => {
  t = await randomWritesApp()
})
after(() => t.close())

/** The changes of a creation, from its response. */
function creationOf(shown: Shown, agencyId: string): Changes {
  const { id, features, location, photos } = shown
  const given = Object.entries(features).filter(([, value]) => value !== null)
  const has = (value: unknown): boolean =>
    typeof value === 'object' && value !== null
      ? Object.values(value).some(has)
      : value !== null && value !== false
  const fields = {
    ...Object.fromEntries(
      [
        'external_id',
        'status',
        'title',
        'description',
        'operation',
        'type',
        'price',
        'expenses',
        'address',
        'location_status',
        'amenities',
        'video_url',
        'video_urls',
        'virtual_tour_url',
        'rental',
        'reserved',
      ].map((name) => [name, shown[name]]),
    ),
    location,
    features: Object.fromEntries(given),
    photos: photos.map(
      (url) =>
        namedPhoto(url, t.deps.config.publicBaseUrl, { agency_id: agencyId, public_id: id })?.photo ?? null,
    ),
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, to]) => {
      // An unfurnished listing has no value to show, like an empty list.
      return has(to) ? [[name, { from: null, to }]] : []
    }),
  )
}

async function storedChanges(agencyId: string, listingId: string): Promise<Changes[]> {
  const { rows } = await sql<{ changes: Changes }>`select changes from listing_history
    where agency_id = ${agencyId} and property_id = ${listingId} order by revision`.execute(t.deps.db)
  return rows.map(({ changes }) => changes)
}

describe('the changes of a creation', () => {
  test('match its response, after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(randomSteps, async (steps) => {
        const run = await newRun(t)
        const created = new Map<string, Changes>()
        for (const step of steps)
          for (const shown of await runStep(run, step))
            created.set(shown.id, creationOf(shown, run.agency.id))
        for (const [id, expected] of created) {
          const row = await rowOf(t, id, run.agency.id)
          const history = await findHistory(t.deps.db, run.agency.id, row.id)
          assert.deepEqual(history[0]?.changes, expected)
          const [first, ...later] = await storedChanges(run.agency.id, row.id)
          assert.deepEqual(first, {})
          assert.deepEqual(
            history.slice(1).map(({ changes }) => changes),
            later,
          )
          await assertHistoryTells(t.deps.db, row)
        }
      }),
      { numRuns: 10 },
    )
  })

  test('are shown unchanged when an older version stored them', async () => {
    const { id } = await draft(t, { title: 'Primera', amenities: ['a'] })
    const row = await rowOf(t, id)
    const whole = changesBetween(null, row)
    await sql`update listing_history set changes = ${JSON.stringify(whole)}::jsonb
      where agency_id = ${row.agency_id} and property_id = ${row.id}`.execute(t.deps.db)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Segunda', description: 'Nueva' } }))
    assert.deepEqual((await historyOf(t, id))[0]?.changes, whole)
  })

  test('survive the deletion of photos with a test environment, removed before or not', async () => {
    const testKey = await newTestKey(t, t.agency)
    const agencyId = testKey.twin.id
    const make = async () => {
      const made = accepted(
        await t.ask('POST', '/properties', { key: testKey.key, body: publishable() }),
        201,
      )
      return { id: made.id, expected: creationOf(made, agencyId) }
    }
    const [there, removed] = [await make(), await make()]
    assert.equal((await t.ask('DELETE', `/properties/${removed.id}`, { key: testKey.key })).status, 200)
    await resetTestAgency(t, testKey.twin)
    for (const { id, expected } of [there, removed]) {
      assert.deepEqual((await rowOf(t, id, agencyId)).photos, [])
      const [created, deleted] = await historyOf(t, id, agencyId)
      assert.deepEqual(created?.changes, expected)
      assert.deepEqual(deleted?.changes, {
        deleted: { from: false, to: true },
        photos: { from: expected['photos']?.to, to: [] },
        status: { from: 'published', to: 'disabled' },
      })
      await assertHistoryTells(t.deps.db, await rowOf(t, id, agencyId))
    }
  })
})
