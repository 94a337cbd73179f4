/**
 * Gauges of work that is not done yet: pending notifications, expired rows, and the age of the last backup. The server queries them at each
 * scrape, so they also rise if no worker runs.
 */
import { Gauge, type Registry } from 'prom-client'
import { type Clock, inTime } from '../../platform/time/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { oneOff, statement } from '../../platform/db/statements/statement.ts'
import type { Expiring } from '../../platform/db/upkeep/reaper.ts'
import type { Deps } from '../../deps.ts'
import { expiringPhotos } from '../../listings/photos/unreferenced.ts'
import { findNewest } from '../backup/routine/records.ts'
import { allReaping } from '../worker/reapers.ts'
import { readGauges } from '../../delivery/notifications/gauges.ts'

type Retention = Pick<Config, 'notificationsKeptDays'>

/** Every table whose rows expire. */
export const allExpiring = (retention: Retention): readonly Expiring[] => [
  expiringPhotos,
  ...allReaping(retention).map(({ expiring }) => expiring),
]

type Overdue = {
  table: string
  /** Since the oldest remaining row expired; 0 if no expired row remains. */
  seconds: number
}

/** Reads the first index entry of each table, or on Citus of each shard. */
export async function readOverdue(db: Db, { offsetMs }: Clock, retention: Retention): Promise<Overdue[]> {
  const looks = allExpiring(retention).map(
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
const maxCounted = 10_000

const selectCondemned = statement<{ count: number }>(`
  select count(*)::int as count from (
    select 1 from unreferenced_photos where delete_after = '-infinity' limit $1) condemned`)

export const countCondemned = (db: Db) => selectCondemned(db, [maxCounted])

/** The gauges of pending notifications, by channel. */
const outboxHelp = {
  pending: 'Pending deliveries.',
  failing: 'Pending deliveries after a failed attempt.',
  set_aside: 'Deliveries set aside until an operator retries them.',
  oldest_pending_seconds: 'Age of the oldest pending change, in seconds.',
} as const

/** Adds the gauges. They have no values if the database does not answer. */
export function watchBacklog(
  registry: Registry,
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
): void {
  const registers = [registry]
  const outbox = Object.entries(outboxHelp).map(([field, help]) => ({
    field: field as keyof typeof outboxHelp,
    gauge: new Gauge({
      name: `listings_outbox_${field}`,
      help,
      labelNames: ['channel'],
      registers,
      collect: () => refreshOutbox(),
    }),
  }))
  const refreshOutbox = sharedQuery(
    () => readGauges(db, clock),
    (rows) => {
      for (const { field, gauge } of outbox) {
        gauge.reset()
        for (const row of rows) gauge.set({ channel: row.channel }, row[field])
      }
    },
  )
  const overdue: Gauge = new Gauge({
    name: 'listings_reaping_overdue_seconds',
    help: 'Time since the oldest overdue row expired, by table.',
    labelNames: ['table'],
    registers,
    collect: sharedQuery(
      () => readOverdue(db, clock, config),
      (rows) => {
        overdue.reset()
        for (const { table, seconds } of rows) overdue.set({ table }, seconds)
      },
    ),
  })
  const backupAge: Gauge = new Gauge({
    name: 'listings_backup_age_seconds',
    help: 'Age of the state in the newest verified backup; absent if there is none.',
    registers,
    collect: sharedQuery(
      async () => [await findNewest(db, clock)],
      ([newest]) => {
        backupAge.remove()
        if (newest != null) backupAge.set(newest.ageSeconds)
      },
    ),
  })
  const condemned: Gauge = new Gauge({
    name: 'listings_photos_condemned',
    help: `Unused pictures whose files are not deleted yet; ${maxCounted} at most.`,
    registers,
    collect: sharedQuery(
      () => countCondemned(db),
      ([row]) => {
        condemned.remove()
        if (row !== undefined) condemned.set(row.count)
      },
    ),
  })
}

/** How long a result is reused. */
const reusedMs = 2_000
const timeoutMs = 5_000

/**
 * Shares one query between gauges and scrapers: each gauge calls the returned function, and only the first call within `reusedMs` runs the
 * query.
 * @param report receives the rows; none if the database fails or times out
 */
function sharedQuery<Row>(query: () => Promise<readonly Row[]>, report: (rows: readonly Row[]) => void) {
  let startedAt = Number.NEGATIVE_INFINITY
  let reported = Promise.resolve()
  return () => {
    if (performance.now() - startedAt >= reusedMs) {
      startedAt = performance.now()
      const rows = query().catch((): readonly Row[] => [])
      reported = inTime(timeoutMs, rows, []).then(report)
    }
    return reported
  }
}
