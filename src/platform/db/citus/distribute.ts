/**
 * Distributes the tables of a migrated database by agency. Each step is a transaction that checks what is done already, so the work can be
 * stopped anywhere and started again.
 */
import { escapeIdentifier } from 'pg'
import type { Connection } from '../statements/connection.ts'
import { distributedTables, referenceTables, usualShardCount } from './distribution.ts'
import { hasTable } from '../migrations/has-table.ts'
import { lockSchema } from '../statements/session.ts'
import { type Executor, statement, oneOff } from '../statements/statement.ts'

const tables: readonly string[] = [...referenceTables, ...distributedTables]
const [firstTable] = distributedTables

/**
 * The table that stores the removed foreign keys: Citus does not distribute a table that an undistributed table refers to. It exists from
 * the first step to the last.
 */
const storedKeys = 'distribution_keys'

/** Whether distributing was begun and not finished. */
export async function isHalfDistributed(db: Executor): Promise<boolean> {
  return await hasTable(db, storedKeys)
}

/** A table that Citus knows but keeps local (method `n`, model `s`) is not distributed. */
const selectUndistributed = statement<{ name: string }>(`
  select name from unnest($1::text[]) with ordinality t (name, nth)
  where to_regclass(name) is not null
    and not exists (select from pg_dist_partition
      where logicalrelid = to_regclass(name) and (partmethod, repmodel) <> ('n', 's'))
  order by nth`)

/** The listed tables that exist and are not distributed, in the lists' order. */
export async function findUndistributed(db: Executor): Promise<string[]> {
  return (await selectUndistributed(db, [tables])).map(({ name }) => name)
}

type Options = {
  shards?: number
  log?: (line: string) => void
  /** Runs a step, and makes it take effect; by default in a transaction, one process at a time. */
  step?: <T>(work: () => Promise<T>) => Promise<T>
}

/** Distributes what is not distributed yet. @returns the tables it distributed, with their rows */
export async function distribute(
  session: Connection,
  {
    shards = usualShardCount,
    log = () => {},
    step = (work) => session.transaction(() => alone(session, work)),
  }: Options = {},
): Promise<{ table: string; rows: number }[]> {
  const undistributed = await findUndistributed(session)
  if (undistributed.length > 0) {
    for (const { table, name } of await step(() => takeKeysOff(session)))
      log(`${table}: the foreign key ${name} is gone: Citus checks none from a local table.`)
  }
  const done: { table: string; rows: number }[] = []
  for (const table of undistributed) {
    const rows = await step(() => distributeTable(session, table, shards))
    if (rows === null) continue
    done.push({ table, rows })
    log(`${table}: distributed, ${rows} ${rows === 1 ? 'row' : 'rows'}.`)
  }
  for (const table of await findLocalCopies(session)) {
    // Distributing leaves the rows on the coordinator too, where no statement sees them.
    await step(async () => {
      await session.run(oneOff(`analyze ${escapeIdentifier(table)}`))
      await deleteLocalCopy(session, [table])
    })
    log(`${table}: the coordinator's own copy deleted.`)
  }
  if (await isHalfDistributed(session)) {
    for (const { table, name } of await step(() => putKeysBack(session)))
      log(`${table}: the foreign key ${name} is back.`)
  }
  for (const name of await findFunctionsApart(session)) {
    await step(() => sendFunction(session, name))
    log(`${name}: the function is on every node.`)
  }
  return done
}

const selectFunctionsApart = statement<{ name: string }>(`
  select p.oid::regprocedure::text as name from pg_proc p
  where p.pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
  order by 1`)

/** The schema's own functions that Citus has not sent to its nodes: they are older than the extension. */
export async function findFunctionsApart(db: Executor): Promise<string[]> {
  return (await selectFunctionsApart(db, [])).map(({ name }) => name)
}

const readFunction = statement<{ text: string }>('select pg_get_functiondef(to_regprocedure($1)) as text')

/** Citus sends a function to its nodes whenever it is created or replaced. */
async function sendFunction(session: Connection, name: string): Promise<void> {
  const [found] = await readFunction(session, [name])
  await session.run(oneOff(found?.text ?? ''))
}

async function alone<T>(session: Connection, work: () => Promise<T>): Promise<T> {
  await lockSchema(session, [])
  // If the command is killed, its statement ends too.
  await session.run(oneOff(`set local client_connection_check_interval = '2s'`))
  return work()
}

type ForeignKey = { table: string; name: string }

/** Removes the foreign keys of tables to distribute, and keeps those that can be restored. @returns those that cannot */
async function takeKeysOff(session: Connection): Promise<ForeignKey[]> {
  await session.run(
    oneOff(
      `create table if not exists ${storedKeys} ("table" text, name text, definition text not null, primary key ("table", name))`,
    ),
  )
  const rows = await session.run(
    oneOff<ForeignKey & { returns: boolean }>(
      `with found as (
        select conrelid::regclass::text as "table", conname::text as name, pg_get_constraintdef(oid) as definition,
          conrelid::regclass::text = any ($1) as returns
        from pg_constraint
        where contype = 'f' and connamespace = current_schema()::regnamespace
          and (conrelid::regclass::text = any ($2) or confrelid::regclass::text = any ($2))
      ), kept as (
        insert into ${storedKeys} select "table", name, definition from found where returns on conflict do nothing
      )
      select "table", name, returns from found order by 1, 2`,
      [tables, await findUndistributed(session)],
    ),
  )
  for (const { table, name } of rows)
    await session.run(
      oneOff(`alter table ${escapeIdentifier(table)} drop constraint ${escapeIdentifier(name)}`),
    )
  return rows.filter(({ returns }) => !returns)
}

const distributeAsReference = statement('select create_reference_table($1::regclass)')
/** The first table sets the number of shards; all others are distributed like it. */
const distributeFirst = statement(
  `select create_distributed_table($1::regclass, 'agency_id', colocate_with => 'none', shard_count => $2::int)`,
)
const distributeBesideFirst = statement(
  `select create_distributed_table($1::regclass, 'agency_id', colocate_with => $2::text)`,
)

/** @returns the number of rows; null if another process has just distributed the table */
async function distributeTable(session: Connection, table: string, shards: number): Promise<number | null> {
  const name = escapeIdentifier(table)
  await session.run(oneOff(`lock table ${name} in access exclusive mode`))
  if (!(await findUndistributed(session)).includes(table)) return null
  const before = await countRows(session, name)
  if ((referenceTables as readonly string[]).includes(table)) await distributeAsReference(session, [table])
  else if (table === firstTable) await distributeFirst(session, [table, shards])
  else await distributeBesideFirst(session, [table, firstTable])
  const after = await countRows(session, name)
  if (after === before) return after
  throw new Error(`${table} had ${before} rows, and has ${after} after distributing: nothing was changed.`)
}

async function countRows(session: Connection, name: string): Promise<number> {
  const [counted] = await session.run(oneOff<{ rows: number }>(`select count(*) as rows from ${name}`))
  return Number(counted?.rows)
}

const selectLocalCopies = statement<{ name: string }>(`
  select name from unnest($1::text[]) with ordinality t (name, nth)
  where to_regclass(name) is not null and pg_relation_size(to_regclass(name)) > 0 order by nth`)

/** Distributed tables whose rows are still on the coordinator too. */
async function findLocalCopies(session: Connection): Promise<string[]> {
  return (await selectLocalCopies(session, [tables])).map(({ name }) => name)
}

const deleteLocalCopy = statement('select truncate_local_data_after_distributing_table($1::regclass)')

/** @returns the restored keys */
async function putKeysBack(session: Connection): Promise<ForeignKey[]> {
  const rows = await session.run(
    oneOff<ForeignKey & { definition: string }>(`select * from ${storedKeys} order by "table", name`),
  )
  for (const { table, name, definition } of rows) {
    await session.run(
      oneOff(`alter table ${escapeIdentifier(table)} add constraint ${escapeIdentifier(name)} ${definition}`),
    )
  }
  await session.run(oneOff(`drop table ${storedKeys}`))
  return rows
}
