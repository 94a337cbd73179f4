/** The pause that a service requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterMs } from '../../../src/platform/outside/retry-after.ts'

const sentAtMs = Date.UTC(2026, 0, 1, 12)
const inMinutes = (minutes: number, from = sentAtMs): string =>
  new Date(from + minutes * 60_000).toUTCString()

function pauseOf(headers: Record<string, string>): number | null {
  return retryAfterMs((name) => headers[name] ?? null)
}

test('retryAfterMs takes seconds, at most an hour', () => {
  const pauses = ['0', '90', '3601', '999999', '1234567', '-1', '1.5', 'soon', ''].map((requested) =>
    pauseOf({ 'retry-after': requested }),
  )
  assert.deepEqual(pauses, [0, 90_000, 3_600_000, 3_600_000, null, null, null, null, null])
  assert.equal(pauseOf({}), null)
})

test('retryAfterMs takes a date by the clock of the service', () => {
  const date = inMinutes(0)
  const pauses = [2, 90, -2].map((minutes) => pauseOf({ 'retry-after': inMinutes(minutes), date }))
  assert.deepEqual(pauses, [120_000, 3_600_000, 0])
})

test('retryAfterMs takes a date by its own clock if the response is undated', () => {
  const pauseMs = pauseOf({ 'retry-after': inMinutes(2, Date.now()) }) ?? 0
  assert.ok(pauseMs > 100_000 && pauseMs <= 120_000)
})
