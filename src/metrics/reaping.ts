/** Whether what has served its time is deleted, asked of the database when the figures are: so it is told where no worker runs too. */
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

/** Everything that ends some day. */
export const allExpiring = ({ notificationsKeptDays }: KeptFor): readonly Expiring[] => [
  expiringPhotos,
  ...[...reapers, reapLogged].map(({ expiring }) => expiring),
  ...(notificationsKeptDays === null ? [] : [expiringDeliveries(notificationsKeptDays)]),
]

type Overdue = {
  table: string
  /** Since the oldest row that is still there could have been deleted; 0 where there is none. */
  seconds: number
}

/** Costs a look at the beginning of an index for each table. */
export async function readOverdue(db: Db, { offsetMs }: Clock, kept: KeptFor): Promise<Overdue[]> {
  const looks = allExpiring(kept).map(
    ({ table, column, only = 'true', keptFor = '0' }) => sql`
      select ${table}::text as table, (select extract(epoch from moment.now - ${sql.ref(column)} - ${keptFor}::interval)
        from ${sql.table(table)} where ${sql.ref(column)} > '-infinity' and ${sql.raw(only)} order by ${sql.ref(column)} limit 1) as seconds
      from moment`,
  )
  const { rows } = await sql<Overdue>`
    with moment as (select clock_timestamp() + ${offsetMs}::float8 * interval '1 ms' as now)
    select overdue.table, coalesce(greatest(seconds, 0), 0)::float8 as seconds
    from (${sql.join(looks, sql` union all `)}) overdue`.execute(db)
  return rows
}

/** Pictures whose files are to be deleted, up to so many. */
const mostCounted = 10_000

export async function countCondemned(db: Db): Promise<{ count: number }[]> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from unreferenced_photos where delete_after = '-infinity' limit ${mostCounted}) condemned`.execute(
    db,
  )
  return rows
}

/** Adds the gauges. Where the database does not answer they are left out. */
export function watchReaping(
  registry: Registry,
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
): void {
  const overdue: Gauge = new Gauge({
    name: 'listings_reaping_overdue_seconds',
    help: 'Since the oldest row that has served its time could have been deleted, by table.',
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
    help: `Pictures that no listing shows, whose files could not be deleted yet; ${mostCounted} at most.`,
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
