/** A log that counts repeated events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedLog } from '../../../src/platform/log/counted-log.ts'

const minuteMs = 60_000

test('a counted log logs the first event of a kind at once, and later ones as a count per minute', (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const lines: [string, number][] = []
  const log = countedLog((event: string, count) => lines.push([event, count]))
  const logged = () => lines.splice(0)

  assert.equal(log('away', 'away 0'), true)
  assert.equal(log('full', 'full 0'), true)
  for (let turn = 1; turn <= 1_000; turn += 1) assert.equal(log('away', `away ${turn}`), false)
  assert.deepEqual(logged(), [
    ['away 0', 1],
    ['full 0', 1],
  ])
  context.mock.timers.tick(minuteMs)
  assert.deepEqual(logged(), [['away 1000', 1_000]])
  // After a minute without events, the next one counts as the first again.
  context.mock.timers.tick(minuteMs)
  assert.deepEqual(logged(), [])
  assert.equal(log('away', 'away again'), true)
  assert.deepEqual(logged(), [['away again', 1]])
})

test('a counted log bounds the number of kinds', (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  let lines = 0
  const log = countedLog(() => (lines += 1))
  for (let kind = 0; kind < 10_000; kind += 1) log(`kind ${kind}`, kind)
  assert.ok(lines < 100, `${lines} lines`)
})
