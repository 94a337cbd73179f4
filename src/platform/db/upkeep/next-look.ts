/**
 * Schedules an instance's next look for due work. On Citus a look is a statement to each node, so instances take turns: each reserves the
 * time after the latest one reserved, and together they look no more often than one would. An instance that dies leaves one time unused.
 */
import type { Clock } from '../../time/clock.ts'
import type { Db } from '../database.ts'
import { statement } from '../statements/statement.ts'

/** The furthest that a time is reserved ahead: instances that keep dying leave their times unused. */
const furthestMs = 600_000

/* Committed asynchronously: a reservation lost in a crash costs one more look. */
const reserve = statement<{ wait_ms: number }>(`
  with moment as materialized (
    select date_trunc('milliseconds', clock_timestamp() + $3::float8 * interval '1 ms') as now,
      set_config('synchronous_commit', 'off', true))
  insert into worker_looks as looks (chore, next_at)
  select $1::text, now + $2::float8 * interval '1 ms' from moment
  on conflict (chore) do update set next_at = least(
    greatest(excluded.next_at, looks.next_at + $2::float8 * interval '1 ms'), excluded.next_at + ${furthestMs} * interval '1 ms')
  returning extract(epoch from next_at - (select now from moment))::float8 * 1000 as wait_ms`)

/**
 * @param everyMs between two looks of all instances
 * @returns how long to wait, in milliseconds
 */
export async function untilNextLook(
  db: Pick<Db, 'isDistributed' | 'run'>,
  clock: Clock,
  chore: string,
  everyMs: number,
): Promise<number> {
  if (!db.isDistributed) return everyMs
  try {
    const [row] = await reserve(db, [chore, everyMs, clock.offsetMs])
    return row?.wait_ms ?? everyMs
  } catch {
    // The coordinator is away; the nodes may work.
    return everyMs
  }
}
