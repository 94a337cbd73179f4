/**
 * Schedules of concurrent requests, chosen by a seed, keep what the API promises. Runs as many as fit in ten seconds; chaos/ runs 10,000.
 * `SEED=<seed>` repeats one.
 */
// not on Citus: asks one server who waits for a lock
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { faults, withFault } from './faults.ts'
import { rules } from './judge/timeline.ts'
import { runSchedule } from './schedule.ts'
import { openWorld, type World } from './world.ts'

const forMs = 10_000
const { SEED: chosen } = process.env

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

test('the judge has a planted fault for each of its rules', () => {
  assert.deepEqual(new Set(faults.map(({ rule }) => rule)), new Set(rules))
})

test('each planted fault fits the file that it changes', () => {
  faults.forEach(withFault)
})

test('schedules keep the promises', async (context) => {
  const started = performance.now()
  const first = chosen === undefined ? Math.floor(Math.random() * 1e9) : Number(chosen)
  let seed = first
  let steps = 0
  for (; performance.now() - started < forMs; seed += 1) {
    const outcome = await runSchedule(world, seed)
    steps += outcome.steps.length
    assert.deepEqual(outcome.problems, [], `SEED=${seed}`)
    if (chosen !== undefined) break
  }
  context.diagnostic(`seeds ${first} to ${seed - 1}: ${steps} steps`)
})
