/**
 * Names that cannot be looked up do not make the database go away (api.md 5.3): connections that are there stay, and go on being
 * answered. Lookups run in a few threads that files, passwords and pictures use too; here others hold all of them.
 */
// alone: it holds the threads of the process
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { lookup } from 'node:dns/promises'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { shortStatement } from '../../src/db/statement.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type OutageProxy, outageProxy } from '../support/outage-proxy.ts'

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

/** Has every thread wait for the writer of a pipe. @returns what lets them go */
function holdThreads(): () => Promise<void> {
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

describe('names that cannot be looked up', () => {
  for (const namedStatements of [true, false])
    it(`leave the connections that are there, ${namedStatements ? 'directly' : 'behind a pooler'}`, async () => {
      const told: boolean[] = []
      const db = openDatabase({
        connection: { ...proxy.connection, host: 'localhost' },
        poolSize: 5,
        namedStatements,
        presence: { silenceMs: 100, probeMs: 400, pauseMs: 20 },
        onPresence: (isAway) => told.push(isAway),
      })
      let letGo: (() => Promise<void>) | null = null
      try {
        await Promise.all([sleep(db, 0.1), sleep(db, 0.1), short(db, [1])])
        letGo = holdThreads()
        let isLookedUp = false
        const lookedUp = lookup('localhost').then(() => (isLookedUp = true))
        // Directly the idle one is that of short statements; behind a pooler there is none but those of the pool.
        const busy = [sleep(db, 1.2), ...(namedStatements ? [sleep(db, 1.2)] : [])]
        if (!namedStatements) await short(db, [2])
        const waiting = Array.from({ length: 2 }, () => sleep(db, 0.1))
        await Promise.all(busy)
        assert.deepEqual(await short(db, [7]), [{ n: 7 }])
        assert.equal(isLookedUp, false)
        await letGo()
        letGo = null
        await Promise.all([lookedUp, ...waiting])
        assert.deepEqual(told, [])
      } finally {
        await letGo?.()
        await db.destroy()
      }
    })
})
