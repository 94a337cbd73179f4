/**
 * Lanes, in which events are delivered one after the other: one per listing for the marketplace, one per agency for email. A worker takes a
 * lane for the time of a lease, and can store the outcome only while it still holds the lease. No transaction is open in between. Statements
 * that lock several lanes and wait for them lock them in the order of their key, so that they never wait for each other in a circle.
 */
import type { Db } from '../db/database.ts'
import { hotStatement } from '../db/statement.ts'
import type { Clock } from '../clock.ts'
import { uuidv7 } from '../ids.ts'
import type { PendingEvent } from './event.ts'
import { tellWhy, type Why } from './failure.ts'
import type { ChannelName } from './outbox.ts'

/** A lane that this worker holds. */
export type Lane = {
  agency_id: string
  channel: ChannelName
  lane: string
  version: number
  failures: number
  /** By the database's clock. */
  taken_at: string
  token: string
}

/** The agency of a lane, with its preferences. */
export type Recipient = {
  id: string
  name: string
  slug: string
  email: string | null
  mail: boolean
  language: 'es-AR' | 'en'
}

// A taken lane is not due before the lease ends. Then another worker may take it, and the old token is void.
const take = hotStatement<Omit<Lane, 'channel' | 'token'>>(`
  with moment as materialized (
    select date_trunc('milliseconds', clock_timestamp() + $3::float8 * interval '1 ms') as at),
  due as materialized (
    select l.agency_id, l.lane from notification_lanes l
    where l.channel = $1 and l.due_at <= (select at from moment)
    order by l.due_at limit $2 for update skip locked
  )
  update notification_lanes l
  set token = $4, due_at = moment.at + $5::float8 * interval '1 ms'
  from due cross join moment
  where l.agency_id = due.agency_id and l.channel = $1 and l.lane = due.lane
  returning l.agency_id, l.lane, l.version, l.failures, moment.at as taken_at`)

/** Takes up to `limit` due lanes, longest due first. */
export async function takeLanes(
  db: Db,
  clock: Clock,
  channel: ChannelName,
  limit: number,
  leaseMs: number,
): Promise<Lane[]> {
  const token = uuidv7()
  const rows = await take(db, [channel, limit, clock.offsetMs, token, leaseMs])
  return rows.map((row) => ({ ...row, channel, token }))
}

const findPending = hotStatement<PendingEvent & { recipient: Recipient }>(`
  select d.event_id, d.attempts, d.first_attempt_at, e.property_id, e.sequence, e.type, e.revision, e.at, e.listing,
    coalesce(h.action = 'created', false) as is_creation, coalesce(h.changes, '{}') as changes,
    coalesce(h.actor_name, '') as actor_name,
    json_build_object('id', a.id, 'name', a.name, 'slug', a.slug, 'email', a.email,
      'mail', coalesce(p.mail, true), 'language', coalesce(p.language, 'es-AR')) as recipient
  from notification_deliveries d
    join notification_events e on e.agency_id = d.agency_id and e.id = d.event_id
    join agencies a on a.id = d.agency_id
    left join notification_preferences p on p.agency_id = d.agency_id
    left join listing_history h
      on h.agency_id = e.agency_id and h.property_id = e.property_id and h.revision = e.revision
  where d.agency_id = $1 and d.channel = $2 and d.lane = $3 and d.state = 'pending'
  order by d.revision limit $4`)

/** The pending events of a lane, in order. Read after the lane was taken, so that all counted in its version are seen. */
export async function readLane(
  db: Db,
  { agency_id, channel, lane }: Lane,
  limit: number,
): Promise<{ events: PendingEvent[]; recipient: Recipient | null; hasMore: boolean }> {
  const rows = await findPending(db, [agency_id, channel, lane, limit + 1])
  return {
    events: rows.slice(0, limit),
    recipient: rows[0]?.recipient ?? null,
    hasMore: rows.length > limit,
  }
}

/** The outcome for events that were sent or skipped. */
type Settlement = {
  results: readonly { event_id: string; state: 'pending' | 'delivered' | 'skipped' | 'set_aside' }[]
  /** Absent where nothing was sent. */
  attempt?: { succeeded: boolean; status: number | null; durationMs: number }
  why: Why | null
  failures: number
  /** Until the lane's next attempt, if events are left. */
  waitMs: number
  /** Whether events are known to be left. */
  isMore: boolean
  /** At least until the first attempt for a later event. */
  restMs: number
}

const settle = hotStatement<{ done: number }>(`
  with moment as materialized (
    select date_trunc('milliseconds', clock_timestamp() + $5::float8 * interval '1 ms') as at),
  lane as (
    update notification_lanes l
    set token = null, failures = $6, rests_until = moment.at + $7::float8 * interval '1 ms',
      due_at = case when l.version = $8::bigint and not $9::boolean then null else moment.at + $10::float8 * interval '1 ms' end
    from moment
    where l.agency_id = $1 and l.channel = $2 and l.lane = $3 and l.token = $4
    returning l.agency_id
  ),
  ended as (
    update notification_deliveries d
    set state = r.state, detail = $13::text, why = $19::jsonb,
      ended_at = case when r.state = 'pending' then null else moment.at end,
      attempts = d.attempts + $14::boolean::int,
      first_attempt_at = case when $14 then coalesce(d.first_attempt_at, $15::timestamptz) else d.first_attempt_at end
    from lane cross join moment cross join unnest($11::uuid[], $12::text[]) as r (event_id, state)
    where d.agency_id = $1 and d.event_id = r.event_id and d.channel = $2 and d.state = 'pending'
    returning d.agency_id, d.event_id, d.attempts
  ),
  logged as (
    insert into notification_attempts (agency_id, event_id, channel, number, at, duration_ms, succeeded, status, detail, why)
    select agency_id, event_id, $2::text, attempts, $15::timestamptz, $16::int, $17::boolean, $18::smallint, $13::text, $19::jsonb from ended where $14::boolean
  )
  select count(*)::int as done from lane`)

/** Stores the outcome and releases the lane. @returns false, with nothing stored, where the lease was lost */
export async function settleLane(db: Db, clock: Clock, lane: Lane, settlement: Settlement): Promise<boolean> {
  const { results, attempt, why, failures, waitMs, isMore, restMs } = settlement
  const [row] = await settle(db, [
    lane.agency_id,
    lane.channel,
    lane.lane,
    lane.token,
    clock.offsetMs,
    failures,
    restMs,
    lane.version,
    isMore,
    waitMs,
    results.map(({ event_id }) => event_id),
    results.map(({ state }) => state),
    why === null ? null : tellWhy(why),
    attempt !== undefined,
    lane.taken_at,
    attempt?.durationMs ?? 0,
    attempt?.succeeded ?? false,
    attempt?.status ?? null,
    why === null ? null : JSON.stringify(why),
  ])
  return row?.done === 1
}

const release = hotStatement<{ ended: number }>(`
  with moment as materialized (
    select date_trunc('milliseconds', clock_timestamp() + $6::float8 * interval '1 ms') as at),
  held as materialized (
    select l.agency_id, l.lane, l.version = t.version as is_empty
    from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as t (agency_id, lane, version)
      join notification_lanes l on l.agency_id = t.agency_id and l.channel = $1 and l.lane = t.lane
    where l.token = $5
    order by l.agency_id, l.channel, l.lane for update of l
  ),
  lanes as (
    update notification_lanes l
    set token = null, failures = 0, due_at = case when held.is_empty then null else moment.at end
    from held cross join moment
    where l.agency_id = held.agency_id and l.channel = $1 and l.lane = held.lane
    returning l.agency_id, l.lane
  ),
  ended as (
    update notification_deliveries d set state = 'not_configured', ended_at = moment.at
    from lanes cross join moment
    where d.agency_id = lanes.agency_id and d.channel = $1 and d.lane = lanes.lane and d.state = 'pending'
    returning 1
  )
  select count(*)::int as ended from ended`)

/** Records the pending deliveries of these lanes, taken together, as not configured. @returns how many */
export async function endUnconfigured(db: Db, clock: Clock, lanes: readonly Lane[]): Promise<number> {
  const [first] = lanes
  if (first === undefined) return 0
  const [row] = await release(db, [
    first.channel,
    lanes.map(({ agency_id }) => agency_id),
    lanes.map(({ lane }) => lane),
    lanes.map(({ version }) => version),
    first.token,
    clock.offsetMs,
  ])
  return row?.ended ?? 0
}
