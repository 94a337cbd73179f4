/** `photos` in a PATCH (api.md 10.3): the listing's own URLs in the new order; photos left out are removed. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { reapPhotos } from '../../../src/listings/photos/unreferenced.ts'
import { photoUrls, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  filesOf,
  historyOf,
  leavingNothing,
  published,
  refused,
  rowOf,
  unreferencedOf,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const patch = (id: string, photos: unknown) => t.ask('PATCH', `/properties/${id}`, { body: { photos } })
const shown = (address: string) =>
  fetch(address.replace('https://listings.test', t.baseUrl)).then(({ status }) => status)

test('an edit reorders photos, with the first as cover', async () => {
  const { id, photos } = await published(t, { photos: photoUrls(5) })
  const wanted = [3, 0, 4, 2, 1].map((index) => photos[index])
  assert.deepEqual(accepted(await patch(id, wanted)).photos, wanted)
  assert.deepEqual(accepted(await t.ask('GET', `/properties/${id}`)).photos, wanted)
  assert.deepEqual(await unreferencedOf(t), [])
})

test('an edit removes a photo from the listing and its URL at once, from storage a day later', async () => {
  const { id, photos } = await published(t, { photos: photoUrls(5) })
  const names = (await rowOf(t, id)).photos
  const kept = photos.slice(2)
  assert.deepEqual(accepted(await patch(id, kept)).photos, kept)
  assert.deepEqual(await Promise.all(photos.map(shown)), [404, 404, 200, 200, 200])
  assert.deepEqual(await unreferencedOf(t), names.slice(0, 2).sort())

  const files = await filesOf(t)
  const reapAfter = async (hours: number) => {
    t.clock.offsetMs = hours * 3_600_000
    await reapPhotos(t.deps.photos, 100)
    t.clock.offsetMs = 0
  }
  await reapAfter(23.9)
  assert.deepEqual(await filesOf(t), files)
  await reapAfter(24.1)
  assert.deepEqual(
    await filesOf(t),
    files.filter((name) => !names.slice(0, 2).includes(name)),
  )
  assert.deepEqual(await unreferencedOf(t), [])
})

test('an edit reorders and removes in one request, by URLs of any size and spelling, with one history entry', async () => {
  const { id, photos } = await draft(t, { photos: photoUrls(4) })
  const names = (await rowOf(t, id)).photos
  const wanted = [
    photos[3],
    photos[1]?.replace('/large.webp', '/medium.webp?x=1#x').replace('https:', 'HTTPS:'),
    photos[0]?.replace('/large.webp', '/small.webp'),
  ]
  assert.deepEqual(accepted(await patch(id, wanted)).photos, [photos[3], photos[1], photos[0]])
  const entry = (await historyOf(t, id)).at(-1)
  assert.equal(entry?.action, 'updated')
  assert.deepEqual(entry?.changes, { photos: { from: names, to: [names[3], names[1], names[0]] } })
})

test('an empty list or null removes all photos of a draft', async () => {
  for (const nothing of [[], null]) {
    const { id } = await draft(t, { photos: photoUrls(2) })
    assert.deepEqual(accepted(await patch(id, nothing)).photos, [])
  }
})

describe('an edit is refused, naming photos, if it has', () => {
  const refuses = async (wanted: (own: string[]) => unknown) => {
    const { id, photos } = await draft(t, { photos: photoUrls(3) })
    refused(await leavingNothing(t, () => patch(id, wanted(photos))), 'invalid_parameter', 'photos')
  }
  const [hash] = ['a'.repeat(43)]

  test('a photo from another site', () => refuses((own) => [...own, 'https://photos.example/new.jpg']))
  test('a photo of another listing', async () => {
    const other = await draft(t, { photos: photoUrls(1) })
    await refuses((own) => [...own, other.photos[0]])
  })
  test('a photo of another agency', async () => {
    const { key, body } = { key: t.other.writeKey, body: { photos: photoUrls(1) } }
    const other = accepted(await t.ask('POST', '/properties', { key, body }), 201)
    await refuses((own) => [...own, other.photos[0]])
  })
  test('a photo that was removed before', async () => {
    const { id, photos } = await draft(t, { photos: photoUrls(3) })
    accepted(await patch(id, photos.slice(1)))
    refused(await patch(id, photos), 'invalid_parameter', 'photos')
  })
  test('a photo twice', () => refuses((own) => [own[0], own[1], own[0]]))
  test('a photo twice in two sizes', () => refuses((own) => [own[0], own[0]?.replace('large', 'small')]))
  test('a size that does not exist', () => refuses((own) => [own[0]?.replace('large', 'huge')]))
  test('a URL with a suffix', () => refuses((own) => [`${own[0]}/1`]))
  test('a URL on another host', () =>
    refuses((own) => [own[0]?.replace('listings.test', 'listings.example')]))
  test('a picture that does not exist', () =>
    refuses((own) => [own[0]?.replace(/[^/]{43}(?=\.)/, hash ?? '')]))
  test('a photo by its name alone', () => refuses(() => [randomUUID()]))
})
