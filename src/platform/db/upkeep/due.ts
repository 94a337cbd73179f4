/**
 * Finds and changes what is due, over all agencies. On plain PostgreSQL one statement does both, and skips rows that others work on. On
 * Citus it would reach every shard of every node; there, a look reads the shards of one node, and the statement runs for each agency that
 * it found. A look may be old or read a shard that has just moved: what it finds is only a hint, and the statement decides.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../time/clock.ts'
import { perObject } from '../../memory/per-object.ts'
import { type Db, sqlState } from '../database.ts'
import { readNow } from '../statements/now.ts'
import { prepared, statement } from '../statements/statement.ts'
import { distributedTables } from '../citus/distribution.ts'

/** The rows that a statement handles: of all agencies, or of one. */
type RowScope = Readonly<{
  /** Where to run it. */
  db: Db
  /** For all agencies, the clock's offset; for one, the time by the database's clock. */
  now: number | string
  agencyId: string | null
}>

/** Up to `limit` rows that are due. */
export type Portion = RowScope & Readonly<{ limit: number }>

/** Names the table to read in a look: itself, or one of its shards. */
type Table = (name: string) => string

type Look = (db: Db, clock: Clock, limit: number, values?: readonly unknown[]) => Promise<Portion[]>

/**
 * Declares a look.
 * @param piece selects `agency_id` and `due_at` of up to `$2` due rows, in the order of `due_at`. The time is `(select now from moment)`;
 *   its own parameters start at `$3`
 */
export function dueLook(piece: (table: Table) => string): Look {
  const find = overShards<{ agency_id: string; count: number; now: string }>(
    piece,
    (all) => `
    select agency_id, count(*)::int as count, (select now::text from moment) as now
    from (${all} order by due_at limit $2) due group by agency_id order by min(due_at)`,
  )
  return async (db, clock, limit, values = []) => {
    if (!db.isDistributed) return await allOf(db, clock, limit)
    const portions: Portion[] = []
    let left = limit
    for (const node of await db.nodes()) {
      if (left === 0) break
      const rows = await find(node, [clock.offsetMs, left, ...values])
      for (const { agency_id: agencyId, count, now } of rows) {
        portions.push({ db: node, limit: count, now, agencyId })
        left -= count
      }
    }
    return portions
  }
}

/** For a table that is not distributed: the statement itself finds what is due. */
export const allOf: Look = async (db, clock, limit) => [{ db, limit, now: clock.offsetMs, agencyId: null }]

/** One agency's rows, on the node that holds them. */
export async function scopeOf(db: Db, clock: Clock, agencyId: string): Promise<RowScope> {
  if (!db.isDistributed) return { db, now: clock.offsetMs, agencyId: null }
  const node = await db.at(agencyId)
  return { db: node, now: await readNow(node, clock), agencyId }
}

/** Groups rows of several agencies by the scope of a statement about them. */
export async function* scopesOf<Row extends { agency_id: string }>(
  db: Db,
  clock: Clock,
  rows: readonly Row[],
): AsyncGenerator<[RowScope, Row[]]> {
  const groups = Map.groupBy(rows, ({ agency_id: agencyId }) => (db.isDistributed ? agencyId : ''))
  for (const [agencyId, together] of groups) yield [await scopeOf(db, clock, agencyId), together]
}

/** The parts of a statement that differ by scope. */
type Words = {
  /** A part of a `with`: `moment (now)`, the time by the database's clock. */
  moment: string
  /** A condition on the rows of a table, by its alias: Citus needs the agency for each table. */
  of: (alias: string) => string
}

/**
 * Declares a statement over a scope. `$1` is the time; its own parameters start at `$2`. `with` returns the statement as a value, for
 * transactions of `scope.db`.
 */
export function dueStatement<Row>(write: (words: Words) => string) {
  const all = statement<Row>(write({ moment: momentNow, of: () => 'true' }), 'plain')
  const moment = 'moment as materialized (select $1::timestamptz as now)'
  const count = parametersIn(write({ moment, of: () => 'true' }))
  const one = statement<Row>(write({ moment, of: (alias) => `${alias}.agency_id = $${count + 1}` }))
  const isNamed = parametersIn(one.with([]).text) > count
  const withScope = ({ now, agencyId }: RowScope, values: readonly unknown[] = []) =>
    agencyId === null
      ? all.with([now, ...values])
      : one.with([now, ...values, ...(isNamed ? [agencyId] : [])])
  const run = (scope: RowScope, values?: readonly unknown[]) => scope.db.run(withScope(scope, values))
  return Object.assign(run, { with: withScope })
}

const momentNow = `moment as materialized (
    select date_trunc('milliseconds', clock_timestamp() + $1::float8 * interval '1 ms') as now)`

const undefinedTable = '42P01'

/** Declares a read of all agencies' rows on a node of Citus, or of a plain PostgreSQL. `$1` is the clock's offset. */
export function overShards<Row>(piece: (table: Table) => string, around: (all: string) => string) {
  const write = (pieces: readonly string[]) =>
    `with ${momentNow} ${around(pieces.map((one) => `(${one})`).join(' union all '))}`
  const text = write([`select * from (${piece((name) => name)}) whole`])
  const whole = statement<Row>(text, 'plain')
  const count = parametersIn(text)
  // Not declared, because it names shards, but prepared: every look repeats it until a shard moves.
  const overThese = perObject((shards: Shards) =>
    prepared<Row>(write(shards.map((names) => piece((name) => names.get(name) ?? name)))),
  )
  return async (db: Db, values: readonly unknown[]): Promise<Row[]> => {
    const own = values.slice(0, count)
    if (!db.isDistributed) return await whole(db, own)
    const shards = await findShards(db)
    if (shards.length === 0) return []
    try {
      return await overThese(shards)(db, own)
    } catch (error) {
      // A shard has moved. The next look finds it.
      if (sqlState(error) === undefinedTable) known.delete(db)
      throw error
    }
  }
}

/** The highest number of a parameter. */
function parametersIn(text: string): number {
  return Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
}

/** For each range of agencies on the node: table → its shard. */
type Shards = readonly ReadonlyMap<string, string>[]

/** How long a node's list of shards is used. The background work of agencies that moved to the node meanwhile waits that long. */
const usedForMs = 15_000

/** Each table's shards on this node, in the order of their ranges: shards at the same position hold the same agencies. */
const selectShards = statement<{ table: string; names: string[] }>(`
  select relname as table, array_agg(shard_name(s.logicalrelid, s.shardid) order by s.shardminvalue::int) as names
  from pg_dist_shard s join pg_class on pg_class.oid = s.logicalrelid
  where relname = any ($1::text[]) and exists (
    select from pg_dist_placement p
    where p.shardid = s.shardid and p.groupid = (select groupid from pg_dist_local_group))
  group by relname`)

const known = new WeakMap<Db, { shards: Shards; foundAt: number }>()

/** The shards on a node of Citus, so that a look at all of them is one statement to that node. */
async function findShards(node: Db): Promise<Shards> {
  const before = known.get(node)
  if (before !== undefined && performance.now() - before.foundAt < usedForMs) return before.shards
  const rows = await selectShards(node, [distributedTables])
  const shards = (rows[0]?.names ?? []).map(
    (_, range) => new Map(rows.map(({ table, names }) => [table, names[range] ?? table])),
  )
  // The same list while nothing moves, so that the statements made from it stay prepared.
  const found = before !== undefined && isDeepStrictEqual(before.shards, shards) ? before.shards : shards
  known.set(node, { shards: found, foundAt: performance.now() })
  return found
}
