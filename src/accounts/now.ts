/**
 * SQL for the present, by the database's clock, which tests may shift.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../clock.ts'

export function now(clock: Clock): RawBuilder<string> {
  return sql<string>`(clock_timestamp() + ${clock.offsetMs}::float8 * interval '1 ms')`
}

/** Negative seconds are before the present. */
export function fromNow(clock: Clock, seconds: number): RawBuilder<string> {
  return sql<string>`(${now(clock)} + ${seconds}::float8 * interval '1 second')`
}
