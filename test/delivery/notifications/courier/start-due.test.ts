/**
 * Delivery under failures: every event arrives at least once and in order within its listing, no listing waits for another, and several
 * workers do not duplicate deliveries.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { startDue } from '../../../../src/delivery/notifications/courier/start-due.ts'
import { readLane, settleLane, leaseLanes } from '../../../../src/delivery/notifications/courier/lanes.ts'
import { getDelivery } from '../../../../src/delivery/notifications/deliveries.ts'
import { readGauges } from '../../../../src/delivery/notifications/gauges.ts'
import { retryAll } from '../../../../src/delivery/notifications/retry-by-operator.ts'
import { waitAfter } from '../../../../src/delivery/notifications/retry-schedule.ts'
import { dayMs } from '../../../../src/platform/time/days.ts'
import { accepted, published } from '../../../support/app/listings.ts'
import { secondApp } from '../../../support/app/second-app.ts'
import { act, deliverDue, type Notified, notified } from '../notified.ts'
import type { Respond } from '../sinks.ts'

const hourMs = 3_600_000

let n: Notified
before(async () => {
  n = await notified({ marketplaceMs: 300 })
})
after(() => n.close())

const taken: Respond = (_event, response) => void response.writeHead(204).end()
const refuses =
  (status: number, isRefused: (listing: string) => boolean = () => true): Respond =>
  (event, response) =>
    void response.writeHead(isRefused(event.data.listing.id) ? status : 204).end()

beforeEach(async () => {
  n.marketplace.respondWith(taken)
  await n.deliver('marketplace')
  await n.deliver('mail')
})

async function stateOf(eventId: string | undefined) {
  return getDelivery(n.t.deps.db, eventId ?? '', 'marketplace')
}

/** Events of a listing without repeats, as `published 1`, in the order of first arrival. */
function orderOf(id: string): string[] {
  return [...new Set(n.marketplace.of(id))]
}

describe('a marketplace that fails', () => {
  for (const [name, respond] of Object.entries<Respond>({
    'with 500': refuses(500),
    'with 410': refuses(410),
    'with 429': refuses(429),
    'by never responding': () => {},
    'by closing the connection': (_event, response) => void response.destroy(),
  })) {
    test(`${name} gets every event later, in order`, async () => {
      const { t, marketplace } = n
      const { id } = await published(t)
      accepted(await act.disable(t, id))
      marketplace.respondWith(respond)
      await n.deliver('marketplace')
      // The second event waits for the first.
      assert.deepEqual(orderOf(id), ['published 1'])
      n.pass(7_000)
      await n.deliver('marketplace')
      assert.deepEqual(marketplace.of(id), ['published 1', 'published 1'])
      marketplace.respondWith(taken)
      n.pass(13_000)
      await n.deliver('marketplace')
      assert.deepEqual(marketplace.of(id), ['published 1', 'published 1', 'published 1', 'disabled 2'])
      const repeats = marketplace.received.filter(({ data }) => data.listing.id === id)
      assert.deepEqual(
        repeats.slice(0, 3).map(({ id: event, body }) => [event, body]),
        Array.from({ length: 3 }, () => [repeats[0]?.id, repeats[0]?.body]),
      )
      const { state, attempts, attempt_log } = await stateOf(repeats[0]?.id)
      assert.deepEqual(
        [state, attempts, attempt_log.map(({ succeeded }) => succeeded)],
        ['delivered', 3, [false, false, true]],
      )
    })
  }

  test('for one listing gets events of the others at once', async () => {
    const { t, marketplace } = n
    const [failing, other] = [await published(t), await published(t)]
    marketplace.respondWith(refuses(500, (listing) => listing === failing.id))
    await n.deliver('marketplace')
    accepted(await act.disable(t, other.id))
    accepted(await act.disable(t, failing.id))
    await n.deliver('marketplace')
    assert.deepEqual(marketplace.of(other.id), ['published 1', 'disabled 2'])
    assert.deepEqual(marketplace.of(failing.id), ['published 1'])
    marketplace.respondWith(taken)
    n.pass(hourMs)
    await n.deliver('marketplace')
    assert.deepEqual(orderOf(failing.id), ['published 1', 'disabled 2'])
  })

  test('for three days loses that event, which is set aside for the operator, and gets the next', async () => {
    const { t, marketplace } = n
    const { id } = await published(t)
    accepted(await act.disable(t, id))
    marketplace.respondWith(refuses(500))
    const began = n.t.clock.offsetMs
    const waits: number[] = []
    let last = began
    while (!orderOf(id).includes('disabled 2')) {
      if ((await n.deliver('marketplace')) > 0) {
        waits.push(n.t.clock.offsetMs - last)
        last = n.t.clock.offsetMs
      }
      n.pass(Math.max(1_000, (n.t.clock.offsetMs - began) / 50))
      assert.ok(n.t.clock.offsetMs - began < 5 * dayMs, 'it ends')
    }
    const [event] = marketplace.received.filter(({ data }) => data.listing.id === id)
    const { state, attempts, detail } = await stateOf(event?.id)
    assert.equal(state, 'set_aside')
    assert.match(detail ?? '', /status 500/)
    assert.ok(attempts > 20 && attempts < 60, String(attempts))
    const triedFor = last - began
    assert.ok(triedFor >= 3 * dayMs && triedFor < 3.2 * dayMs, String(triedFor / dayMs))
    const [gauges] = (await readGauges(t.deps.db, t.clock)).filter(({ channel }) => channel === 'marketplace')
    assert.equal(gauges?.set_aside, 1)

    marketplace.respondWith(taken)
    assert.equal(await retryAll({ db: t.deps.db, clock: t.clock }), 1)
    n.pass(dayMs)
    await n.deliver('marketplace')
    assert.equal((await stateOf(event?.id)).state, 'delivered')
    assert.deepEqual(marketplace.of(id).slice(-2).sort(), ['disabled 2', 'published 1'])
  })

  test('is retried after the time it requests', async () => {
    const { id } = await published(n.t)
    n.marketplace.respondWith(
      (_event, response) => void response.writeHead(503, { 'retry-after': '600' }).end(),
    )
    await n.deliver('marketplace')
    n.marketplace.respondWith(taken)
    n.pass(590_000)
    await n.deliver('marketplace')
    assert.equal(n.marketplace.of(id).length, 1)
    n.pass(11_000)
    await n.deliver('marketplace')
    assert.equal(n.marketplace.of(id).length, 2)
  })
})

describe('waits between deliveries', () => {
  test('grow, up to four hours, with a quarter of random jitter', ({ mock }) => {
    const jitter = mock.method(Math, 'random', () => 0)
    const waits = Array.from({ length: 40 }, (_, index) => waitAfter(index + 1, 0))
    assert.deepEqual(waits.slice(0, 4), [5_000, 10_000, 20_000, 40_000])
    assert.equal(Math.max(...waits), 4 * hourMs)
    assert.equal(waitAfter(1, hourMs), hourMs)
    jitter.mock.mockImplementation(() => 1)
    assert.equal(waitAfter(1, 0), 6_250)
  })
})

describe('several workers', () => {
  test('send each event once, and in order within each listing', async () => {
    // With the usual timeout: on a busy machine, an attempt may take longer than that of the other tests.
    const patient = await notified()
    const { t, marketplace } = patient
    const second = await secondApp(t)
    try {
      const listings = await Promise.all(Array.from({ length: 12 }, () => published(t)))
      for (const { id } of listings) accepted(await act.disable(t, id))
      for (const { id } of listings) accepted(await act.enable(t, id))
      const workers = [patient.deps(), patient.deps(second.db), patient.deps(), patient.deps(second.db)]
      await Promise.all(workers.map((deps) => deliverDue(deps, 'marketplace', 3)))
      // One worker may have ended while another still held a lane.
      await patient.deliver('marketplace')
      for (const { id } of listings)
        assert.deepEqual(marketplace.of(id), ['published 1', 'disabled 2', 'published 3'])
    } finally {
      await second.close()
      await patient.close()
    }
  })

  test('take over a dead worker’s lane, and ignore its late result', async () => {
    const { t, marketplace } = n
    const { id } = await published(t)
    const { db, clock } = t.deps
    const lanes = await leaseLanes(db, clock, 'marketplace', 10, 30_000)
    const [dead] = lanes
    assert.ok(dead !== undefined && lanes.length === 1)
    assert.equal(await n.deliver('marketplace'), 0, 'the lease holds')
    n.pass(31_000)
    await n.deliver('marketplace')
    assert.deepEqual(marketplace.of(id), ['published 1'])
    const settlement = { results: [], why: null, failures: 0, waitMs: 0, isMore: false, restMs: 0 }
    assert.equal(await settleLane(db, clock, dead, settlement), false)
  })

  test('see events that are written during delivery', async () => {
    const { t, marketplace } = n
    const { id } = await published(t)
    const { db, clock } = t.deps
    const [lane] = await leaseLanes(db, clock, 'marketplace', 1, 30_000)
    assert.ok(lane !== undefined)
    const { events } = await readLane(db, lane, 1)
    accepted(await act.disable(t, id))
    const results = events.map(({ event_id }) => ({ event_id, state: 'delivered' as const }))
    const settlement = { results, why: null, failures: 0, waitMs: 0, isMore: false, restMs: 0 }
    assert.equal(await settleLane(db, clock, lane, settlement), true)
    await n.deliver('marketplace')
    assert.deepEqual(marketplace.of(id), ['disabled 2'])
  })

  test('limit a slow receiver to one slot, and use the others for the rest', async () => {
    const { t, marketplace } = n
    const [slow, quick] = [await published(t), await published(t)]
    marketplace.respondWith((event, response) => {
      if (event.data.listing.id !== slow.id) response.writeHead(204).end()
    })
    const running = await startDue(n.deps(), 'marketplace', 8)
    assert.equal(running.length, 2)
    await Promise.race(running)
    assert.deepEqual(marketplace.of(quick.id), ['published 1'])
    await Promise.all(running)
    marketplace.respondWith(taken)
    n.pass(hourMs)
    await n.deliver('marketplace')
    assert.deepEqual(marketplace.of(slow.id), ['published 1', 'published 1'])
  })
})

describe('a service without settings for delivery', () => {
  let bare: Notified
  before(async () => {
    bare = await notified({ isConfigured: false })
  })
  after(() => bare.close())

  test('records events as not configured; later ones are delivered, and earlier ones when the operator retries them', async () => {
    const { t, marketplace } = bare
    const { id } = await published(t)
    bare.pass(hourMs)
    await bare.deliver('marketplace')
    await bare.deliver('mail')
    const { rows } = await sql<{ channel: string; state: string }>`
      select channel, state from notification_deliveries order by channel`.execute(t.deps.db)
    assert.deepEqual(
      rows.map(({ channel, state }) => `${channel} ${state}`),
      ['mail not_configured', 'marketplace not_configured'],
    )
    const configured = { ...bare.deps(), marketplace: n.deps().marketplace }
    accepted(await act.disable(t, id))
    await deliverDue(configured, 'marketplace')
    assert.deepEqual(n.marketplace.of(id), ['disabled 2'])
    await retryAll(t.deps, { states: ['not_configured'], channel: 'marketplace' })
    await deliverDue(configured, 'marketplace')
    assert.deepEqual(n.marketplace.of(id), ['disabled 2', 'published 1'])
    assert.equal(marketplace.received.length, 0)
  })
})
