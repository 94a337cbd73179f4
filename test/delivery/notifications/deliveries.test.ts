/**
 * The operator's view of deliveries: the queue and its filters, attempts, retries, the delivery state in a listing's history, and the
 * counters, both as functions and on the command line.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  countSetAside,
  type Delivery,
  getDelivery,
  listDeliveries,
} from '../../../src/delivery/notifications/deliveries.ts'
import { readGauges } from '../../../src/delivery/notifications/gauges.ts'
import { retryAll, retryEvent } from '../../../src/delivery/notifications/retry-by-operator.ts'
import { findDeliveredHistory } from '../../../src/listings/history/events.ts'
import { deliveryAttempts } from '../../../src/platform/log/counters.ts'
import { type Svc, svcHere } from '../../operations/cli/svc.ts'
import { databaseUrl, testServer, wayTo } from '../../support/database/database.ts'
import { accepted, draft, published, rowOf } from '../../support/app/listings.ts'
import { act, type Notified, notified } from './notified.ts'

let n: Notified
let svc: Svc
let release: () => Promise<void>
before(async () => {
  n = await notified()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(n.t.deps.db)
  const server = await testServer()
  release = () => server.release()
  svc = svcHere({
    DATABASE_URL: databaseUrl(wayTo(server, rows[0]?.name ?? '')),
    DATA_DIR: n.t.deps.config.dataDir,
    GEOCODER: 'none',
    SMTP_URL: n.mail.url,
    MAIL_FROM: 'notices@listings.test',
    MARKETPLACE_URL: n.marketplace.url,
    MARKETPLACE_SECRET: 'a secret of the tests, long enough',
  })
})
after(async () => {
  await release()
  await n.close()
})

async function json(line: string, ...words: string[]) {
  const { code, stdout, stderr } = await svc(line, ...words, '--json')
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** A listing whose publication the marketplace has rejected once. */
async function failed() {
  const { id } = await published(n.t)
  n.marketplace.respondWith((_event, response) => void response.writeHead(500).end('out of order'))
  await n.deliver('marketplace')
  n.marketplace.respondWith((_event, response) => void response.writeHead(204).end())
  const { id: listingId } = await rowOf(n.t, id)
  const [delivery] = await listDeliveries(n.t.deps.db, { listingId, channel: 'marketplace' })
  assert.ok(delivery !== undefined)
  return { id, listingId, delivery }
}

describe('the queue of deliveries', () => {
  test('lists them, latest first, by state, channel, agency and listing', async () => {
    const { db } = n.t.deps
    const { id, listingId, delivery } = await failed()
    accepted(await act.disable(n.t, id))
    const { next_attempt_at, at, event_id, ...rest } = delivery
    assert.ok(next_attempt_at !== null && next_attempt_at > at)
    assert.deepEqual(rest, {
      channel: 'marketplace',
      type: 'published',
      agency: n.t.agency.slug,
      listing: id,
      listing_uuid: listingId,
      sequence: 1,
      state: 'pending',
      attempts: 1,
      ended_at: null,
      detail: 'It answered with status 500: out of order',
      why: { kind: 'refused', status: 500, said: 'out of order' },
    } satisfies Partial<Delivery>)
    const told = (deliveries: readonly Delivery[]) =>
      deliveries.map(({ type, channel }) => `${type} ${channel}`)
    assert.deepEqual(told(await listDeliveries(db, { listingId })), [
      'disabled mail',
      'disabled marketplace',
      'published mail',
      'published marketplace',
    ])
    assert.deepEqual(told(await listDeliveries(db, { listingId, isFailing: true })), [
      'published marketplace',
    ])
    const ofMails = await listDeliveries(db, { listingId, states: ['pending'], channel: 'mail' })
    assert.deepEqual(told(ofMails), ['disabled mail', 'published mail'])
    assert.deepEqual(await listDeliveries(db, { agencyId: n.t.other.agency.id }), [])
    assert.equal((await listDeliveries(db, {}, { limit: 1, offset: 1 })).length, 1)
    const { attempt_log } = await getDelivery(db, event_id, 'marketplace')
    assert.deepEqual(
      attempt_log.map(({ at: _at, duration_ms: _ms, ...attempt }) => attempt),
      [{ number: 1, succeeded: false, status: 500, detail: delivery.detail, why: delivery.why }],
    )
    await assert.rejects(getDelivery(db, 'nonsense', 'mail'), /Event "nonsense" has no delivery by mail/)
  })

  test('has counts of waiting, failing and set-aside deliveries, and the time of the oldest', async () => {
    const { deps, clock } = n.t
    const { delivery } = await failed()
    await sql`update notification_deliveries set state = 'set_aside', ended_at = now()
      where event_id = ${delivery.event_id} and channel = 'marketplace'`.execute(deps.db)
    n.pass(60_000)
    const gauges = await readGauges(deps.db, clock)
    const [mail, marketplace] = gauges
    assert.deepEqual(
      gauges.map(({ channel }) => channel),
      ['mail', 'marketplace'],
    )
    const { length: waiting } = await listDeliveries(deps.db, { channel: 'mail', states: ['pending'] })
    assert.deepEqual([mail?.pending, mail?.set_aside], [waiting, 0])
    assert.deepEqual([marketplace?.set_aside, await countSetAside(deps.db)], [1, 1])
    assert.ok((mail?.oldest_pending_seconds ?? 0) >= 60)
    assert.ok((deliveryAttempts.read().get('marketplace failed') ?? 0) > 0)
  })
})

describe('a retry of deliveries', () => {
  test('of one event delivers it at once, whatever its state', async () => {
    const { deps } = n.t
    const { id, delivery } = await failed()
    assert.equal(await retryEvent(deps, delivery.event_id, 'marketplace'), 1)
    await n.deliver('marketplace')
    assert.equal((await getDelivery(deps.db, delivery.event_id, 'marketplace')).state, 'delivered')
    assert.equal(await retryEvent(deps, delivery.event_id, 'marketplace'), 1)
    await n.deliver('marketplace')
    assert.deepEqual(n.marketplace.of(id), ['published 1', 'published 1', 'published 1'])
    await assert.rejects(retryEvent(deps, 'nonsense'), /no event "nonsense"/)
  })

  test('of all takes those that were set aside, in order, and no others', async () => {
    const { deps } = n.t
    n.pass(3_600_000)
    await n.deliver('marketplace')
    const { id } = await published(n.t)
    accepted(await act.disable(n.t, id))
    await n.deliver('marketplace')
    await sql`update notification_deliveries set state = 'set_aside' where channel = 'marketplace'
      and event_id in (select e.id from notification_events e join properties p on p.agency_id = e.agency_id and p.id = e.property_id
        where p.public_id = ${id})`.execute(deps.db)
    assert.ok((await retryAll(deps, { channel: 'marketplace' })) >= 2)
    await n.deliver('marketplace')
    assert.deepEqual(n.marketplace.of(id), ['published 1', 'disabled 2', 'published 1', 'disabled 2'])
    assert.equal(await retryAll(deps), 0)
  })
})

describe('the history of a listing', () => {
  test('shows the delivery state of each change, and is otherwise the same', async () => {
    const { t } = n
    const { id } = await draft(t)
    const shown = await published(t)
    accepted(await t.ask('PATCH', `/properties/${shown.id}`, { body: { title: 'Otra' } }))
    await n.deliver('marketplace')
    const [created, updated] = await findDeliveredHistory(
      t.deps.db,
      t.agency.id,
      (await rowOf(t, shown.id)).id,
    )
    assert.deepEqual(Object.keys(updated ?? {}), ['at', 'action', 'actor', 'changes', 'request_id'])
    assert.equal(created?.notification?.sequence, 1)
    assert.deepEqual(
      created?.notification?.deliveries.map(({ channel, state, attempts }) => [channel, state, attempts]),
      [
        ['mail', 'pending', 0],
        ['marketplace', 'delivered', 1],
      ],
    )
    const { agency } = t
    const told = await json(`listing history --agency ${agency.slug} --id ${shown.id}`)
    assert.deepEqual(told[0].notification, created?.notification)
    const text = (await svc(`listing history --agency ${agency.slug} --id ${shown.id}`)).stdout
    assert.match(text, /created .* mail pending, marketplace delivered/)
    assert.deepEqual(
      (await json(`listing history --agency ${agency.slug} --id ${id}`)).map((entry: object) =>
        Object.keys(entry),
      ),
      [['at', 'action', 'actor', 'changes', 'request_id']],
    )
  })
})

describe('the command line', () => {
  test('lists, shows, counts and retries deliveries', async () => {
    const { delivery } = await failed()
    const { event_id, agency } = delivery
    const listed = (await json(
      `notification list --agency ${agency} --channel marketplace --failing`,
    )) as Delivery[]
    assert.deepEqual(listed, [delivery])
    assert.match((await svc('notification list --state pending --limit 1')).stdout, /^AT .*\n.* pending /)
    const [mail, marketplace] = await json(`notification show ${event_id}`)
    assert.deepEqual([mail.channel, marketplace.attempt_log.length], ['mail', 1])
    assert.match(
      (await svc(`notification show ${event_id}`)).stdout,
      /failed +500 +It answered with status 500/,
    )
    assert.deepEqual(await json(`notification retry --event ${event_id} --channel marketplace`), {
      retried: 1,
    })
    assert.deepEqual(await json(`notification retry --all --agency ${agency}`), { retried: 0 })
    await n.deliver('marketplace')
    const gauges = (await json('notification status')) as { channel: string; failing: number }[]
    assert.deepEqual(
      gauges.map(({ channel, failing }) => [channel, failing]),
      [
        ['mail', 0],
        ['marketplace', 0],
      ],
    )
  })

  test('shows and changes an agency’s preferences', async () => {
    const { slug } = n.t.agency
    assert.deepEqual(await json(`notification preference --agency ${slug}`), {
      mail: true,
      language: 'es-AR',
      unwanted: [],
    })
    assert.deepEqual(await json(`notification preference --agency ${slug} --mail off --language en`), {
      mail: false,
      language: 'en',
      unwanted: [],
    })
    assert.match((await svc(`notification preference --agency ${slug}`)).stdout, /mail +off\n +language +en/)
  })

  test('reports invalid arguments in one line', async () => {
    for (const [line, message] of [
      ['notification list --state lost', /^--state must be one of/],
      ['notification list --channel pigeon', /^--channel must be mail or marketplace/],
      ['notification list --limit 0', /^--limit must be/],
      ['notification list --agency nobody', /No agency has the slug "nobody"/],
      ['notification retry', /^Give either --event EVENT-ID or --all/],
      ['notification retry --all --event x', /^Give either/],
      ['notification show nonsense', /Event "nonsense" has no delivery/],
      [`notification preference --agency ${n.t.agency.slug} --mail maybe`, /^--mail must be on or off/],
      [`notification preference --agency ${n.t.agency.slug} --language fr`, /no language "fr"/],
    ] as const) {
      const { code, stdout, stderr } = await svc(line)
      assert.match(stderr, message)
      assert.match(stderr, /^[^\n]+\n$/)
      assert.deepEqual([code, stdout], [1, ''])
    }
  })

  test('doctor checks the mail server and the marketplace without sending anything', async () => {
    const before_ = [n.mail.received.length, n.marketplace.received.length]
    // These tests have moved their clock ahead, which doctor reports: its exit code is not judged.
    const { checks, settings } = JSON.parse((await svc('doctor --json')).stdout)
    const told = (checks as { name: string; ok: boolean; detail: string }[]).filter(({ name }) =>
      ['mail', 'marketplace'].includes(name),
    )
    assert.deepEqual(
      told.map(({ name, ok }) => [name, ok]),
      [
        ['mail', true],
        ['marketplace', true],
      ],
    )
    assert.deepEqual([n.mail.received.length, n.marketplace.received.length], before_)
    assert.ok(!JSON.stringify(settings).includes('a secret of the tests'))
  })
})
