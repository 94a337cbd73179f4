/**
 * Runs schedules in a process of its own: `node test/schedules/run.ts FROM COUNT [FAULT]`. Prints a line of JSON for each seed that breaks
 * a promise, `{seed, problems}`, and one at the end, `{schedules, steps}`. With a planted fault, it ends when the fault's rule is broken.
 */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { type Fault, faults, pathOf, withFault } from './faults.ts'

const [from = '', count = '', name] = process.argv.slice(2)
const fault = name === undefined ? null : findFault(name)
if (fault !== null) plantInModule(fault)

// Imported only now, because the fault must be planted before.
const { openWorld } = await import('./world.ts')
const { runSchedule } = await import('./schedule.ts')
const world = await openWorld()
if (fault?.file.endsWith('.sql') === true) await sql.raw(withFault(fault)).execute(world.t.deps.db)
let schedules = 0
let steps = 0
for (let seed = Number(from); seed < Number(from) + Number(count); seed += 1) {
  const outcome = await runSchedule(world, seed)
  schedules += 1
  steps += outcome.steps.length
  if (outcome.problems.length === 0) continue
  print({ seed, problems: outcome.problems })
  if (outcome.problems.some(({ rule }) => rule === fault?.rule)) break
}
print({ schedules, steps })
await world.close()

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function findFault(wanted: string): Fault {
  const found = faults.find((one) => one.name === wanted)
  if (found === undefined) throw new Error(`there is no fault "${wanted}"`)
  return found
}

function plantInModule(planted: Fault): void {
  const url = pathToFileURL(pathOf(planted)).href
  registerHooks({
    load(asked, context, next) {
      const loaded = next(asked, context)
      return asked === url ? { ...loaded, source: withFault(planted) } : loaded
    },
  })
}
