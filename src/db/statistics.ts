/**
 * What the planner knows of the tables. Autovacuum keeps that up to date, by counters that PostgreSQL loses in a crash: a table that was
 * filled shortly before stays unknown until much of it has changed again. So the tables themselves are looked at: whether they have
 * statistics, and whether they have outgrown them.
 */
import { escapeIdentifier } from 'pg'

/** Sends a statement. @returns its rows */
export type Send = (text: string) => Promise<readonly unknown[]>

/** Of our own tables, since others cannot be analysed. One that was empty when it was analysed has none, and is known. */
const candidates = (which: 'all' | 'lacking') => `
  select c.relname as name
  from pg_class c, lateral (
    select pg_relation_size(c.oid) / current_setting('block_size')::int as pages) size
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and pg_has_role(c.relowner, 'usage') and pages > 0
    ${
      which === 'all'
        ? ''
        : `and (c.reltuples < 0 or pages > 2 * c.relpages + 10 or c.reltuples > 0 and not exists (
            select from pg_stats s where s.schemaname = current_schema() and s.tablename = c.relname))`
    }
  order by 1`

/**
 * Analyses tables: all, or those that autovacuum seems to have missed. One that somebody holds is left for the next time.
 * @returns their names
 */
export async function analyse(send: Send, which: 'all' | 'lacking'): Promise<string[]> {
  const names = ((await send(candidates(which))) as { name: string }[]).map(({ name }) => name)
  // One by one: none is held longer than it takes.
  for (const name of names) await send(`analyze (skip_locked) ${escapeIdentifier(name)}`)
  return names
}
