/** Ends a schedule: whatever is left over is finished, and the final state is read by clients and from the history. */
import { sql } from 'kysely'
import { findNumberedHistory } from '../../src/listings/history/history.ts'
import type { TestApp } from '../support/app/app.ts'
import { type Client, isFinal } from './client.ts'
import type { Call, Operation, Version } from './history.ts'
import type { Known } from './operations.ts'
import type { Random } from '../support/random.ts'
import type { World } from './world.ts'

/** Longer than a claim, a lane's lease and the wait before an event. */
const settledAfterMs = 60_000

export type Writer = { name: string; client: Client; random: Random }

/** Sends again what has no final response, delivers what is due, and reads everything. */
export async function finish(
  { t, workers }: World,
  clients: readonly Writer[],
  calls: readonly Call[],
  known: Known,
): Promise<void> {
  t.clock.offsetMs += settledAfterMs
  for (const { name, client } of clients) {
    for (const operation of openOperations(calls, name)) await client.send(operation)
  }
  const [first] = clients
  if (first === undefined) return
  const { client } = first
  for (const seesDrafts of [true, false]) {
    const path = seesDrafts ? '/properties?status=all&per_page=50' : '/properties?per_page=50'
    await client.send({ kind: 'list', method: 'GET', path, seesDrafts })
    await client.send({ kind: 'feed', method: 'GET', path: '/changes', seesDrafts })
  }
  for (const id of known.ids)
    await client.send({ kind: 'read', method: 'GET', path: `/properties/${id}`, seesDrafts: true })
  for (let before = -1, left = await pendingCount(t); left !== before; left = await pendingCount(t)) {
    before = left
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

/** All versions of the agency's listings, from their history. */
export async function versionsOf(t: TestApp, agencyId: string): Promise<Version[]> {
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
