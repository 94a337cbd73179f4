/** Reads and writes per key (api.md 6): exactly 60 a minute and a limit per day, in UTC windows, and the headers that report them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type ApiResponse, type Ask, type TestApp, testApp } from '../../support/app/app.ts'
import { atOnce, limited, refused, tally, usageOf } from '../../support/app/listings.ts'
import { forward, nextStart, now, toNext } from '../../support/moments.ts'
import { secondApp } from '../../support/app/second-app.ts'

let t: TestApp
let key = ''
before(async () => {
  t = await testApp({
    limits: { reads_per_minute: 60, reads_per_day: 100, writes_per_minute: 60, writes_per_day: 100 },
  })
})
after(() => t.close())
beforeEach(async () => {
  await toNext(t, 'day')
  key = await freshKey()
})

const freshKey = async () =>
  (await t.newKey(t.agency.id, { scopes: ['properties:read', 'properties:write'] })).key
const kinds = {
  reads: (ask: Ask = {}) => t.ask('GET', '/properties', { key, ...ask }),
  writes: (ask: Ask = {}) => t.ask('PUT', '/properties/external/LIMITS-1', { key, body: {}, ...ask }),
}
const passed = (responses: readonly ApiResponse[]) => responses.filter(({ status }) => status < 300)
const number = (response: ApiResponse, name: string) => {
  const text = response.headers.get(name) ?? ''
  assert.match(text, /^\d+$/, name)
  return Number(text)
}

for (const [kind, ask] of Object.entries(kinds)) {
  describe(kind, () => {
    test('sixty a minute are accepted, each with the remaining quota, and the next waits for the next minute', async () => {
      for (let left = 59; left >= 0; left -= 1) {
        const response = await ask()
        assert.ok(response.status < 300, response.text)
        assert.equal(number(response, 'x-ratelimit-limit'), 60)
        assert.equal(number(response, 'x-ratelimit-remaining'), left)
        const reset = number(response, 'x-ratelimit-reset')
        assert.ok(reset >= 1 && reset <= 60, String(reset))
      }
      const response = await ask()
      const seconds = limited(response, `${kind}_per_minute`)
      assert.equal(number(response, 'x-ratelimit-remaining'), 0)
      assert.equal(number(response, 'x-ratelimit-reset'), seconds)
      forward(t, seconds - 5)
      limited(await ask(), `${kind}_per_minute`)
      forward(t, 5)
      assert.equal(number(await ask(), 'x-ratelimit-remaining'), 59)
    })

    test('exactly sixty of two hundred concurrent requests are accepted, each with a different remaining quota', async () => {
      const responses = await atOnce(200, () => ask())
      assert.equal(passed(responses).length, 60)
      assert.deepEqual(tally(responses)[429], 140)
      const left = passed(responses).map((response) => number(response, 'x-ratelimit-remaining'))
      assert.deepEqual(
        left.sort((a, b) => a - b),
        Array.from({ length: 60 }, (_, index) => index),
      )
    })

    test('exactly sixty of two hundred concurrent requests over two instances are accepted', async () => {
      const second = await secondApp(t)
      const method = kind === 'reads' ? 'GET' : 'PUT'
      const path = kind === 'reads' ? '/properties' : '/properties/external/LIMITS-1'
      const body = kind === 'reads' ? undefined : {}
      const responses = await atOnce(200, (index) =>
        index % 2 === 0 ? ask() : second.ask(method, path, { key, body }),
      )
      await second.close()
      assert.equal(passed(responses).length, 60)
    })

    test('the daily limit spans its minutes, and ends with the UTC day', async () => {
      assert.equal(passed(await atOnce(70, () => ask())).length, 60)
      await toNext(t, 'minute')
      assert.equal(passed(await atOnce(50, () => ask())).length, 40)
      await toNext(t, 'hour')
      const seconds = limited(await ask(), `${kind}_per_day`)
      const end = Date.parse(await nextStart(t, 'day'))
      const told = (await now(t)) + seconds * 1000
      assert.ok(told >= end && told < end + 2000, `${told}, ${end}`)
      forward(t, seconds - 5)
      limited(await ask(), `${kind}_per_day`)
      forward(t, 5)
      assert.equal(number(await ask(), 'x-ratelimit-remaining'), 59)
    })

    test('Retry-After is the later one when minute and day are both exhausted', async () => {
      await atOnce(40, () => ask())
      await toNext(t, 'minute')
      await atOnce(60, () => ask())
      const seconds = limited(await ask(), `${kind}_per_minute`, `${kind}_per_day`)
      assert.ok(seconds > 86_000, String(seconds))
    })

    test('each key has its own quota, and refusals are not counted', async () => {
      await atOnce(80, () => ask())
      const used = (await usageOf(t, kind === 'reads' ? await freshKey() : key))[
        `${kind}_per_minute` as 'reads_per_minute'
      ]
      assert.equal(used.used, kind === 'reads' ? 1 : 60)
      assert.ok((await ask({ key: await freshKey() })).status < 300)
    })
  })
}

test('reads and writes have separate quotas', async () => {
  await atOnce(60, () => kinds.reads())
  limited(await kinds.reads(), 'reads_per_minute')
  assert.equal((await kinds.writes()).status, 200)
})

describe('the cost of', () => {
  for (const [what, kind, cost, ask] of [
    ['a found listing', 'reads', 1, () => kinds.reads()],
    ['HEAD', 'reads', 1, () => t.ask('HEAD', '/properties', { key })],
    ['/me', 'reads', 1, () => t.ask('GET', '/me', { key })],
    ['a missing listing', 'reads', 1, () => t.ask('GET', '/properties/ZZZZ9999', { key })],
    ['an invalid parameter', 'reads', 1, () => t.ask('GET', '/properties?x=1', { key })],
    ['an invalid field', 'writes', 1, () => kinds.writes({ body: { title: '' } })],
    ['an invalid body', 'writes', 1, () => kinds.writes({ raw: '{' })],
    ['deleting a missing listing', 'writes', 1, () => t.ask('DELETE', '/properties/ZZZZ9999', { key })],
    ['a stale If-Match', 'writes', 1, () => kinds.writes({ headers: { 'if-match': '"x"' } })],
    ['a missing scope', 'writes', 0, () => kinds.writes({ key: t.readKey })],
    ['an undefined method', 'writes', 0, () => t.ask('PUT', '/properties', { key })],
    ['an unknown path', 'reads', 0, () => t.ask('GET', '/nothing', { key })],
    ['the root', 'reads', 0, () => t.ask('GET', '/', { key })],
    ['/health', 'reads', 0, () => t.ask('GET', '/health', { key })],
    ['/openapi.json', 'reads', 0, () => t.ask('GET', '/openapi.json', { key })],
  ] as [string, 'reads' | 'writes', number, () => Promise<ApiResponse>][]) {
    test(`${what} is ${cost}`, async () => {
      await ask()
      const usage = await usageOf(t, key)
      const other = kind === 'reads' ? 'writes' : 'reads'
      // Reading the usage is a read itself.
      const asking = (name: string) => (name === 'reads' ? 1 : 0)
      for (const unit of ['minute', 'day'] as const) {
        assert.equal(usage[`${kind}_per_${unit}`].used, cost + asking(kind))
        assert.equal(usage[`${other}_per_${unit}`].used, asking(other))
      }
    })
  }

  test('a request without permission is zero for every key', async () => {
    refused(await kinds.writes({ key: t.readKey }), 'insufficient_scope')
    const usage = await usageOf(t, t.readKey)
    assert.deepEqual([usage.reads_per_day.used, usage.writes_per_day.used], [1, 0])
  })
})
