/**
 * Tables can be distributed by agency: an agency's rows are keyed by it and refer only to rows on the same node.
 * deploy/citus/distribute.sql distributes them; here stubs of Citus's functions record their calls.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../src/db/transaction.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

/** These may have an `agency_id`, but are read before the agency is known, or across agencies. */
const notByAgency = ['accounts', 'api_keys', 'audit_log']

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function rowsOf<Row>(text: string): Promise<Row[]> {
  return (await sql<Row>`${sql.raw(text)}`.execute(database.db)).rows
}

/** The other tables with a column `agency_id`: each of their rows belongs to an agency. */
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

describe('every table with rows of agencies', () => {
  it('has the agency first in every primary key, unique index and exclusion constraint', async () => {
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

  it('includes the agency in its foreign keys, except those to agencies and keys', async () => {
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
        assert.ok(tenants.includes(from), `${name}: a row on any node refers to a row of an agency`)
        assert.equal(own.indexOf('agency_id'), its.indexOf('agency_id'), name)
        assert.ok(own.includes('agency_id'), name)
      } else if (tenants.includes(from)) assert.ok(['agencies', 'api_keys'].includes(to), name)
    }
  })

  it('has no trigger and no default from a sequence, which would differ between nodes', async () => {
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
  it('distributes exactly those, colocated, after the tables they refer to', async () => {
    const text = readFileSync(
      join(import.meta.dirname, '..', '..', 'deploy', 'citus', 'distribute.sql'),
      'utf8',
    )
    const script = text.replaceAll(/^(begin|commit);$/gm, '')
    type Call = { n: number; name: string; kind: string; by: string | null; with: string | null }
    const calls = await inTransaction(database.db, async (tx) => {
      await sql`create table calls (n serial, name text, kind text, by text, "with" text)`.execute(tx)
      await sql`create function create_reference_table(t regclass) returns void language sql as $$
        insert into calls (name, kind) values (t::text, 'reference') $$`.execute(tx)
      await sql`create function create_distributed_table(t regclass, by text, colocate_with text default 'default', shard_count int default null)
        returns void language sql as $$
        insert into calls (name, kind, by, "with") values (t::text, 'distributed', by, colocate_with) $$`.execute(
        tx,
      )
      await sql`${sql.raw(script)}`.execute(tx)
      return (await sql<Call>`select * from calls order by n`.execute(tx)).rows
    })
    const of = (kind: string) => calls.filter((one) => one.kind === kind)
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
    const place = new Map(calls.map(({ name, n }) => [name, n]))
    const references = await rowsOf<{ from: string; to: string }>(
      `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint where contype = 'f'`,
    )
    for (const { from, to } of references) {
      const [own, its] = [place.get(from), place.get(to)]
      if (from !== to && own !== undefined && its !== undefined)
        assert.ok(its < own, `${from} refers to ${to}`)
    }
  })
})
