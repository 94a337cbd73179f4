/**
 * Distributes the tables of a migrated database by agency. Each step is a transaction of its own that looks at what is done already, so
 * that it can be stopped anywhere and started again.
 */
import { escapeIdentifier, type Client } from 'pg'
import { distributedTables, referenceTables } from './distribution.ts'

export const usualShardCount = 64

const tables: readonly string[] = [...referenceTables, ...distributedTables]

/**
 * Holds foreign keys while their tables are distributed: Citus distributes no table that one not yet distributed refers to. It is there
 * from the first step to the last.
 */
const keptKeys = 'distribution_keys'

type Progress = Readonly<{ shards?: number; tell?: (line: string) => void }>

/** Distributes what is not distributed yet. @returns the tables it distributed */
export async function distribute(
  client: Client,
  { shards = usualShardCount, tell = () => {} }: Progress = {},
): Promise<string[]> {
  await inTransaction(client, () => takeKeysOff(client, tell))
  const done: string[] = []
  for (const table of await findUndistributed(client)) {
    const rows = await inTransaction(client, () => distributeTable(client, table, shards))
    done.push(table)
    tell(`${table}: ${rows} rows distributed.`)
  }
  for (const table of await findLocalCopies(client)) {
    // The rows that distributing left on the coordinator, where nobody sees them.
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [table])
    tell(`${table}: the coordinator's own copy of the rows deleted.`)
  }
  await inTransaction(client, () => putKeysBack(client, tell))
  return done
}

/** Those of the lists that are there and not distributed, in their order. */
async function findUndistributed(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) with ordinality t (name, place)
    where to_regclass(name) is not null
      and not exists (select from pg_dist_partition
        where logicalrelid = to_regclass(name) and (partmethod, repmodel) <> ('n', 's'))
    order by place`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

/** Removes the foreign keys of tables that are to be distributed, and keeps those that can be back afterwards. */
async function takeKeysOff(client: Client, tell: (line: string) => void): Promise<void> {
  const undistributed = await findUndistributed(client)
  if (undistributed.length === 0) return
  await client.query(
    `create table if not exists ${keptKeys} ("table" text not null, name text not null, definition text not null, primary key ("table", name))`,
  )
  const { rows } = await client.query<{ table: string; name: string; isKept: boolean }>(
    `with found as (
      select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition,
        conrelid::regclass::text = any ($1) as "isKept"
      from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace
        and (conrelid::regclass::text = any ($2) or confrelid::regclass::text = any ($2))
    ), kept as (
      insert into ${keptKeys} select "table", name, definition from found where "isKept" on conflict do nothing
    )
    select "table", name, "isKept" from found`,
    [tables, undistributed],
  )
  for (const { table, name, isKept } of rows) {
    await client.query(`alter table ${escapeIdentifier(table)} drop constraint ${escapeIdentifier(name)}`)
    if (!isKept) tell(`${table}: foreign key ${name} dropped. Citus has none from local tables.`)
  }
}

/** @returns its rows */
async function distributeTable(client: Client, table: string, shards: number): Promise<string> {
  const name = escapeIdentifier(table)
  const count = async (): Promise<string> =>
    (await client.query<{ rows: string }>(`select count(*)::text as rows from ${name}`)).rows[0]?.rows ?? ''
  await client.query(`lock table ${name} in access exclusive mode`)
  const before = await count()
  if ((referenceTables as readonly string[]).includes(table))
    await client.query('select create_reference_table($1::regclass)', [table])
  else if (table === distributedTables[0])
    await client.query(
      `select create_distributed_table($1::regclass, 'agency_id', colocate_with => 'none', shard_count => $2)`,
      [table, shards],
    )
  else
    await client.query(`select create_distributed_table($1::regclass, 'agency_id', colocate_with => $2)`, [
      table,
      distributedTables[0],
    ])
  const after = await count()
  if (after !== before)
    throw new Error(`${table} had ${before} rows and has ${after} distributed. Nothing was changed.`)
  return after
}

/** Distributed tables whose rows are still stored on the coordinator too. */
async function findLocalCopies(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) with ordinality t (name, place)
    where to_regclass(name) is not null and pg_relation_size(to_regclass(name)) > 0 order by place`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

async function putKeysBack(client: Client, tell: (line: string) => void): Promise<void> {
  const { rows: kept } = await client.query(`select to_regclass('${keptKeys}') as name`)
  if (kept[0]?.name === null) return
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select * from ${keptKeys} order by "table", name`,
  )
  for (const { table, name, definition } of rows) {
    await client.query(
      `alter table ${escapeIdentifier(table)} add constraint ${escapeIdentifier(name)} ${definition}`,
    )
    tell(`${table}: foreign key ${name} is back.`)
  }
  await client.query(`drop table ${keptKeys}`)
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
