/**
 * The limits of a listing's changes of state (api.md 6.1): 6 in 24 hours, of which at most 2 suspensions and 2 publications, across all
 * keys.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { limitsWith } from '../../../../src/limits/table.ts'
import { type ApiResponse, publishable, type TestApp, testApp } from '../../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  historyOf,
  leavingNothing,
  limited,
  published,
  refused,
  rowOf,
  tally,
} from '../../../support/app/listings.ts'

const hourMs = 3_600_000
const usual = { state_changes_per_day: 6, disables_per_day: 2, enables_per_day: 2 }

let t: TestApp
before(async () => {
  t = await testApp({ limits: usual })
})
after(() => t.close())
beforeEach(() => limit(usual))

/** The clock only moves forward: recorded changes stay in the past. */
let start = 0
beforeEach(() => {
  start = t.clock.offsetMs + 100 * hourMs
  at(0)
})
function at(hours: number): void {
  t.clock.offsetMs = start + hours * hourMs
}

function limit(limits: Partial<typeof usual>): void {
  t.deps.limits = limitsWith({ ...t.deps.limits, ...wide(), ...limits })
}
function wide(): Record<string, number> {
  return Object.fromEntries(Object.entries(t.deps.limits).map(([name, { max }]) => [name, max]))
}

const disable = (id: string, key = t.writeKey) => t.ask('POST', `/properties/${id}/disable`, { key })
const enable = (id: string, key = t.writeKey) => t.ask('POST', `/properties/${id}/enable`, { key })
const remove = (id: string) => t.ask('DELETE', `/properties/${id}`)

/** Asserts that the limit resets when the error says: not five seconds earlier, and right then. */
async function reopens(seconds: number, ask: () => Promise<ApiResponse>): Promise<void> {
  const now = t.clock.offsetMs
  t.clock.offsetMs = now + (seconds - 5) * 1000
  refused(await ask(), 'rate_limited')
  t.clock.offsetMs = now + seconds * 1000
  assert.equal((await ask()).status, 200)
}

/** The hours until then, allowing for the duration of the test. */
function about(seconds: number, hours: number): void {
  assert.ok(seconds <= hours * 3600 && seconds > hours * 3600 - 60, `${seconds} s for ${hours} h`)
}

describe('a listing has at most two', () => {
  test('suspensions: the third waits until the first is 24 hours old', async () => {
    const { id } = await published(t)
    for (const [hour, ask] of [disable, enable, disable, enable].entries()) {
      at(hour)
      accepted(await ask(id))
    }
    at(4)
    const seconds = limited(await leavingNothing(t, () => disable(id)), 'disables_per_day')
    about(seconds, 20)
    await reopens(seconds, () => disable(id))
  })

  test('publications: a draft published by its creation still has both', async () => {
    const { id } = await published(t)
    for (const ask of [disable, enable, disable, enable]) accepted(await ask(id))
    const other = await draft(t, publishable({ status: 'draft' }))
    at(1)
    for (const ask of [enable, disable, enable, disable]) accepted(await ask(other.id))
    at(2)
    const seconds = limited(await leavingNothing(t, () => enable(other.id)), 'enables_per_day')
    about(seconds, 23)
    await reopens(seconds, () => enable(other.id))
  })

  test('of each, by any key, and other listings are not affected', async () => {
    const second = (await t.newKey(t.agency.id, { scopes: ['properties:write'] })).key
    const [one, two] = [await published(t), await published(t)]
    accepted(await disable(one.id))
    accepted(await enable(one.id, second))
    accepted(await disable(one.id, second))
    accepted(await enable(one.id))
    for (const key of [second, t.writeKey]) limited(await disable(one.id, key), 'disables_per_day')
    accepted(await disable(two.id))
  })

  test('of each, however many concurrent requests there are', async () => {
    const { id } = await published(t)
    await atOnce(40, (index) => (index % 2 === 0 ? disable(id) : enable(id)))
    const actions = (await historyOf(t, id)).map(({ action }) => action)
    assert.ok(actions.filter((action) => action === 'disabled').length <= 2)
    assert.ok(actions.filter((action) => action === 'published').length <= 2)
  })
})

describe('a listing has at most six changes of state', () => {
  test('of all kinds, removals included', async () => {
    limit({ disables_per_day: 9, enables_per_day: 9 })
    const { id } = await published(t)
    for (const [hour, ask] of [disable, enable, disable, enable, disable, enable].entries()) {
      at(hour)
      accepted(await ask(id))
    }
    at(6)
    for (const ask of [disable, remove]) {
      about(limited(await leavingNothing(t, () => ask(id)), 'state_changes_per_day'), 18)
    }
    await reopens(limited(await remove(id), 'state_changes_per_day'), () => remove(id))
    assert.ok((await rowOf(t, id)).deleted_at !== null)
  })

  test('but no separate limit of removals', async () => {
    const { id } = await published(t)
    for (const ask of [disable, enable, disable, enable]) accepted(await ask(id))
    limited(await disable(id), 'disables_per_day')
    assert.equal((await remove(id)).status, 200)
  })

  test('and the later reset counts if two limits are exhausted', async () => {
    limit({ state_changes_per_day: 3, disables_per_day: 1, enables_per_day: 9 })
    const { id } = await draft(t, publishable({ status: 'draft' }))
    for (const [hour, ask] of [enable, disable, enable].entries()) {
      at(hour)
      accepted(await ask(id))
    }
    at(3)
    const seconds = limited(await disable(id), 'state_changes_per_day', 'disables_per_day')
    about(seconds, 22)
    at(24.5)
    about(limited(await disable(id), 'disables_per_day'), 0.5)
    at(25.01)
    accepted(await disable(id))
  })
})

describe('no limit of changes of state counts', () => {
  test('a write that changes no state', async () => {
    const { id } = await published(t)
    for (let times = 0; times < 8; times += 1) accepted(await enable(id))
    accepted(await disable(id))
    for (const reason of [
      undefined,
      'suspended',
      'sold',
      'other',
      'rented',
      'sold_by_us',
      'suspended',
      'other',
    ]) {
      accepted(await t.ask('POST', `/properties/${id}/disable`, { body: { reason } }))
    }
    for (const ask of [enable, disable, enable]) accepted(await ask(id))
    limited(await disable(id), 'disables_per_day')
  })

  test('edits and photos', async () => {
    const { id } = await published(t)
    for (let times = 0; times < 8; times += 1) {
      accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: `Casa ${times}` } }))
    }
    accepted(
      await t.ask('POST', `/properties/${id}/photos`, {
        body: { urls: ['https://photos.example/one-more.jpg'] },
      }),
    )
    for (const ask of [disable, enable, disable, enable]) accepted(await ask(id))
  })

  test('refused changes', async () => {
    const { id } = await published(t)
    accepted(await disable(id))
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: null } }))
    for (let times = 0; times < 4; times += 1) refused(await enable(id), 'not_publishable')
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Casa' } }))
    const stale = { 'if-match': '"stale"' }
    for (let times = 0; times < 4; times += 1) {
      refused(await t.ask('POST', `/properties/${id}/enable`, { headers: stale }), 'precondition_failed')
    }
    accepted(await enable(id))
    for (let times = 0; times < 4; times += 1) {
      const body = { reason: 'other', close_price: 5 }
      refused(await t.ask('POST', `/properties/${id}/disable`, { body }), 'invalid_parameter', 'close_price')
    }
    for (const ask of [disable, enable]) accepted(await ask(id))
    limited(await disable(id), 'disables_per_day')
  })
})

test('a listing whose change is refused stays the same', async () => {
  const { id } = await published(t)
  for (const ask of [disable, enable, disable, enable]) accepted(await ask(id))
  assert.deepEqual(tally(await atOnce(5, () => disable(id))), { 429: 5 })
  assert.equal(accepted(await t.ask('GET', `/properties/${id}`)).status, 'published')
})
