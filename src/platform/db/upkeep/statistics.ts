/**
 * Refreshes the planner's statistics. Autovacuum relies on counters that PostgreSQL loses in a crash: a table filled shortly before has no
 * statistics until much of it changes again. So this checks whether each table has statistics and has not outgrown them.
 */
import { escapeIdentifier } from 'pg'
import type { Db } from '../database.ts'
import { oneOff } from '../statements/statement.ts'

/** Sends a statement. @returns its rows */
type Send = (text: string) => Promise<readonly unknown[]>

/** Only tables that our role may analyse. A table analysed while empty lacks statistics but is not a candidate. */
const mayAnalyse = `case
    when pg_has_role(c.relowner, 'usage') then true
    -- Before PostgreSQL 17 there is no such right.
    when current_setting('server_version_num')::int >= 170000 then has_table_privilege(c.oid, 'maintain')
    else false
  end`
const candidates = (which: 'all' | 'lacking') => `
  select c.relname as name
  from pg_class c, lateral (
    select pg_relation_size(c.oid) / current_setting('block_size')::int as pages) size
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and ${mayAnalyse} and pages > 0
    ${
      which === 'all'
        ? ''
        : `and (c.reltuples < 0 or pages > 2 * c.relpages + 10 or c.reltuples > 0 and not exists (
            select from pg_stats s where s.schemaname = current_schema() and s.tablename = c.relname))`
    }
  order by 1`

/** Analyses all tables, or those that autovacuum seems to have missed. Skips locked tables. @returns the names of the candidates */
export async function analyse(send: Send, which: 'all' | 'lacking'): Promise<string[]> {
  const names = ((await send(candidates(which))) as { name: string }[]).map(({ name }) => name)
  // One statement per table: each lock ends with its table.
  for (const name of names) await send(`analyze (skip_locked) ${escapeIdentifier(name)}`)
  return names
}

/** Analyses the shards on a node of Citus, which hides them by default. @returns the shards that lacked them */
export async function analyseShards(node: Db): Promise<string[]> {
  if (!node.isDistributed) return []
  const connection = await node.connect()
  const send = (text: string) => connection.run(oneOff(text))
  try {
    await send('set citus.override_table_visibility = off')
    return await analyse(send, 'lacking')
  } finally {
    await send('reset citus.override_table_visibility').catch(() => {})
    connection.release()
  }
}
