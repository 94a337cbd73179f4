/**
 * Every step of every write fails once, in each way. `npm test` runs a sample, which begins at an offset that it prints; `FAULTS=every`
 * runs all, and `FAULTS=<offset>` repeats a sample.
 */
// not on Citus: counts statements
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runFault, runTwin } from './every-step.ts'
import { type FaultyApp, faultyApp } from './faulty-app.ts'
import { scenarios } from './scenarios.ts'
import { type Way, ways } from './steps.ts'

/** One of this number of cases runs in a sample. */
const sampleOf = 25
const chosen = process.env['FAULTS'] ?? String(Math.floor(Math.random() * sampleOf))
const isEvery = chosen === 'every'

let app: FaultyApp
before(async () => {
  app = await faultyApp()
})
after(() => app.close())

/** The failed cases and outcomes of a scenario. */
async function runAll(scenario: (typeof scenarios)[number]) {
  const twin = await runTwin(app, scenario)
  const cases = twin.steps.flatMap((name, index) => ways.map((way) => ({ name, number: index + 1, way })))
  const run = isEvery ? cases : cases.filter((_, index) => index % sampleOf === Number(chosen))
  const outcomes = new Map<string, number>()
  const failures: string[] = []
  for (const { name, number, way } of run) {
    const outcome = await runFault(app, scenario, twin, number, way).catch((error: Error) => {
      failures.push(`${scenario.name}, step ${number} (${name}), ${way}: ${error.message}`)
      return 'failed'
    })
    const what = `${way}: ${outcome}`
    outcomes.set(what, (outcomes.get(what) ?? 0) + 1)
  }
  return { steps: twin.steps, run: run.length, outcomes, failures }
}

const byWay = (outcomes: ReadonlyMap<string, number>, way: Way): string =>
  [...outcomes]
    .filter(([what]) => what.startsWith(`${way}: `))
    .map(([what, count]) => `${count} ${what.slice(way.length + 2)}`)
    .join(', ')

describe(`every step fails once (FAULTS=${chosen})`, () => {
  let total = 0
  for (const scenario of scenarios) {
    it(scenario.name, async (context) => {
      const { steps, run, outcomes, failures } = await runAll(scenario)
      total += run
      const summary = ways.map((way) => `${way}: ${byWay(outcomes, way)}`).join('; ')
      context.diagnostic(`${scenario.name}: ${steps.length} steps, ${run} faults. ${summary}`)
      assert.equal(failures.length, 0, failures.join('\n\n'))
    })
  }
  it('all together', (context) => context.diagnostic(`${total} faults in ${scenarios.length} requests`))
})
