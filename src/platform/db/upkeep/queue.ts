/** Tables as queues: a row that is due is leased, so that one worker has it for a while, and then ended or retried. */
import type { Clock } from '../../time/clock.ts'
import { type Executor, statement } from '../statements/statement.ts'
import type { Table } from '../citus/distribution.ts'

/** A table with the columns `id`, `created_at`, `due_at` and `failures`. */
type Queue = Readonly<{
  table: Table
  /** A column. Only the oldest row of each owner is leased at a time, so that a busy owner does not delay others. */
  owner: string
  /** A condition for the rows that wait; the same as the index's. */
  only?: string
  /** SQL for what `lease` returns of a row `q`; with `from` and `where` also of the rows that belong to it. */
  returning: string
  from?: string
  where?: string
}>

export function queueIn<Row>({ table, owner, only = 'true', returning, from, where = 'true' }: Queue) {
  const leaseDue = statement<Row>(`
  with moment as materialized (
    select clock_timestamp() + $1::float8 * interval '1 ms' as now
  ), oldest as materialized (
    select distinct on (${owner}) id from ${table} where due_at <= (select now from moment) and ${only}
    order by ${owner}, created_at, id
  ), due as materialized (
    select q.id from ${table} q join oldest on oldest.id = q.id
    where due_at <= (select now from moment) and ${only}
    order by due_at limit $2 for update of q skip locked
  )
  update ${table} q set due_at = now + $3::float8 * interval '1 second'
  from moment, due${from === undefined ? '' : `, ${from}`} where q.id = due.id and ${where}
  returning ${returning}`)

  const setBack = statement(`
  update ${table} set failures = failures + 1,
    due_at = clock_timestamp() + ($2::float8 + $3::float8) * interval '1 ms'
  where id = $1`)

  return {
    /** Leases up to `limit` due rows for that many seconds. */
    lease: (db: Executor, limit: number, seconds: number, clock: Clock): Promise<Row[]> =>
      leaseDue(db, [clock.offsetMs, limit, seconds]),
    /** Counts a failed attempt. The row is due again after `waitMs`. */
    async retry(db: Executor, id: string, waitMs: number, clock: Clock): Promise<void> {
      await setBack(db, [id, clock.offsetMs, waitMs])
    },
  }
}
