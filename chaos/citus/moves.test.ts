/**
 * Shards of Citus move under load: one group between two nodes, and a third of the agencies to a new node. No request fails or waits long,
 * nothing is lost, and the service then uses the agency's current node.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertServed, during, type Seen, slowest, type Tenant } from './agency-load.ts'
import { type CitusNode, skipped } from './cluster.ts'
import { citusUnderLoad, testThatNothingIsLost } from './under-load.ts'

const maxWaitMs = 2_000
/** Slightly longer than a process uses an old map of shards. */
const learntWithinMs = 6_000
const movedShare = 0.3

describe('shards that move', { skip: skipped }, () => {
  const t = citusUnderLoad({ tenants: 6, writers: 50, readers: 12 })
  before(() => delay(2_000))

  const tenantsIn = async (shard: number): Promise<Tenant[]> => {
    const places = await Promise.all(t.tenants.map(async ({ id }) => (await t.citus.placeOf(id)).shard))
    return t.tenants.filter((_, index) => places[index] === shard)
  }
  const moveGroup = async (of: Tenant, to: CitusNode) => {
    const place = await t.citus.placeOf(of.id)
    const inside = await tenantsIn(place.shard)
    const from = performance.now()
    await t.citus.move(place, to)
    const to_ = performance.now()
    t.load.check()
    const seen = during(t.load.seen, from, to_)
    const own = seen.filter(({ tenant }) => inside.includes(tenant))
    assertServed(seen)
    assert.ok(slowest(seen) < maxWaitMs, `a request waited for ${slowest(seen)} ms`)
    const writes = ({ what }: Seen) => what === 'write'
    return {
      inside,
      summary: `${((to_ - from) / 1_000).toFixed(1)} s, ${seen.length} requests, ${own.filter(writes).length} of them writes to its ${inside.length} agencies; the slowest ${slowest(own)} ms, elsewhere ${slowest(seen.filter((one) => !own.includes(one)))} ms`,
    }
  }
  /** Kills the node that the shards were on, which must not affect them. */
  const assertGoneFrom = async (node: CitusNode, moved: readonly Tenant[]): Promise<void> => {
    await delay(learntWithinMs)
    const from = performance.now()
    await node.kill()
    await delay(1_000)
    await node.start()
    await delay(1_000)
    const seen = during(t.load.seen, from, performance.now()).filter(({ tenant }) => moved.includes(tenant))
    assert.ok(seen.length > 0)
    assertServed(seen)
  }

  for (const direction of ['there', 'back']) {
    test(`a group, ${direction}`, { timeout: 90_000 }, async (context) => {
      const [one, other] = t.citus.workers as [CitusNode, CitusNode]
      const tenant = t.tenants[0] as Tenant
      const isAtOne = (await t.citus.placeOf(tenant.id)).port === one.port
      const { inside, summary } = await moveGroup(tenant, isAtOne ? other : one)
      context.diagnostic(summary)
      await assertGoneFrom(isAtOne ? one : other, inside)
    })
  }

  test('to a node that is added', { timeout: 180_000 }, async (context) => {
    const from = performance.now()
    const added = await t.citus.addWorker()
    const moved = new Set<Tenant>()
    for (const tenant of t.tenants) {
      if (moved.size >= movedShare * t.tenants.length) break
      if (moved.has(tenant)) continue
      const { inside } = await moveGroup(tenant, added)
      for (const one of inside) moved.add(one)
    }
    await delay(learntWithinMs)
    const seen = during(t.load.seen, from, performance.now())
    assertServed(seen)
    context.diagnostic(
      `${moved.size} of ${t.tenants.length} agencies moved in ${((performance.now() - from - learntWithinMs) / 1_000).toFixed(1)} s, ${seen.length} requests, the slowest ${slowest(seen)} ms`,
    )
    const [{ connections = 0 } = {}] = await added.ask<{ connections: number }>(
      `select count(*)::int as connections from pg_stat_activity
      where query like '%agency_revisions%' and application_name not like 'citus%' and pid <> pg_backend_pid()`,
    )
    assert.ok(connections > 0, 'the new node gets no requests')
  })

  testThatNothingIsLost(t)
})
