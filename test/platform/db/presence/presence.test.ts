/** A database that becomes unreachable (api.md 5.3): pending work fails soon, new work fails at once, and its return is noticed. */
import type { Tx } from '../../../../src/platform/db/statements/connection.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../../../src/platform/db/database.ts'
import { shortStatement } from '../../../../src/platform/db/statements/statement.ts'
import { DatabaseAway } from '../../../../src/platform/db/presence/presence.ts'
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts'
import { type OutageProxy, outageProxy } from '../../../support/network/outage-proxy.ts'
import { until } from '../../../support/until.ts'

let database: TestDatabase
let proxy: OutageProxy
before(async () => {
  database = await testDatabase()
  proxy = await outageProxy(database.direct)
})
after(async () => {
  proxy.close()
  await database.drop()
})
afterEach(() => proxy.restore())

/** Shorter than the defaults. */
const presence = { silenceMs: 100, probeMs: 400, pauseMs: 20 }
const short = shortStatement<{ n: number }>('select $1::int as n')
const one = (db: Db | Tx) => sql<{ one: number }>`select 1 as one`.execute(db)

for (const namedStatements of [true, false]) {
  describe(`a database reached ${namedStatements ? 'directly' : 'behind a pooler'}`, () => {
    async function withDatabase(work: (db: Db, changes: boolean[]) => Promise<void>): Promise<void> {
      const changes: boolean[] = []
      const db = openDatabase({
        connection: proxy.connection,
        poolSize: 3,
        namedStatements,
        presence,
        onPresence: (isAway) => changes.push(isAway),
      })
      try {
        await work(db, changes)
      } finally {
        await db.destroy()
      }
    }

    /** Waits until the database responds again. */
    async function untilBack(db: Db): Promise<void> {
      await until(async () => {
        try {
          await one(db)
          return true
        } catch (error) {
          assert.ok(error instanceof DatabaseAway, String(error))
          return false
        }
      })
    }

    test('fails statements in flight or waiting for a connection when it stops responding', async () => {
      await withDatabase(async (db, changes) => {
        await Promise.all([one(db), short(db, [1])])
        proxy.swallow()
        const inFlight = Array.from({ length: 8 }, (_, n) => (n < 4 ? one(db) : short(db, [n])))
        for (const { status } of await Promise.allSettled(inFlight)) assert.equal(status, 'rejected')
        assert.deepEqual(changes, [true])
        proxy.arrivals()
        // New work does not try to open a connection.
        for (const work of [one(db), short(db, [1]), inTransaction(db, (tx) => one(tx))])
          await assert.rejects(work, DatabaseAway)
        assert.ok(proxy.arrivals() <= 1)
        await proxy.restore()
        await untilBack(db)
        assert.deepEqual(await short(db, [7]), [{ n: 7 }])
        assert.deepEqual(changes, [true, false])
      })
    })

    test('rolls back a transaction idle between two statements', async () => {
      await withDatabase(async (db) => {
        await assert.rejects(
          inTransaction(db, async (tx) => {
            await sql`create table half (done int)`.execute(tx)
            proxy.swallow()
            await assert.rejects(short(db, [1]))
            await sql`select 1`.execute(tx)
          }),
        )
        await proxy.restore()
        await untilBack(db)
        const { rows } = await sql`select to_regclass('half') as half`.execute(db)
        assert.deepEqual(rows, [{ half: null }])
      })
    })

    test('counts as down at once when it refuses connections, and its return is noticed', async () => {
      await withDatabase(async (db, changes) => {
        await one(db)
        await proxy.stop()
        await assert.rejects(one(db))
        await until(() => changes.length > 0)
        await assert.rejects(one(db), DatabaseAway)
        await proxy.restore()
        await untilBack(db)
        assert.deepEqual(changes, [true, false])
      })
    })

    test('does not count as down during a slow statement, because probes get responses', async () => {
      await withDatabase(async (db, changes) => {
        const { rows } = await sql<{ done: boolean }>`select pg_sleep(0.6) is not null as done`.execute(db)
        assert.deepEqual(rows, [{ done: true }])
        assert.deepEqual(changes, [])
      })
    })
  })
}
