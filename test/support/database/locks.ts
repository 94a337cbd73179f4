/** Statements waiting for a lock in the test's database; on Citus, on any node. */
import { sql } from 'kysely'
import type { Db } from '../../../src/platform/db/database.ts'
import { until } from '../until.ts'

const waiting = sql`datname = current_database() and wait_event_type = 'Lock'`

async function everywhere(db: Db): Promise<Db[]> {
  return [...new Set([db, ...(await db.nodes())])]
}

/** Waits until `count` statements wait for a lock. */
export async function untilWaiting(db: Db, count = 1): Promise<void> {
  await until(async () => {
    const found = (await everywhere(db)).map((node) =>
      sql`select from pg_stat_activity where ${waiting}`.execute(node),
    )
    return (await Promise.all(found)).reduce((sum, { rows }) => sum + rows.length, 0) >= count
  })
}

/** Cuts the connections of waiting statements. */
export async function endWaiting(db: Db): Promise<void> {
  for (const node of await everywhere(db))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`.execute(node)
}
