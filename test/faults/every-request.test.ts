/** Every step of every write of the API fails once, in each way. See sample.ts. */
// not on Citus: counts statements
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endpoints } from '../../src/api/endpoints.ts'
import { runFault, runTwin } from './fail-request.ts'
import { failSteps, printTable } from './fail-steps.ts'
import { type FaultyApp, faultyApp } from './faulty-app.ts'
import { leftOut, scenarios } from './requests.ts'
import { chosen, oneOf } from './sample.ts'
import type { Way } from './steps.ts'

/** A sample has one of this number of requests, and one of this number of their cases. */
const [requestCount, caseCount] = [8, 25]

let app: FaultyApp
before(async () => {
  app = await faultyApp()
})
after(() => app.close())
after(printTable)

describe(`every step of a request fails once (FAULTS=${chosen})`, () => {
  it('has every endpoint that writes, or the reason why not', () => {
    const writes = endpoints.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId)
    const known = [...scenarios.map(({ operation }) => operation), ...Object.keys(leftOut)]
    assert.deepEqual(new Set(known), new Set(writes))
  })

  for (const scenario of scenarios.filter(oneOf(requestCount)))
    it(scenario.name, async (context) => {
      const twin = await runTwin(app, scenario)
      const run = {
        name: scenario.name,
        steps: twin.steps,
        fail: (number: number, way: Way) => runFault(app, scenario, twin, number, way),
      }
      await failSteps(run, context, caseCount)
    })
})
