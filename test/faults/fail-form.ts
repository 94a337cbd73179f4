/**
 * Sends a form while its n-th step fails, and again. Forms have no Idempotency-Key: the person sees an error page and sends the form again,
 * which leaves the state of one or two faultless submissions, and never part of one.
 */
import assert from 'node:assert/strict'
import { fieldsOf } from '../pages/dashboard/form-fields.ts'
import { type VisitedPage, type Visitor, visitor } from '../pages/dashboard/visitor.ts'
import { createPerson, password } from '../support/app/people.ts'
import { rowsOf, sameInEveryRun, type Subject, viewsOf, withoutTables } from './effects/agency-state.ts'
import { type Charges, chargesOf, excess, since } from './effects/charges.ts'
import { checkFiles, checkOrdinary, inTime, type Outcome, outsideSteps } from './fail-request.ts'
import { type FaultyApp, sendMails } from './steps/faulty-app.ts'
import type { Form } from './forms/form.ts'
import type { Way } from './steps/steps.ts'

type State = { rows: string; views: string }

/** The same form without a fault, sent once and twice. */
type FaultlessForm = {
  steps: string[]
  response: string
  before: State
  once: State
  twice: string
  charges: Charges
  mails: ReadonlySet<string>
}

const stateOf = async ({ t }: FaultyApp, form: Form, subject: Subject): Promise<State> => ({
  rows: await rowsOf(t, subject, form.apart),
  views: await viewsOf(t, subject),
})

/** Status, target, and the message for the next page. */
function responseOf({ agency }: Subject, { status, to, headers }: VisitedPage): string {
  const [, flash = ''] = /flash=([\w-]*)/.exec(headers.getSetCookie().join()) ?? []
  const said = Buffer.from(flash, 'base64url')
    .toString()
    .replace(/\d+ \p{L}+ \d{4}, \d\d:\d\d/u, '<time>')
  const target = (to ?? '').replace(/(?<=\/)[A-Z\d]{8}(?=[/#?]|$)/, '<code>')
  return sameInEveryRun(`${status} ${target} ${said}`, agency, [])
}

/** Opens the form. */
async function open(app: FaultyApp, form: Form) {
  const { t, faulty, proxy, mails } = app
  t.clock.offsetMs = 0
  const subject = await t.newAgency()
  const instance = { ...t }
  const who = visitor(instance)
  const account = await signIn(app, form, subject, who)
  const { page, action, fields, file } = await form.prepare({ app, t, subject, who, account })
  const shown = await who.get(page)
  const changed = typeof fields === 'function' ? fields(shown.text) : fields
  const all = { ...fieldsOf(shown.text, action), ...changed }
  instance.baseUrl = faulty.baseUrl
  const cookies = [...who.cookies]
  const [charged, mailed] = [await chargesOf(t, subject), mails.length]
  await proxy.closeConnections()
  const submit = () =>
    file === undefined ? who.post(action, all) : who.upload(action, [...ownFields(all), file])
  return {
    subject,
    /** Sends it to the instance whose steps fail, as a browser that has not received an earlier response. */
    async send() {
      who.cookies.clear()
      for (const [name, value] of cookies) who.cookies.set(name, value)
      return await inTime(action, submit())
    },
    charges: async () => since(charged, await chargesOf(t, subject)),
    /** Recipients and subjects of the mails, once all were sent. */
    async mails() {
      await sendMails(app)
      const sent = mails.slice(mailed).map(({ to, subject: title }) => `${to} ${title}`)
      const own = sent.filter((mail) => mail.includes(subject.agency.slug))
      return new Set(own.map((mail) => sameInEveryRun(mail, subject.agency, [])))
    },
  }
}

const ownFields = (fields: object) =>
  Object.entries(fields).filter(([name, value]) => name !== '_csrf' && typeof value === 'string')

/** Creates an owner of the agency, and signs that owner or an operator in, unless the form is a visitor's. */
async function signIn({ t }: FaultyApp, { by }: Form, { agency }: Subject, who: Visitor) {
  const create = (role: 'owner' | 'operator', agencyId: string | null) =>
    createPerson(t.deps.db, { email: `${role}@${agency.slug}.example`, name: 'Ana', role, agencyId }, t.clock)
  const owner = await create('owner', agency.id)
  if (by === 'visitor') return owner
  const account = by === undefined ? owner : await create('operator', null)
  assert.equal((await who.post('/dashboard/sign-in', { email: account.email, password })).status, 303)
  return account
}

export async function runFaultlessForm(app: FaultyApp, form: Form): Promise<FaultlessForm> {
  const { subject, send, ...trial } = await open(app, form)
  const before = await stateOf(app, form, subject)
  app.steps.arm()
  const response = await send()
  const { names: steps } = app.steps.disarm()
  assert.ok(response.status < 400, `${form.name}: ${response.status} ${response.words.slice(0, 600)}`)
  const charges = await trial.charges()
  const once = await stateOf(app, form, subject)
  assert.notEqual(once.rows, before.rows, `${form.name} has no effect`)
  await send()
  const { rows: twice } = await stateOf(app, form, subject)
  const mails = await trial.mails()
  return { steps, response: responseOf(subject, response), before, once, twice, charges, mails }
}

/** Tables that a success without a photo or a location leaves in another state. */
const tablesOfPhotos = ['properties', 'listing_history', 'photo_sources']

/** Whether the response is true. @param failed the name of the step */
function judge({ status, words }: VisitedPage, failed: string, isDone: boolean): Outcome {
  const said = `${status} ${words.slice(0, 300)}`
  if (status < 400) {
    assert.ok(isDone || outsideSteps.test(failed), `it claims success: ${said}`)
    return isDone ? 'succeeded' : 'degraded'
  }
  if (status < 500) {
    assert.ok(outsideSteps.test(failed), `it blames the person: ${said}`)
    return 'refused'
  }
  assert.ok(status === 503 || status === 500, said)
  return status === 503 ? '503' : '500'
}

/** @returns null if the form had fewer steps. @throws AssertionError that names the broken promise */
export async function failForm(
  app: FaultyApp,
  form: Form,
  faultless: FaultlessForm,
  number: number,
  way: Way,
) {
  const { subject, send, ...trial } = await open(app, form)
  app.steps.arm(number, way)
  const first = await send()
  const { hasFailed, names } = app.steps.disarm()
  const between = await stateOf(app, form, subject)
  const isDone = between.rows === faultless.once.rows
  const failed = hasFailed ? (names[number - 1] ?? '') : ''
  const outcome = judge(first, failed, isDone)
  const { before, once } = faultless
  if (outcome === 'degraded') {
    const others = ({ rows }: State) => withoutTables(rows, tablesOfPhotos)
    // Nothing has happened if the photo or the location was all that the form asked for.
    assert.ok([others(before), others(once)].includes(others(between)), 'part of it has happened')
    // Locations are looked up again later.
    if (failed !== 'geocode')
      assert.notEqual(responseOf(subject, first), faultless.response, 'it does not say what is missing')
  } else {
    const expected = isDone ? once : before
    const apart = outcome === 'refused' ? ['photo_sources'] : []
    assert.equal(
      withoutTables(between.rows, apart),
      withoutTables(expected.rows, apart),
      'part of it has happened',
    )
    assert.equal(between.views, expected.views, 'pages show another state')
  }
  const second = await send()
  assert.ok(second.status < 500, `the second attempt: ${second.status}`)
  const last = await rowsOf(app.t, subject, form.apart)
  const isTwice = isDone && last === faultless.twice
  if (outcome === 'degraded') assert.notEqual(last, faultless.before.rows, 'the success had no effect')
  else if (!isTwice) assert.equal(last, faultless.once.rows, 'after the second attempt')
  if (!isDone && outcome !== 'degraded')
    assert.equal(responseOf(subject, second), faultless.response, 'the second attempt')
  const times = { attempts: 2, effects: isTwice ? 2 : 1 }
  assert.deepEqual(excess(await trial.charges(), faultless.charges, times), [], 'limits are charged too much')
  const mails = await trial.mails()
  assert.deepEqual(
    [...faultless.mails].filter((mail) => !mails.has(mail)),
    [],
    'mails that never arrived',
  )
  await checkOrdinary(app, app.t.other.readKey)
  await checkFiles(app, subject)
  return hasFailed ? outcome : null
}
