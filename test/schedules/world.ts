/**
 * Two instances of the application and two workers on one database, with everything that leaves them behind one gate. Tests prepare and
 * inspect through a first instance, which passes no gate.
 */
import type { ClientConfig } from 'pg'
import { startDue } from '../../src/delivery/notifications/courier/start-due.ts'
import { reapPhotos } from '../../src/listings/photos/unreferenced.ts'
import { type Db, openDatabase } from '../../src/platform/db/database.ts'
import { oneOff } from '../../src/platform/db/statements/statement.ts'
import { deliveryDeps } from '../delivery/notifications/notified.ts'
import { type TestApp, testApp } from '../support/app/app.ts'
import { type SecondApp, secondApp } from '../support/app/second-app.ts'
import { storageWithSteps } from '../support/app/storage-with-steps.ts'
import { type Gate, openGate } from './gate.ts'
import { gated } from './gated-connection.ts'
import type { Event } from './history.ts'

export type World = {
  t: TestApp
  gate: Gate
  instances: readonly SecondApp[]
  /** Each does one round of a worker: delivers events that are due, and deletes pictures that no listing has. */
  workers: readonly (() => Promise<void>)[]
  /** Opens the connections of all pools, so that every schedule begins alike. */
  connect(): Promise<void>
  /** Takes what the marketplace has received, and how many photos were downloaded, since the last call. */
  take(): { events: Event[]; downloads: number }
  close(): Promise<void>
}

const poolSizes = { instance: 10, worker: 2 }
const listingLimits = { state_changes_per_day: 6, disables_per_day: 2, enables_per_day: 2 }

export async function openWorld(): Promise<World> {
  await using opening = new AsyncDisposableStack()
  let events: Event[] = []
  let downloads = 0
  let gate: Gate | null = null
  /** Until the gate is open, nothing waits. */
  const step = <T>(name: string, work: () => Promise<T>) => (gate === null ? work() : gate.run(name, work))
  const marketplace = {
    send: (id: string, body: string) =>
      step('send an event', async () => {
        events.push(eventOf(id, body))
        return 204
      }),
    check: async () => 204,
    close: async () => {},
  }
  const t = opening.adopt(await testApp({ marketplace, limits: listingLimits }), (app) => app.close())
  const { photos } = t.deps
  photos.storage = storageWithSteps(photos.storage, step)
  const { download } = photos
  photos.download = (url, ...more) => {
    downloads += 1
    return step('download', () => download(url, ...more))
  }

  let direct: ClientConfig = {}
  const behindGate = async (connection: ClientConfig): Promise<ClientConfig> => {
    direct = connection
    gate ??= opening.adopt(await openGate(connection), (open) => open.close())
    return gated(connection, gate, true)
  }
  const instances: SecondApp[] = []
  for (let count = 0; count < 2; count += 1)
    instances.push(opening.adopt(await secondApp(t, behindGate), (app) => app.close()))
  if (gate === null) throw new Error('the instances have no gate')
  const open: Gate = gate
  const databases = [1, 2].map(() =>
    opening.adopt(
      // Never cut, so that each event arrives exactly once.
      openDatabase({ connection: gated(direct, open, false), poolSize: poolSizes.worker }),
      (db) => db.destroy(),
    ),
  )
  const opened = opening.move()
  return {
    t,
    gate: open,
    instances,
    workers: databases.map((db) => workerOf(t, db)),
    async connect() {
      for (const { db } of instances) await fill(db, poolSizes.instance)
      for (const db of databases) await fill(db, poolSizes.worker)
    },
    take() {
      const taken = { events, downloads }
      events = []
      downloads = 0
      return taken
    },
    close: () => opened.disposeAsync(),
  }
}

/** Opens all connections of a pool, and the two that short statements share. */
async function fill(db: Db, poolSize: number): Promise<void> {
  const connections = await Promise.all(Array.from({ length: poolSize }, () => db.connect()))
  for (const connection of connections) connection.release()
  const one = oneOff('select 1')
  await Promise.all([db.runShared?.(one), db.runShared?.(one)])
}

function workerOf(t: TestApp, db: Db): () => Promise<void> {
  const deps = deliveryDeps(t, db)
  return async () => {
    for (const channel of ['marketplace', 'mail'] as const)
      await Promise.all(await startDue(deps, channel, 2))
    await reapPhotos({ ...t.deps.photos, db }, 10)
  }
}

type EventBody = { type: string; timestamp: string; data: { listing: { id: string } } }

function eventOf(id: string, text: string): Event {
  const { type, timestamp, data } = JSON.parse(text) as EventBody
  return { id, listing: data.listing.id, type: type.replace('listing.', ''), at: timestamp }
}
