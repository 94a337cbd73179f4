/**
 * The present of the database's clock, for statements that store it in rows of agencies: Citus refuses the clock in an update, because the
 * copies of a row on several nodes would differ.
 */
import type { Clock } from '../clock.ts'
import { type Executor, hotStatement } from './statement.ts'

const select = hotStatement<{ now: string }>(`select clock_timestamp() + $1::float8 * interval '1 ms' as now`)

/** ISO 8601 in UTC, with milliseconds. */
export async function readNow(db: Executor, clock: Clock): Promise<string> {
  const [row] = await select(db, [clock.offsetMs])
  return (row as { now: string }).now
}
