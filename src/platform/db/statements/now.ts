/**
 * The present time by the database's clock. Statements that store it in rows of agencies read it first: Citus refuses the clock in an
 * update, because the copies of a row on several nodes would differ.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../time/clock.ts'
import { type Executor, statement } from './statement.ts'

const select = statement<{ now: string }>(`select clock_timestamp() + $1::float8 * interval '1 ms' as now`)

/** ISO 8601 in UTC, with milliseconds. */
export async function readNow(db: Executor, clock: Clock): Promise<string> {
  const [row] = await select(db, [clock.offsetMs])
  return (row as { now: string }).now
}

/** The present in a builder query, which has no other way to write it: the only use of Kysely's `sql`. */
export function now(clock: Clock): RawBuilder<string> {
  return sql<string>`(clock_timestamp() + ${clock.offsetMs}::float8 * interval '1 ms')`
}

/** A time in a builder query. Negative seconds are before the present. */
export function fromNow(clock: Clock, seconds: number): RawBuilder<string> {
  return sql<string>`(${now(clock)} + ${seconds}::float8 * interval '1 second')`
}
