/** Rows by the names of statements. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runNamed } from '../../../../src/platform/db/statements/named-statements.ts'
import { oneOff } from '../../../../src/platform/db/statements/statement.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import { type TestDatabase, testDatabase } from '../../../support/database/database.ts'

let database: TestDatabase
before(async () => (database = await testDatabase()))
after(() => database.drop())

const numbers = (...all: number[]) => oneOff<{ n: number }>('select unnest($1::int[]) as n', [all])

test('runNamed gives each statement its rows, and none to one that is null', async () => {
  await inTransaction(database.db, async (tx) => {
    const rows = await runNamed(tx, { skipped: null, two: numbers(1, 2), none: numbers(), one: numbers(3) })
    assert.deepEqual(rows, { skipped: [], two: [{ n: 1 }, { n: 2 }], none: [], one: [{ n: 3 }] })
  })
})

test('runNamed sends nothing without a statement', async () => {
  await inTransaction(database.db, async (tx) => {
    assert.deepEqual(await runNamed(tx, { skipped: null }), { skipped: [] })
    assert.deepEqual(await runNamed(tx, {}), {})
  })
})
