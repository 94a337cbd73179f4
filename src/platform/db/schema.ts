/**
 * Reads a schema from PostgreSQL's catalogue and compares two of them: tables, columns, constraints, indexes, functions and sequences. The
 * order of columns does not count, and what belongs to an extension is left out.
 */
import { type Executor, statement } from './statement.ts'

/** Kind and name of each object, such as `column agencies.slug`, with its definition. */
export type Schema = ReadonlyMap<string, string>

/** Reads the current schema. Definitions leave out its name. Constraints of type `n` repeat `not null` of columns, from PostgreSQL 18 on. */
const read = statement<{ object: string; definition: string }>(`
  with relation as (
    select c.oid, c.relname::text as name, c.relkind as kind, c.reloptions as options
    from pg_class c where c.relnamespace = current_schema()::regnamespace and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), object as (
    select 'table ' || name as object,
      concat_ws(' ', 'with', array(select unnest(options) order by 1)::text, 'comment', quote_nullable(obj_description(oid, 'pg_class')))
        as definition
    from relation where kind in ('r', 'p')
    union all
    select 'column ' || r.name || '.' || a.attname,
      concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attcollation <> t.typcollation then 'collate ' || l.collname end,
        case when a.attnotnull then 'not null' end, nullif('generated ' || a.attgenerated::text, 'generated '),
        nullif('identity ' || a.attidentity::text, 'identity '), 'default ' || pg_get_expr(e.adbin, e.adrelid),
        'comment', quote_nullable(col_description(r.oid, a.attnum)))
    from relation r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef e on e.adrelid = r.oid and e.adnum = a.attnum
    where r.kind in ('r', 'p')
    union all
    select 'constraint ' || r.name || '.' || k.conname, pg_get_constraintdef(k.oid)
    from relation r join pg_constraint k on k.conrelid = r.oid and k.contype <> 'n'
    union all
    select 'index ' || r.name, pg_get_indexdef(r.oid) || case when i.indisvalid then '' else ' not valid' end
    from relation r join pg_index i on i.indexrelid = r.oid
    union all
    select 'sequence ' || r.name, concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcycle)
    from relation r join pg_sequence s on s.seqrelid = r.oid
    union all
    select 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', pg_get_functiondef(p.oid)
    from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.prokind in ('f', 'p') and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  )
  select object, replace(definition, quote_ident(current_schema()) || '.', '') as definition from object`)

export async function readSchema(db: Executor): Promise<Schema> {
  return new Map((await read(db, [])).map(({ object, definition }) => [object, definition]))
}

/** A sentence for each difference, in the order of the objects' names. */
export function findDifferences(wanted: Schema, found: Schema): string[] {
  return [...new Set([...wanted.keys(), ...found.keys()])].sort().flatMap((object) => {
    const [should, is] = [wanted.get(object), found.get(object)]
    if (should === is) return []
    if (is === undefined) return [`Missing: ${object}.`]
    if (should === undefined) return [`Unexpected: ${object}.`]
    return [`Different: ${object} is \`${is}\`, not \`${should}\`.`]
  })
}
