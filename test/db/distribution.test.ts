/**
 * The tables can be distributed by agency: whatever belongs to an agency is keyed by it, and refers only to what is on the same node.
 * deploy/citus/distribute.sql does so; here Citus's functions only note what they are asked for.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../src/db/transaction.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

/** Have an agency, or may have one, but are looked up before it is known, or over all of them. */
const notByAgency = ['accounts', 'api_keys', 'audit_log']

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function rowsOf<Row>(text: string): Promise<Row[]> {
  return (await sql<Row>`${sql.raw(text)}`.execute(database.db)).rows
}

/** The tables that have a column agency_id, but for those above: each belongs to agencies, row by row. */
async function tenantTables(): Promise<string[]> {
  const rows = await rowsOf<{ name: string; type: string; required: boolean }>(`
    select c.relname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'agency_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`)
  const tenants = rows.filter(({ name }) => !notByAgency.includes(name))
  for (const { name, type, required } of tenants)
    assert.deepEqual([type, required], ['uuid', true], `${name}.agency_id`)
  return tenants.map(({ name }) => name)
}

describe('every table of agencies', () => {
  it('is keyed by the agency: primary, unique and excluding keys begin with it', async () => {
    const tenants = await tenantTables()
    assert.ok(tenants.length >= 15)
    const keys = await rowsOf<{ table: string; name: string; first: string; primary: boolean }>(`
      select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, i.indisprimary as primary,
        coalesce(a.attname, 'an expression') as first
      from pg_index i left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indisunique or i.indisexclusion`)
    for (const table of tenants) {
      const own = keys.filter((key) => key.table === table)
      assert.ok(
        own.some(({ primary }) => primary),
        `${table} has no primary key`,
      )
      for (const { name, first } of own) assert.equal(first, 'agency_id', name)
    }
  })

  it('refers to others by the agency too, and else only to agencies and keys', async () => {
    const tenants = await tenantTables()
    const references = await rowsOf<{
      name: string
      from: string
      to: string
      own: string[]
      its: string[]
    }>(`
      select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to,
        array(select attname::text from unnest(conkey) with ordinality k (n, o)
          join pg_attribute on attrelid = conrelid and attnum = n order by o) as own,
        array(select attname::text from unnest(confkey) with ordinality k (n, o)
          join pg_attribute on attrelid = confrelid and attnum = n order by o) as its
      from pg_constraint where contype = 'f'`)
    for (const { name, from, to, own, its } of references) {
      if (tenants.includes(to)) {
        assert.ok(tenants.includes(from), `${name}: a row that may be anywhere refers to one of an agency`)
        assert.equal(own.indexOf('agency_id'), its.indexOf('agency_id'), name)
        assert.ok(own.includes('agency_id'), name)
      } else if (tenants.includes(from)) assert.ok(['agencies', 'api_keys'].includes(to), name)
    }
  })

  it('has no trigger and no default that asks a sequence, which every node would answer by itself', async () => {
    const tenants = (await tenantTables()).map((name) => `'${name}'::regclass`).join(', ')
    const triggers = await rowsOf(
      `select 1 from pg_trigger where tgrelid in (${tenants}) and not tgisinternal`,
    )
    const sequences = await rowsOf(
      `select 1 from pg_attrdef where adrelid in (${tenants}) and pg_get_expr(adbin, adrelid) like 'nextval%'`,
    )
    assert.deepEqual([triggers, sequences], [[], []])
  })
})

describe('deploy/citus/distribute.sql', () => {
  it('distributes exactly those, together, after what they refer to', async () => {
    const text = readFileSync(
      join(import.meta.dirname, '..', '..', 'deploy', 'citus', 'distribute.sql'),
      'utf8',
    )
    const script = text.replaceAll(/^(begin|commit);$/gm, '')
    type Asked = { n: number; name: string; kind: string; by: string | null; with: string | null }
    const asked = await inTransaction(database.db, async (tx) => {
      await sql`create table asked (n serial, name text, kind text, by text, "with" text)`.execute(tx)
      await sql`create function create_reference_table(t regclass) returns void language sql as $$
        insert into asked (name, kind) values (t::text, 'reference') $$`.execute(tx)
      await sql`create function create_distributed_table(t regclass, by text, colocate_with text default 'default', shard_count int default null)
        returns void language sql as $$
        insert into asked (name, kind, by, "with") values (t::text, 'distributed', by, colocate_with) $$`.execute(
        tx,
      )
      await sql`${sql.raw(script)}`.execute(tx)
      return (await sql<Asked>`select * from asked order by n`.execute(tx)).rows
    })
    const of = (kind: string) => asked.filter((one) => one.kind === kind)
    assert.deepEqual(
      of('reference')
        .map(({ name }) => name)
        .sort(),
      ['agencies', 'api_keys'],
    )
    const distributed = of('distributed')
    assert.deepEqual(distributed.map(({ name }) => name).sort(), await tenantTables())
    const [first, ...others] = distributed
    assert.equal(first?.with, 'default')
    for (const one of others) assert.deepEqual([one.by, one.with], ['agency_id', first?.name], one.name)
    const place = new Map(asked.map(({ name, n }) => [name, n]))
    const references = await rowsOf<{ from: string; to: string }>(
      `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint where contype = 'f'`,
    )
    for (const { from, to } of references) {
      const [own, its] = [place.get(from), place.get(to)]
      if (own !== undefined && its !== undefined) assert.ok(its < own, `${from} refers to ${to}`)
    }
  })
})
