/**
 * The moment, by the database's clock as tests may shift it, and others seen from it, in SQL.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../clock.ts'

export function now(clock: Clock): RawBuilder<string> {
  return sql<string>`(clock_timestamp() + ${clock.offsetMs}::float8 * interval '1 ms')`
}

/** So many seconds after the moment, or before it when negative. */
export function fromNow(clock: Clock, seconds: number): RawBuilder<string> {
  return sql<string>`(${now(clock)} + ${seconds}::float8 * interval '1 second')`
}
