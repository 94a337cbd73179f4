/** Photos per agency and day (api.md 6): charged before downloading, and never refunded. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import { photoUrls, picture, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  leavingNothing,
  limited,
  refused,
  tally,
  usageOf,
} from '../../support/app/listings.ts'
import { forward, toNext } from '../../support/moments.ts'
import { secondApp } from '../../support/app/second-app.ts'

let t: TestApp
let fetched: number[] = []
const used = async (key?: string) => (await usageOf(t, key)).photos_per_day.used
before(async () => {
  t = await testApp({
    limits: { photos_per_day: 10 },
    source: async (address) => {
      // The usage reported during the download.
      fetched.push(await used())
      if (address.includes('missing')) throw new PhotoFailure('The source answered 404.')
      return picture(address)
    },
  })
})
after(() => t.close())
beforeEach(async () => {
  await toNext(t, 'day')
  fetched = []
})

const add = (id: string, urls: string[], key = t.writeKey) =>
  t.ask('POST', `/properties/${id}/photos`, { body: { urls }, key })
const set = (id: string, urls: string[], refresh = false) =>
  t.ask('PUT', `/properties/${id}/photos`, { body: { urls, refresh } })
const create = (body: unknown) => t.ask('POST', '/properties', { body })

test('ten photos a day are allowed by creations, upserts and uploads, over all keys, until the next UTC day', async () => {
  const second = (await t.newKey(t.agency.id, { scopes: ['properties:write'] })).key
  const { id } = accepted(await create(publishable()), 201)
  accepted(await t.ask('PUT', '/properties/external/PHOTOS-1', { body: { photos: photoUrls(2) } }), 201)
  accepted(await add(id, photoUrls(2), second))
  assert.equal(await used(), 7)
  fetched = []
  for (const ask of [() => add(id, photoUrls(4)), () => create({ photos: photoUrls(4) })]) {
    const response = await leavingNothing(t, ask)
    const wait = limited(response, 'photos_per_day')
    assert.equal(
      response.body.error['message'],
      `photos_per_day (10) has 3 left until its window ends, and 4 are needed. Send fewer, or try again in ${wait} seconds.`,
    )
  }
  assert.match(
    String((await add(id, photoUrls(11))).body.error['message']),
    /^photos_per_day \(10\) has 3 left until its window ends, and 11 are needed\. Waiting does not help: a window allows 10, and the request needs 11\. Split it\.$/,
  )
  // Nothing was charged or fetched for the rejected request.
  assert.deepEqual([fetched, await used()], [[], 7])
  accepted(await add(id, photoUrls(3)))
  const beyond = await add(id, photoUrls(2), second)
  const seconds = limited(beyond, 'photos_per_day')
  assert.match(
    String(beyond.body.error['message']),
    /^The limit photos_per_day \(10\) is exhausted\. Try again in /,
  )
  assert.ok(seconds > 86_000 && seconds <= 86_400, String(seconds))
  accepted(await t.ask('POST', '/properties', { key: t.other.writeKey, body: { photos: photoUrls(1) } }), 201)
  forward(t, seconds - 5)
  limited(await add(id, photoUrls(1)), 'photos_per_day')
  forward(t, 5)
  accepted(await add(id, photoUrls(1)))
  assert.equal(await used(), 1)
})

test('photos are charged before the first fetch, and each URL once', async () => {
  const { id } = await draft(t)
  const [a = '', b = ''] = photoUrls(2)
  accepted(await add(id, [a, b, a, ...photoUrls(1)]))
  assert.deepEqual(fetched, [3, 3, 3])
})

test('photos that fail, that the listing already has, or that belong to a failed write are not refunded', async () => {
  const urls = photoUrls(1)
  const { id } = await draft(t)
  accepted(await add(id, urls))
  accepted(await add(id, urls))
  assert.equal(await used(), 2)
  refused(await add(id, photoUrls(2, 'missing')), 'photo_ingest_failed')
  assert.equal(await used(), 4)
  refused(
    await create(publishable({ photos: [...photoUrls(2), ...photoUrls(1, 'missing')] })),
    'insufficient_photos',
  )
  assert.equal(await used(), 7)
})

test('photos of requests refused earlier are not charged', async () => {
  const { id } = await draft(t)
  refused(await add(id, [...photoUrls(1), 'http://photos.example/1.jpg']), 'invalid_parameter', 'urls[1]')
  refused(await add(id, photoUrls(51)), 'too_many_photos')
  refused(await add('ZZZZ9999', photoUrls(1)), 'not_found')
  refused(await create(publishable({ title: null })), 'not_publishable')
  refused(await create({ title: '', photos: photoUrls(1) }), 'invalid_parameter', 'title')
  const headers = { 'if-match': '"x"' }
  const stale = await t.ask('POST', `/properties/${id}/photos`, {
    headers,
    body: { urls: photoUrls(1) },
  })
  refused(stale, 'precondition_failed')
  accepted(await t.ask('PATCH', `/properties/${id}`, { body: { photos: [] } }))
  refused(await set(id, [...photoUrls(1), 'http://photos.example/1.jpg']), 'invalid_parameter', 'urls[1]')
  refused(await set(id, photoUrls(51)), 'too_many_photos')
  accepted(await set(id, []))
  assert.deepEqual([fetched, await used()], [[], 0])
})

test('every download of a photo update is charged, refreshed ones included, and no known photo', async () => {
  const { id } = await draft(t)
  const urls = photoUrls(3)
  const listing = accepted(await set(id, urls))
  assert.equal(await used(), 3)
  accepted(await set(id, [...listing.photos.slice(1), urls[0] ?? '']))
  assert.equal(await used(), 3)
  accepted(await set(id, [listing.photos[0] ?? '', ...urls.slice(1), ...photoUrls(1)], true))
  assert.equal(await used(), 6)
  fetched = []
  limited(await leavingNothing(t, () => set(id, [...urls, ...photoUrls(2)], true)), 'photos_per_day')
  assert.deepEqual([fetched, await used()], [[], 6])
  // Known photos are accepted even at the limit.
  accepted(await set(id, [...urls.slice(1), ...photoUrls(4)]))
  accepted(await set(id, urls.slice(1)))
  limited(await set(id, photoUrls(1)), 'photos_per_day')
})

test('the limit of photos is exact for concurrent requests over two instances', async () => {
  const listings = await Promise.all(Array.from({ length: 8 }, () => draft(t)))
  const second = await secondApp(t)
  const responses = await atOnce(8, (index) => {
    const { id = '' } = listings[index] ?? {}
    const body = { urls: photoUrls(3) }
    return index % 2 === 0
      ? add(id, body.urls)
      : second.ask('POST', `/properties/${id}/photos`, { key: t.writeKey, body })
  })
  await second.close()
  assert.deepEqual(tally(responses), { 200: 3, 429: 5 })
  assert.equal(await used(), 9)
  accepted(await add(listings[0]?.id ?? '', photoUrls(1)))
})
