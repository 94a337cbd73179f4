/**
 * Reads deliveries: for the operator, those of all agencies, or one with its attempts; for an agency, those of a listing, and notifications
 * that could not be mailed.
 */
import type { Why } from './failure.ts'
import type { ChannelName, DeliveryState, EventType } from './outbox.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { overAllNodes } from '../../platform/db/citus/nodes.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { isUuid } from '../../platform/names/ids.ts'

/** One event on one channel. */
export type Delivery = {
  event_id: string
  channel: ChannelName
  type: EventType
  /** Slug of the agency, and code and uuid of the listing. */
  agency: string
  listing: string
  listing_uuid: string
  sequence: number
  at: string
  state: DeliveryState
  attempts: number
  /** The next attempt of a pending delivery, unless earlier ones of its lane come first. */
  next_attempt_at: string | null
  ended_at: string | null
  /** The reason for skipping, or the last error. */
  detail: string | null
  /** The same by kind; null if an older version stored it. */
  why: Why | null
}

export type DeliveryAttempt = {
  number: number
  at: string
  duration_ms: number
  succeeded: boolean
  status: number | null
  detail: string | null
  why: Why | null
}

export type DeliveryFilters = {
  states?: readonly DeliveryState[]
  channel?: ChannelName
  /** Its uuid. */
  agencyId?: string
  listingId?: string
  eventId?: string
  /** Only pending deliveries that failed at least once. */
  isFailing?: boolean
}

function deliveries(db: Db, filters: DeliveryFilters) {
  const { states, channel, agencyId, listingId, eventId, isFailing } = filters
  return db
    .selectFrom('notification_deliveries as d')
    .innerJoin('notification_events as e', (join) =>
      join.onRef('e.agency_id', '=', 'd.agency_id').onRef('e.id', '=', 'd.event_id'),
    )
    .innerJoin('agencies as a', 'a.id', 'd.agency_id')
    .innerJoin('properties as p', (join) =>
      join.onRef('p.agency_id', '=', 'e.agency_id').onRef('p.id', '=', 'e.property_id'),
    )
    .leftJoin('notification_lanes as l', (join) =>
      join
        .onRef('l.agency_id', '=', 'd.agency_id')
        .onRef('l.channel', '=', 'd.channel')
        .onRef('l.lane', '=', 'd.lane'),
    )
    .select([
      'd.event_id',
      'd.channel',
      'e.sequence',
      'd.state',
      'd.attempts',
      'd.ended_at',
      'd.detail',
      'd.why',
    ])
    .select((eb) =>
      eb.case().when('d.state', '=', 'pending').then(eb.ref('l.due_at')).end().as('next_attempt_at'),
    )
    .$if(states !== undefined, (query) => query.where('d.state', 'in', [...(states ?? []), '']))
    .$if(channel !== undefined, (query) => query.where('d.channel', '=', channel ?? ''))
    .$if(agencyId !== undefined, (query) => query.where('d.agency_id', '=', agencyId ?? ''))
    .$if(listingId !== undefined, (query) => query.where('e.property_id', '=', listingId ?? ''))
    .$if(eventId !== undefined, (query) => query.where('d.event_id', '=', eventId ?? ''))
    .$if(isFailing === true, (query) => query.where('d.state', '=', 'pending').where('d.attempts', '>', 0))
}

/** A page of deliveries, latest event first. */
export async function listDeliveries(
  db: Db,
  filters: DeliveryFilters = {},
  page: { limit: number; offset: number } = { limit: 50, offset: 0 },
): Promise<Delivery[]> {
  const rows = await deliveries(await overAllNodes(db), filters)
    .select(['e.type', 'a.slug as agency', 'p.public_id as listing', 'e.property_id as listing_uuid', 'e.at'])
    .orderBy('d.event_id', 'desc')
    .orderBy('d.channel')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows as Delivery[]
}

const countSetAsideRows = statement<{ total: number }>(
  `select count(*)::int as total from notification_deliveries where state = 'set_aside'`,
)

export async function countSetAside(db: Db): Promise<number> {
  const [row] = await countSetAsideRows(await overAllNodes(db), [])
  return row?.total ?? 0
}

type Unmailed = { count: number; why: Why | null; at: string }

/** `rests_until` is the time of the last attempt or, after one that succeeded, later. */
const selectUnmailed = statement<Unmailed>(`
  with moment as materialized (
    select clock_timestamp() + $2::float8 * interval '1 ms' - interval '7 days' as since
  ), latest as materialized (
    select ended_at, why from notification_deliveries
    where agency_id = $1 and state = 'set_aside' and channel = 'mail' and ended_at > (select since from moment)
    order by ended_at desc limit 100
  )
  select (count(*) over ())::int as count, why, ended_at as at from latest
  where (select max(ended_at) from latest) >= coalesce((
    select rests_until from notification_lanes where agency_id = $1 and channel = 'mail' and lane = $1), '-infinity')
  order by ended_at desc limit 1`)

/** The notifications of the last week that could not be mailed, unless one was delivered since. @returns null without any */
export async function findUnmailed(db: Executor, agencyId: string, clock: Clock): Promise<Unmailed | null> {
  return (await selectUnmailed(db, [agencyId, clock.offsetMs]))[0] ?? null
}

/** One delivery with its attempts, oldest first; null if the event has none by that channel. */
export async function findDelivery(db: Db, eventId: string, channel: ChannelName) {
  const [delivery] = isUuid(eventId) ? await listDeliveries(db, { eventId, channel }) : []
  if (delivery === undefined) return null
  const attempts = await db
    .selectFrom('notification_attempts')
    .select(['number', 'at', 'duration_ms', 'succeeded', 'status', 'detail', 'why'])
    .where('event_id', '=', eventId)
    .where('channel', '=', channel)
    .where('agency_id', 'in', db.selectFrom('agencies').select('id').where('slug', '=', delivery.agency))
    .orderBy('number')
    .execute()
  return { ...delivery, attempt_log: attempts as DeliveryAttempt[] }
}

/** As `findDelivery`. @throws ApiError `not_found` */
export async function getDelivery(db: Db, eventId: string, channel: ChannelName) {
  const found = await findDelivery(db, eventId, channel)
  if (found !== null) return found
  throw new ApiError('not_found', { message: `Event "${eventId}" has no delivery by ${channel}.` })
}

/** A history entry's event. */
export type EventDeliveries = {
  event_id: string
  sequence: number
  deliveries: Pick<
    Delivery,
    'channel' | 'state' | 'attempts' | 'next_attempt_at' | 'ended_at' | 'detail' | 'why'
  >[]
}

/** The listing's events by the revision of the change. */
export async function findEventDeliveries(db: Db, agencyId: string, listingId: string) {
  const rows = await deliveries(db, { agencyId, listingId })
    .select('d.revision')
    .orderBy('d.revision')
    .orderBy('d.channel')
    .execute()
  const found = new Map<number, EventDeliveries>()
  for (const { revision, event_id, sequence, ...delivery } of rows) {
    const event = found.get(revision) ?? { event_id, sequence, deliveries: [] }
    event.deliveries.push(delivery as EventDeliveries['deliveries'][number])
    found.set(revision, event)
  }
  return found
}
