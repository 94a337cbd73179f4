/**
 * Retries deliveries for the operator: those set aside or skipped, and even those delivered.
 */
import { sql } from 'kysely'
import { inTransaction } from '../db/transaction.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { readNow } from '../db/now.ts'
import { ApiError } from '../errors.ts'
import { isUuid } from '../ids.ts'
import { channels, type ChannelName } from './outbox.ts'
import type { DeliveryFilters } from './deliveries.ts'

type Deps = { db: Db; clock: Clock }

/**
 * Delivers one event again at once, whatever its state, on both channels unless one is named.
 * @returns how many deliveries
 * @throws ApiError `not_found`
 */
export async function retryEvent(deps: Deps, eventId: string, channel?: ChannelName): Promise<number> {
  const count = isUuid(eventId)
    ? await requeue(
        deps,
        sql`d.event_id = ${eventId} and d.channel = any (${channel === undefined ? channels : [channel]})`,
      )
    : 0
  if (count === 0) throw new ApiError('not_found', { message: `There is no event "${eventId}".` })
  return count
}

/** Delivers again all that match, in the order of each lane. @returns how many deliveries */
export async function retryAll(
  deps: Deps,
  {
    states = ['set_aside'],
    channel,
    agencyId,
  }: Pick<DeliveryFilters, 'states' | 'channel' | 'agencyId'> = {},
): Promise<number> {
  return await requeue(
    deps,
    sql`d.state = any (${[...states]}) and d.channel = any (${channel === undefined ? channels : [channel]})
      and (${agencyId ?? null}::uuid is null or d.agency_id = ${agencyId ?? null}::uuid)`,
  )
}

/** An agency at a time, each in a transaction of its own: no lock is held for long, and all rows of an agency are on one node of Citus. */
async function requeue({ db, clock }: Deps, which: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ agency_id: string }>`
    select distinct d.agency_id from notification_deliveries d where ${which} order by d.agency_id`.execute(
    db,
  )
  let count = 0
  for (const { agency_id: agencyId } of rows)
    count += await requeueOf(await db.at(agencyId), clock, agencyId, which)
  return count
}

async function requeueOf(
  db: Db,
  clock: Clock,
  agencyId: string,
  which: ReturnType<typeof sql>,
): Promise<number> {
  return await inTransaction(db, async (tx) => {
    // First lock the lanes, in the common order (lanes.ts); then change only deliveries in these.
    const lanes = await lockLanes(tx, agencyId, which)
    const now = await readNow(tx, clock)
    const { rows } = await sql<{ count: number }>`
      with held as materialized (
        select * from unnest(${lanes.map((one) => one.channel)}::text[], ${lanes.map((one) => one.lane)}::uuid[]) as held (channel, lane)
      ),
      again as (
        update notification_deliveries d
        set state = 'pending', ended_at = null, detail = null, why = null, first_attempt_at = null
        where d.agency_id = ${agencyId} and ${which} and (d.channel, d.lane) in (select channel, lane from held)
        returning d.channel, d.lane
      ),
      woken as (
        update notification_lanes l
        set version = l.version + 1, failures = 0,
          due_at = case when l.token is not null and l.due_at is not null then l.due_at else ${now}::timestamptz end
        where l.agency_id = ${agencyId} and (l.channel, l.lane) in (select channel, lane from again)
      )
      select count(*)::int as count from again`.execute(tx)
    return rows[0]?.count ?? 0
  })
}

type LaneKey = { channel: ChannelName; lane: string }

async function lockLanes(tx: Tx, agencyId: string, which: ReturnType<typeof sql>): Promise<LaneKey[]> {
  const { rows } = await sql<LaneKey>`
    select l.channel, l.lane from notification_lanes l
    where l.agency_id = ${agencyId} and (l.channel, l.lane) in (
      select d.channel, d.lane from notification_deliveries d where d.agency_id = ${agencyId} and ${which})
    order by l.channel, l.lane for update`.execute(tx)
  return rows
}
