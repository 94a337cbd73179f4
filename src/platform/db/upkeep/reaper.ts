/**
 * Deletes expired rows, or clears their expired columns, oldest first and in batches. No statement takes long, and workers skip each
 * other's rows.
 */
import type { Clock } from '../../time/clock.ts'
import type { Db } from '../database.ts'
import { isOfAgencies, type Table } from '../citus/distribution.ts'
import { allOf, dueLook, dueStatement } from './due.ts'

/** Rows that expire. */
export type Expiring = Readonly<{
  table: Table
  /** The columns of the primary key, separated by commas. */
  key: string
  /** An indexed timestamp column. */
  column: string
  /** A condition for the rows that expire; the same as the index's. */
  only?: string
  /** How long after `column` a row expires, such as `1 day`. */
  keptFor?: string
  /** If the row itself stays: assignments, after which it is no longer due. */
  clear?: string
}>

/** @returns a function that deletes or clears up to `limit` rows, and returns how many */
export function reaper(expiring: Expiring) {
  const { table, key, column, only = 'true', keptFor = '0', clear } = expiring
  const isDue = `${only} and ${column} <= (select now - interval '${keptFor}' from moment)`
  const remove = dueStatement(({ moment, of }) => {
    const ofAgency = isOfAgencies(table) ? of('t') : 'true'
    return `
    with ${moment}
    ${clear === undefined ? `delete from ${table} t` : `update ${table} t set ${clear}`} where ${ofAgency} and (${key}) in (
      select ${key} from ${table} t where ${ofAgency} and ${isDue}
      order by ${column} limit $2 for update skip locked
    ) returning 1`
  })
  const look = isOfAgencies(table)
    ? dueLook(
        (name) => `
        select agency_id, ${column} as due_at from ${name(table)} where ${isDue} order by ${column} limit $2`,
      )
    : allOf
  const reap = async (db: Db, limit: number, clock: Clock): Promise<number> => {
    let count = 0
    for (const portion of await look(db, clock, limit))
      count += (await remove(portion, [portion.limit])).length
    return count
  }
  return Object.assign(reap, { expiring })
}
