/** New listings of an agency (api.md 6.1): 20 an hour and 100 a day, counted on creation. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  leavingNothing,
  limited,
  refused,
  tally,
  usageOf,
} from '../../support/app/listings.ts'
import { forward, nextStart, now, toNext } from '../../support/moments.ts'
import { secondApp } from '../../support/app/second-app.ts'

let t: TestApp
before(async () => {
  t = await testApp({ limits: { new_listings_per_hour: 20, new_listings_per_day: 50 } })
})
after(() => t.close())
beforeEach(() => toNext(t, 'day'))

const post = (body: unknown = {}, key = t.writeKey) => t.ask('POST', '/properties', { body, key })
const put = (body: unknown = {}, external: string = randomUUID()) =>
  t.ask('PUT', `/properties/external/${external}`, { body })
const used = async () => {
  const { new_listings_per_hour, new_listings_per_day } = await usageOf(t)
  return [new_listings_per_hour.used, new_listings_per_day.used]
}

test('twenty new listings an hour are allowed, by POST and PUT and over all keys, until the next UTC hour', async () => {
  const second = (await t.newKey(t.agency.id, { scopes: ['properties:write'] })).key
  for (let index = 0; index < 10; index += 1) {
    accepted(await post({}, index % 2 === 0 ? t.writeKey : second), 201)
    accepted(await put(), 201)
  }
  for (const ask of [() => post(), () => post({}, second), () => put(), () => post(publishable())]) {
    limited(await leavingNothing(t, ask), 'new_listings_per_hour')
  }
  accepted(await post({}, t.other.writeKey), 201)
  assert.deepEqual(await used(), [20, 20])
  const seconds = limited(await post(), 'new_listings_per_hour')
  const end = Date.parse(await nextStart(t, 'hour'))
  const told = (await now(t)) + seconds * 1000
  assert.ok(told >= end && told < end + 2000)
  forward(t, seconds - 5)
  limited(await post(), 'new_listings_per_hour')
  forward(t, 5)
  accepted(await post(), 201)
  assert.deepEqual(await used(), [1, 21])
})

test('the limit of new listings spans the whole day as well', async () => {
  for (const [wanted, created] of [
    [25, 20],
    [25, 20],
    [25, 10],
  ] as const) {
    assert.deepEqual(tally(await atOnce(wanted, () => post())), { 201: created, 429: wanted - created })
    await toNext(t, 'hour')
  }
  const seconds = limited(await post(), 'new_listings_per_day')
  assert.ok(seconds > 20 * 3600 && seconds <= 21 * 3600, String(seconds))
  forward(t, seconds)
  accepted(await post(), 201)
})

test('Retry-After of a new listing is the later one when hour and day are both exhausted', async () => {
  await atOnce(20, () => post())
  await toNext(t, 'hour')
  await atOnce(10, () => post())
  await toNext(t, 'hour')
  await atOnce(20, () => post())
  const seconds = limited(await post(), 'new_listings_per_hour', 'new_listings_per_day')
  assert.ok(seconds > 21 * 3600, String(seconds))
})

test('the limit of new listings is exact for concurrent requests over two instances', async () => {
  const second = await secondApp(t)
  const responses = await atOnce(60, (index) =>
    index % 2 === 0 ? post() : second.ask('POST', '/properties', { key: t.writeKey, body: {} }),
  )
  await second.close()
  assert.deepEqual(tally(responses), { 201: 20, 429: 40 })
  assert.deepEqual(await used(), [20, 20])
})

test('the limit of new listings counts only created listings', async () => {
  const external_id = randomUUID()
  accepted(await put({}, external_id), 201)
  accepted(await put({ title: 'Casa' }, external_id))
  refused(await post({ external_id }), 'external_id_exists')
  refused(await post({ title: '' }), 'invalid_parameter', 'title')
  refused(await post(publishable({ title: null })), 'not_publishable')
  refused(
    await post(publishable({ photos: [...photoUrls(2), 'https://photos.example/missing.jpg'] })),
    'insufficient_photos',
  )
  refused(await post({ photos: ['https://photos.example/missing.jpg'] }), 'photo_ingest_failed')
  refused(
    await t.ask('POST', '/properties', { body: {}, headers: { 'if-match': '*' } }),
    'precondition_failed',
  )
  const responses = await atOnce(10, () => post({ external_id: `${external_id}-2` }))
  assert.deepEqual(tally(responses), { 201: 1, 409: 9 })
  assert.deepEqual(await used(), [2, 2])
})

test('the limit of new listings does not refund a removed listing', async () => {
  const { id } = accepted(await post(), 201)
  assert.equal((await t.ask('DELETE', `/properties/${id}`)).status, 200)
  assert.deepEqual(await used(), [1, 1])
})
