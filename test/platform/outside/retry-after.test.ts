/** The pause that a service requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterMs } from '../../../src/platform/outside/retry-after.ts'

const sentAtMs = Date.UTC(2026, 0, 1, 12)
const inMinutes = (minutes: number): string => new Date(sentAtMs + minutes * 60_000).toUTCString()

test('takes seconds, at most an hour', () => {
  const pauses = ['0', '90', '3601', '999999', '1234567', '-1', '1.5', 'soon', '', null].map((header) =>
    retryAfterMs(header),
  )
  assert.deepEqual(pauses, [0, 90_000, 3_600_000, 3_600_000, null, null, null, null, null, null])
})

test('takes a date relative to the response, if that has one', () => {
  assert.equal(retryAfterMs(inMinutes(2), sentAtMs), 120_000)
  assert.equal(retryAfterMs(inMinutes(90), sentAtMs), 3_600_000)
  assert.equal(retryAfterMs(inMinutes(-2), sentAtMs), 0)
  assert.equal(retryAfterMs(inMinutes(2)), null)
})
