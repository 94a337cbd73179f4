/**
 * Runs one schedule: four clients and an operator write and read the listings of a new agency, while two workers notify. A seed chooses the
 * operations and the order of all steps. Then everything is settled, read once more and judged.
 */
import { randomUUID } from 'node:crypto'
import { changeLimits } from '../../src/limits/of-agency.ts'
import { restoreRemoved } from '../../src/listings/writing/states/restore.ts'
import { sqlState } from '../../src/platform/db/database.ts'
import { inTransaction } from '../../src/platform/db/statements/transaction.ts'
import { ApiError } from '../../src/platform/errors/errors.ts'
import { filesLeft } from '../faults/effects/agency-state.ts'
import type { TestApp } from '../support/app/app.ts'
import { newClient, type Shared } from './client.ts'
import type { Call, Operation } from './history.ts'
import { judge } from './judge/judge.ts'
import type { Problem } from './judge/timeline.ts'
import { chooseOperation, type Known, learn, newKnown } from './operations.ts'
import { type Random, randomFrom } from '../support/random.ts'
import { finish, type Writer, versionsOf } from './finish.ts'
import type { World } from './world.ts'

/** All clients together. */
const operationCount = 100
const clientCount = 4
/** One operation in six is followed by a round of a worker, which runs beside the client's next ones. */
const operationsPerWork = 6
/** The same for an operator who restores a listing. */
const operationsPerRestore = 25

type Outcome = {
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
  const clients: Writer[] = []
  for (let number = 1; number <= clientCount; number += 1) {
    const { key } = await t.newKey(agency.id, { scopes: ['properties:read', 'properties:write'] })
    const own = randomFrom(random.below(2 ** 31))
    const name = `client ${number}`
    clients.push({ name, client: newClient(name, key, shared, own), random: own })
  }
  world.take()
  await world.connect()

  const steps = await gate.drive(random, async () => {
    const others: Promise<void>[] = []
    const acting = clients.map(async ({ name, client, random: own }) => {
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
  await finish(world, clients, calls, known)
  const { events, downloads } = world.take()
  const versions = await versionsOf(t, agency.id)
  const files = await filesLeft(t, subject)
  const problems = judge({ calls, versions, events, downloads, limits, strayFiles: files })
  return { problems, calls, steps }
}

/** Limits that most schedules reach. */
async function lowLimits(t: TestApp, agencyId: string, random: Random): Promise<Record<string, number>> {
  const own = {
    new_listings_per_day: 6 + random.below(8),
    photos_per_day: 10 + random.below(30),
    writes_per_day: 15 + random.below(25),
  }
  await inTransaction(t.deps.db, (tx) => changeLimits(tx, agencyId, { set: own, until: null }, t.deps))
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
  const actor = { kind: 'operator', id: null, name: 'Operator', requestId } as const
  try {
    const deps = { ...t.deps, db: instance.db }
    const { updated_at } = await restoreRemoved(deps, agencyId, id, null, actor)
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
