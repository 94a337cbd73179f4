/** Every step of every form fails once, in each way: of the dashboard and of public pages. See sample.ts. */
// not on Citus: counts statements
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pages } from '../../src/pages/dashboard/all-pages.ts'
import { enquiryPages } from '../../src/pages/site/enquiries/enquiry.ts'
import { unsubscribePages } from '../../src/pages/site/general/unsubscribe.ts'
import { failForm, runFaultlessForm } from './fail-form.ts'
import { failSteps, printTable } from './fail-steps.ts'
import { type FaultyApp, faultyApp } from './steps/faulty-app.ts'
import { forms, leftOut } from './forms/forms.ts'
import { chosen, oneOf } from './sample.ts'
import type { Way } from './steps/steps.ts'

/** A sample has every 16th form, and every 25th of its cases. */
const [formCount, caseCount] = [16, 25]

let app: FaultyApp
before(async () => {
  app = await faultyApp()
})
after(() => app.close())
after(printTable)

describe(`every step of a form fails once (FAULTS=${chosen})`, () => {
  test('for every form, unless a reason is recorded', () => {
    const all = [...pages, ...enquiryPages, ...unsubscribePages]
    const sent = all.filter(({ method }) => method === 'POST').map(({ path }) => path)
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
      reasons.filter((start) => !sent.some((path) => path.startsWith(start) && !known.has(path))),
      [],
    )
  })

  for (const form of forms.filter(oneOf(formCount)))
    test(form.name, async (context) => {
      const faultless = await runFaultlessForm(app, form)
      const run = {
        name: form.name,
        steps: faultless.steps,
        fail: (number: number, way: Way) => failForm(app, form, faultless, number, way),
      }
      await failSteps(run, context, caseCount)
    })
})
