/** Reapers delete expired rows, oldest first, in batches, using an index. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import { reapNetworks } from '../../../../src/access/accounts/sign-in/attempts.ts'
import { reapBrowsers } from '../../../../src/access/accounts/sign-in/browsers.ts'
import { reapLinks } from '../../../../src/access/accounts/mails/links.ts'
import { reapChallenges } from '../../../../src/access/accounts/passkeys/passkey-challenges.ts'
import { reapSessions } from '../../../../src/access/accounts/sign-in/sessions.ts'
import { reapGeocodingCache } from '../../../../src/listings/geocoding/geocoding-cache.ts'
import { reapIdempotencyKeys } from '../../../../src/http/writes/idempotency.ts'
import { reapSignatures } from '../../../../src/http/admission/signature.ts'
import { reapLogged } from '../../../../src/access/request-log/request-log.ts'
import { reapSubjects } from '../../../../src/limits/counters.ts'
import { pagesTouched } from '../../../support/database/pages-touched.ts'
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts'

const clock = { offsetMs: 0 }
let t: TestDatabase
before(async () => {
  t = await testDatabase()
})
after(() => t.drop())

const left = async (): Promise<string[]> => {
  const { rows } = await sql<{ subject: string }>`select subject from subject_usage order by subject`.execute(
    t.db,
  )
  return rows.map(({ subject }) => subject)
}

test('the reaper deletes the oldest rows first, up to the limit, and keeps rows that are not due', async () => {
  await sql`insert into subject_usage (subject, name, ends_at, used)
    select name, 'x', clock_timestamp() - age::interval, 1
    from (values ('a', '2 hours'), ('b', '4 hours'), ('c', '3 hours'), ('d', '59 minutes')) as v (name, age)`.execute(
    t.db,
  )
  assert.equal(await reapSubjects(t.db, 2, clock), 2)
  assert.deepEqual(await left(), ['a', 'd'])
  assert.equal(await reapSubjects(t.db, 2, clock), 1)
  assert.equal(await reapSubjects(t.db, 2, clock), 0)
  assert.deepEqual(await left(), ['d'])
})

test('the reaper skips a locked row until the next run', async () => {
  await sql`insert into subject_usage (subject, name, ends_at, used) values ('held', 'x', clock_timestamp() - interval '1 day', 1)`.execute(
    t.db,
  )
  await inTransaction(t.db, async (tx) => {
    await sql`select 1 from subject_usage where subject = 'held' for update`.execute(tx)
    assert.equal(await reapSubjects(t.db, 10, clock), 0)
  })
  assert.equal(await reapSubjects(t.db, 10, clock), 1)
})

test('the reaper touches no more pages with more rows if nothing is due', async () => {
  const fill = (count: number) =>
    sql`insert into subject_usage (subject, name, ends_at, used)
      select 'at ' || n, 'x', clock_timestamp(), 1 from generate_series(1, ${count}::int) n on conflict do nothing`.execute(
      t.db,
    )
  const pages = () => pagesTouched(t.db, (db) => reapSubjects(db, 100, clock))
  await fill(100)
  const few = await pages()
  // With statistics, the planner also reads the ends of indexes.
  const slack = 10
  await fill(20_000)
  assert.ok((await pages()) <= few + slack)
  await sql`analyze subject_usage`.execute(t.db)
  assert.ok((await pages()) <= few + slack)
  await sql`delete from subject_usage`.execute(t.db)
})

test('docs/operations/retention.md states the retention of every table', async () => {
  const page = readFileSync(new URL('../../../../docs/operations/retention.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| (.*?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
  )
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
    t.db,
  )
  assert.deepEqual(documented.toSorted(), rows.map(({ name }) => name).toSorted())
})

describe('each reaper', () => {
  for (const reap of [
    reapNetworks,
    reapBrowsers,
    reapChallenges,
    reapGeocodingCache,
    reapIdempotencyKeys,
    reapSubjects,
    reapLinks,
    reapLogged,
    reapSessions,
    reapSignatures,
  ]) {
    const { table, key, column } = reap.expiring
    test(`of ${table} names the primary key and an indexed column`, async () => {
      assert.equal(await reap(t.db, 1, clock), 0)
      const { rows } = await sql<{ is_primary: boolean; columns: string }>`
        select i.indisprimary as is_primary, string_agg(a.attname, ', ' order by k.place) as columns
        from pg_index i cross join unnest(i.indkey) with ordinality as k (number, place)
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        where i.indrelid = ${table}::regclass group by i.indexrelid, i.indisprimary`.execute(t.db)
      assert.equal(rows.find(({ is_primary: isPrimary }) => isPrimary)?.columns, key)
      assert.ok(rows.some(({ columns }) => columns === column))
    })
  }
})
