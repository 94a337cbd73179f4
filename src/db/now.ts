/**
 * The present of the database's clock. Statements that store it in rows of agencies read it first: Citus refuses the clock in an update,
 * because the copies of a row on several nodes would differ.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from './database.ts'
import { type Executor, hotStatement, shortStatement } from './statement.ts'

const select = hotStatement<{ now: string }>(`select clock_timestamp() + $1::float8 * interval '1 ms' as now`)

/** ISO 8601 in UTC, with milliseconds. */
export async function readNow(db: Executor, clock: Clock): Promise<string> {
  const [row] = await select(db, [clock.offsetMs])
  return (row as { now: string }).now
}

/** The present in a builder query, which cannot write it otherwise: the only use of Kysely's `sql`. */
export function now(clock: Clock): RawBuilder<string> {
  return sql<string>`(clock_timestamp() + ${clock.offsetMs}::float8 * interval '1 ms')`
}

/** A moment in a builder query. Negative seconds are before the present. */
export function fromNow(clock: Clock, seconds: number): RawBuilder<string> {
  return sql<string>`(${now(clock)} + ${seconds}::float8 * interval '1 second')`
}

const readTime = shortStatement<{ ms: number }>(
  'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
)
const askedEveryMs = 30_000

/** @returns the database's time in milliseconds, told by this process's clock, which is set by the database's now and then */
export function databaseTime(clock: Clock): (db: Db) => Promise<number> {
  let ahead: number | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null
  const ask = async (db: Db): Promise<void> => {
    const began = performance.now()
    const [row] = await readTime(db.anywhere, [])
    askedAt = performance.now()
    if (row !== undefined) ahead = row.ms - (began + askedAt) / 2
  }
  return async (db) => {
    if (performance.now() - askedAt >= askedEveryMs) {
      asking ??= ask(db).finally(() => {
        asking = null
      })
      if (ahead === null) await asking
      else asking.catch(() => {})
    }
    return performance.now() + (ahead ?? 0) + clock.offsetMs
  }
}
