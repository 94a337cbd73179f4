/**
 * The coordinator of Citus is killed and frozen under load: the API and the public pages of every agency continue, with known keys and
 * unknown ones. Requests that need the coordinator get 503 and Retry-After, and are served again within seconds of its return.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertServed, during, slowest } from './agency-load.ts'
import { skipped } from './cluster.ts'
import { citusUnderLoad, testThatNothingIsLost } from './under-load.ts'

const outageMs = 8_000
const noticedWithinMs = 3_500
/** Tolerates a busy machine, and is less than the 3 s that requests wait for a silent node. */
const atOnceMs = 2_500
const backWithinMs = 5_000

describe('the coordinator', { skip: skipped }, () => {
  const t = citusUnderLoad({ tenants: 4, freshKeys: 16, writers: 48, readers: 16 })

  const statusOf = async (path: string, init: RequestInit = {}) => {
    const began = performance.now()
    const response = await fetch(t.service.url + path, { redirect: 'manual', ...init })
    await response.arrayBuffer()
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      ms: performance.now() - began,
    }
  }
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://inmobiliaria.example', 'access-control-request-method': 'GET' },
  }
  /** Requests without an agency that do not need the coordinator. */
  const elsewhere: readonly [string, RequestInit, number][] = [
    ['/healthz/ready', {}, 200],
    ['/api/v1/properties', preflight, 204],
    ['/api/v1/', {}, 200],
  ]
  /** Requests that need the coordinator, for people's sessions or the counters of requests without a key. */
  const itsOwn: readonly [string, RequestInit, number][] = [
    ['/dashboard', { headers: { cookie: `dashboard-session=${'s'.repeat(43)}` } }, 303],
    ['/api/v1/properties', {}, 401],
    ['/api/v1/properties', { headers: { 'x-api-key': 'unknown' } }, 401],
  ]
  const assertStatuses = async (asked: typeof elsewhere) => {
    for (const [path, init, expected] of asked) {
      const { status, ms } = await statusOf(path, init)
      assert.equal(status, expected, path)
      assert.ok(ms < atOnceMs, `${path} took ${ms} ms`)
    }
  }

  for (const [what, begin, end] of [
    ['killed', () => t.citus.coordinator.kill(), () => t.citus.coordinator.start()],
    ['frozen', async () => t.citus.coordinator.freeze(), async () => t.citus.coordinator.thaw()],
  ] as const) {
    test(what, { timeout: 90_000 }, async (context) => {
      await delay(2_000)
      await assertStatuses([...elsewhere, ...itsOwn])
      const from = performance.now()
      await begin()
      await assertStatuses(elsewhere)
      await delay(noticedWithinMs)
      await assertStatuses(elsewhere)
      for (const [path, init] of itsOwn) {
        const { status, retryAfter, ms } = await statusOf(path, init)
        assert.equal(status, 503, path)
        assert.match(retryAfter ?? '', /^[1-9]\d*$/)
        assert.ok(ms < atOnceMs, `${path} was refused after ${ms} ms`)
      }
      await delay(outageMs - noticedWithinMs)
      const to = performance.now()
      await end()
      const back = performance.now()
      for (const [path, init, expected] of itsOwn)
        while ((await statusOf(path, init)).status !== expected) {
          assert.ok(performance.now() - back < backWithinMs, `${path} is not served again`)
          await delay(20)
        }
      const backMs = Math.round(performance.now() - back)
      t.load.check()
      const seen = during(t.load.seen, from, to)
      assertServed(seen)
      const count = (wanted: string) => seen.filter(({ what }) => what === wanted).length
      context.diagnostic(
        `${count('read')} reads, ${count('write')} writes, ${count('page')} pages, ${count('fresh key')} with unknown keys: none failed, the slowest ${slowest(seen)} ms; those that need the coordinator served again after ${backMs} ms`,
      )
      assert.ok(count('read') > 100 && count('write') > 100 && count('fresh key') > 0)
      assert.ok(slowest(seen) < atOnceMs)
    })
  }

  testThatNothingIsLost(t)
})
