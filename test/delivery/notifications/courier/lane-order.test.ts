/**
 * Everything that locks several lanes does so in the same order: a batch of writes, the recording of events without receiver, and the
 * operator's retry. Waiting for the first lane therefore means holding none after it, so two of them never deadlock.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../../../src/platform/db/database.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import { endUnconfigured, leaseLanes } from '../../../../src/delivery/notifications/courier/lanes.ts'
import { retryAll } from '../../../../src/delivery/notifications/retry-by-operator.ts'
import type { Actor } from '../../../../src/writing/actor.ts'
import type { Listing } from '../../../../src/listings/listing.ts'
import { collectChange, writeContext } from '../../../../src/listings/store/write-context.ts'
import { underLock } from '../../../../src/writing/under-lock.ts'
import { accepted, published, refused, rowOf } from '../../../support/app/listings.ts'
import { until } from '../../../support/until.ts'
import { type Notified, notified } from '../notified.ts'

const count = 16
const actor: Actor = { kind: 'system', id: null, name: 'test', requestId: null }

let n: Notified
let ids: string[]
before(async () => {
  n = await notified()
  ids = []
  for (let i = 0; i < count; i += 1) ids.push((await published(n.t)).id)
})
after(() => n.close())
beforeEach(async () => {
  n.pass(60_000)
  await n.deliver('marketplace')
  await n.deliver('mail')
})

/** Changes the state of all listings in one transaction, as a batch does. */
async function changeAll(): Promise<void> {
  const { t } = n
  await underLock(t.deps.db, t.agency.id, t.clock, async (locked) => {
    const context = writeContext(locked, t.deps, actor)
    for (const id of ids) {
      const listing: Listing = await rowOf(t, id)
      const reserved = !listing.reserved
      collectChange(context, listing, reserved ? 'reserved' : 'released', { reserved })
    }
  })
  // Changes of one transaction are stamped a millisecond apart, so the last lane is due `count` milliseconds after the first.
  n.pass(count)
}

/** Waits until something is blocked by this connection of `db`. */
async function waitsFor(db: Db, pid: number): Promise<void> {
  await until(async () => {
    const { rows } =
      await sql`select from pg_stat_activity where ${pid}::int = any (pg_blocking_pids(pid))`.execute(db)
    return rows.length > 0
  })
}

/** Takes all lanes that are due, last first. */
async function takeAll() {
  const lanes = await leaseLanes(n.t.deps.db, n.t.clock, 'marketplace', 100, 1_000)
  assert.equal(lanes.length, count)
  return lanes.sort((a, b) => (a.lane < b.lane ? 1 : -1))
}

const doings: Record<string, () => Promise<() => Promise<unknown>>> = {
  'a batch of changes': async () => changeAll,
  async 'recording that there is no receiver'() {
    await changeAll()
    const lanes = await takeAll()
    return () => endUnconfigured(n.t.deps.db, n.t.clock, lanes)
  },
  'an operator’s retry of everything': async () => () =>
    retryAll(
      { db: n.t.deps.db, clock: n.t.clock },
      { states: ['delivered', 'not_configured'], channel: 'marketplace' },
    ),
}

describe('while waiting for the first lane, no later one is held by', () => {
  for (const [name, prepare] of Object.entries(doings)) {
    test(name, async () => {
      const { id: agencyId } = n.t.agency
      const db = await n.t.deps.db.at(agencyId)
      const act = await prepare()
      let acting: Promise<unknown> = Promise.resolve()
      await inTransaction(db, async (tx) => {
        const { rows } = await sql<{ pid: number }>`
          select pg_backend_pid() as pid from notification_lanes where agency_id = ${agencyId} and channel = 'marketplace'
          order by agency_id, lane limit 1 for update`.execute(tx)
        acting = act()
        await waitsFor(db, rows[0]?.pid ?? 0)
        const free = await inTransaction(db, (other) =>
          sql`select from notification_lanes where agency_id = ${agencyId} and channel = 'marketplace' for update skip locked`.execute(
            other,
          ),
        )
        assert.equal(free.rows.length, count - 1)
      })
      await acting
    })
  }
})

test('batches, retries and recordings that lock several lanes run concurrently without an error', async () => {
  const { db } = n.t.deps
  const retry = () => retryAll({ db, clock: n.t.clock }, { states: ['delivered', 'not_configured'] })
  const record = async (): Promise<void> => {
    const lanes = await leaseLanes(db, n.t.clock, 'marketplace', 100, 0)
    await endUnconfigured(db, n.t.clock, lanes.reverse())
  }
  for (let round = 0; round < 15; round += 1) {
    await Promise.all([changeAll(), retry(), record(), retry(), record()])
  }
})

test('a write that PostgreSQL cancels because of a deadlock is a 503 that may be retried', async () => {
  const { t } = n
  const [id = ''] = ids
  const { id: uuid } = await rowOf(t, id)
  const headers = { 'idempotency-key': randomUUID() }
  const disable = () => t.ask('POST', `/properties/${id}/disable`, { body: {}, headers })
  let writing: ReturnType<typeof disable> | undefined
  const db = await t.deps.db.at(t.agency.id)
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`
      select pg_backend_pid() as pid from notification_lanes where agency_id = ${t.agency.id} and lane = ${uuid} for update`.execute(
      tx,
    )
    writing = disable()
    await waitsFor(db, rows[0]?.pid ?? 0)
    // Direct access to the database, which locks in another order and times out later.
    await sql`set local deadlock_timeout = '1min'`.execute(tx)
    await sql`select from agency_revisions where agency_id = ${t.agency.id} for update`.execute(tx)
  })
  const refusal = await writing
  assert.ok(refusal !== undefined)
  refused(refusal, 'service_unavailable')
  assert.ok(refusal.headers.get('retry-after'))
  accepted(await disable())
})
