/** Finds the shards on a node of Citus, so that a look at all of them is one statement to that node. */
import type { Db } from '../database.ts'
import { distributedTables } from './distribution.ts'
import { statement } from '../statement.ts'

/** For each range of agencies on the node: table → its shard. */
export type Shards = readonly ReadonlyMap<string, string>[]

/** How long what was found is used. Agencies that moved to a node meanwhile have to wait that long for their background work. */
const usedForMs = 15_000

const find = statement<{ table: string; names: string[] }>(`
  select relname as table, array_agg(shard_name(s.logicalrelid, s.shardid) order by s.shardminvalue::int) as names
  from pg_dist_shard s join pg_class on pg_class.oid = s.logicalrelid
  where relname = any ($1::text[]) and exists (
    select from pg_dist_placement p
    where p.shardid = s.shardid and p.groupid = (select groupid from pg_dist_local_group))
  group by relname`)

const known = new WeakMap<Db, { shards: Shards; foundAt: number }>()

/** The shards on that node. */
export async function findShards(node: Db): Promise<Shards> {
  const before = known.get(node)
  if (before !== undefined && performance.now() - before.foundAt < usedForMs) return before.shards
  const rows = await find(node, [distributedTables])
  const shards = (rows[0]?.names ?? []).map(
    (_, range) => new Map(rows.map(({ table, names }) => [table, names[range] ?? table])),
  )
  // The same list as long as nothing moved, so that texts made of it stay.
  const isSame =
    before !== undefined && JSON.stringify(texts(before.shards)) === JSON.stringify(texts(shards))
  const found = isSame ? before.shards : shards
  known.set(node, { shards: found, foundAt: performance.now() })
  return found
}

/** Forgets them, after a statement missed one of them. */
export function forgetShards(node: Db): void {
  known.delete(node)
}

function texts(shards: Shards): [string, string][][] {
  return shards.map((names) => [...names].sort())
}
