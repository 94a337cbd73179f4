/** Old settled deliveries are deleted, and nothing else: pending ones and the history stay, and numbering continues. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { findDeliveredHistory } from '../../../src/listings/history/events.ts'
import { reapNotifications, takeSettled } from '../../../src/delivery/notifications/reap.ts'
import { retryAll } from '../../../src/delivery/notifications/retry-by-operator.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { signedIn } from '../../pages/dashboard/visitor.ts'
import { exceptOnCitus } from '../../support/database/citus.ts'
import { accepted, historyOf, published, rowOf } from '../../support/app/listings.ts'
import { pagesTouched } from '../../support/database/pages-touched.ts'
import { act, type Notified, notified } from './notified.ts'

let n: Notified
before(async () => {
  n = await notified()
})
after(() => n.close())
beforeEach(async () => {
  n.marketplace.respondWith((_event, response) => void response.writeHead(204).end())
  // Keys would expire within the time that the tests skip.
  n.t.clock.offsetMs = 0
  await sql`delete from notification_events`.execute(n.t.deps.db)
  await sql`delete from notification_lanes`.execute(n.t.deps.db)
  await sql`update agency_revisions set changed_at = now()`.execute(n.t.deps.db)
})

const reap = (limit = 100, days = 90) => reapNotifications(n.t.deps.db, limit, n.t.clock, days)
const deliver = async (): Promise<void> => {
  n.pass(60_000)
  await n.deliver('marketplace')
  await n.deliver('mail')
}

/** The remaining events of a listing: `2 mail skipped`, or `2` if only the number remains. */
async function left(id: string): Promise<string[]> {
  const { id: uuid } = await rowOf(n.t, id)
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', e.sequence, d.channel, d.state, case when d.state is null and e.listing <> '{}' then 'whole' end) as line
    from notification_events e
      left join notification_deliveries d on d.agency_id = e.agency_id and d.event_id = e.id
    where e.agency_id = ${n.t.agency.id} and e.property_id = ${uuid}
    order by e.sequence, d.channel`.execute(n.t.deps.db)
  return rows.map(({ line }) => line)
}

async function attempts(): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from notification_attempts`.execute(n.t.deps.db)
  return rows[0]?.count ?? 0
}

describe('a settled delivery', () => {
  test('is deleted with its attempts after its retention; the last number and the history stay', async () => {
    const { id } = await published(n.t)
    accepted(await act.disable(n.t, id))
    await deliver()
    const whole = ['1 mail skipped', '1 marketplace delivered', '2 mail skipped', '2 marketplace delivered']
    n.pass(89 * dayMs)
    assert.equal(await reap(), 0)
    assert.deepEqual(await left(id), whole)
    assert.equal(await attempts(), 2)
    n.pass(2 * dayMs)
    assert.equal(await reap(), 4)
    assert.deepEqual(await left(id), ['2'])
    assert.equal(await attempts(), 0)
    assert.equal((await historyOf(n.t, id)).length, 2)

    accepted(await act.enable(n.t, id))
    await deliver()
    assert.deepEqual(n.marketplace.of(id), ['published 1', 'disabled 2', 'published 3'])
    n.pass(91 * dayMs)
    await reap()
    assert.deepEqual(await left(id), ['3'])
  })

  test('is shown in the history as no longer stored, in the dashboard and on the command line', async () => {
    const { id } = await published(n.t)
    accepted(await n.t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otra' } }))
    await deliver()
    n.pass(91 * dayMs)
    await reap()
    const { id: uuid } = await rowOf(n.t, id)
    const history = await findDeliveredHistory(n.t.deps.db, n.t.agency.id, uuid)
    assert.deepEqual(
      history.map(({ action, notification }) => [action, notification]),
      [
        ['created', null],
        ['updated', undefined],
      ],
    )
    const owner = await signedIn(n.t, 'owner', n.t.agency.id, 'en')
    const page = await owner.get(`/dashboard/listings/${id}`)
    assert.equal(page.words.match(/no longer kept/g)?.length, 1)
  })
})

describe('a pending delivery', () => {
  test('is kept with its event and attempts at any age, and can still be delivered', async () => {
    const { id } = await published(n.t)
    n.marketplace.respondWith((_event, response) => void response.writeHead(500).end())
    await deliver()
    n.pass(4 * dayMs)
    await n.deliver('marketplace')
    accepted(await act.disable(n.t, id))
    await deliver()
    n.pass(200 * dayMs)
    assert.equal(await reap(), 2, 'the mails')
    assert.deepEqual(await left(id), ['1 marketplace set_aside', '2 marketplace pending'])
    assert.ok((await attempts()) >= 3)
    n.marketplace.respondWith((_event, response) => void response.writeHead(204).end())
    await retryAll({ db: n.t.deps.db, clock: n.t.clock }, { states: ['set_aside', 'pending'] })
    await n.deliver('marketplace')
    assert.equal(await reap(), 0)
    n.pass(91 * dayMs)
    assert.equal(await reap(), 2)
    assert.deepEqual(await left(id), ['2'])
  })
})

describe('several workers that delete deliveries', () => {
  test('take a batch at a time each, and together remove an event completely', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await published(n.t)).id))
    for (const id of ids) accepted(await act.disable(n.t, id))
    await deliver()
    n.pass(91 * dayMs)
    for (;;) {
      const counts = await Promise.all([reap(3), reap(3), reap(1)])
      assert.ok(counts.every((count) => count <= 3))
      if (counts.every((count) => count === 0)) break
    }
    for (const id of ids) {
      const rest = await left(id)
      assert.ok(rest.at(-1) === '2' && rest.every((line) => line.length === 1), String(rest))
    }
  })

  test('do not wait for a delivery that an operator is retrying, and keep it', async () => {
    const { id } = await published(n.t)
    await deliver()
    n.pass(91 * dayMs)
    await inTransaction(n.t.deps.db, async (tx) => {
      await sql`update notification_deliveries set state = 'pending', ended_at = null where channel = 'marketplace'`.execute(
        tx,
      )
      assert.equal(await reap(), 1)
    })
    assert.deepEqual(await left(id), ['1 marketplace pending'])
    await sql`update notification_lanes set due_at = now() where channel = 'marketplace'`.execute(n.t.deps.db)
    await n.deliver('marketplace')
  })
})

const pages = exceptOnCitus("it counts the pages of plain PostgreSQL's plans")
test('the reaper of deliveries touches no more pages with more rows if nothing is due', pages, async () => {
  const { id } = await published(n.t)
  const { id: uuid } = await rowOf(n.t, id)
  const fill = async (from: number, to: number): Promise<void> => {
    await sql`insert into notification_events (agency_id, id, property_id, sequence, type, revision, at, listing)
      select ${n.t.agency.id}, gen_random_uuid(), ${uuid}, n, 'published', n, now(), '{}'
      from generate_series(${from}::int, ${to}::int) n`.execute(n.t.deps.db)
    await sql`insert into notification_deliveries (agency_id, event_id, channel, lane, revision, state, ended_at)
      select e.agency_id, e.id, 'mail', e.agency_id, e.revision, case when e.sequence % 2 = 0 then 'delivered' else 'set_aside' end,
        case when e.sequence % 2 = 0 then now() + interval '1000 days' else '2000-01-01' end
      from notification_events e where e.sequence between ${from} and ${to} on conflict do nothing`.execute(
      n.t.deps.db,
    )
  }
  const pages = () =>
    pagesTouched(n.t.deps.db, (db) =>
      takeSettled(db, { db, limit: 100, now: n.t.clock.offsetMs, agencyId: null }, 90),
    )
  await fill(10, 200)
  const few = await pages()
  // With statistics, the planner also reads the ends of indexes.
  const slack = 10
  await fill(201, 4_000)
  assert.ok((await pages()) <= few + slack)
  await sql`analyze notification_deliveries, notification_events`.execute(n.t.deps.db)
  assert.ok((await pages()) <= few + slack)
})
