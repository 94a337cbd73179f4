/**
 * Lanes deliver events in order: one lane per listing for the marketplace, one per agency for mail. A worker leases a lane, and can store
 * the outcome only while it still holds the lease. No transaction is open in between. Statements that lock several lanes and wait for them
 * lock them in the order of their key, so that they cannot deadlock.
 */
import type { Db } from '../../../platform/db/database.ts'
import { dueLook, dueStatement, scopeOf, scopesOf } from '../../../platform/db/upkeep/due.ts'
import { statement } from '../../../platform/db/statements/statement.ts'
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { uuidv7 } from '../../../platform/names/ids.ts'
import type { PendingEvent } from '../event.ts'
import { reasonText, type Why } from '../failure.ts'
import type { ChannelName } from '../outbox.ts'
import { defaultPreferences, type Preferences } from '../preferences.ts'

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

/** A lane's agency and its preferences. */
export type Recipient = {
  id: string
  name: string
  slug: string
  email: string | null
} & Preferences

/** Value $3: channel. */
const lookForDueLanes = dueLook(
  (table) => `
  select agency_id, due_at from ${table('notification_lanes')}
  where channel = $3 and due_at <= (select now from moment) order by due_at limit $2`,
)

/**
 * Leases due lanes. A leased lane is not due before the lease ends. Then another worker may take it, and the old token is void. Values from
 * $2: limit, channel, token, lease in ms.
 */
// Model notification-lanes: lease ends
const leaseDue = dueStatement<Omit<Lane, 'channel' | 'token'>>(
  ({ moment, of }) => `
  with ${moment},
  lease as materialized (select now, now + $5::float8 * interval '1 ms' as ends_at from moment),
  due as materialized (
    select l.agency_id, l.lane from notification_lanes l
    where l.channel = $3 and l.due_at <= (select now from moment) and ${of('l')}
    order by l.due_at limit $2 for update skip locked
  )
  update notification_lanes l set token = $4, due_at = lease.ends_at
  from due cross join lease
  where l.agency_id = due.agency_id and l.channel = $3 and l.lane = due.lane and ${of('l')}
  returning l.agency_id, l.lane, l.version, l.failures, lease.now as taken_at`,
)

/** Leases up to `limit` due lanes, longest due first. */
export async function leaseLanes(db: Db, clock: Clock, channel: ChannelName, limit: number, leaseMs: number) {
  const token = uuidv7()
  const lanes: Lane[] = []
  for (const portion of await lookForDueLanes(db, clock, limit, [channel])) {
    // Model notification-lanes: take
    const rows = await leaseDue(portion, [portion.limit, channel, token, leaseMs])
    lanes.push(...rows.map((row) => ({ ...row, channel, token })))
  }
  return lanes
}

/** The lane's next events, with all that their messages need. Values: agency, channel, lane, limit. */
const findPending = statement<PendingEvent & { recipient: Recipient }>(`
  select d.event_id, d.attempts, d.first_attempt_at, e.property_id, e.sequence, e.type, e.revision, e.at, e.listing,
    coalesce(h.action = 'created', false) as is_creation, coalesce(h.changes, '{}') as changes,
    case when h.agency_id is not null then json_build_object('kind', h.actor_kind, 'name', h.actor_name) end as actor,
    json_build_object('id', a.id, 'name', a.name, 'slug', a.slug, 'email', a.email,
      'mail', coalesce(p.mail, ${defaultPreferences.mail}), 'unwanted', coalesce(p.unwanted, '{}'),
      'language', coalesce(p.language, '${defaultPreferences.language}')) as recipient
  from notification_deliveries d
    join notification_events e on e.agency_id = d.agency_id and e.agency_id = $1 and e.id = d.event_id
    join agencies a on a.id = d.agency_id
    left join notification_preferences p on p.agency_id = d.agency_id and p.agency_id = $1
    left join listing_history h
      on h.agency_id = e.agency_id and h.agency_id = $1 and h.property_id = e.property_id and h.revision = e.revision
  where d.agency_id = $1 and d.channel = $2 and d.lane = $3 and d.state = 'pending'
  order by d.revision limit $4`)

/** A lane's pending events, in order. Read after the lane was taken, so that all events counted in its version are seen. */
export async function readLane(db: Db, { agency_id, channel, lane }: Lane, limit: number) {
  // Model notification-lanes: read
  const rows = await findPending(db, [agency_id, channel, lane, limit + 1])
  const recipient = rows[0]?.recipient ?? null
  return { events: rows.slice(0, limit), recipient, hasMore: rows.length > limit }
}

/** The outcome for events that were sent or skipped. */
type Settlement = {
  results: readonly { event_id: string; state: 'pending' | 'delivered' | 'skipped' | 'set_aside' }[]
  /** Absent if nothing was sent. */
  attempt?: { succeeded: boolean; status: number | null; durationMs: number }
  why: Why | null
  failures: number
  /** Until the lane's next attempt, if events are left. */
  waitMs: number
  /** Whether events are certainly left. */
  isMore: boolean
  /** Minimum wait before the first attempt for a later event. */
  restMs: number
}

/**
 * If the lease is still held, stores the outcome of the sent events and releases the lane. A second statement logs attempts: Citus would
 * send a statement that inserts within a `with` to all nodes, part by part.
 *
 * Values of the lane, from $2: agency, channel, lane, token; failures in a row, ms until later events may be sent, version when it was
 * taken, whether events are certainly left, ms until the next attempt. Values of the events, from $11: ids, new states; the reason as text
 * and as data, whether an attempt was made, its time.
 */
const settle = dueStatement<{ done: number; events: string[] | null; numbers: number[] | null }>(
  ({ moment }) => `
  with ${moment},
  times as materialized (
    select now, now + $7::float8 * interval '1 ms' as rests_until, now + $10::float8 * interval '1 ms' as again_at from moment),
  lane as (
    update notification_lanes l
    set token = null, failures = $6, rests_until = times.rests_until,
      due_at = case when l.version = $8::bigint and not $9::boolean then null else times.again_at end
    from times
    where l.agency_id = $2 and l.channel = $3 and l.lane = $4 and l.token = $5
    returning l.agency_id
  ),
  ended as (
    update notification_deliveries d
    set state = r.state, detail = $13::text, why = $14::jsonb,
      ended_at = case when r.state = 'pending' then null else times.now end,
      attempts = d.attempts + $15::boolean::int,
      first_attempt_at = case when $15 then coalesce(d.first_attempt_at, $16::timestamptz) else d.first_attempt_at end
    from lane cross join times cross join unnest($11::uuid[], $12::text[]) as r (event_id, state)
    where d.agency_id = $2 and d.event_id = r.event_id and d.channel = $3 and d.state = 'pending'
    returning d.agency_id, d.event_id, d.attempts
  )
  select (select count(*)::int from lane) as done, array_agg(event_id) as events, array_agg(attempts) as numbers from ended`,
)

/**
 * Logs one attempt for all events that it was about. Values: agency, channel, events, the number of the attempt for each, time, duration in
 * ms, success, HTTP status, the reason as text and as data.
 */
const logAttempts = statement(`
  insert into notification_attempts (agency_id, event_id, channel, number, at, duration_ms, succeeded, status, detail, why)
  select $1::uuid, event_id, $2::text, number, $5::timestamptz, $6::int, $7::boolean, $8::smallint, $9::text, $10::jsonb
  from unnest($3::uuid[], $4::int[]) as ended (event_id, number)`)

/** Stores the outcome and releases the lane. @returns false, with nothing stored, if the lease was lost */
export async function settleLane(db: Db, clock: Clock, lane: Lane, settlement: Settlement): Promise<boolean> {
  const { results, attempt, why, failures, waitMs, isMore, restMs } = settlement
  const { agency_id: agencyId, channel, taken_at: takenAt } = lane
  const reason = [why === null ? null : reasonText(why), why === null ? null : JSON.stringify(why)]
  const ofLane = [agencyId, channel, lane.lane, lane.token, failures, restMs, lane.version, isMore, waitMs]
  const states = [results.map(({ event_id }) => event_id), results.map(({ state }) => state)]
  const ofEvents = [...states, ...reason, attempt !== undefined, takenAt]
  const scope = await scopeOf(db, clock, agencyId)
  return await inTransaction(scope.db, async (tx) => {
    // Model notification-lanes: settle
    const [row] = await tx.run(settle.with(scope, [...ofLane, ...ofEvents]))
    if (attempt !== undefined && row?.events != null) {
      const { durationMs, succeeded, status } = attempt
      const attempted = [agencyId, channel, row.events, row.numbers, takenAt]
      await tx.commit([logAttempts.with([...attempted, durationMs, succeeded, status, ...reason])])
    }
    return row?.done === 1
  })
}

/**
 * Locks the lanes that the token still holds, ends their pending deliveries and releases them. A lane with events newer than the version
 * that was taken is due again at once. Values from $2: channel; agencies, lanes and versions; token.
 */
const release = dueStatement<{ ended: number }>(
  ({ moment, of }) => `
  with ${moment},
  held as materialized (
    select l.agency_id, l.lane, l.version = t.version as is_empty
    from unnest($3::uuid[], $4::uuid[], $5::bigint[]) as t (agency_id, lane, version)
      join notification_lanes l on l.agency_id = t.agency_id and l.channel = $2 and l.lane = t.lane
    where l.token = $6 and ${of('l')}
    order by l.agency_id, l.channel, l.lane for update of l
  ),
  lanes as (
    update notification_lanes l
    set token = null, failures = 0, due_at = case when held.is_empty then null else moment.now end
    from held cross join moment
    where l.agency_id = held.agency_id and l.channel = $2 and l.lane = held.lane and ${of('l')}
    returning l.agency_id, l.lane
  ),
  ended as (
    update notification_deliveries d set state = 'not_configured', ended_at = moment.now
    from lanes cross join moment
    where d.agency_id = lanes.agency_id and d.channel = $2 and d.lane = lanes.lane and d.state = 'pending' and ${of('d')}
    returning 1
  )
  select count(*)::int as ended from ended`,
)

/** Records the pending deliveries of these lanes, taken together, as not configured. @returns how many */
export async function endUnconfigured(db: Db, clock: Clock, lanes: readonly Lane[]): Promise<number> {
  let count = 0
  for await (const [scope, together] of scopesOf(db, clock, lanes)) {
    const columns = (['agency_id', 'lane', 'version'] as const).map((name) =>
      together.map((lane) => lane[name]),
    )
    const [row] = await release(scope, [together[0]?.channel, ...columns, together[0]?.token])
    count += row?.ended ?? 0
  }
  return count
}
