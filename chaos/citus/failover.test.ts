/**
 * A worker node of Citus dies under load and its synchronous standby takes over: once Citus is updated, its agencies are served again
 * within seconds, without a restart of the service, and nothing acknowledged is lost.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertRefusedWell, assertServed, during, slowest, type Tenant } from './agency-load.ts'
import { type CitusNode, skipped } from './cluster.ts'
import { citusUnderLoad, testThatNothingIsLost } from './under-load.ts'

const backWithinMs = 5_000

describe('failover of a worker node', { skip: skipped }, () => {
  let standby: CitusNode
  const t = citusUnderLoad({
    tenants: 4,
    freshKeys: 12,
    writers: 48,
    readers: 12,
    async prepare({ workers }) {
      const [worker] = workers as [CitusNode]
      standby = await worker.follower('standby')
      await worker.ask(`alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()')
    },
  })

  test('to its standby', { timeout: 60_000 }, async (context) => {
    const [worker] = t.citus.workers as [CitusNode]
    const own = t.tenants.filter(({ port }) => port === worker.port)
    await delay(2_000)
    const from = performance.now()
    await worker.kill()
    await standby.ask(
      `alter system reset synchronous_standby_names`,
      'select pg_reload_conf()',
      'select pg_promote()',
    )
    await t.citus.coordinator.ask(
      `select citus_update_node(nodeid, '127.0.0.1', ${standby.port}) from pg_dist_node where nodeport = ${worker.port}`,
    )
    const updated = performance.now()
    const isBack = (tenant: Tenant) =>
      t.load.seen.some(
        (one) => one.tenant === tenant && one.at > updated && one.status < 300 && one.status > 0,
      )
    while (!own.every(isBack)) {
      t.load.check()
      assert.ok(performance.now() - updated < backWithinMs, 'its agencies are not served again')
      await delay(20)
    }
    const backMs = Math.round(performance.now() - updated)
    await delay(3_000)
    const seen = during(t.load.seen, from, performance.now())
    const others = seen.filter(({ tenant }) => !own.includes(tenant))
    assertServed(others)
    assertRefusedWell(seen)
    assertServed(seen.filter(({ at }) => at > updated + backWithinMs))
    context.diagnostic(
      `its agencies are served again ${backMs} ms after Citus was updated; elsewhere ${others.length} requests, none failed, the slowest ${slowest(others)} ms`,
    )
  })

  testThatNothingIsLost(t)
})
