/** The lock timeouts of statements. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { lockWaitMs } from '../../../../src/platform/db/statements/statement.ts'

test('the functions of the database wait for locks as long as statements do', () => {
  const waits = globSync('migrations/functions/*.sql').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'lock_timeout', '([^']*)'/g)].map(([, wait]) => wait),
  )
  assert.deepEqual(waits, [`${lockWaitMs}ms`])
})
