/** When instances look for due work: independently on plain PostgreSQL, in turns on Citus. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../../../src/platform/db/database.ts'
import { untilNextLook } from '../../../../src/platform/db/upkeep/next-look.ts'
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts'

const clock = { offsetMs: 0 }
let t: TestDatabase
type Asked = Pick<Db, 'isDistributed' | 'run'>
let plain: Asked
let coordinator: Asked
before(async () => {
  t = await testDatabase()
  plain = { run: t.db.run, isDistributed: false }
  coordinator = { run: t.db.run, isDistributed: true }
})
after(() => t.drop())

async function reserved(chore: string): Promise<number | null> {
  const { rows } = await sql<{
    at: string
  }>`select next_at as at from worker_looks where chore = ${chore}`.execute(t.db)
  return rows[0] === undefined ? null : Date.parse(rows[0].at)
}

test('on plain PostgreSQL every instance looks at its own interval, and nothing is written', async () => {
  assert.equal(await untilNextLook(plain, clock, 'plain', 500), 500)
  assert.equal(await reserved('plain'), null)
})

test('on Citus each instance reserves its own time, an interval after the latest one', async () => {
  assert.equal(await untilNextLook(coordinator, clock, 'a', 60_000), 60_000)
  const first = (await reserved('a')) ?? 0
  for (const turn of [1, 2, 3]) {
    await untilNextLook(coordinator, clock, 'a', 60_000)
    assert.equal(await reserved('a'), first + turn * 60_000)
  }
})

test('missed looks are not made up for, and chores do not block each other', async () => {
  await untilNextLook(coordinator, clock, 'b', 1_000)
  assert.equal(await untilNextLook(coordinator, { offsetMs: 3_600_000 }, 'b', 1_000), 1_000)
})

test('instances that start and crash repeatedly delay the next look by minutes at most', async () => {
  let wait = 0
  for (let turn = 0; turn < 10; turn += 1) wait = await untilNextLook(coordinator, clock, 'c', 300_000)
  assert.equal(wait, 900_000)
})

test('looks continue while the coordinator is down', async () => {
  const away = { ...coordinator, run: () => Promise.reject(new Error('away')) }
  assert.equal(await untilNextLook(away, clock, 'd', 500), 500)
})
