/**
 * Routes statements to an agency's node as Citus nodes are added, moved and removed (docs/adr/0022). The nodes here only run queries.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ClientConfig } from 'pg'
import { type HostPort, openCluster, toNode } from '../../../../src/platform/db/citus/cluster.ts'
import type { Db } from '../../../../src/platform/db/database.ts'
import { settingsFor } from '../../../../src/platform/db/engine.ts'
import type { Statement } from '../../../../src/platform/db/statements/statement.ts'

type Fake = Db & { name: string; asked: string[]; away: boolean; isOpen: boolean }

/** A cluster of two nodes: agency `a…` on shard 1, all others on shard 2. */
function fakeCluster() {
  const placements = [
    { shard: '1', host: 'w1', port: 5432 },
    { shard: '2', host: 'w2', port: 5432 },
  ]
  const opened = new Map<string, Fake>()
  const fake = (name: string): Fake => {
    const made = { name, asked: [] as string[], away: false, isOpen: true }
    return Object.assign(made, {
      isAway: () => made.away,
      run: async ({ text, values }: Statement) => {
        if (made.away) throw new Error(`${name} is away`)
        const isShard = text.includes('get_shard_id')
        made.asked.push(isShard ? 'shard' : 'placements')
        return isShard
          ? [{ shard: String(values[0]).startsWith('a') ? '1' : '2' }]
          : placements.map((row) => ({ ...row }))
      },
      destroy: async () => {
        made.isOpen = false
      },
    }) as unknown as Fake
  }
  const coordinator = fake('coordinator')
  const connect = ({ host, port }: HostPort): Db => {
    const made = fake(`${host}:${port}`)
    opened.set(made.name, made)
    return made
  }
  let now = 0
  const cluster = openCluster(coordinator, connect, () => now)
  const nameOf = async (agency: string): Promise<string> => ((await cluster.at(agency)) as Fake).name
  return {
    cluster,
    coordinator,
    placements,
    node: (name: string) => opened.get(name) as Fake,
    nameOf,
    /** Lets the map expire, so that a request reloads it. */
    async pass(ms: number) {
      now += ms
      await cluster.at('a1')
      await new Promise(setImmediate)
    },
  }
}

describe('the node of an agency', () => {
  test('is the one that holds its shard, and is looked up once', async () => {
    const t = fakeCluster()
    await t.cluster.open()
    assert.deepEqual([await t.nameOf('a1'), await t.nameOf('b1')], ['w1:5432', 'w2:5432'])
    assert.deepEqual([await t.nameOf('a1'), await t.nameOf('b1')], ['w1:5432', 'w2:5432'])
    const asked = [t.coordinator, t.node('w1:5432'), t.node('w2:5432')].flatMap((one) => one.asked)
    assert.deepEqual(asked.sort(), ['placements', 'shard', 'shard'])
  })

  test('is also found by the first request', async () => {
    const t = fakeCluster()
    assert.equal(await t.nameOf('b1'), 'w2:5432')
    assert.equal((await t.cluster.nodes()).length, 2)
  })

  test('changes seconds after its shard was moved', async () => {
    const t = fakeCluster()
    await t.cluster.open()
    t.placements[0]!.host = 'w2'
    await t.pass(4_000)
    assert.equal(await t.nameOf('a1'), 'w1:5432')
    await t.pass(1_000)
    assert.equal(await t.nameOf('a1'), 'w2:5432')
    assert.equal((await t.cluster.nodes()).length, 1)
    // A request may still be in progress there.
    assert.equal(t.node('w1:5432').isOpen, true)
    await t.pass(300_000)
    assert.equal(t.node('w1:5432').isOpen, false)
  })

  test('changes after its shard was split', async () => {
    const t = fakeCluster()
    await t.cluster.open()
    assert.equal(await t.nameOf('a1'), 'w1:5432')
    t.placements[0] = { shard: '3', host: 'w2', port: 5432 }
    await t.pass(5_000)
    assert.equal(
      await t.nameOf('a1'),
      'coordinator',
      'the fake still names the old shard: the coordinator is right, too',
    )
  })

  test('has its new address after a failover, read from any node that is up', async () => {
    const t = fakeCluster()
    await t.cluster.open()
    await t.nameOf('a1')
    t.node('w1:5432').away = true
    t.coordinator.away = true
    t.placements[0]!.host = 'standby'
    await t.pass(500)
    assert.equal(await t.nameOf('a1'), 'standby:5432')
    assert.equal(await t.nameOf('b1'), 'w2:5432')
  })

  test('is returned even while it is down: only its own agencies are affected', async () => {
    const t = fakeCluster()
    await t.cluster.open()
    t.node('w1:5432').away = true
    assert.equal(await t.nameOf('a2'), 'w1:5432')
    assert.equal(await t.nameOf('b2'), 'w2:5432')
  })
})

describe('the address of a node', () => {
  test('takes everything except host and port from the coordinator’s', () => {
    const { connectionString } = toNode(
      { connectionString: 'postgres://u:p%40ss@coordinator:5432/listings?sslmode=verify-full' },
      { host: 'w1', port: 6432 },
    )
    assert.equal(connectionString, 'postgres://u:p%40ss@w1:6432/listings?sslmode=verify-full')
    const parts: ClientConfig = { host: '/run', user: 'u', database: 'd' }
    assert.deepEqual(toNode(parts, { host: 'w1', port: 1 }), {
      host: 'w1',
      port: 1,
      user: 'u',
      database: 'd',
    })
    const ipv6 = toNode({ connectionString: 'postgres://u@c/d?host=/run' }, { host: '::1', port: 5432 })
    assert.equal(ipv6.connectionString, 'postgres://u@[::1]:5432/d')
  })
})

describe('the settings of a connection', () => {
  const connection = { connectionString: 'postgres://u@c/d' }
  const citus = (version: string) => ({ isDistributed: true, version })

  test('force custom plans on versions of Citus that lose generic ones', () => {
    for (const version of ['13.2.1', '13.2.2', '14.0.0', '14.0.1', '14.1.0'])
      assert.equal(settingsFor(connection, citus(version)).options, '-c plan_cache_mode=force_custom_plan')
  })

  test('are the operator’s own elsewhere', () => {
    const own = { connectionString: 'postgres://u@c/d?options=-c%20plan_cache_mode%3Dauto' }
    for (const [given, engine] of [
      [connection, citus('13.2.0')],
      [connection, { isDistributed: false, version: null }],
      [own, citus('13.2.2')],
    ] as const)
      assert.equal(settingsFor(given, engine), given)
  })
})
