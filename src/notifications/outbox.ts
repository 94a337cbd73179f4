/**
 * The outbox (api.md 17.1): the statement that changes a listing's state also writes an event, its deliveries, and the lanes in which they
 * are delivered in order. Nothing leaves the service here.
 */
import { hotStatement, type Statement } from '../db/statement.ts'

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

/** How long an email waits for further changes, in seconds. */
const gatherSeconds = 5

/** Events of a listing are numbered, and seen by workers, in the order of its changes: the agency, `$1`, is locked. */
const note = (events: string, listings: string): string => `
  insert into notification_events (agency_id, id, property_id, sequence, type, revision, at, listing)
  select $1, e.id, e.property_id,
    row_number() over (partition by e.property_id order by e.revision) + coalesce(before.sequence, 0),
    e.type, e.revision, e.at, e.listing
  from json_to_recordset(${events}::json)
      as e (id uuid, property_id uuid, type text, revision bigint, at timestamptz, listing jsonb)
    left join (
      select property_id, max(sequence) as sequence from notification_events
      where agency_id = $1 and property_id = any (${listings}::uuid[]) group by property_id
    ) before on before.property_id = e.property_id`

/** The lanes of events. */
const addressed = (events: string): string => `
  select id, revision, 'mail' as channel, $1::uuid as lane, at + interval '${gatherSeconds} seconds' as due_at from ${events}
  union all
  select id, revision, 'marketplace', property_id, at from ${events}`

const deliver = (lanes: string): string => `
  insert into notification_deliveries (agency_id, event_id, channel, lane, revision)
  select $1, id, channel, lane, revision from ${lanes}`

const wake = (lanes: string): string => `
  insert into notification_lanes as l (agency_id, channel, lane, due_at)
  select $1, channel, lane, min(due_at) from ${lanes} group by channel, lane
  -- In one order, as all do who lock several lanes (lanes.ts).
  order by channel, lane
  on conflict (agency_id, channel, lane) do update
    set version = l.version + 1, due_at = coalesce(l.due_at, greatest(excluded.due_at, l.rests_until))`

/**
 * Parts of a `with`, on plain PostgreSQL, that store events of the agency `$1` and wake their lanes.
 * @param events parameter of the events, a JSON list: `$6`
 * @param listings parameter of the uuids of their listings
 */
export function outboxParts(events: string, listings: string): string {
  return `
    noted as (${note(events, listings)} returning id, property_id, revision, at),
    addressed as (${addressed('noted')}),
    delivering as (${deliver('addressed')}),
    woken as (${wake('addressed')})`
}

const listed = `(${addressed(`json_to_recordset($2::json) as e (id uuid, property_id uuid, revision bigint, at timestamptz)`)}) addressed`
const atNode = [
  hotStatement(note('$2', '$3')),
  hotStatement(deliver(listed)),
  hotStatement(wake(listed)),
] as const

/** The same as statements of their own: what one part of a `with` hands to an insert, Citus sends to all of its nodes, and needs them all. */
export function outboxStatements(agencyId: string, events: readonly OutboxEvent[]): Statement[] {
  const [noted, ...others] = atNode
  const moments = events.map(({ id, property_id, revision, at }) => ({ id, property_id, revision, at }))
  return [
    noted.with([agencyId, JSON.stringify(events), listingsOf(events)]),
    ...others.map((one) => one.with([agencyId, JSON.stringify(moments)])),
  ]
}

/** The uuids of their listings. */
export function listingsOf(events: readonly OutboxEvent[]): string[] {
  return [...new Set(events.map((event) => event.property_id))]
}
