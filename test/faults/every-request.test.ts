/** Every step of every write of the API fails once, in each way. See sample.ts. */
// not on Citus: counts statements
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { endpoints } from '../../src/api/endpoints.ts'
import { compared, notCompared } from './effects/agency-state.ts'
import { runFault, runFaultless } from './fail-request.ts'
import { failSteps, printTable } from './fail-steps.ts'
import { type FaultyApp, faultyApp } from './steps/faulty-app.ts'
import { leftOut, scenarios } from './requests.ts'
import { chosen, oneOf } from './sample.ts'
import type { Way } from './steps/steps.ts'

/** A sample has every eighth request, and every 25th of its cases. */
const [requestCount, caseCount] = [8, 25]

let app: FaultyApp
before(async () => {
  app = await faultyApp()
})
after(() => app.close())
after(printTable)

describe(`every step of a request fails once (FAULTS=${chosen})`, () => {
  test('for every endpoint that writes, unless a reason is recorded', () => {
    const writes = endpoints.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId)
    const known = [...scenarios.map(({ operation }) => operation), ...Object.keys(leftOut)]
    assert.deepEqual(new Set(known), new Set(writes))
  })

  test('and every table about agencies and people is compared, unless a reason is recorded', async () => {
    const { rows } = await sql<{ table: string }>`
      select distinct table_name as table from information_schema.columns
      where table_schema = 'public' and column_name in ('agency_id', 'account_id', 'key_id')`.execute(
      app.t.deps.db,
    )
    const known = [...compared, ...Object.keys(notCompared)]
    assert.deepEqual(new Set(rows.map(({ table }) => table)), new Set(known))
  })

  for (const scenario of scenarios.filter(oneOf(requestCount)))
    test(scenario.name, async (context) => {
      const faultless = await runFaultless(app, scenario)
      const run = {
        name: scenario.name,
        steps: faultless.steps,
        fail: (number: number, way: Way) => runFault(app, scenario, faultless, number, way),
      }
      await failSteps(run, context, caseCount)
    })
})
