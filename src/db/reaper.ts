/**
 * Deletes rows that have served their time, the oldest first and some at a time, so that no statement is long and several workers do
 * not wait for each other.
 */
import type { Clock } from '../clock.ts'
import type { Db } from './database.ts'
import { hotStatement } from './statement.ts'
import type { DB } from './types.ts'

/** Rows with an end. */
export type Expiring = Readonly<{
  table: keyof DB
  /** The columns of the primary key, by commas. */
  key: string
  /** A moment, with an index. */
  column: string
  /** Which of the rows end at all: the condition of that index. */
  only?: string
  /** How long after that moment the row is still of use, such as `1 day`. */
  keptFor?: string
}>

type Reaper = {
  /** Deletes up to `limit` rows. @returns how many there were */
  (db: Db, limit: number, clock: Clock): Promise<number>
  readonly expiring: Expiring
}

export function reaper(expiring: Expiring): Reaper {
  const { table, key, column, only = 'true', keptFor = '0' } = expiring
  // The moment is a subselect, asked once: an index is not searched for what may differ from row to row.
  const statement = hotStatement(`
    delete from ${table} where (${key}) in (
      select ${key} from ${table}
      where ${only} and ${column} <= (select clock_timestamp() + $2::float8 * interval '1 ms' - interval '${keptFor}')
      order by ${column} limit $1 for update skip locked
    ) returning 1`)
  const reap = async (db: Db, limit: number, clock: Clock): Promise<number> =>
    (await statement(db, [limit, clock.offsetMs])).length
  return Object.assign(reap, { expiring })
}
