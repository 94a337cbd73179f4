/**
 * Several processes on one port, each repeatedly killed under load: limits stay exact, writes happen once, and only requests of a killed
 * process fail.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { ask } from '../support/ask.ts'
import { checkConsistency } from '../support/consistency.ts'
import { newService, type Service } from '../support/service.ts'

const atOnce = 200
const limit = 60
const writers = 8
const kills = 6

let service: Service
before(async () => {
  service = await newService({
    WORKERS: '2',
    LIMITS: JSON.stringify({
      reads_per_day: limit,
      reads_per_minute: 1e6,
      writes_per_minute: 1e6,
      writes_per_day: 1e6,
      new_listings_per_hour: 1e6,
      new_listings_per_day: 1e6,
    }),
  })
  await service.start()
})
after(() => service.end())

const serving = (): number[] =>
  execFileSync('pgrep', ['-P', String(service.pid()), '-f', 'serving-process.ts'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)

test(`${atOnce} concurrent requests against a limit of ${limit}: ${limit} are accepted`, async () => {
  const { key } = await service.newAgency('limited')
  const responses = await Promise.all(
    Array.from({ length: atOnce }, () => ask(service.url, key, { method: 'GET', path: '/me' })),
  )
  const count = (status: number) => responses.filter((response) => response?.status === status).length
  assert.deepEqual([count(200), count(429)], [limit, atOnce - limit])
})

test('repeated kills during writes: nothing is lost, and nothing happens twice', async (context) => {
  const { id, key } = await service.newAgency('killed')
  let goesOn = true
  const created = new Set<string>()
  let unanswered = 0
  const writing = Array.from({ length: writers }, async () => {
    while (goesOn) {
      const external = randomUUID()
      const write = {
        method: 'POST',
        path: '/properties',
        idempotencyKey: randomUUID(),
        body: { external_id: external },
      }
      let response = await ask(service.url, key, write)
      if (response === null) unanswered += 1
      // Clients without a response retry with the same key.
      while (response === null || response.status === 409) {
        await delay(50)
        response = await ask(service.url, key, write)
      }
      assert.equal(response.status, 201, response.text)
      created.add(external)
    }
  })
  for (let kill = 0; kill < kills; kill += 1) {
    const before = created.size
    while (created.size < before + 40 || serving().length < 2) await delay(10)
    const [victim] = serving()
    process.kill(Number(victim), 'SIGKILL')
    while (serving().includes(Number(victim))) await delay(10)
  }
  goesOn = false
  await Promise.all(writing)
  const db = new Client(service.connection())
  await db.connect()
  await checkConsistency(db, id, service.dataDir)
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from properties where agency_id = $1',
    [id],
  )
  await db.end()
  assert.equal(rows[0]?.count, created.size)
  context.diagnostic(`${created.size} created, ${unanswered} requests without a response at ${kills} kills`)
})
