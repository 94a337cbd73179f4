/**
 * The outbox (api.md 17.1): the transaction that changes a listing's state also writes an event, its deliveries, and the lanes in which
 * they are delivered in order. Nothing leaves the service here.
 */
import { statement, type Statement } from '../../platform/db/statements/statement.ts'

export const eventTypes = ['published', 'disabled', 'reserved', 'released', 'deleted', 'restored'] as const
export type EventType = (typeof eventTypes)[number]

export const channels = ['mail', 'marketplace'] as const
export type ChannelName = (typeof channels)[number]

export const deliveryStates = ['pending', 'delivered', 'skipped', 'not_configured', 'set_aside'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** An event as passed to the statement, which numbers it within its listing. */
export type OutboxEvent = {
  agency_id: string
  id: string
  property_id: string
  type: EventType
  /** The agency's revision after the change, and its time. */
  revision: number
  at: string
  /** The row of the listing after the change. */
  listing: object
}

/** How long a mail waits for further changes, in seconds. */
const gatherSeconds = 5

/** Events of a listing are numbered, and seen by workers, in the order of its changes: the agency, `$1`, is locked. */
const insertEvents = statement(`
  insert into notification_events (agency_id, id, property_id, sequence, type, revision, at, listing)
  select $1, e.id, e.property_id,
    row_number() over (partition by e.property_id order by e.revision) + coalesce(before.sequence, 0),
    e.type, e.revision, e.at, e.listing
  from json_to_recordset($2::json)
      as e (id uuid, property_id uuid, type text, revision bigint, at timestamptz, listing jsonb)
    left join (
      select property_id, max(sequence) as sequence from notification_events
      where agency_id = $1 and property_id = any ($3::uuid[]) group by property_id
    ) before on before.property_id = e.property_id`)

/** Each event has two deliveries, in the lane of the agency's mails and in that of its listing. */
const insertDeliveries = statement(`
  insert into notification_deliveries (agency_id, event_id, channel, lane, revision)
  select $1, id, channel, lane, revision
  from json_to_recordset($2::json) as e (id uuid, property_id uuid, revision bigint)
    cross join lateral (values ('mail', $1::uuid), ('marketplace', property_id)) lanes (channel, lane)`)

/** Makes the lanes due, and locks them in the common order (courier/lanes.ts). */
const wakeLanes = statement(`
  insert into notification_lanes as l (agency_id, channel, lane, due_at)
  select $1, channel, lane, min(due_at)
  from json_to_recordset($2::json) as e (property_id uuid, at timestamptz) cross join lateral (
    values ('mail', $1::uuid, at + interval '${gatherSeconds} seconds'), ('marketplace', property_id, at)
  ) lanes (channel, lane, due_at)
  group by channel, lane order by channel, lane
  on conflict (agency_id, channel, lane) do update
    set version = l.version + 1, due_at = coalesce(l.due_at, greatest(excluded.due_at, l.rests_until))`)

/** The statements that store events of an agency and wake their lanes. */
export function outboxStatements(agencyId: string, events: readonly OutboxEvent[]): Statement[] {
  const moments = JSON.stringify(
    events.map(({ id, property_id, revision, at }) => ({ id, property_id, revision, at })),
  )
  const listings = [...new Set(events.map((event) => event.property_id))]
  return [
    insertEvents.with([agencyId, JSON.stringify(events), listings]),
    insertDeliveries.with([agencyId, moments]),
    // Model notification-lanes: wake
    wakeLanes.with([agencyId, moments]),
  ]
}
