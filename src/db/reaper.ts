/** Deletes expired rows, oldest first and in batches. No statement takes long, and workers skip each other's rows. */
import type { Clock } from '../clock.ts'
import type { Db } from './database.ts'
import { hotStatement } from './statement.ts'
import type { DB } from './types.ts'

/** Rows that expire. */
export type Expiring = Readonly<{
  table: keyof DB
  /** The columns of the primary key, separated by commas. */
  key: string
  /** An indexed timestamp column. */
  column: string
  /** A condition for the rows that expire; the same as the index's. */
  only?: string
  /** How long after `column` a row expires, such as `1 day`. */
  keptFor?: string
}>

type Reaper = {
  /** Deletes up to `limit` rows. @returns how many it deleted */
  (db: Db, limit: number, clock: Clock): Promise<number>
  readonly expiring: Expiring
}

export function reaper(expiring: Expiring): Reaper {
  const { table, key, column, only = 'true', keptFor = '0' } = expiring
  // The subselect is evaluated once. Without it, the volatile `clock_timestamp()` would rule out an index search.
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
