/**
 * 10,000 schedules of concurrent requests keep what the API promises, and each fault planted in the service is found (test/schedules/).
 * `SEEDS=<count>` runs another number of schedules.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { faults } from '../../test/schedules/faults.ts'
import type { Problem } from '../../test/schedules/judge/timeline.ts'

const seeds = Number(process.env['SEEDS'] ?? 10_000)
/** A fault must be found within this number of schedules. */
const seedsPerFault = 60
const script = join(import.meta.dirname, '../../test/schedules/run.ts')

type Failed = { seed: number; problems: Problem[] }
type Done = { schedules: number; steps: number }

async function run(...args: readonly (number | string)[]): Promise<{ failed: Failed[]; done: Done }> {
  const child = spawn(process.execPath, [script, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(code, 0)
  const lines = printed
    .trim()
    .split('\n')
    .map((line): Failed | Done => JSON.parse(line))
  const failed = lines.filter((line) => 'seed' in line)
  const [done] = lines.filter((line) => 'schedules' in line)
  assert.ok(done !== undefined)
  return { failed, done }
}

test(`${seeds} schedules keep the promises`, async (context) => {
  const processes = availableParallelism()
  const each = Math.ceil(seeds / processes)
  const parts = await Promise.all(
    Array.from({ length: processes }, (_, index) => run(1 + index * each, each)),
  )
  const failed = parts.flatMap((part) => part.failed)
  const sum = (name: keyof Done) => parts.reduce((total, { done }) => total + done[name], 0)
  context.diagnostic(`${sum('schedules')} schedules, ${sum('steps')} steps`)
  assert.deepEqual(failed, [], failed.map(({ seed }) => `SEED=${seed}`).join(' '))
})

describe('a planted fault is found', () => {
  for (const { name, rule } of faults) {
    test(name, async (context) => {
      const { failed, done } = await run(1, seedsPerFault, name)
      const found = failed.find(({ problems }) => problems.some((problem) => problem.rule === rule))
      assert.ok(found !== undefined, `"${rule}" is not broken in ${done.schedules} schedules`)
      context.diagnostic(`seed ${found.seed}: ${rule}`)
    })
  }
})
