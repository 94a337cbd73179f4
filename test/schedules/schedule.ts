/**
 * Runs one schedule: four clients and an operator write and read the listings of a new agency, while two workers notify. A seed chooses the
 * operations and the order of all steps. Then everything is settled, read once more and judged.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { changeLimits } from '../../src/limits/of-agency.ts'
import { findNumberedHistory } from '../../src/listings/history/history.ts'
import { reapPhotos } from '../../src/listings/photos/unreferenced.ts'
import { restoreRemoved } from '../../src/listings/restore.ts'
import { sqlState } from '../../src/platform/db/database.ts'
import { inTransaction } from '../../src/platform/db/transaction.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { strayFiles, type Subject } from '../faults/agency-state.ts'
import type { TestApp } from '../support/app.ts'
import { type Client, isFinal, newClient, type Shared } from './client.ts'
import type { Call, Operation, Version } from './history.ts'
import { judge } from './judge/judge.ts'
import type { Problem } from './judge/timeline.ts'
import { chooseOperation, type Known, learn, newKnown } from './operations.ts'
import { type Random, randomFrom } from './random.ts'
import type { World } from './world.ts'

/** Of all clients together. */
const operationCount = 100
const clientCount = 4
/** One of this number of operations is followed by a round of a worker, which runs beside the client's next ones. */
const operationsPerWork = 6
/** The same for an operator who restores a listing. */
const operationsPerRestore = 25
/** Longer than a claim, a lane's lease and the wait before an event. */
const settledAfterMs = 60_000
/** Longer than pictures that no listing has are kept. */
const reapedAfterMs = 26 * 3_600_000

export type Outcome = {
  problems: Problem[]
  calls: readonly Call[]
  /** The names of the steps, in order. */
  steps: readonly string[]
}

export async function runSchedule(world: World, seed: number): Promise<Outcome> {
  const { t, gate, instances } = world
  t.clock.offsetMs = 0
  const random = randomFrom(seed)
  const subject = await t.newAgency()
  const { agency, readKey } = subject
  const limits = await lowLimits(t, agency.id, random)
  const calls: Call[] = []
  const known = newKnown()
  let ticks = 0
  const apps = instances.map(({ app }) => app)
  const shared: Shared = { gate, instances: apps, calls, tick: () => (ticks += 1), keys: { read: readKey } }
  const clients: [string, Client, Random][] = []
  for (let number = 1; number <= clientCount; number += 1) {
    const { key } = await t.newKey(agency.id, { scopes: ['properties:read', 'properties:write'] })
    const own = randomFrom(random.below(2 ** 31))
    clients.push([`client ${number}`, newClient(`client ${number}`, key, shared, own), own])
  }
  world.take()
  await world.connect()

  const steps = await gate.drive(random, async () => {
    const others: Promise<void>[] = []
    const acting = clients.map(async ([name, client, own]) => {
      for (let count = 0; count < operationCount / clientCount; count += 1) {
        const operation = chooseOperation(own, known, name)
        learn(known, name, operation, await client.send(operation))
        if (own.oneIn(operationsPerWork)) others.push(own.pick(world.workers)())
        if (own.oneIn(operationsPerRestore)) others.push(restoreOne(world, agency.id, known, shared, own))
      }
    })
    await Promise.all(acting)
    await Promise.all(others)
  })
  await settle(world, clients, calls, known)
  const { events, downloads } = world.take()
  const versions = await versionsOf(t, agency.id)
  const files = await filesLeft(t, subject)
  const problems = judge({ calls, versions, events, downloads, limits, strayFiles: files })
  return { problems, calls, steps }
}

/** Limits that most schedules reach. */
async function lowLimits(t: TestApp, agencyId: string, random: Random): Promise<Record<string, number>> {
  const { db, config, clock } = t.deps
  const own = {
    new_listings_per_day: 6 + random.below(8),
    photos_per_day: 10 + random.below(30),
    writes_per_day: 15 + random.below(25),
  }
  await inTransaction(db, (tx) => changeLimits(tx, agencyId, { set: own, until: null }, config.limits, clock))
  return { ...own, disables_per_day: 2, enables_per_day: 2, state_changes_per_day: 6 }
}

/** The operator restores a listing, if it is removed. */
async function restoreOne(
  { t, instances: [instance] }: World,
  agencyId: string,
  known: Known,
  { calls, tick }: Shared,
  random: Random,
): Promise<void> {
  if (known.ids.length === 0 || instance === undefined) return
  const { clock, config } = t.deps
  const id = random.pick(known.ids)
  const operation: Operation = {
    kind: 'write',
    method: 'RESTORE',
    path: `/properties/${id}`,
    seesDrafts: true,
  }
  const call: Call = { client: 'operator', operation, began: tick(), ended: Infinity, response: null }
  calls.push(call)
  const requestId = randomUUID()
  const author = { kind: 'operator', id: null, name: 'Operator', requestId } as const
  try {
    const deps = { db: instance.db, clock, limits: config.limits }
    const { updated_at } = await restoreRemoved(deps, agencyId, id, null, author)
    call.response = { ...restored, requestId, times: [updated_at] }
  } catch (error) {
    // The listing is not removed, or the connection was cut.
    if (!(error instanceof ApiError) && sqlState(error) !== null) throw error
  }
  call.ended = tick()
}

const restored = {
  status: 200,
  etag: null,
  isReplay: false,
  text: '',
  shown: [],
  page: null,
  items: [],
  error: null,
}

/** Sends again what has no final response, delivers what is due, and reads everything. */
async function settle(
  { t, workers }: World,
  clients: readonly [string, Client, Random][],
  calls: readonly Call[],
  known: Known,
): Promise<void> {
  t.clock.offsetMs += settledAfterMs
  for (const [name, client] of clients) {
    for (const operation of openOperations(calls, name)) await client.send(operation)
  }
  const [name, client] = clients[0] ?? []
  if (name === undefined || client === undefined) return
  for (const seesDrafts of [true, false]) {
    const path = seesDrafts ? '/properties?status=all&per_page=50' : '/properties?per_page=50'
    await client.send({ kind: 'list', method: 'GET', path, seesDrafts })
    await client.send({ kind: 'feed', method: 'GET', path: '/changes', seesDrafts })
  }
  for (const id of known.ids)
    await client.send({ kind: 'read', method: 'GET', path: `/properties/${id}`, seesDrafts: true })
  for (let before = -1; before !== (await pendingCount(t));) {
    before = await pendingCount(t)
    t.clock.offsetMs += settledAfterMs
    for (const work of workers) await work()
  }
}

/** Operations with a key that a client has sent and that have no final response. */
function openOperations(calls: readonly Call[], client: string): Operation[] {
  const own = Map.groupBy(
    calls.filter((call) => call.client === client && call.operation.key !== undefined),
    ({ operation }) => operation,
  )
  return [...own].flatMap(([operation, sent]) =>
    sent.some(({ response }) => isFinal(response)) ? [] : [operation],
  )
}

async function pendingCount(t: TestApp): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notification_deliveries where state = 'pending'`.execute(t.deps.db)
  return rows[0]?.count ?? 0
}

async function versionsOf(t: TestApp, agencyId: string): Promise<Version[]> {
  const { db } = t.deps
  const listings = await db
    .selectFrom('properties')
    .select(['id', 'public_id'])
    .where('agency_id', '=', agencyId)
    .execute()
  const versions: Version[] = []
  for (const { id, public_id: listing } of listings) {
    let status = ''
    let isRemoved = false
    for (const { revision, entry } of await findNumberedHistory(db, agencyId, id)) {
      const { at, action, changes, request_id: requestId } = entry
      status = String(changes['status']?.to ?? status)
      isRemoved = action === 'deleted' || (isRemoved && action !== 'restored')
      const createdAs = action === 'created' ? changes['title']?.to : null
      versions.push({ listing, revision, at, action, requestId, status, isRemoved, createdAs })
    }
  }
  return versions.sort((one, other) => one.revision - other.revision)
}

async function filesLeft(t: TestApp, subject: Subject): Promise<string[]> {
  t.clock.offsetMs += reapedAfterMs
  while ((await reapPhotos(t.deps.photos, 100)) === 100);
  return await strayFiles(t, subject)
}
