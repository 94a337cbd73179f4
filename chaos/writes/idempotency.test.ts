/**
 * Kills in the middle of writes with an Idempotency-Key (api.md 7.4): a client that repeats a request until it gets a response gets one
 * effect and one response, no key stays claimed beyond its lease, and nothing is half done.
 */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { ask } from '../support/ask.ts'
import { checkConsistency, filesBelow, openClaims, passLeases } from '../support/consistency.ts'
import { effectsOf, fiveDrafts, judge, type KeyedWrite, keyedWrites } from '../support/keyed-writes.ts'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { ownPostgres, type OwnPostgres } from '../support/postgres.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'
import { withClient } from '../support/with-client.ts'

const kills = Number(process.env['CHAOS_KILLS'] ?? 50)
const leaseSeconds = 10
/** Downloads are in progress at every n-th kill, which is certain to leave claims behind. */
const heldEvery = 3

let pictures: Pictures
before(async () => {
  pictures = await servePictures()
})
after(() => pictures.close())

/** Sends all at once. @returns the number of responses */
async function sendAll(url: string, key: string, writes: readonly KeyedWrite[], onResponse = () => {}) {
  const judged = await Promise.all(
    writes.map(async (write) => {
      const isDone = judge(write, await ask(url, key, write))
      if (isDone) onResponse()
      return isDone
    }),
  )
  return judged.filter(Boolean).length
}

/** Sends each until it gets a response, as a client would. Never waits longer than a service takes to start. */
async function sendUntilDone(url: string, key: string, writes: readonly KeyedWrite[]): Promise<void> {
  for (let turn = 0; (await sendAll(url, key, writes)) < writes.length; turn += 1) {
    assert.ok(turn < 100, 'a request never gets a response')
    await delay(50)
  }
}

/** Asserts that no write is done twice or in part. @returns the number done */
async function checkEffects(db: Client, agencyId: string, writes: readonly KeyedWrite[]): Promise<number> {
  let done = 0
  for (const write of writes) {
    const counts = await effectsOf(db, agencyId, write)
    const what = `${write.method} ${write.path}: ${counts.join()}`
    assert.ok(new Set(counts).size === 1 && (counts[0] === 0 || counts[0] === 1), what)
    if (write.response !== null) assert.equal(counts[0], 1, `acknowledged and gone: ${what}`)
    done += counts[0]
  }
  return done
}

/** Counts of the work that a suite's kills interrupted, to show that they interrupted some. */
const tally = { claims: 0, undone: 0, unanswered: 0 }
const summary = (): string =>
  `${tally.claims} claims left behind, ${tally.undone} writes not done, ${tally.unanswered} done and not answered`

/** After a kill: repeats every write until it gets a response, and checks it. */
async function retryAll(
  at: { url: string; key: string; agencyId: string; db: Client; dataDir: string },
  writes: readonly KeyedWrite[],
) {
  const { url, key, agencyId, db, dataDir } = at
  const done = await checkEffects(db, agencyId, writes)
  tally.undone += writes.length - done
  tally.unanswered += done - writes.filter(({ response }) => response !== null).length
  const claims = await openClaims(db, agencyId)
  tally.claims += claims.length
  for (const { seconds } of claims) assert.ok(seconds <= leaseSeconds, `taken for ${seconds} s`)

  // Requests that left a claim get 409 until its lease expires; the others get a response at once.
  const taken = new Set(claims.map((claim) => claim.key))
  const waiting = writes.filter(({ idempotencyKey }) => taken.has(idempotencyKey))
  for (const write of waiting) {
    const response = await ask(url, key, write)
    assert.equal(response?.body.error?.code, 'idempotent_request_in_progress', response?.text)
  }
  await sendUntilDone(
    url,
    key,
    writes.filter(({ idempotencyKey }) => !taken.has(idempotencyKey)),
  )
  await passLeases(db, agencyId)
  await sendUntilDone(url, key, waiting)

  // Once more: every one is a replay now.
  assert.equal(await sendAll(url, key, writes), writes.length)
  assert.equal(await checkEffects(db, agencyId, writes), writes.length)
  assert.deepEqual(await openClaims(db, agencyId), [])
  await checkConsistency(db, agencyId, dataDir)
}

describe('one server', () => {
  let service: Service
  let agency: { id: string; key: string }
  before(async () => {
    service = await newService({ ...pictures.settings })
    await service.start()
    agency = await service.newAgency('keyed')
    Object.assign(tally, { claims: 0, undone: 0, unanswered: 0 })
  })
  after(() => service.end())
  afterEach(() => pictures.release())

  test(`${kills} kills`, async (context) => {
    for (let kill = 0; kill < kills; kill += 1) {
      const writes = keyedWrites(pictures, await fiveDrafts(service.url, agency.key))
      const isHeld = kill % heldEvery === 0
      if (isHeld) pictures.hold()
      let responses = 0
      const sending = sendAll(service.url, agency.key, writes, () => (responses += 1))
      const enough = isHeld ? () => pictures.waiting() > 0 : () => responses >= kill % (writes.length - 1)
      while (!enough()) await delay(1)
      await delay(Math.random() * 15)
      await service.killServer()
      await sending
      pictures.release()

      await service.start()
      await withClient(service.connection, (db) =>
        retryAll(
          { url: service.url, key: agency.key, agencyId: agency.id, db, dataDir: service.dataDir },
          writes,
        ),
      )
    }
    context.diagnostic(summary())
    assert.ok(tally.claims >= kills / heldEvery, 'no kill was in the middle of a write')
  })

  test('the next start deletes photos that the kills left behind', async (context) => {
    await withClient(service.connection, async (db) => {
      const left = async () =>
        (await db.query('select photo from unreferenced_photos where agency_id = $1', [agency.id])).rows
      context.diagnostic(`${(await left()).length} pictures left behind`)
      // As if the hour that their files are kept had passed.
      await db.query(`update unreferenced_photos set delete_after = delete_after - interval '1 hour'`)
    })
    assert.equal(await service.stop(), 0)
    await service.start()
    await withClient(service.connection, async (db) => {
      const { rows } = await db.query<{ photo: string }>(
        'select unnest(photos) as photo from properties where agency_id = $1',
        [agency.id],
      )
      const shown = rows.map(({ photo }) => photo).sort()
      const folder = `${service.dataDir}/photos/${agency.id}`
      for (let turn = 0; filesBelow(folder).length > shown.length && turn < 200; turn += 1) await delay(50)
      assert.deepEqual(filesBelow(folder), shown)
      await checkConsistency(db, agency.id, service.dataDir)
    })
  })
})

describe('two servers on one database', () => {
  let postgres: OwnPostgres
  let dataDir: string
  let servers: [Service, Service]
  let agency: { id: string; key: string }
  before(async () => {
    dataDir = newDataDir()
    postgres = await ownPostgres()
    const settings = {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      ...pictures.settings,
    }
    servers = [await newService(settings), await newService(settings)]
    for (const server of servers) await server.start()
    agency = await servers[0].newAgency('twofold')
    Object.assign(tally, { claims: 0, undone: 0, unanswered: 0 })
  })
  after(async () => {
    for (const server of servers) await server.end()
    await postgres.end()
    rmSync(dataDir, { recursive: true, force: true })
  })
  afterEach(() => pictures.release())

  test(`${kills} kills, alternating between the two; the survivor takes over`, async (context) => {
    await withClient(
      () => postgres.connection,
      async (db) => {
        for (let kill = 0; kill < kills; kill += 1) {
          const [victim, survivor] = kill % 2 === 0 ? servers : servers.toReversed()
          assert.ok(victim && survivor)
          const writes = keyedWrites(pictures, await fiveDrafts(survivor.url, agency.key))
          const isHeld = kill % heldEvery === 0
          if (isHeld) pictures.hold()
          let responses = 0
          const sending = sendAll(victim.url, agency.key, writes, () => (responses += 1))
          const enough = isHeld ? () => pictures.waiting() > 0 : () => responses >= kill % (writes.length - 1)
          while (!enough()) await delay(1)
          await delay(Math.random() * 15)
          // The same requests are in progress on the other one too.
          const elsewhere = sendAll(survivor.url, agency.key, kill % 4 < 2 ? writes : [])
          await victim.killServer()
          pictures.release()
          await Promise.all([sending, elsewhere])
          await retryAll({ url: survivor.url, key: agency.key, agencyId: agency.id, db, dataDir }, writes)
          await victim.start()
        }
      },
    )
    context.diagnostic(summary())
    assert.ok(tally.claims > 0, 'no kill was in the middle of a write')
  })
})
