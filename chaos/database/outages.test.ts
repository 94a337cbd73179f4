/**
 * PostgreSQL is stopped, and frozen, for 20 seconds under load: requests get 503 with Retry-After, soon and then at once. The service
 * recovers without help, and nothing acknowledged is lost.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, type Write } from '../support/ask.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'
import { ownPostgres, type OwnPostgres } from '../support/postgres.ts'

const outageMs = 20_000
const clients = 12
/** The maximum time to notice that a silent database is down. */
const noticedWithinMs = 5_000
/** Once the outage is noticed, requests fail within this time instead of waiting 5 s for a connection. */
const atOnceMs = 2_000
const pauseMs = 20

type Seen = { at: number; ms: number; status: number; retryAfter: string | null }

let postgres: OwnPostgres
let dataDir: string
let service: Service
let key: string
before(async () => {
  postgres = await ownPostgres()
  dataDir = newDataDir()
  service = await newService({ DATA_DIR: dataDir, DATABASE_URL: postgres.url })
  await service.start()
  key = (await service.newAgency('outages')).key
})
after(async () => {
  await service.end()
  await postgres.end()
  rmSync(dataDir, { recursive: true, force: true })
})
afterEach(() => postgres.thaw())

/** External id → the last title that was acknowledged. */
const acknowledged = new Map<string, string>()
/** External id → titles sent since then whose outcome is unknown. */
const uncertain = new Map<string, Set<string>>()

async function send(write: Write): Promise<Seen> {
  const at = performance.now()
  const response = await ask(service.url, key, write)
  assert.ok(response !== null, 'a connection was cut')
  return { at, ms: performance.now() - at, status: response.status, retryAfter: response.retryAfter }
}

/** Alternates writes and reads until stopped. */
async function client(number: number, seen: Seen[], isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    if (turn % 2 === 0) {
      const [externalId, title] = [`c${number}-${turn % 10}`, randomUUID()]
      const path = `/properties/external/${externalId}`
      const response = await send({ method: 'PUT', path, body: { title } })
      seen.push(response)
      if (response.status === 200 || response.status === 201) {
        acknowledged.set(externalId, title)
        uncertain.delete(externalId)
      } else uncertain.set(externalId, (uncertain.get(externalId) ?? new Set()).add(title))
    } else {
      const path = `/properties?status=all&per_page=5&page=${1 + (turn % 3)}`
      seen.push(await send({ method: 'GET', path }))
    }
    await delay(pauseMs)
  }
}

async function checkAcknowledged(): Promise<void> {
  for (const [externalId, title] of acknowledged) {
    const response = await ask(service.url, key, {
      method: 'GET',
      path: `/properties/external/${externalId}`,
    })
    assert.ok(response?.status === 200, `${externalId} was acknowledged and is gone`)
    const found = String(response.body.data['title'])
    assert.ok(
      found === title || uncertain.get(externalId)?.has(found),
      `${externalId} lost an acknowledged write`,
    )
  }
}

describe(`PostgreSQL gone for ${outageMs / 1000} s under load`, () => {
  for (const [what, begin, end] of [
    ['stopped', () => postgres.stop(), () => postgres.start()],
    ['frozen', async () => postgres.freeze(), async () => postgres.thaw()],
  ] as const) {
    test(what, async (context) => {
      const seen: Seen[] = []
      let isOver = false
      const running = Array.from({ length: clients }, (_, number) => client(number, seen, () => isOver))
      await delay(2_000)
      const began = performance.now()
      await begin()
      await delay(outageMs)
      const ended = performance.now()
      await end()
      const backAt = performance.now()
      await delay(5_000)
      isOver = true
      await Promise.all(running)

      for (const { status, retryAfter } of seen) {
        assert.ok([200, 201, 503].includes(status), String(status))
        if (status === 503) assert.match(retryAfter ?? '', /^[1-9]\d*$/)
      }
      const slowest = (those: readonly Seen[]) => Math.round(Math.max(0, ...those.map(({ ms }) => ms)))
      const first = seen.filter(({ at, ms }) => at + ms > began && at < began + noticedWithinMs)
      const during = seen.filter(({ at }) => at > began + noticedWithinMs && at < ended)
      const later = seen.filter(({ at, status }) => at > backAt && status !== 503)
      const back = Math.round(Math.min(...later.map(({ at, ms }) => at + ms)) - backAt)
      const times = during.map(({ ms }) => ms).sort((one, other) => one - other)
      const middle = (times[Math.floor(times.length / 2)] ?? 0).toFixed(1)
      context.diagnostic(
        `noticed: slowest response ${slowest(first)} ms; then ${during.length} refused, median ${middle} ms, slowest ${slowest(during)} ms; the first success ${back} ms after its return`,
      )
      assert.ok(during.length > 100)
      // A request sent before the end may get its response after it.
      assert.ok(during.every(({ at, ms, status }) => status === 503 || at + ms > ended))
      assert.ok(slowest(first) < noticedWithinMs, `it hung for ${slowest(first)} ms`)
      assert.ok(slowest(during) < atOnceMs, `it hung for ${slowest(during)} ms`)
      assert.ok(later.length > 0, 'the service does not recover by itself')
      await checkAcknowledged()
    })
  }
})
