/**
 * Deletes deliveries settled long ago with their attempts, and events without deliveries. Deliveries that are pending, or set aside for the
 * operator, stay. listing_history keeps actors, changes and times.
 */
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { dueLook, dueStatement, type Portion } from '../../platform/db/upkeep/due.ts'
import { boundedLock, type Executor } from '../../platform/db/statements/statement.ts'
import type { Expiring } from '../../platform/db/upkeep/reaper.ts'

/** Matches the condition of the partial index. */
const settled = `state in ('delivered', 'skipped', 'not_configured')`

export function expiringDeliveries(keptDays: number): Expiring {
  return {
    table: 'notification_deliveries',
    key: 'agency_id, event_id, channel',
    column: 'ended_at',
    only: settled,
    keptFor: `${keptDays} days`,
  }
}

type Settled = { agency_id: string; event_id: string; channel: string }

/** Value $3: days to keep. */
const lookForSettled = dueLook(
  (table) => `
  select agency_id, ended_at as due_at from ${table('notification_deliveries')}
  where ${settled} and ended_at <= (select now - $3::int * interval '1 day' from moment)
  order by ended_at limit $2`,
)

/**
 * Locks deliveries and their events: when two workers delete the last deliveries of an event, the second sees what the first left. Values
 * from $2: limit, days to keep.
 */
const take = dueStatement<Settled>(
  ({ moment, of }) => `
  with ${moment},
  due as materialized (
    select d.agency_id, d.event_id, d.channel from notification_deliveries d
    where ${settled} and d.ended_at <= (select now - $3::int * interval '1 day' from moment) and ${of('d')}
    order by d.ended_at limit $2 for update skip locked
  )
  select due.agency_id, due.event_id, due.channel, ${boundedLock} as bounded
  from due join notification_events e on e.agency_id = due.agency_id and e.id = due.event_id and ${of('e')}
  for update of e skip locked`,
)

/**
 * Deletes deliveries, and events that have none left. A listing's latest event keeps its number, from which the next number follows, and
 * loses its content. It is deleted once the deliveries of a later event of the listing are deleted. Attempts are deleted with their
 * deliveries. Values from $2: agencies, events and channels of the deliveries.
 */
const forget = dueStatement(
  ({ moment, of }) => `
  with ${moment},
  gone as (
    delete from notification_deliveries d
    using unnest($2::uuid[], $3::uuid[], $4::text[]) as t (agency_id, event_id, channel)
    where d.agency_id = t.agency_id and ${of('d')} and d.event_id = t.event_id and d.channel = t.channel
    returning d.agency_id, d.event_id, d.channel
  ),
  ended as materialized (
    select e.agency_id, e.id, e.property_id, e.sequence, exists (
        select from notification_events later
        where later.agency_id = e.agency_id and ${of('later')} and later.property_id = e.property_id and later.sequence > e.sequence
      ) as has_later
    from (select distinct agency_id, event_id from gone) of_gone
      join notification_events e on e.agency_id = of_gone.agency_id and ${of('e')} and e.id = of_gone.event_id
    where not exists (
      select from notification_deliveries d
      where d.agency_id = e.agency_id and ${of('d')} and d.event_id = e.id and not exists (
        select from gone where gone.agency_id = d.agency_id and gone.event_id = d.event_id and gone.channel = d.channel)
    )
  ),
  emptied as (
    update notification_events e set listing = '{}' from ended
    where e.agency_id = ended.agency_id and ${of('e')} and e.id = ended.id and not ended.has_later
  ),
  -- Another worker may be deleting these too: neither waits for the other.
  numbers as materialized (
    select e.agency_id, e.id
    from ended join notification_events e on e.agency_id = ended.agency_id and ${of('e')} and e.property_id = ended.property_id
    where e.sequence < ended.sequence and not exists (
      select from notification_deliveries d where d.agency_id = e.agency_id and ${of('d')} and d.event_id = e.id)
    for update of e skip locked
  )
  delete from notification_events e
  where ${of('e')} and (e.agency_id, e.id) in (
    select agency_id, id from ended where has_later union all select agency_id, id from numbers)`,
)

/** Locks up to `portion.limit` deliveries settled at least `keptDays` ago. */
export async function takeSettled(tx: Executor, portion: Portion, keptDays: number): Promise<Settled[]> {
  return await tx.run(take.with(portion, [portion.limit, keptDays]))
}

/** Deletes up to `limit` deliveries settled at least `keptDays` ago. @returns how many */
export async function reapNotifications(db: Db, limit: number, clock: Clock, keptDays: number) {
  let count = 0
  for (const portion of await lookForSettled(db, clock, limit, [keptDays])) {
    count += await inTransaction(portion.db, async (tx) => {
      const due = await takeSettled(tx, portion, keptDays)
      if (due.length === 0) return 0
      const columns = (['agency_id', 'event_id', 'channel'] as const).map((name) =>
        due.map((row) => row[name]),
      )
      await tx.run(forget.with(portion, columns))
      return due.length
    })
  }
  return count
}
