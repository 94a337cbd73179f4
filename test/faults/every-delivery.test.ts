/**
 * The worker delivers one event while one of its steps fails. The event arrives once or twice
 * (docs/notifications.md), and its state never says that it was delivered when it was not.
 */
// not on Citus: counts statements
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { changesMailer } from '../../src/delivery/mails/listing-changes.ts'
import { type DeliveryDeps, startDue } from '../../src/delivery/notifications/deliver.ts'
import type { ChannelName } from '../../src/delivery/notifications/outbox.ts'
import { viewOfEvent } from '../../src/listings/history/events.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { publishable, type TestApp, testApp } from '../support/app.ts'
import { secondApp } from '../support/second-app.ts'
import { accepted } from '../support/listings.ts'
import { type StepProxy, stepProxy } from './step-proxy.ts'
import { deliverDue } from '../delivery/notifications/notified.ts'
import { casesOf, chosen } from './sample.ts'
import { newSteps, type Way } from './steps.ts'

/** Longer than a lease, and than the wait after a failed attempt. */
const passMs = 60_000
const mostTurns = 5
/** A sample has one of this number of cases. */
const caseCount = 8

const steps = newSteps()
/** Subjects of mails and ids of events that arrived. */
let arrived: string[] = []
let t: TestApp
let proxy: StepProxy
let worker: Awaited<ReturnType<typeof secondApp>>
before(async () => {
  t = await testApp({
    mailer: {
      send: ({ subject }) => steps.run('send a mail', async () => void arrived.push(subject)),
      check: async () => {},
    },
    marketplace: {
      send: (id) =>
        steps.run('send an event', async () => {
          arrived.push(id)
          return 204
        }),
      check: async () => 204,
      close: async () => {},
    },
  })
  worker = await secondApp(t, async (connection) => {
    proxy = await stepProxy(connection, steps)
    return proxy.connection
  })
})
after(async () => {
  await worker.close()
  proxy.close()
  await t.close()
})

const depsOf = (db: Db): DeliveryDeps => ({
  ...t.deps,
  db,
  tally: t.deps.deliveryTally,
  viewOfEvent,
  mailChanges: changesMailer(t.deps),
  random: () => 0,
})

/** One round of the worker, which logs errors and goes on. */
async function deliver(db: Db, channel: ChannelName): Promise<void> {
  const running = await startDue(depsOf(db), channel, 8).catch(() => [])
  await Promise.allSettled(running)
}

/** Publishes a listing of a new agency. @returns a function that reads the states of its event's deliveries */
async function publish(channel: ChannelName): Promise<() => Promise<string[]>> {
  const { db } = t.deps
  // Earlier cases leave events for the other channel.
  await deliverDue(depsOf(db), channel)
  const { agency, writeKey } = await t.newAgency()
  await db.updateTable('agencies').set({ email: 'office@acme.example' }).where('id', '=', agency.id).execute()
  accepted(await t.ask('POST', '/properties', { key: writeKey, body: publishable() }), 201)
  arrived = []
  // The first change waits a few seconds for others, which share its mail.
  t.clock.offsetMs += passMs
  await proxy.closeConnections()
  return async () => {
    const rows = await db
      .selectFrom('notification_deliveries')
      .select('state')
      .where('agency_id', '=', agency.id)
      .where('channel', '=', channel)
      .execute()
    return rows.map(({ state }) => state)
  }
}

async function stepsOf(channel: ChannelName): Promise<string[]> {
  const states = await publish(channel)
  steps.arm()
  await deliver(worker.db, channel)
  const { names } = steps.disarm()
  assert.deepEqual(await states(), ['delivered'])
  assert.equal(arrived.length, 1)
  return names
}

async function fail(channel: ChannelName, number: number, way: Way): Promise<void> {
  const states = await publish(channel)
  steps.arm(number, way)
  await deliver(worker.db, channel)
  steps.disarm()
  const [state] = await states()
  if (state === 'delivered') assert.ok(arrived.length > 0, 'it claims to be delivered')
  for (let turn = 0; turn < mostTurns && (await states())[0] !== 'delivered'; turn += 1) {
    t.clock.offsetMs += passMs
    await deliver(worker.db, channel)
  }
  assert.deepEqual(await states(), ['delivered'])
  assert.ok(arrived.length === 1 || arrived.length === 2, `it arrives ${arrived.length} times`)
  assert.equal(new Set(arrived).size, 1)
}

for (const channel of ['mail', 'marketplace'] as const) {
  it(`every step of a delivery fails once: ${channel} (FAULTS=${chosen})`, async (context) => {
    const names = await stepsOf(channel)
    const cases = casesOf(names, caseCount)
    for (const { step, number, way } of cases) {
      await fail(channel, number, way).catch((error: Error) => {
        throw new Error(`step ${number} of ${names.length} (${step}), ${way}: ${error.message}`)
      })
    }
    context.diagnostic(`${channel}: ${names.length} steps, ${cases.length} faults`)
  })
}
