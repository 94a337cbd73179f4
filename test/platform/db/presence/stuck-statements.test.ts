/** Statements that are blocked while a node of Citus is down: they are cancelled, and their connections become free. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../../../src/platform/db/database.ts'
import { stuckStatements } from '../../../../src/platform/db/presence/stuck-statements.ts'
import { isDatabaseDown } from '../../../../src/platform/db/presence/is-database-down.ts'
import { testDatabase } from '../../../support/database/database.ts'

test('blocked statements are cancelled while a node is down, which frees their connection, and none once all are up', async () => {
  await using opened = new AsyncDisposableStack()
  const database = opened.adopt(await testDatabase(), ({ drop }) => drop())
  const stuck = stuckStatements({ maxMs: 1, pauseMs: 1 })
  const db = opened.adopt(openDatabase({ connection: database.direct, poolSize: 1, stuck }), ({ destroy }) =>
    destroy(),
  )
  const wait = () => db.run({ text: 'select pg_sleep(600)', values: [] })
  const ask = () => db.run<{ one: number }>({ text: 'select 1 as one', values: [] })
  let isAnyAway = true
  for (let turn = 0; turn < 2; turn += 1) {
    const waiting = assert.rejects(wait(), isDatabaseDown)
    stuck.watch(() => isAnyAway)
    await waiting
  }
  isAnyAway = false
  assert.deepEqual(await ask(), [{ one: 1 }])
})
