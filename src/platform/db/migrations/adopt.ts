/**
 * Moves a database that the migrations before 1.0.0 made to the files of 1.0.0: migrations/adopt.sql changes its schema, and its record
 * then names the new files. All in one transaction, which commits only if the schema equals the one that the new files make.
 */
import type { ClientConfig } from 'pg'
import { checkServer, findOtherClients } from '../engine.ts'
import { localTables } from '../citus/distribution.ts'
import { analyseAfter, distributeAdded } from './migrate.ts'
import {
  createRecord,
  isBeforeFirstRelease,
  isRepeatable,
  type Migration,
  readBridge,
  readMigrations,
  readRecord,
  record,
} from './migrations.ts'
import {
  applyStatements,
  type MigrationRun,
  splitStatements,
  untilUnlocked,
  usualLockWaits,
} from './migration-statements.ts'
import { lockSchema, withSession } from '../statements/session.ts'
import { type Executor, oneOff, statement } from '../statements/statement.ts'

/** The last migration before 1.0.0, which adopt.sql expects. */
const lastBefore = '0111_rough_addresses_indexes.sql'
/** The last migration of 1.0.0. `migrate` applies later ones. */
const lastOfFirstRelease = '0010_service.sql'

/** Nothing was changed. `reasons`: a sentence for each. */
export class NotAdopted extends Error {
  override readonly name = 'NotAdopted'
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super(`The database was not changed: ${reasons.join(' ')}`)
    this.reasons = reasons
  }
}

/**
 * @returns whether there was anything to adopt
 * @throws NotAdopted, DatabaseStartError
 */
export async function adopt(connection: ClientConfig, log: (line: string) => void): Promise<boolean> {
  return withSession(connection, async (session) => {
    const isDistributed = await checkServer(session)
    const run: MigrationRun = { connection, session, log, waits: usualLockWaits, isDistributed }
    const isAdopted = await untilUnlocked(run.waits, () => session.transaction(() => adoptLocked(run)))
    if (isAdopted) await analyseAfter(session, [lastBefore], log)
    return isAdopted
  })
}

async function adoptLocked(run: MigrationRun): Promise<boolean> {
  const { session, isDistributed, waits } = run
  await lockSchema(session, [])
  const applied = await readRecord(session)
  if (!isBeforeFirstRelease(applied)) return false
  if (!applied.has(lastBefore))
    throw new NotAdopted([
      `It lacks ${lastBefore}: start it once with the last version before 1.0.0, which applies that.`,
    ])
  const others = await findOtherClients(session)
  if (others.length > 0) throw new NotAdopted(others)

  const migrations = readMigrations().filter((one) => isRepeatable(one) || one.name <= lastOfFirstRelease)
  // Without this, Citus does not pass the next setting on to its nodes.
  if (isDistributed) await session.run(oneOff(`set local citus.propagate_set_commands = 'local'`))
  await session.run(oneOff(`set local lock_timeout = ${waits.lockMs}`))
  if (isDistributed) await session.run(oneOff(`set local citus.multi_shard_modify_mode = 'sequential'`))
  await applyStatements(run, readBridge())
  for (const migration of migrations)
    await applyStatements(run, isRepeatable(migration) ? migration : onlyComments(migration))
  if (isDistributed) await distributeAdded(run)

  const wanted = await readWanted(run, migrations)
  const differences = findDifferences(wanted, await readSchema(session))
  if (differences.length > 0) throw new NotAdopted(differences)
  await forgetRecord(session, [])
  for (const migration of migrations) await record(session, migration)
  return true
}

/** The migration's `comment on` statements, each on one line. */
function onlyComments({ name, text }: Migration): Pick<Migration, 'name' | 'text'> {
  const comments = splitStatements(text).filter((one) => one.trimStart().startsWith('comment on '))
  return { name, text: comments.join('') }
}

const forgetRecord = statement('delete from schema_migrations')

/** Creates the schema of the files beside the current one, reads it, and rolls it back. */
async function readWanted(run: MigrationRun, migrations: readonly Migration[]): Promise<Schema> {
  const { session, isDistributed } = run
  await session.run(oneOff('savepoint wanted'))
  if (isDistributed) await session.run(oneOff('set local citus.enable_ddl_propagation = off'))
  await session.run(oneOff('create schema wanted_by_files'))
  await session.run(oneOff('set local search_path to wanted_by_files'))
  await createRecord(session)
  for (const migration of migrations) await applyStatements(run, migration)
  const schema = await readSchema(session)
  await session.run(oneOff('rollback to savepoint wanted'))
  return isDistributed ? withoutForeignKeysOfLocalTables(schema) : schema
}

/** Citus checks no foreign key from a local table to one that is distributed or on every node: distributing drops these. */
function withoutForeignKeysOfLocalTables(schema: Schema): Schema {
  const isLocal = (table: string) => (localTables as readonly string[]).includes(table)
  return new Map(
    [...schema].filter(([object, definition]) => {
      const from = /^constraint (\w+)\./.exec(object)?.[1] ?? ''
      const to = /^FOREIGN KEY .* REFERENCES (\w+)/.exec(definition)?.[1] ?? from
      return !isLocal(from) || isLocal(to)
    }),
  )
}

/** Kind and name of each object, such as `column agencies.slug`, with its definition. */
type Schema = ReadonlyMap<string, string>

/**
 * Reads the current schema from PostgreSQL's catalogue. The order of columns does not count; objects of extensions are left out.
 * Definitions leave out the schema's name. Constraints of type `n` repeat `not null` of columns, from PostgreSQL 18 on.
 */
const selectObjects = statement<{ object: string; definition: string }>(`
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
  return new Map((await selectObjects(db, [])).map(({ object, definition }) => [object, definition]))
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
