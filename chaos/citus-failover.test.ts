/**
 * A worker node of Citus dies under load and its standby takes over: once Citus is told, its agencies are served again within seconds, by a
 * service that nobody restarts; what was acknowledged is there, because the standby was synchronous.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  assertRefusedWell,
  assertServed,
  checkWrites,
  during,
  type Load,
  newTenants,
  slowest,
  startLoad,
  type Tenant,
} from './support/agency-load.ts'
import { type Citus, type CitusNode, skipped, startCitus } from './support/citus.ts'
import { newService, type Service } from './support/service.ts'

const backWithinMs = 5_000

describe('failover of a worker node', { skip: skipped }, () => {
  let citus: Citus
  let standby: CitusNode
  let service: Service
  let tenants: Tenant[]
  let load: Load
  before(async () => {
    citus = await startCitus()
    const [worker] = citus.workers as [CitusNode]
    standby = await worker.follower('standby')
    await worker.ask(`alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()')
    service = await newService({ DATABASE_URL: citus.url })
    await service.start()
    tenants = await newTenants(citus, 4, 12)
    load = startLoad(service.url, tenants, { writers: 48, readers: 12 })
  })
  after(async () => {
    await service?.end()
    await citus?.end()
  })

  test('to its standby', { timeout: 60_000 }, async (context) => {
    const [worker] = citus.workers as [CitusNode]
    const own = tenants.filter(({ port }) => port === worker.port)
    await delay(2_000)
    const from = performance.now()
    await worker.kill()
    await standby.ask(
      `alter system reset synchronous_standby_names`,
      'select pg_reload_conf()',
      'select pg_promote()',
    )
    await citus.coordinator.ask(
      `select citus_update_node(nodeid, '127.0.0.1', ${standby.port}) from pg_dist_node where nodeport = ${worker.port}`,
    )
    const updated = performance.now()
    const isBack = (tenant: Tenant) =>
      load.seen.some((one) => one.tenant === tenant && one.at > updated && one.status < 300 && one.status > 0)
    while (!own.every(isBack)) {
      load.check()
      assert.ok(performance.now() - updated < backWithinMs, 'its agencies are not served again')
      await delay(20)
    }
    const backMs = Math.round(performance.now() - updated)
    await delay(3_000)
    const seen = during(load.seen, from, performance.now())
    const others = seen.filter(({ tenant }) => !own.includes(tenant))
    assertServed(others)
    assertRefusedWell(seen)
    assertServed(seen.filter(({ at }) => at > updated + backWithinMs))
    context.diagnostic(
      `its agencies are served again ${backMs} ms after Citus was told; elsewhere ${others.length} requests, none failed, the slowest ${slowest(others)} ms`,
    )
  })

  test('nothing acknowledged is lost, nothing is done twice', async (context) => {
    await load.stop()
    await checkWrites(citus, service, tenants)
    context.diagnostic(`${tenants.reduce((sum, { writes }) => sum + writes.length, 0)} writes`)
  })
})
