/**
 * Runs a request whose n-th step fails, and checks what the API promises about it: the response says whether to retry, nothing is half
 * done, and a retry with the same Idempotency-Key has exactly one effect (api.md 7).
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ApiResponse } from '../support/app/app.ts'
import {
  filesLeft,
  responseOf,
  rowsOf,
  type Subject,
  viewsOf,
  withoutTables,
} from './effects/agency-state.ts'
import { type Charges, chargesOf, excess, since } from './effects/charges.ts'
import type { FaultyApp } from './steps/faulty-app.ts'
import type { ApiRequest, Scenario } from './requests.ts'
import type { Way } from './steps/steps.ts'

type State = { rows: string; views: string }

/** The same request without a fault. */
type Faultless = {
  steps: string[]
  before: State
  after: State
  response: string
  status: number
  charges: Charges
}

/** How the request with the fault ended. `degraded`: a success without a photo or a location. */
export type Outcome = 'succeeded' | 'degraded' | 'refused' | '503' | '500'

/**
 * Steps whose failure does not fail the write: a photo that could not be fetched, recorded or stored, or a location that could not be
 * looked up, is reported in the success (api.md 12.1, 13.4), and a mail is sent later. Recording a photo may open a connection.
 */
export const outsideSteps =
  /^(?:resolve|fetch|store file|geocode|send a mail|insert into unreferenced_photos|connect$)/

/** How a success reports it: by a warning, or in a batch by the error of an item (api.md 16.2). */
const reportsFailure = /"warnings":\[\{|"error":\{"code":"(?:photo_ingest_failed|service_unavailable)"/

const maxMs = 5_000
const maxRetries = 12

const stateOf = async ({ t }: FaultyApp, subject: Subject): Promise<State> => ({
  rows: await rowsOf(t, subject),
  views: await viewsOf(t, subject),
})

export async function runFaultless(app: FaultyApp, scenario: Scenario): Promise<Faultless> {
  const { t, steps, proxy } = app
  t.clock.offsetMs = 0
  const subject = await t.newAgency()
  const request = await scenario.prepare(t, subject)
  const before = await stateOf(app, subject)
  const charged = await chargesOf(t, subject)
  await proxy.closeConnections()
  steps.arm()
  const response = await send(app, subject, request, randomUUID())
  const { names } = steps.disarm()
  assert.ok(response.status < 300, `${scenario.name}: ${response.text}`)
  const charges = since(charged, await chargesOf(t, subject))
  const after = await stateOf(app, subject)
  assert.notEqual(after.rows, before.rows, `${scenario.name} has no effect: ${response.text}`)
  assert.doesNotMatch(response.text, /"error":\{/)
  await checkFiles(app, subject)
  return {
    steps: names,
    before,
    after,
    response: await responseOf(t, subject, response),
    status: response.status,
    charges,
  }
}

/**
 * Fails one step, retries, and checks everything.
 * @returns null if the request had fewer steps this time
 * @throws AssertionError that names the broken promise
 */
export async function runFault(
  app: FaultyApp,
  scenario: Scenario,
  faultless: Faultless,
  number: number,
  way: Way,
): Promise<Outcome | null> {
  const { t, steps, proxy } = app
  t.clock.offsetMs = 0
  const subject = await t.newAgency()
  const request = await scenario.prepare(t, subject)
  const charged = await chargesOf(t, subject)
  await proxy.closeConnections()
  const key = randomUUID()
  steps.arm(number, way)
  const first = await send(app, subject, request, key)
  const { hasFailed, names } = steps.disarm()
  const response = await responseOf(t, subject, first)
  if (!hasFailed) assert.equal(response, faultless.response, 'a run without a fault has another response')
  const outcome = hasFailed ? judge(first, names[number - 1] ?? '', response, faultless) : null

  const between = await stateOf(app, subject)
  if (outcome === 'refused') checkRefused(between, faultless)
  else if (outcome !== 'degraded') checkWhole(between, faultless, first.status < 300)

  const { response: retried, attempts } = await retry(app, subject, request, key)
  if (first.status < 300) {
    assert.equal(retried.text, first.text, 'a retry does not replay the success')
    assert.equal(retried.status, first.status)
    assert.equal(retried.headers.get('idempotent-replayed'), 'true')
  }
  if (outcome !== 'degraded') {
    assert.equal(await responseOf(t, subject, retried), faultless.response, 'the retry has another response')
    assert.deepEqual(await stateOf(app, subject), faultless.after, 'the retry leaves another state')
  }
  const charges = since(charged, await chargesOf(t, subject))
  const times = { attempts: attempts + 1, effects: 1 }
  assert.deepEqual(excess(charges, faultless.charges, times), [], 'limits are charged too much')
  await checkOrdinary(app, subject.readKey)
  await checkFiles(app, subject)
  return outcome
}

function judge(first: ApiResponse, failed: string, response: string, faultless: Faultless): Outcome {
  if (response === faultless.response) return 'succeeded'
  const { status, text } = first
  const isOutside = outsideSteps.test(failed)
  if (status === faultless.status) {
    assert.ok(isOutside && reportsFailure.test(text), `the fault shows in the success: ${text}`)
    return 'degraded'
  }
  // api.md 5.3: too few photos because a download failed. The error is not kept.
  if (status === 422 && /^(?:resolve|fetch)/.test(failed)) return 'refused'
  assert.ok(status === 503 || status === 500, `${status} ${text}`)
  assert.match(first.body.error['code'] ?? '', /^(?:service_unavailable|internal_error)$/)
  return status === 503 ? '503' : '500'
}

function checkWhole(state: State, faultless: Faultless, hasSucceeded: boolean): void {
  const isAfter = state.rows === faultless.after.rows
  const expected = isAfter || hasSucceeded ? faultless.after : faultless.before
  assert.equal(state.rows, expected.rows, 'before the retry, the rows are those of neither state')
  assert.equal(state.views, expected.views, 'before the retry, the rows and the responses disagree')
}

/** A refusal because of its photos keeps only their failures, which the dashboard shows. */
function checkRefused(state: State, { before }: Faultless): void {
  const others = ({ rows }: State) => withoutTables(rows, ['photo_sources'])
  assert.equal(others(state), others(before), 'the refused request has an effect')
  assert.equal(state.views, before.views, 'the refused request shows')
}

/** Retries as a client does. The clock moves instead of waiting. */
async function retry(app: FaultyApp, subject: Subject, request: ApiRequest, key: string) {
  for (let attempts = 1; attempts <= maxRetries; attempts += 1) {
    const response = await send(app, subject, request, key)
    if (response.status < 300) return { response, attempts }
    const isRunning = response.body.error['code'] === 'idempotent_request_in_progress'
    assert.ok(isRunning, `a retry fails: ${response.status} ${response.text}`)
    app.t.clock.offsetMs += Number(response.headers.get('retry-after')) * 1_000
  }
  assert.fail('the key is never free')
}

async function send(
  { faulty }: FaultyApp,
  { writeKey }: Subject,
  { method, path, body, headers }: ApiRequest,
  key: string,
): Promise<ApiResponse> {
  const sent = { key: writeKey, headers: { ...headers, 'idempotency-key': key } }
  const asked = faulty.ask(method, path, body === undefined ? sent : { ...sent, body })
  return await inTime(`${method} ${path}`, asked)
}

/** The longest wait of a client: 5 s. */
export async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const { promise: isLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what} takes over 5 s`)), maxMs)
  try {
    return await Promise.race([work, isLate])
  } finally {
    clearTimeout(timer)
  }
}

/** Ordinary requests of this and another agency work immediately afterwards. */
export async function checkOrdinary({ t, faulty }: FaultyApp, readKey: string): Promise<void> {
  const read = await faulty.ask('GET', '/properties', { key: readKey })
  assert.equal(read.status, 200, `the next read: ${read.text}`)
  const created = await faulty.ask('POST', '/properties', {
    key: t.other.writeKey,
    body: { title: 'Casa' },
  })
  assert.equal(created.status, 201, `the next creation by another agency: ${created.text}`)
}

/** Once the leftovers have expired, the storage has exactly the pictures of the listings. */
export async function checkFiles({ t }: FaultyApp, subject: Subject): Promise<void> {
  assert.deepEqual(await filesLeft(t, subject), [], 'files')
}
