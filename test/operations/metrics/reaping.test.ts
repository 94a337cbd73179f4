/** Metrics of expired rows: how long they are overdue, by table, read from the database. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { readConfig } from '../../../src/platform/config/config.ts'
import { reapSubjects } from '../../../src/limits/counters.ts'
import {
  allExpiring,
  countCondemned,
  readOverdue,
  watchBacklog,
} from '../../../src/operations/metrics/backlog.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'

const clock = { offsetMs: 0 }
const kept = { notificationsKeptDays: 90 }
let t: TestDatabase
before(async () => {
  t = await testDatabase()
})
after(() => t.drop())

const overdue = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await readOverdue(t.db, clock, kept))
      .filter(({ seconds }) => seconds > 0)
      .map(({ table, seconds }) => [table, Math.floor(seconds / 60)]),
  )

test('the metrics of expired rows list every table, and nothing is overdue at first', async () => {
  const rows = await readOverdue(t.db, clock, kept)
  assert.deepEqual(
    rows.map(({ table }) => table),
    allExpiring(kept).map(({ table }) => table),
  )
  assert.deepEqual(await overdue(), {})
})

test('the metrics of expired rows measure the oldest one, from the time at which it could have been deleted', async () => {
  await sql`insert into subject_usage (subject, name, ends_at, used) values
    ('a', 'x', date_trunc('second', clock_timestamp()) - interval '90 minutes 5 seconds', 1), ('b', 'x', clock_timestamp() - interval '59 minutes', 1)`.execute(
    t.db,
  )
  await sql`insert into unreferenced_photos (agency_id, photo, delete_after) values
    (${randomUUID()}, 'x', clock_timestamp() - interval '10 minutes 5 seconds'), (${randomUUID()}, 'y', '-infinity')`.execute(
    t.db,
  )
  assert.deepEqual(await overdue(), { unreferenced_photos: 10, subject_usage: 30 })
  assert.deepEqual(await countCondemned(t.db), [{ count: 1 }])
  await reapSubjects(t.db, 10, clock)
  assert.deepEqual(await overdue(), { unreferenced_photos: 10 })
})

test('expired rows have no metrics when the database does not respond', async () => {
  const registry = new Registry()
  const other = await testDatabase()
  watchBacklog(registry, { db: other.db, clock, config: readConfig({}) })
  await other.drop()
  const names = (await registry.getMetricsAsJSON()).flatMap(({ values }) => values)
  assert.deepEqual(names, [])
})
