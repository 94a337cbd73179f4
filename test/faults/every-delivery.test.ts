/**
 * The worker delivers an event or a mail while one of its steps fails. It arrives once or twice (docs/notifications.md), and its state
 * never says that it was delivered when it was not.
 */
// not on Citus: counts statements
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Account } from '../../src/access/accounts/accounts.ts'
import { notifyAccount } from '../../src/access/accounts/mails/notices.ts'
import { type Agency } from '../../src/agencies/agencies.ts'
import { keepEnquiry } from '../../src/agencies/enquiries.ts'
import { mailEnquiries } from '../../src/delivery/mails/enquiry-mails.ts'
import { remindOfKeys } from '../../src/delivery/mails/key-reminders.ts'
import { mailLinks, prepareLink } from '../../src/delivery/mails/link-mails.ts'
import type { MailDeps } from '../../src/delivery/mails/mailer.ts'
import { mailNotices } from '../../src/delivery/mails/notice-mails.ts'
import { startDue } from '../../src/delivery/notifications/courier/start-due.ts'
import type { ChannelName } from '../../src/delivery/notifications/outbox.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { inTransaction } from '../../src/platform/db/statements/transaction.ts'
import { dayMs } from '../../src/platform/time/days.ts'
import { publishable, type TestApp, testApp } from '../support/app/app.ts'
import { secondApp } from '../support/app/second-app.ts'
import { accepted } from '../support/app/listings.ts'
import { createPerson } from '../support/app/people.ts'
import { failSteps, printTable } from './fail-steps.ts'
import { type StepProxy, stepProxy } from './steps/step-proxy.ts'
import { deliverDue, deliveryDeps } from '../delivery/notifications/notified.ts'
import { chosen, oneOf } from './sample.ts'
import { newSteps, type Way } from './steps/steps.ts'

/** Longer than a lease, and than the wait after a failed attempt. */
const passMs = 11 * 60_000
const maxTurns = 5
/** A sample has every sixth delivery, and every fifth of its cases. */
const [deliveryCount, caseCount] = [6, 5]

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
after(printTable)

/** Something to deliver, for an agency of its own. */
type Delivery = {
  name: string
  /** @returns whether its state says that it was delivered */
  prepare(office: Office): Promise<() => Promise<boolean>>
  /** One round of the worker. */
  run(db: Db): Promise<unknown>
}
type Office = { agency: Agency; writeKey: string; owner: Account }

const mailDeps = (db: Db): MailDeps => ({ ...t.deps, db })

const noticesOf = ({ owner }: Pick<Office, 'owner'>) =>
  t.deps.db.selectFrom('account_notices').select('id').where('account_id', '=', owner.id).execute()

/** An event about a listing that was published. */
const event = (channel: ChannelName): Delivery => ({
  name: `an event: ${channel}`,
  async prepare({ agency, writeKey }) {
    const { db } = t.deps
    // Earlier cases leave events for the other channel.
    await deliverDue(deliveryDeps(t, db), channel)
    accepted(await t.ask('POST', '/properties', { key: writeKey, body: publishable() }), 201)
    return async () => {
      const { state } = await db
        .selectFrom('notification_deliveries')
        .select('state')
        .where('agency_id', '=', agency.id)
        .where('channel', '=', channel)
        .executeTakeFirstOrThrow()
      return state === 'delivered'
    }
  },
  run: async (db) => Promise.allSettled(await startDue(deliveryDeps(t, db), channel, 8)),
})

/** A mail that waits in a table until it is sent. @param waiting counts it there */
const mail = (
  name: string,
  chore: (deps: MailDeps, limit: number) => Promise<number>,
  write: (office: Office) => Promise<unknown>,
  waiting: (office: Office) => Promise<readonly unknown[]>,
): Delivery => ({
  name,
  async prepare(office) {
    await write(office)
    return async () => (await waiting(office)).length === 0
  },
  run: (db) => chore(mailDeps(db), 8),
})

/** A reminder that is due at once: the key expires in ten days. */
const reminder: Delivery = {
  name: 'a reminder of a key',
  async prepare({ agency, owner }) {
    const { db } = t.deps
    const inDays = (days: number) => new Date(Date.now() + t.clock.offsetMs + days * dayMs).toISOString()
    const { id } = await t.newKey(agency.id, { expires_at: inDays(10) })
    await db
      .updateTable('api_keys')
      .set({ created_at: inDays(-30) })
      .where('id', '=', id)
      .execute()
    return async () => {
      const { rows } = await sql`select from key_reminders where key_id = ${id}`.execute(db)
      return rows.length > 0 && (await noticesOf({ owner })).length === 0
    }
  },
  async run(db) {
    await remindOfKeys(mailDeps(db), 8)
    await mailNotices(mailDeps(db), 8)
  },
}

const deliveries: readonly Delivery[] = [
  event('mail'),
  event('marketplace'),
  mail(
    'a link',
    mailLinks,
    ({ owner }) => inTransaction(t.deps.db, (tx) => prepareLink(tx, t.deps, owner, 'reset')),
    ({ owner }) =>
      t.deps.db
        .selectFrom('account_links')
        .select('purpose')
        .where('account_id', '=', owner.id)
        .where('mail_due_at', 'is not', null)
        .execute(),
  ),
  mail(
    'a notice',
    mailNotices,
    ({ owner }) =>
      inTransaction(t.deps.db, (tx) => notifyAccount(tx, owner.id, { kind: 'factor_on' }, t.clock)),
    noticesOf,
  ),
  mail(
    'an enquiry',
    mailEnquiries,
    ({ agency }) => {
      const enquiry = { name: 'Ana', email: 'ana@mail.example', phone: null, message: 'Hola', listing: null }
      const stored = { id: randomUUID(), agencyId: agency.id, enquiry }
      return keepEnquiry(t.deps.db, stored, t.deps.secretBox.seal, t.clock)
    },
    ({ agency }) =>
      t.deps.db
        .selectFrom('enquiries')
        .select('id')
        .where('agency_id', '=', agency.id)
        .where('sealed', 'is not', null)
        .execute(),
  ),
  reminder,
]

/** Prepares it and lets the time pass after which it is due. */
async function prepared(delivery: Delivery): Promise<() => Promise<boolean>> {
  const { agency, writeKey } = await t.newAgency()
  const email = `office@${agency.slug}.example`
  await t.deps.db.updateTable('agencies').set({ email }).where('id', '=', agency.id).execute()
  const person = { email, name: 'Ana', role: 'owner', agencyId: agency.id } as const
  const owner = await createPerson(t.deps.db, person, t.clock)
  const isDone = await delivery.prepare({ agency, writeKey, owner })
  arrived = []
  t.clock.offsetMs += passMs
  await proxy.closeConnections()
  return isDone
}

async function stepsOf(delivery: Delivery): Promise<string[]> {
  const isDone = await prepared(delivery)
  steps.arm()
  await delivery.run(worker.db)
  const { names } = steps.disarm()
  assert.ok(await isDone())
  assert.equal(arrived.length, 1)
  return names
}

async function fail(delivery: Delivery, number: number, way: Way): Promise<string | null> {
  const isDone = await prepared(delivery)
  steps.arm(number, way)
  // The worker logs errors and goes on.
  await delivery.run(worker.db).catch(() => {})
  const { hasFailed } = steps.disarm()
  if (await isDone()) assert.ok(arrived.length > 0, 'it claims to be delivered')
  for (let turn = 0; turn < maxTurns && !(await isDone()); turn += 1) {
    t.clock.offsetMs += passMs
    await delivery.run(worker.db)
  }
  assert.ok(await isDone(), 'it is never delivered')
  assert.ok(arrived.length === 1 || arrived.length === 2, `it arrives ${arrived.length} times`)
  assert.equal(new Set(arrived).size, 1)
  if (!hasFailed) return null
  return `arrives ${arrived.length === 1 ? 'once' : 'twice'}`
}

describe(`every step of a delivery fails once (FAULTS=${chosen})`, () => {
  for (const delivery of deliveries.filter(oneOf(deliveryCount)))
    test(delivery.name, async (context) => {
      const run = {
        name: delivery.name,
        steps: await stepsOf(delivery),
        fail: (number: number, way: Way) => fail(delivery, number, way),
      }
      await failSteps(run, context, caseCount)
    })
})
