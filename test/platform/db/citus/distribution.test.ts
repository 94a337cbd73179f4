/**
 * Tables can be distributed by agency: an agency's rows have it in their keys and refer only to rows on the same node. The lists in
 * src/platform/db/citus/distribution.ts name every table; distribute.test.ts distributes them.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  distributedTables,
  localTables,
  referenceTables,
} from '../../../../src/platform/db/citus/distribution.ts'
import { readBridge, readMigrations } from '../../../../src/platform/db/migrations/migrations.ts'
import { isOnCitus, lastBeforeDistributing } from '../../../support/database/citus.ts'
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function rowsOf<Row>(text: string): Promise<Row[]> {
  return (await sql<Row>`${sql.raw(text)}`.execute(database.db)).rows
}

const tenants: readonly string[] = distributedTables

describe('the lists of tables', () => {
  test('name every table once', async () => {
    const tables = await rowsOf<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    const listed = [...referenceTables, ...distributedTables, ...localTables]
    assert.deepEqual([...listed].sort(), tables.map(({ name }) => name).sort())
  })

  test('distribute everything that belongs to an agency, and nothing that is looked up without it', async () => {
    const rows = await rowsOf<{ name: string; type: string; required: boolean }>(`
      select c.relname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'agency_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
    const others = ['account_links', 'accounts', 'api_keys', 'audit_log', 'enquiries', 'former_slugs']
    assert.deepEqual(rows.map(({ name }) => name).sort(), [...tenants, ...others].sort())
    for (const { name, type, required } of rows.filter((row) => tenants.includes(row.name)))
      assert.deepEqual([type, required], ['uuid', true], `${name}.agency_id`)
  })
})

describe('every table with rows of agencies', () => {
  test('has the agency first in every primary key, unique index and exclusion constraint', async () => {
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

  test('includes the agency in its foreign keys, except those to agencies and keys', async () => {
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
      } else if (tenants.includes(from)) assert.ok((referenceTables as readonly string[]).includes(to), name)
    }
  })

  test('has no trigger and no default from a sequence, which would differ between nodes', async () => {
    const names = tenants.map((name) => `'${name}'::regclass`).join(', ')
    const triggers = await rowsOf(
      `select 1 from pg_trigger where tgrelid in (${names}) and not tgisinternal and tgname not like 'truncate_trigger%'`,
    )
    const sequences = await rowsOf(
      `select 1 from pg_attrdef where adrelid in (${names}) and pg_get_expr(adbin, adrelid) like 'nextval%'`,
    )
    assert.deepEqual([triggers, sequences], [[], []])
  })
})

describe('local tables', () => {
  test('reference no distributed or reference table, except three that lose their foreign key', async () => {
    const references = await rowsOf<{ name: string }>(`
      select conname as name from pg_constraint where contype = 'f'
        and conrelid::regclass::text in (${localTables.map((name) => `'${name}'`).join(', ')})
        and confrelid::regclass::text in (${[...referenceTables, ...tenants].map((name) => `'${name}'`).join(', ')})`)
    const dropped = ['accounts_agency_id_fkey', 'audit_log_agency_id_fkey', 'key_reminders_key_id_fkey']
    assert.deepEqual(references.map(({ name }) => name).sort(), isOnCitus ? [] : dropped)
  })
})

/** Later migrations and the bridge may run on distributed tables; distribute.test.ts runs the former there. */
describe('a migration', () => {
  test('adds a constraint to a distributed table in a separate statement, as Citus requires', () => {
    const later = readMigrations().filter(({ name }) => name > lastBeforeDistributing)
    for (const { name, text } of [...later, readBridge()]) {
      for (const [statement, table = ''] of text.matchAll(/^alter table (\w+)[^;]*;/gm)) {
        if (localTables.includes(table as never) || !/\badd constraint\b/.test(statement)) continue
        assert.doesNotMatch(statement, /,\s*(add|drop|alter|set|validate)\b/, name)
      }
    }
  })
})
