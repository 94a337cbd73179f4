/**
 * The application, with each call to the outside as a step that can fail: to PostgreSQL, the photo storage, name servers and sources of
 * photos, the geocoder and the mail server. Tests prepare and inspect through a first instance, which has no faults. File locks
 * are taken when a process starts, so no request waits for one.
 */
import { mailEnquiries } from '../../../src/delivery/mails/enquiry-mails.ts'
import { mailLinks } from '../../../src/delivery/mails/link-mails.ts'
import type { Mail } from '../../../src/delivery/mails/mailer.ts'
import { mailNotices } from '../../../src/delivery/mails/notice-mails.ts'
import type { Geocoder, GeocodingResult } from '../../../src/listings/geocoding/geocoder.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { geocoderOf } from '../../support/app/geocoder.ts'
import { type SecondApp, secondApp } from '../../support/app/second-app.ts'
import { storageWithSteps } from '../../support/app/storage-with-steps.ts'
import { faultySource, readOnce, type World } from './faulty-source.ts'
import { type StepProxy, stepProxy } from './step-proxy.ts'
import { newSteps, type Steps } from './steps.ts'

export type FaultyApp = {
  /** The instance without faults. */
  t: TestApp
  /** The instance whose steps fail. */
  faulty: SecondApp
  steps: Steps
  proxy: StepProxy
  /** The mails that arrived. */
  mails: Mail[]
  world: World
  close(): Promise<void>
}

/** These limits are low even in tests. */
const limits = Object.fromEntries(
  ['agency_per_minute', 'agency_per_day', 'listing_per_hour', 'sender_and_agency_per_day', 'address_per_hour']
    .map((name) => `enquiries_per_${name}`)
    .concat('enquiries_per_sender_per_day', 'enquiries_per_minute')
    .map((name) => [name, 1e6]),
)

export async function faultyApp(): Promise<FaultyApp> {
  await using opening = new AsyncDisposableStack()
  const steps = newSteps()
  const mails: Mail[] = []
  const world = { isComplete: true }
  const mailer = {
    send: (mail: Mail) => steps.run('send a mail', async () => void mails.push(mail)),
    check: async () => {},
  }
  const source = opening.adopt(await faultySource(steps, world), (open) => open.close())
  const options = { geocoder: geocoder(steps, world), source: source.download, mailer, limits }
  const t = opening.adopt(await testApp(options), (app) => app.close())
  const { photos } = t.deps
  photos.storage = storageWithSteps(photos.storage, steps.run)
  photos.read = readOnce()
  let proxy: StepProxy | undefined
  const by = async (connection: Parameters<typeof stepProxy>[0]) => {
    proxy = opening.adopt(await stepProxy(connection, steps), (open) => open.close())
    return proxy.connection
  }
  const faulty = opening.adopt(await secondApp(t, by), (app) => app.close())
  if (proxy === undefined) throw new Error('the second instance has no proxy')
  const open = opening.move()
  return { t, faulty, steps, proxy, mails, world, close: () => open.disposeAsync() }
}

/** Longer than the lease of a mail, and than the wait after a failure. */
const mailPassMs = 11 * 60_000

/** Sends the mails that wait, as the worker does. */
export async function sendMails({ t }: FaultyApp): Promise<void> {
  for (let pass = 0; pass < 2; pass += 1) {
    t.clock.offsetMs += mailPassMs
    for (const chore of [mailLinks, mailNotices, mailEnquiries]) while ((await chore(t.deps, 100)) === 100);
  }
}

/** A geocoder never rejects: when a step fails, it reports that its service is unavailable. */
function geocoder(steps: Steps, world: World): Geocoder {
  return geocoderOf(async (): Promise<GeocodingResult> => {
    if (steps.take('geocode') !== null) return { status: 'unavailable' }
    if (!world.isComplete) return { status: 'none' }
    return { status: 'found', pin: { lat: -34.921, lng: -57.954, status: 'resolved' } }
  })
}
