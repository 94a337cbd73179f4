/**
 * Shards of Citus that move under load: a group of them between two nodes, and a third of the agencies to a node that was added. Nobody's
 * request fails, nobody waits for long, nothing is lost; and the service goes to the node where an agency is now.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  assertServed,
  checkWrites,
  during,
  type Load,
  newTenants,
  type Seen,
  slowest,
  startLoad,
  type Tenant,
} from './support/agency-load.ts'
import { type Citus, type CitusNode, skipped, startCitus } from './support/citus.ts'
import { newService, type Service } from './support/service.ts'

const longestWaitMs = 2_000
/** As long as an old map is used, and some. */
const learntWithinMs = 6_000
const movedShare = 0.3

describe('shards that move', { skip: skipped }, () => {
  let citus: Citus
  let service: Service
  let tenants: Tenant[]
  let load: Load
  before(async () => {
    citus = await startCitus()
    service = await newService({ DATABASE_URL: citus.url })
    await service.start()
    tenants = await newTenants(citus, 6)
    load = startLoad(service.url, tenants, { writers: 50, readers: 12 })
    await delay(2_000)
  })
  after(async () => {
    await service?.end()
    await citus?.end()
  })

  const tenantsIn = async (shard: number): Promise<Tenant[]> => {
    const places = await Promise.all(tenants.map(async ({ id }) => (await citus.placeOf(id)).shard))
    return tenants.filter((_, index) => places[index] === shard)
  }
  const moveGroup = async (of: Tenant, to: CitusNode) => {
    const place = await citus.placeOf(of.id)
    const inside = await tenantsIn(place.shard)
    const from = performance.now()
    await citus.move(place, to)
    const to_ = performance.now()
    load.check()
    const seen = during(load.seen, from, to_)
    const own = seen.filter(({ tenant }) => inside.includes(tenant))
    assertServed(seen)
    assert.ok(slowest(seen) < longestWaitMs, `a request waited for ${slowest(seen)} ms`)
    const writes = ({ what }: Seen) => what === 'write'
    return {
      inside,
      told: `${((to_ - from) / 1_000).toFixed(1)} s, ${seen.length} requests, ${own.filter(writes).length} of them writes to its ${inside.length} agencies; the slowest ${slowest(own)} ms, elsewhere ${slowest(seen.filter((one) => !own.includes(one)))} ms`,
    }
  }
  /** Kills the node that they were on: nobody of them may notice. */
  const assertGoneFrom = async (node: CitusNode, moved: readonly Tenant[]): Promise<void> => {
    await delay(learntWithinMs)
    const from = performance.now()
    await node.kill()
    await delay(1_000)
    await node.start()
    await delay(1_000)
    const seen = during(load.seen, from, performance.now()).filter(({ tenant }) => moved.includes(tenant))
    assert.ok(seen.length > 0)
    assertServed(seen)
  }

  for (const direction of ['there', 'back']) {
    test(`a group, ${direction}`, { timeout: 90_000 }, async (context) => {
      const [one, other] = citus.workers as [CitusNode, CitusNode]
      const tenant = tenants[0] as Tenant
      const isAtOne = (await citus.placeOf(tenant.id)).port === one.port
      const { inside, told } = await moveGroup(tenant, isAtOne ? other : one)
      context.diagnostic(told)
      await assertGoneFrom(isAtOne ? one : other, inside)
    })
  }

  test('to a node that is added', { timeout: 180_000 }, async (context) => {
    const from = performance.now()
    const added = await citus.addWorker()
    const moved = new Set<Tenant>()
    for (const tenant of tenants) {
      if (moved.size >= movedShare * tenants.length) break
      if (moved.has(tenant)) continue
      const { inside } = await moveGroup(tenant, added)
      for (const one of inside) moved.add(one)
    }
    await delay(learntWithinMs)
    const seen = during(load.seen, from, performance.now())
    assertServed(seen)
    context.diagnostic(
      `${moved.size} of ${tenants.length} agencies moved in ${((performance.now() - from - learntWithinMs) / 1_000).toFixed(1)} s, ${seen.length} requests, the slowest ${slowest(seen)} ms`,
    )
    const [{ connections = 0 } = {}] = await added.ask<{ connections: number }>(
      `select count(*)::int as connections from pg_stat_activity
      where query like '%agency_revisions%' and application_name not like 'citus%' and pid <> pg_backend_pid()`,
    )
    assert.ok(connections > 0, 'nothing is asked of the new node')
  })

  test('nothing acknowledged is lost, nothing is done twice', async (context) => {
    await load.stop()
    await checkWrites(citus, service, tenants)
    context.diagnostic(`${tenants.reduce((sum, { writes }) => sum + writes.length, 0)} writes`)
  })
})
