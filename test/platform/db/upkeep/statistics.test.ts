/** Tables without statistics, or that have outgrown them, are analysed even if PostgreSQL lost its own counters. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Client } from 'pg'
import { migrate } from '../../../../src/platform/db/migrations/migrate.ts'
import { readMigrations } from '../../../../src/platform/db/migrations/migrations.ts'
import { analyse } from '../../../../src/platform/db/upkeep/statistics.ts'
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts'

let database: TestDatabase
let client: Client
before(async () => {
  database = await testDatabase()
  client = new Client(database.direct)
  await client.connect()
})
after(async () => {
  await client.end()
  await database.drop()
})
beforeEach(async () => {
  await client.query('drop table if exists filled')
  await client.query('create table filled (n int, line text) with (autovacuum_enabled = off)')
})

const table = 'filled'
const lacking = () => analyse(async (text) => (await client.query(text)).rows, 'lacking')
const fill = (rows: number) =>
  client.query(`insert into filled select n, repeat('x', 200) from generate_series(1, $1) n`, [rows])
const known = async () =>
  (await client.query('select from pg_stats where tablename = $1', [table])).rows.length > 0

describe('a table', () => {
  test('that was filled but never analysed is analysed, once', async () => {
    await fill(100)
    // Counters are lost, as after a crash.
    await client.query('select pg_stat_reset()')
    assert.equal(await known(), false)
    assert.ok((await lacking()).includes(table))
    assert.equal(await known(), true)
    assert.ok(!(await lacking()).includes(table))
  })

  test('is analysed after it has outgrown its statistics, but not after a small change', async () => {
    await fill(2_000)
    await lacking()
    await fill(500)
    assert.ok(!(await lacking()).includes(table))
    await fill(5_000)
    assert.ok((await lacking()).includes(table))
    assert.ok(!(await lacking()).includes(table))
  })

  test('that is or was emptied is not analysed', async () => {
    await client.query('analyze filled')
    assert.ok(!(await lacking()).includes(table))
    await fill(1_000)
    await client.query('delete from filled')
    await lacking()
    assert.ok(!(await lacking()).includes(table))
    await fill(2_000)
    assert.ok((await lacking()).includes(table))
  })

  test('that is locked is skipped', async () => {
    await fill(100)
    const other = new Client(database.direct)
    await other.connect()
    await other.query('begin')
    await other.query('lock table filled in share update exclusive mode')
    await lacking()
    assert.equal(await known(), false)
    await other.end()
  })
})

describe('migrating', () => {
  test('analyses every table after applying a migration, else those without statistics', async () => {
    await fill(100)
    await migrate(database.direct)
    assert.equal(await known(), true)
    const analysedAt = async () => {
      await client.query('select pg_stat_clear_snapshot()')
      const { rows } = await client.query('select last_analyze from pg_stat_user_tables where relname = $1', [
        table,
      ])
      return rows[0]?.last_analyze as Date
    }
    const first = await analysedAt()
    await migrate(database.direct)
    assert.deepEqual(await analysedAt(), first)
    const added = { name: '9999_added.sql', text: 'create table added ()', checksum: 'x' }
    await migrate(database.direct, () => {}, [...readMigrations(), added])
    assert.notDeepEqual(await analysedAt(), first)
  })
})
