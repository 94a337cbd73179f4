/**
 * The setting LIMITS over the defaults of api.md 6.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { defaultLimits, limitsWith } from '../../src/limits/table.ts'

test('nothing set leaves the defaults', () => {
  assert.deepEqual(limitsWith({}), defaultLimits)
  assert.deepEqual(readConfig({}).limits, defaultLimits)
})

test('what is set changes the number and nothing else', () => {
  const limits = limitsWith({ reads_per_minute: 600, photos_per_day: 0 })
  assert.deepEqual(limits, {
    ...defaultLimits,
    reads_per_minute: { max: 600, windowSeconds: 60 },
    photos_per_day: { max: 0, windowSeconds: 86_400 },
  })
  assert.equal(defaultLimits.reads_per_minute.max, 60)
})

for (const wrong of [
  '',
  'x',
  '5',
  'null',
  '[]',
  '{"reads":5}',
  '{"reads_per_minute":-1}',
  '{"reads_per_minute":1.5}',
  '{"reads_per_minute":"60"}',
  '{"reads_per_minute":null}',
  '{"reads_per_minute":1e12}',
  '{"constructor":5}',
  '{"__proto__":5}',
]) {
  test(`LIMITS=${wrong} ${wrong === '' ? 'is as if not set' : 'stops the start with one line that names it'}`, () => {
    if (wrong === '') assert.deepEqual(readConfig({ LIMITS: wrong }).limits, defaultLimits)
    else
      assert.throws(
        () => readConfig({ LIMITS: wrong }),
        (error: Error) => /^[^\n]*LIMITS[^\n]*$/.test(error.message),
      )
  })
}
