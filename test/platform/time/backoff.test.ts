/** The waits between retries. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs } from '../../../src/platform/time/backoff.ts'

test('a backoff doubles up to the longest wait, after any number of retries', () => {
  const waitMs = { first: 10, max: 60 }
  const waits = [0, 1, 2, 3, 4, 1e9].map((retries) => backoffMs(waitMs, retries))
  assert.deepEqual(waits, [10, 20, 40, 60, 60, 60])
})
