/**
 * Blocked DNS lookups do not make the database count as away (api.md 5.3): open connections stay and keep working. Lookups run in libuv's
 * thread pool, which file access, password hashing and image decoding share; here all its threads are blocked.
 */
// alone: blocks the process's thread pool
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { lookup } from 'node:dns/promises'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../../../src/platform/db/database.ts'
import { shortStatement } from '../../../../src/platform/db/statements/statement.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts'
import { type OutageProxy, outageProxy } from '../../../support/network/outage-proxy.ts'

const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)

let database: TestDatabase
let proxy: OutageProxy
let directory: string
before(async () => {
  database = await testDatabase()
  proxy = await outageProxy(database.direct)
  directory = mkdtempSync(join(tmpdir(), 'lookups-'))
  execFileSync('mkfifo', [join(directory, 'pipe')])
})
after(async () => {
  rmSync(directory, { recursive: true })
  proxy.close()
  await database.drop()
})

/** Blocks every thread by opening a pipe that has no writer. @returns a function that frees them */
function blockThreads(): () => Promise<void> {
  const pipe = join(directory, 'pipe')
  const opening = Array.from({ length: threads }, () => open(pipe, 'r'))
  return async () => {
    const writer = openSync(pipe, constants.O_RDWR)
    for (const file of await Promise.all(opening)) await file.close()
    closeSync(writer)
  }
}

const short = shortStatement<{ n: number }>('select $1::int as n')
const sleep = (db: Db, seconds: number) => sql`select pg_sleep(${seconds})`.execute(db)

/** Opens two connections of the pool: each transaction keeps its own until both have one. */
async function openTwo(db: Db): Promise<void> {
  const both = Promise.withResolvers<void>()
  let count = 0
  const open = () =>
    inTransaction(db, async () => {
      count += 1
      if (count === 2) both.resolve()
      await both.promise
    })
  await Promise.all([open(), open()])
}

describe('blocked DNS lookups', () => {
  for (const namedStatements of [true, false])
    test(`leave open connections working, ${namedStatements ? 'directly' : 'behind a pooler'}`, async () => {
      const changes: boolean[] = []
      const db = openDatabase({
        connection: { ...proxy.connection, host: 'localhost' },
        poolSize: 5,
        namedStatements,
        presence: { silenceMs: 100, probeMs: 1_000, pauseMs: 20 },
        onPresence: (isAway) => changes.push(isAway),
      })
      let freeThreads: (() => Promise<void>) | null = null
      try {
        // Short statements at once open a connection each: when direct, a probe may hold one of them at any time.
        await Promise.all([openTwo(db), short(db, [1]), short(db, [1])])
        freeThreads = blockThreads()
        let isLookedUp = false
        const lookedUp = lookup('localhost').then(() => (isLookedUp = true))
        // The probe needs an idle connection: when direct, that of short statements; behind a pooler, one of the pool.
        const busy = [sleep(db, 1.6), ...(namedStatements ? [sleep(db, 1.6)] : [])]
        if (!namedStatements) await short(db, [2])
        // An unhandled error would end the test before it has freed the threads.
        const waiting = Promise.allSettled(Array.from({ length: 2 }, () => sleep(db, 0.1)))
        await Promise.all(busy)
        assert.deepEqual(await short(db, [7]), [{ n: 7 }])
        assert.equal(isLookedUp, false)
        await freeThreads()
        freeThreads = null
        await lookedUp
        assert.ok((await waiting).every(({ status }) => status === 'fulfilled'))
        assert.deepEqual(changes, [])
      } finally {
        await freeThreads?.()
        await db.destroy()
      }
    })
})
