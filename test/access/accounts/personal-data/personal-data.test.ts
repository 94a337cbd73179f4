/** Every column that could hold personal data is classified, so that an export and an erasure cover all of it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  personalData,
  rowsOfPeople,
  wordsOf,
} from '../../../../src/access/accounts/personal-data/personal-data.ts'
import type { Tx } from '../../../../src/platform/db/statements/connection.ts'
import type { Db } from '../../../../src/platform/db/database.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts'

let t: TestDatabase
before(async () => {
  t = await testDatabase()
})
after(() => t.drop())

type Column = { table: string; name: string; type: string }
/** Citus has views in the schema too. */
const readColumns = async (db: Db | Tx = t.db): Promise<Column[]> =>
  (
    await sql<Column>`select table_name as "table", column_name as name, udt_name as type
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name, ordinal_position`.execute(
      db,
    )
  ).rows

/** Types that hold no text of a person: numbers, times, and ids, which lead to a person only through another table. */
const impersonal = /^_?(bool|float4|float8|int2|int4|int8|numeric|timestamptz|uuid)$/

const classes = Object.entries(personalData).flatMap(([table, columns]) =>
  Object.entries<string>(columns).flatMap(([kind, names]) =>
    wordsOf(names).map((name) => ({ table, name, kind })),
  ),
)
const named = ({ table, name }: { table: string; name: string }) => `${table}.${name}`

/** Columns that are in no class, or in several. */
async function misclassified(db?: Db | Tx): Promise<string[]> {
  const columns = (await readColumns(db)).filter(({ type }) => !impersonal.test(type)).map(named)
  assert.ok(columns.length > 100)
  return columns.filter((column) => classes.filter((one) => named(one) === column).length !== 1)
}

test('each column that can hold text is in exactly one class', async () => {
  assert.deepEqual(await misclassified(), [])
})

test('a new column or table is noticed', async () => {
  await inTransaction(t.db, async (tx) => {
    await sql`alter table accounts add column nickname text`.execute(tx)
    await sql`create table account_devices (account_id uuid references accounts (id), address inet)`.execute(
      tx,
    )
    assert.deepEqual(await misclassified(tx), ['account_devices.address', 'accounts.nickname'])
    await tx.rollback()
  })
})

test('the classes name no column that does not exist', async () => {
  const columns = new Set((await readColumns()).map(named))
  assert.deepEqual(
    classes.map(named).filter((name) => !columns.has(name)),
    [],
  )
})

describe('a table that refers to an account', () => {
  test('has its rows exported and deleted', async () => {
    const referring = await sql<{
      table: string
    }>`select distinct conrelid::regclass::text as "table" from pg_constraint
      where contype = 'f' and confrelid = 'accounts'::regclass order by 1`.execute(t.db)
    const covered = rowsOfPeople.map(({ table }) => table).filter((table) => table !== 'accounts')
    assert.deepEqual(
      covered.toSorted(),
      referring.rows.map(({ table }) => table),
    )
    assert.equal(rowsOfPeople.at(-1)?.table, 'accounts')
  })

  test('is found by the column that names the account', async () => {
    const columns = new Set((await readColumns()).map(named))
    for (const { table, account, printed } of rowsOfPeople) {
      assert.ok(columns.has(`${table}.${account}`), table)
      assert.ok(printed.length > 0, table)
    }
  })
})

test('no hash, token or encrypted secret is printed', async () => {
  const columns = await readColumns()
  for (const { table, printed } of rowsOfPeople) {
    const types = columns.filter((column) => column.table === table && printed.includes(column.name))
    assert.deepEqual(
      types.filter(({ name, type }) => type === 'bytea' || /hash|secret|token/.test(name)),
      [],
    )
  }
})
