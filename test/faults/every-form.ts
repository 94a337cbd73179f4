/**
 * Sends a form of the dashboard while its n-th step fails, and again. Forms have no Idempotency-Key: the person sees an error page and
 * sends the form again, which leaves the state of one or two faultless submissions, and never part of one.
 */
import assert from 'node:assert/strict'
import { fieldsOf } from '../pages/dashboard/form-fields.ts'
import { type VisitedPage, visitor } from '../pages/dashboard/visitor.ts'
import { createPerson, password } from '../support/people.ts'
import { officeRowsOf, rowsOf, sameInEveryRun, type Subject } from './agency-state.ts'
import { checkFiles, checkOrdinary, inTime, outsideSteps } from './every-step.ts'
import type { FaultyApp } from './faulty-app.ts'
import type { Form } from './forms.ts'
import type { Way } from './steps.ts'

export type FormTwin = {
  steps: string[]
  response: string
  before: string
  once: string
  twice: string
}

const stateOf = async ({ t }: FaultyApp, subject: Subject): Promise<string> =>
  `${await rowsOf(t, subject)}\n${await officeRowsOf(t, subject)}`

const responseOf = ({ agency }: Subject, { status, to }: VisitedPage): string =>
  `${status} ${sameInEveryRun(to ?? '', agency, []).replace(/listings\/[A-Z\d]{8}/, 'listings/<code>')}`

/** Opens the form. @returns a function that sends it to the instance whose steps fail */
async function open(app: FaultyApp, form: Form) {
  const { t, faulty, proxy } = app
  t.clock.offsetMs = 0
  const subject = await t.newAgency()
  const { agency } = subject
  const person = {
    email: `owner@${agency.slug}.example`,
    name: 'Ana',
    role: 'owner',
    agencyId: agency.id,
  } as const
  const owner = await createPerson(t.deps.db, person, t.clock)
  const instance = { ...t }
  const who = visitor(instance)
  assert.equal((await who.post('/dashboard/sign-in', { email: owner.email, password })).status, 303)
  const { page, action, fields } = await form.prepare(t, subject)
  const shown = await who.get(page)
  const all = { ...fieldsOf(shown.text, action), ...fields }
  instance.baseUrl = faulty.baseUrl
  await proxy.closeConnections()
  return { subject, send: () => inTime(action, who.post(action, all)) }
}

export async function runFormTwin(app: FaultyApp, form: Form): Promise<FormTwin> {
  const { subject, send } = await open(app, form)
  const before = await stateOf(app, subject)
  app.steps.arm()
  const answer = await send()
  const { names: steps } = app.steps.disarm()
  assert.ok(answer.status < 400, `${form.path}: ${answer.status} ${answer.words.slice(0, 600)}`)
  const once = await stateOf(app, subject)
  assert.notEqual(once, before, `${form.path} has no effect`)
  await send()
  return { steps, response: responseOf(subject, answer), before, once, twice: await stateOf(app, subject) }
}

/** @returns the status of the form whose step failed. @throws AssertionError that names the broken promise */
export async function runFormFault(app: FaultyApp, form: Form, twin: FormTwin, number: number, way: Way) {
  const { subject, send } = await open(app, form)
  app.steps.arm(number, way)
  const first = await send()
  const { hasFailed, names } = app.steps.disarm()
  const response = responseOf(subject, first)
  const between = await stateOf(app, subject)
  const isDone = between === twin.once
  const isDegraded = !isDone && first.status < 500 && outsideSteps.test(names[number - 1] ?? '')
  if (isDegraded) assert.ok(first.status < 400, `${first.status} ${first.words.slice(0, 300)}`)
  else if (response === twin.response) assert.equal(between, twin.once, 'it claims success')
  else {
    assert.ok(first.status === 503 || first.status === 500, `${first.status} ${first.words.slice(0, 300)}`)
    if (!isDone) assert.equal(between, twin.before, 'part of it has happened')
  }
  const second = await send()
  assert.ok(second.status < 500, `the second attempt: ${second.status}`)
  const last = await stateOf(app, subject)
  if (isDegraded) assert.notEqual(last, twin.before, 'the success had no effect')
  else if (!isDone || last !== twin.twice) assert.equal(last, twin.once, 'after the second attempt')
  if (!isDone && !isDegraded) assert.equal(responseOf(subject, second), twin.response, 'the second attempt')
  await checkOrdinary(app, subject)
  await checkFiles(app, subject)
  if (!hasFailed) return 'not reached'
  return isDegraded ? 'degraded' : String(first.status)
}
