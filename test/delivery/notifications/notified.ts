/** The application with receivers for its notifications. Delivery and the passage of time happen only when a test requests them. */
import { changesMailer } from '../../../src/delivery/mails/listing-changes.ts'
import { openMailer } from '../../../src/delivery/mails/mailer.ts'
import { type DeliveryDeps, startDue } from '../../../src/delivery/notifications/courier/start-due.ts'
import { openMarketplace } from '../../../src/delivery/notifications/courier/marketplace.ts'
import type { ChannelName } from '../../../src/delivery/notifications/outbox.ts'
import { viewOfEvent } from '../../../src/listings/history/events.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { type MailSink, mailSink, type MarketplaceSink, marketplaceSink } from './sinks.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

export const secret = `whsec_${Buffer.from('twenty-four bytes or more').toString('base64')}`

export type Notified = {
  t: TestApp
  marketplace: MarketplaceSink
  mail: MailSink
  /** The dependencies of a worker; another database makes it another worker. */
  deps(db?: Db): DeliveryDeps
  /** Delivers what is due. @returns how many times a lane was taken */
  deliver(channel: ChannelName): Promise<number>
  /** Lets time pass. */
  pass(ms: number): void
  close(): Promise<void>
}

export async function notified(
  options: { marketplaceMs?: number; isConfigured?: boolean } = {},
): Promise<Notified> {
  const marketplace = await marketplaceSink()
  const mail = await mailSink()
  const { isConfigured = true } = options
  const told = openMarketplace({
    url: marketplace.url,
    secret,
    serviceName: 'Svc',
    publicBaseUrl: 'https://listings.test',
    timeoutMs: options.marketplaceMs ?? 10_000,
  })
  const mailer = openMailer({ smtpUrl: mail.url, mailFrom: 'Listings <notices@listings.test>' })
  const t = await testApp(isConfigured ? { marketplace: told, ...(mailer === null ? {} : { mailer }) } : {})
  const deps = (db: Db = t.deps.db) => deliveryDeps(t, db)
  return {
    t,
    marketplace,
    mail,
    deps,
    deliver: (channel) => deliverDue(deps(), channel),
    pass(ms) {
      t.clock.offsetMs += ms
    },
    async close() {
      await t.close()
      await marketplace.close()
      await mail.close()
    },
  }
}

/** The dependencies of a worker on the application's clock and receivers. */
export const deliveryDeps = (t: TestApp, db: Db): DeliveryDeps => ({
  ...t.deps,
  db,
  viewOfEvent,
  mailChanges: changesMailer(t.deps),
})

/** Delivers until nothing is due. @returns how often a lane was taken */
export async function deliverDue(deps: DeliveryDeps, name: ChannelName, limit = 8): Promise<number> {
  let count = 0
  for (;;) {
    const running = await startDue(deps, name, limit)
    if (running.length === 0) return count
    count += running.length
    await Promise.all(running)
  }
}

/** Changes that an agency makes to a listing through the API. */
export const act = {
  disable: (t: TestApp, id: string, body: object = {}) =>
    t.ask('POST', `/properties/${id}/disable`, { body }),
  enable: (t: TestApp, id: string) => t.ask('POST', `/properties/${id}/enable`),
  remove: (t: TestApp, id: string) => t.ask('DELETE', `/properties/${id}`),
}
