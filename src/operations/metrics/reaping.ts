/** Gauges of expired rows that are not deleted yet. Queried at each scrape, so they also show that no worker runs. */
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement, oneOff } from '../../platform/db/statement.ts'
import type { Expiring } from '../../platform/db/reaper.ts'
import type { Deps } from '../../deps.ts'
import { reapLogged } from '../../access/keys/request-log.ts'
import { expiringDeliveries } from '../../delivery/notifications/reap.ts'
import { expiringPhotos } from '../../listings/photos/unreferenced.ts'
import { reapers } from '../worker/reapers.ts'
import { sharedQuery } from './shared-query.ts'

type KeptFor = Pick<Config, 'notificationsKeptDays'>

/** Every table whose rows expire. */
export const allExpiring = ({ notificationsKeptDays }: KeptFor): readonly Expiring[] => [
  expiringPhotos,
  ...[...reapers, reapLogged].map(({ expiring }) => expiring),
  ...(notificationsKeptDays === null ? [] : [expiringDeliveries(notificationsKeptDays)]),
]

type Overdue = {
  table: string
  /** Since the oldest remaining row expired; 0 if no expired row remains. */
  seconds: number
}

/** Reads the first index entry of each table, or on Citus of each shard. */
export async function readOverdue(db: Db, { offsetMs }: Clock, kept: KeptFor): Promise<Overdue[]> {
  const looks = allExpiring(kept).map(
    ({ table, column, only = 'true', keptFor = '0' }) => `
      select '${table}' as table, interval '${keptFor}' as kept_for, min(${column}) as oldest
      from ${table} where ${column} > '-infinity' and ${only}`,
  )
  const text = `
    select looks.table, coalesce(greatest(extract(epoch from
      clock_timestamp() + $1::float8 * interval '1 ms' - oldest - kept_for), 0), 0)::float8 as seconds
    from (${looks.join(' union all ')}) looks`
  return await db.run(oneOff<Overdue>(text, [offsetMs]))
}

/** Bounds the cost of counting pictures whose files await deletion. */
const mostCounted = 10_000

const selectCondemned = statement<{ count: number }>(`
  select count(*)::int as count from (
    select 1 from unreferenced_photos where delete_after = '-infinity' limit $1) condemned`)

export async function countCondemned(db: Db): Promise<{ count: number }[]> {
  return await selectCondemned(db, [mostCounted])
}

/** Adds the gauges. They have no values if the database does not answer. */
export function watchReaping(
  registry: Registry,
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
): void {
  const overdue: Gauge = new Gauge({
    name: 'listings_reaping_overdue_seconds',
    help: 'Time since the oldest row not deleted yet expired, by table.',
    labelNames: ['table'],
    registers: [registry],
    collect: sharedQuery(
      () => readOverdue(db, clock, config),
      (rows) => {
        overdue.reset()
        for (const { table, seconds } of rows) overdue.set({ table }, seconds)
      },
    ),
  })
  const condemned: Gauge = new Gauge({
    name: 'listings_photos_condemned',
    help: `Unused pictures whose files are not deleted yet; ${mostCounted} at most.`,
    registers: [registry],
    collect: sharedQuery(
      () => countCondemned(db),
      ([row]) => {
        condemned.remove()
        if (row !== undefined) condemned.set(row.count)
      },
    ),
  })
}
