/** Every step of every write fails once, in each way: of the API and of the dashboard's forms. See sample.ts. */
// not on Citus: counts statements
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { pages } from '../../src/pages/dashboard/all-pages.ts'
import { runFormFault, runFormTwin } from './every-form.ts'
import { runFault, runTwin } from './every-step.ts'
import { type FaultyApp, faultyApp } from './faulty-app.ts'
import { type Form, forms, leftOut } from './forms.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { casesOf, chosen, oneOf } from './sample.ts'
import { type Way, ways } from './steps.ts'

/** A sample has one of this number of requests, and one of this number of their cases. */
const [requestCount, caseCount] = [8, 25]

let app: FaultyApp
before(async () => {
  app = await faultyApp()
})
after(() => app.close())

type Run = { name: string; steps: readonly string[]; fail(number: number, way: Way): Promise<string> }

async function ofRequest(scenario: Scenario): Promise<Run> {
  const twin = await runTwin(app, scenario)
  const { name } = scenario
  return { name, steps: twin.steps, fail: (number, way) => runFault(app, scenario, twin, number, way) }
}

async function ofForm(form: Form): Promise<Run> {
  const twin = await runFormTwin(app, form)
  return {
    name: form.path,
    steps: twin.steps,
    fail: (number, way) => runFormFault(app, form, twin, number, way),
  }
}

let total = 0

/** Fails the steps, or a sample of them, and prints a line of the table. */
async function failSteps({ name, steps, fail }: Run, context: TestContext): Promise<void> {
  const cases = casesOf(steps, caseCount)
  const outcomes = new Map<string, number>()
  const failures: string[] = []
  for (const { step, number, way } of cases) {
    const outcome = await fail(number, way).catch((error: Error) => {
      failures.push(`${name}, step ${number} of ${steps.length} (${step}), ${way}: ${error.message}`)
      return 'failed'
    })
    const what = `${way}: ${outcome}`
    outcomes.set(what, (outcomes.get(what) ?? 0) + 1)
  }
  total += cases.length
  const summary = ways.map((way) => `${way}: ${byWay(outcomes, way)}`).join('; ')
  context.diagnostic(`${name}: ${steps.length} steps, ${cases.length} faults. ${summary}`)
  assert.equal(failures.length, 0, failures.join('\n\n'))
}

const byWay = (outcomes: ReadonlyMap<string, number>, way: Way): string =>
  [...outcomes]
    .filter(([what]) => what.startsWith(`${way}: `))
    .map(([what, count]) => `${count} ${what.slice(way.length + 2)}`)
    .join(', ') || 'none'

describe(`every step of a request fails once (FAULTS=${chosen})`, () => {
  for (const scenario of scenarios.filter(oneOf(requestCount)))
    it(scenario.name, async (context) => failSteps(await ofRequest(scenario), context))
})

describe(`every step of a form fails once (FAULTS=${chosen})`, () => {
  it('has every form of the dashboard, or the reason why not', () => {
    const sent = pages.filter(({ method }) => method === 'POST').map(({ path }) => path)
    const known = new Set(forms.map(({ path }) => path))
    const reasons = Object.keys(leftOut)
    const isLeftOut = (path: string) => reasons.some((start) => path.startsWith(start))
    assert.deepEqual(
      sent.filter((path) => !known.has(path) && !isLeftOut(path)),
      [],
    )
    assert.deepEqual(
      [...known].filter((path) => !sent.includes(path)),
      [],
    )
    assert.deepEqual(
      reasons.filter((start) => !sent.some((path) => path.startsWith(start))),
      [],
    )
  })

  for (const form of forms.filter(oneOf(requestCount)))
    it(form.path, async (context) => failSteps(await ofForm(form), context))
})

after(() => process.stdout.write(`FAULTS=${chosen}: ${total} faults\n`))
