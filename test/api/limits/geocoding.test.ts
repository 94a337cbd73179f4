/**
 * Address tests (api.md 6): 5 a minute and 200 a day per agency, charged before the geocoder is called. Geocoding of listings is not
 * charged.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, atOnce, limited, refused, tally, usageOf } from '../../support/app/listings.ts'
import { type SecondApp, secondApp } from '../../support/app/second-app.ts'
import { forward, nextStart, now, toNext } from '../../support/moments.ts'

let t: TestApp
let second: SecondApp
let asked = 0
before(async () => {
  t = await testApp({
    limits: { geocoding_per_minute: 5, geocoding_per_day: 12 },
    geocoder: async () => {
      asked += 1
      return null
    },
  })
  second = await secondApp(t)
})
after(async () => {
  await second.close()
  await t.close()
})
beforeEach(async () => {
  await toNext(t, 'day')
  asked = 0
})

const geocode = (key = t.writeKey, instance: Pick<TestApp, 'ask'> = t) =>
  instance.ask('POST', '/geocode', { key, body: { address: freshAddress() } })
const used = async () => {
  const { geocoding_per_minute, geocoding_per_day } = await usageOf(t)
  return [geocoding_per_minute.used, geocoding_per_day.used]
}

test('the limit of geocoding allows five a minute over all keys, and the next waits for the next minute', async () => {
  const other = (await t.newKey(t.agency.id, { scopes: ['properties:write'] })).key
  for (let index = 0; index < 5; index += 1)
    assert.equal((await geocode(index % 2 === 0 ? t.writeKey : other)).status, 200)
  for (const key of [t.writeKey, other]) limited(await geocode(key), 'geocoding_per_minute')
  assert.deepEqual([asked, await used()], [5, [5, 5]])
  assert.equal((await geocode(t.other.writeKey)).status, 200)
  const seconds = limited(await geocode(), 'geocoding_per_minute')
  const told = (await now(t)) + seconds * 1000
  const end = Date.parse(await nextStart(t, 'minute'))
  assert.ok(told >= end && told < end + 2000, `${told}, ${end}`)
  forward(t, seconds - 5)
  limited(await geocode(), 'geocoding_per_minute')
  forward(t, 5)
  assert.equal((await geocode()).status, 200)
})

test('the limit of geocoding spans the whole day, until the UTC day ends', async () => {
  for (const passing of [5, 5, 2]) {
    assert.deepEqual(tally(await atOnce(8, () => geocode())), { 200: passing, 429: 8 - passing })
    await toNext(t, 'minute')
  }
  const seconds = limited(await geocode(), 'geocoding_per_day')
  assert.ok(seconds > 86_000 && seconds <= 86_400, String(seconds))
  forward(t, seconds - 5)
  limited(await geocode(), 'geocoding_per_day')
  forward(t, 5)
  assert.equal((await geocode()).status, 200)
})

test('the limit of geocoding is exact for concurrent requests over two instances', async () => {
  const responses = await atOnce(40, (index) => geocode(t.writeKey, index % 2 === 0 ? t : second))
  assert.deepEqual([tally(responses), asked], [{ 200: 5, 429: 35 }, 5])
})

test('the limit of geocoding counts only tested addresses', async () => {
  refused(await t.ask('POST', '/geocode', { body: { address: '' } }), 'invalid_parameter', 'address')
  refused(await geocode(t.readKey), 'insufficient_scope')
  accepted(await t.ask('POST', '/properties', { body: { address: freshAddress() } }), 201)
  assert.deepEqual([asked, await used()], [1, [0, 0]])
})
