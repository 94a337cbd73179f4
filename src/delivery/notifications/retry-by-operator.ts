/** Retries deliveries for the operator: those set aside or skipped, and even those delivered. */
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { readNow } from '../../platform/db/statements/now.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { isUuid } from '../../platform/names/ids.ts'
import { channels, type ChannelName, type DeliveryState } from './outbox.ts'
import type { DeliveryFilters } from './deliveries.ts'

type Deps = { db: Db; clock: Clock }

/** Selects deliveries. A null member matches every event or every state. */
type Which = Readonly<{
  eventId: string | null
  states: readonly DeliveryState[] | null
  channel: ChannelName | undefined
}>

/** The values of `which`, $1 to $3. */
const valuesOf = ({ eventId, states, channel }: Which) => [eventId, states, channel ? [channel] : channels]
const which = `($1::uuid is null or d.event_id = $1) and ($2::text[] is null or d.state = any ($2))
    and d.channel = any ($3::text[])`

/** The agencies with matching deliveries. Value $4: an agency, or null for all. */
const findAgencies = statement<{ agency_id: string }>(`
  select distinct d.agency_id from notification_deliveries d
  where ${which} and ($4::uuid is null or d.agency_id = $4) order by d.agency_id`)

/** Locks the lanes of the agency's deliveries, in the common order (courier/lanes.ts). */
const lockLanes = statement<{ channel: ChannelName; lane: string }>(`
  select l.channel, l.lane from notification_lanes l
  where l.agency_id = $4 and (l.channel, l.lane) in (
    select d.channel, d.lane from notification_deliveries d where d.agency_id = $4 and ${which})
  order by l.channel, l.lane for update`)

/** Makes the agency's deliveries in the locked lanes pending, and those lanes due. Values from $5: the lanes, the current time. */
const requeueHeld = statement<{ count: number }>(`
  with held as materialized (
    select * from unnest($5::text[], $6::uuid[]) as held (channel, lane)
  ), again as (
    update notification_deliveries d
    set state = 'pending', ended_at = null, detail = null, why = null, first_attempt_at = null
    where d.agency_id = $4 and ${which} and (d.channel, d.lane) in (select channel, lane from held)
    returning d.channel, d.lane
  ), woken as (
    update notification_lanes l
    set version = l.version + 1, failures = 0,
      due_at = case when l.token is not null and l.due_at is not null then l.due_at else $7::timestamptz end
    where l.agency_id = $4 and (l.channel, l.lane) in (select channel, lane from again)
  )
  select count(*)::int as count from again`)

/**
 * Delivers one event again at once, whatever its state, on both channels unless one is named.
 * @returns how many deliveries
 * @throws ApiError `not_found`
 */
export async function retryEvent(deps: Deps, eventId: string, channel?: ChannelName): Promise<number> {
  const count = isUuid(eventId) ? await requeue(deps, { eventId, states: null, channel }, null) : 0
  if (count === 0) throw new ApiError('not_found', { message: `There is no event "${eventId}".` })
  return count
}

type RetryFilters = Pick<DeliveryFilters, 'states' | 'channel' | 'agencyId'>

/** Delivers all matching events again, in the order of each lane. @returns how many deliveries */
export async function retryAll(deps: Deps, filters: RetryFilters = {}): Promise<number> {
  const { states = ['set_aside'], channel, agencyId } = filters
  return await requeue(deps, { eventId: null, states, channel }, agencyId ?? null)
}

/** An agency at a time, each in a transaction of its own: no lock is held for long, and all rows of an agency are on one node of Citus. */
async function requeue({ db, clock }: Deps, wanted: Which, agencyId: string | null): Promise<number> {
  let count = 0
  for (const found of await findAgencies(db, [...valuesOf(wanted), agencyId]))
    count += await requeueOf(await db.at(found.agency_id), clock, found.agency_id, wanted)
  return count
}

async function requeueOf(db: Db, clock: Clock, agencyId: string, wanted: Which): Promise<number> {
  const values = [...valuesOf(wanted), agencyId]
  return await inTransaction(db, async (tx) => {
    const lanes = await lockLanes(tx, values)
    const now = await readNow(tx, clock)
    const held = [lanes.map(({ channel }) => channel), lanes.map(({ lane }) => lane)]
    const [again] = await requeueHeld(tx, [...values, ...held, now])
    return again?.count ?? 0
  })
}
