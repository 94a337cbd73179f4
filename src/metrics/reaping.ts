/** Gauges of expired rows that are not deleted yet. Queried at each scrape, so they also show that no worker runs. */
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { Expiring } from '../db/reaper.ts'
import type { Deps } from '../deps.ts'
import { reapLogged } from '../keys/request-log.ts'
import { expiringDeliveries } from '../notifications/reap.ts'
import { expiringPhotos } from '../photos/reap.ts'
import { reapers } from '../worker/reapers.ts'
import { askedTogether } from './asked.ts'

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

/** Reads the first index entry of each table; where Citus distributes it, of each shard. */
export async function readOverdue(db: Db, { offsetMs }: Clock, kept: KeptFor): Promise<Overdue[]> {
  const looks = allExpiring(kept).map(
    ({ table, column, only = 'true', keptFor = '0' }) => sql`
      select ${table}::text as table, ${keptFor}::interval as kept_for, min(${sql.ref(column)}) as oldest
      from ${sql.table(table)} where ${sql.ref(column)} > '-infinity' and ${sql.raw(only)}`,
  )
  const { rows } = await sql<Overdue>`
    select looks.table, coalesce(greatest(extract(epoch from
      clock_timestamp() + ${offsetMs}::float8 * interval '1 ms' - oldest - kept_for), 0), 0)::float8 as seconds
    from (${sql.join(looks, sql` union all `)}) looks`.execute(db)
  return rows
}

/** Bounds the cost of counting pictures whose files await deletion. */
const mostCounted = 10_000

export async function countCondemned(db: Db): Promise<{ count: number }[]> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select 1 from unreferenced_photos where delete_after = '-infinity' limit ${mostCounted}) condemned`.execute(
    db,
  )
  return rows
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
    collect: askedTogether(
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
    collect: askedTogether(
      () => countCondemned(db),
      ([row]) => {
        condemned.remove()
        if (row !== undefined) condemned.set(row.count)
      },
    ),
  })
}
