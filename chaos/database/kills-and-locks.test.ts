/** The database under load: killed under a running server, and locked by a frozen server. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { type ApiResponse, ask } from '../support/ask.ts'
import { checkConsistency, openClaims, passLeases } from '../support/consistency.ts'
import { effectsOf, fiveDrafts, judge, keyedWrites } from '../support/keyed-writes.ts'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { ownPostgres, type OwnPostgres } from '../support/postgres.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'
import { withClient } from '../support/with-client.ts'

const kills = 10

let pictures: Pictures
before(async () => {
  pictures = await servePictures()
})
after(() => pictures.close())
afterEach(() => pictures.release())

describe('PostgreSQL killed under a server that goes on', () => {
  let service: Service
  let agency: { id: string; key: string }
  before(async () => {
    service = await newService({ ...pictures.settings })
    await service.start()
    agency = await service.newAgency('killed')
  })
  after(() => service.end())

  test(`${kills} times: 503 until it is back, then every write once`, async (context) => {
    const { url } = service
    const pid = service.pid()
    let refused = 0
    for (let kill = 0; kill < kills; kill += 1) {
      await untilBack(url, agency.key)
      const writes = keyedWrites(pictures, await fiveDrafts(url, agency.key))
      let responses = 0
      const send = async (write: (typeof writes)[number]): Promise<number> => {
        const response = await ask(url, agency.key, write)
        // The server is alive: every request gets a response, and a failure is not the request's fault.
        assert.ok(response !== null, 'a connection was cut')
        if (response.status === 503) refused += 1
        if (judge(write, response)) responses += 1
        return response.status
      }
      const sending = Promise.all(writes.map(send))
      while (responses < kill % writes.length) await delay(1)
      service.killPostmaster()
      await sending
      for (const write of writes) {
        for (let turn = 0; write.response === null; turn += 1) {
          assert.ok(turn < 600, `${write.method} ${write.path} never gets a response`)
          const status = await send(write)
          // The claim could not be released when the database died.
          if (status === 409) await withClient(service.connection, (db) => passLeases(db, agency.id))
          if (write.response === null) await delay(50)
        }
      }
      await withClient(service.connection, async (db) => {
        for (const write of writes)
          assert.deepEqual([...new Set(await effectsOf(db, agency.id, write))], [1], write.path)
        assert.deepEqual(await openClaims(db, agency.id), [])
        await checkConsistency(db, agency.id, service.dataDir)
      })
    }
    assert.equal(service.pid(), pid)
    context.diagnostic(`${refused} responses were 503`)
  })
})

/** Waits for the database to restart. If the last kill came after every response, nothing has waited for it yet. */
async function untilBack(url: string, key: string): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    const response = await ask(url, key, { method: 'GET', path: '/me' })
    if (response?.status !== 503) return
    await delay(50)
  }
}

describe('a server that is frozen', () => {
  let postgres: OwnPostgres
  let dataDir: string
  let frozen: Service
  let other: Service
  let agency: { id: string; key: string }
  before(async () => {
    dataDir = newDataDir()
    postgres = await ownPostgres()
    const settings = {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
    }
    frozen = await newService(settings)
    other = await newService(settings)
    await frozen.start()
    await other.start()
    agency = await frozen.newAgency('frozen')
  })
  after(async () => {
    for (const service of [frozen, other]) await service?.end()
    await postgres?.end()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('in the middle of a transaction does not block the agency for others, nor commit afterwards', async (context) => {
    const items = () => Array.from({ length: 50 }, () => ({ external_id: randomUUID(), title: randomUUID() }))
    const batch = () => ({
      method: 'POST',
      path: '/properties/batch',
      idempotencyKey: randomUUID(),
      body: { items: items() },
    })
    await withClient(
      () => postgres.connection,
      async (db) => {
        const idle = async () =>
          (
            await db.query(
              `select 1 from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`,
            )
          ).rows.length > 0
        // Freeze the server repeatedly, until it is inside a transaction.
        let sent: ReturnType<typeof batch>
        let running: Promise<ApiResponse | null>
        for (;;) {
          sent = batch()
          running = ask(frozen.url, agency.key, sent)
          await delay(20 + Math.random() * 60)
          process.kill(frozen.pid(), 'SIGSTOP')
          await delay(50)
          if (await idle()) break
          process.kill(frozen.pid(), 'SIGCONT')
          await running
        }

        const began = performance.now()
        // While the lock is held, each attempt is rejected after a short wait. A client would retry too.
        const repeated = batch()
        let elsewhere = await ask(other.url, agency.key, repeated)
        let refused = 0
        while (elsewhere?.status === 503) {
          refused += 1
          assert.ok(refused < 20, 'the lock is held forever')
          await delay(500)
          elsewhere = await ask(other.url, agency.key, repeated)
        }
        context.diagnostic(
          `the other was refused ${refused} times and waited ${Math.round(performance.now() - began)} ms in all`,
        )
        assert.equal(elsewhere?.status, 200, elsewhere?.text)
        await passLeases(db, agency.id)
        const retried = await ask(other.url, agency.key, sent)
        assert.deepEqual([retried?.status, retried?.replayed], [200, false], retried?.text)

        process.kill(frozen.pid(), 'SIGCONT')
        const late = await running
        assert.ok(late !== null && [409, 503].includes(late.status), late?.text)
        const again = await ask(frozen.url, agency.key, sent)
        assert.deepEqual([again?.replayed, again?.text], [true, retried?.text])
        const { rows } = await db.query<{ count: number }>(
          `select count(*)::int as count from properties where agency_id = $1 and title = any ($2)`,
          [agency.id, sent.body.items.map(({ title }) => title)],
        )
        assert.equal(rows[0]?.count, 50)
        await checkConsistency(db, agency.id, dataDir)
      },
    )
  })
})
