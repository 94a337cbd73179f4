/** Counts the deliveries that are pending or set aside, by channel. */
import { type ChannelName, channels } from './outbox.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { overAllNodes } from '../../platform/db/citus/nodes.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'

type ChannelGauges = {
  channel: ChannelName
  pending: number
  /** Pending deliveries that failed at least once. */
  failing: number
  set_aside: number
  /** Since the oldest pending change, or 0. */
  oldest_pending_seconds: number
}

const noGauges = { pending: 0, failing: 0, set_aside: 0, oldest_pending_seconds: 0 }

/** Deliveries by channel that are pending or set aside. */
const gauges = statement<ChannelGauges>(`
  select d.channel,
    count(*) filter (where d.state = 'pending')::int as pending,
    count(*) filter (where d.state = 'pending' and d.attempts > 0)::int as failing,
    count(*) filter (where d.state = 'set_aside')::int as set_aside,
    coalesce(greatest(extract(epoch from clock_timestamp() + $1::float8 * interval '1 ms'
      - min(e.at) filter (where d.state = 'pending')), 0), 0)::float8 as oldest_pending_seconds
  from notification_deliveries d join notification_events e on e.agency_id = d.agency_id and e.id = d.event_id
  where d.state in ('pending', 'set_aside') group by d.channel`)

/** For metrics. The cost depends only on the number of deliveries that are pending or set aside. */
export async function readGauges(db: Db, clock: Clock): Promise<ChannelGauges[]> {
  const rows = await gauges(await overAllNodes(db), [clock.offsetMs])
  return channels.map((channel) => rows.find((row) => row.channel === channel) ?? { channel, ...noGauges })
}
