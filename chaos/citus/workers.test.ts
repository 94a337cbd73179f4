/**
 * Worker nodes of Citus are killed and frozen under load: their agencies get 503 with Retry-After and are served again within seconds of
 * the return, and agencies of other nodes are unaffected. Nothing acknowledged is lost, and nothing happens twice.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertRefusedWell, assertServed, during, type Seen, slowest } from './agency-load.ts'
import { type CitusNode, skipped } from './cluster.ts'
import { citusUnderLoad, testThatNothingIsLost } from './under-load.ts'

const kills = Number(process.env['CHAOS_KILLS'] ?? 10)
const outageMs = 1_500
const frozenMs = 8_000
/** The maximum time to notice that a silent node is down. */
const noticedWithinMs = 3_500
/** Tolerates a busy machine, and is less than the 3 s that requests wait for a silent node. */
const atOnceMs = 2_500
const backWithinMs = 5_000

describe('worker nodes', { skip: skipped }, () => {
  const t = citusUnderLoad({ tenants: 4, freshKeys: 24, writers: 48, readers: 16 })

  const at = (seen: readonly Seen[], node: CitusNode, isThere: boolean) =>
    seen.filter(({ tenant }) => (tenant.port === node.port) === isThere)
  const isServed = ({ status }: Seen) => status === 200 || status === 201

  /** Runs an outage of a node until one of its agencies is served again. @returns its times, and the requests during it */
  const outage = async (
    node: CitusNode,
    ms: number,
    begin: () => Promise<void> | void,
    end: () => Promise<void> | void,
  ) => {
    const from = performance.now()
    await begin()
    await delay(ms)
    const ended = performance.now()
    await end()
    const back = performance.now()
    t.load.check()
    while (!at(t.load.seen, node, true).some((seen) => seen.at > back && isServed(seen))) {
      assert.ok(performance.now() - back < backWithinMs, 'its agencies are not served again')
      await delay(20)
    }
    const again = performance.now()
    const seen = during(t.load.seen, from, again)
    return {
      from,
      ended,
      back,
      backMs: Math.round(again - back),
      own: at(seen, node, true),
      others: at(seen, node, false),
    }
  }

  test(`${kills} kills`, { timeout: 300_000 }, async (context) => {
    await delay(2_000)
    let [served, refused, slow, slowOwn, longestBack] = [0, 0, 0, 0, 0]
    for (let kill = 0; kill < kills; kill += 1) {
      const node = t.citus.workers[kill % t.citus.workers.length] as CitusNode
      const seen = await outage(node, outageMs, node.kill, node.start)
      assertServed(seen.others)
      assertRefusedWell(seen.own)
      served += seen.others.length
      refused += seen.own.filter((one) => !isServed(one)).length
      slow = Math.max(slow, slowest(seen.others))
      slowOwn = Math.max(slowOwn, slowest(seen.own.filter((one) => !isServed(one))))
      longestBack = Math.max(longestBack, seen.backMs)
      await delay(500)
    }
    context.diagnostic(
      `elsewhere ${served} requests, none failed, the slowest ${slow} ms; its own: ${refused} refused, the slowest after ${slowOwn} ms; served again at most ${longestBack} ms after its return`,
    )
    assert.ok(refused > 0 && served > 100)
    assert.ok(slow < atOnceMs, `another agency waited for ${slow} ms`)
    assert.ok(slowOwn < atOnceMs, `a refusal took ${slowOwn} ms`)
  })

  test('a node that is frozen', { timeout: 60_000 }, async (context) => {
    for (const node of t.citus.workers) {
      const { from, own, others, ended, backMs } = await outage(node, frozenMs, node.freeze, node.thaw)
      assertServed(others)
      assertRefusedWell(own)
      const later = own.filter(({ at, ms }) => at > from + noticedWithinMs && at + ms < ended)
      context.diagnostic(
        `elsewhere ${others.length} requests, the slowest ${slowest(others)} ms; its own: the slowest ${slowest(own)} ms, once it was noticed ${slowest(later)} ms; served again after ${backMs} ms`,
      )
      assert.ok(slowest(others) < atOnceMs, `another agency waited for ${slowest(others)} ms`)
      assert.ok(later.length > 0 && later.every((one) => !isServed(one)))
      assert.ok(slowest(later) < atOnceMs, `a refusal took ${slowest(later)} ms`)
    }
  })

  testThatNothingIsLost(t)
})
