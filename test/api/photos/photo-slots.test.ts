/** Concurrent photo downloads of several agencies (api.md 13.6): slow downloads of one agency do not delay the others. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { PhotoDelayed, PhotoFailure } from '../../../src/listings/photos/failure.ts'
import { readPicture } from '../../../src/listings/photos/image.ts'
import type { PhotoDownloader } from '../../../src/listings/photos/download.ts'
import { photoUrls, picture, publishable, type TestApp, testApp } from '../../support/app/app.ts'

let t: TestApp
/** Pending downloads of URLs that contain `slow`; the test ends them. */
let hanging: { address: string; fail(): void }[]

const source: PhotoDownloader = async (address) => {
  if (!address.includes('slow')) return picture(address)
  await new Promise<void>((resolve) => hanging.push({ address, fail: resolve }))
  throw new PhotoFailure('The source took too long to send the picture.')
}
before(async () => void (t = await testApp({ source })))
after(() => t.close())
beforeEach(() => void (hanging = []))

/** Fails hanging downloads until the responses have arrived. */
async function failing<T>(responses: Promise<T>): Promise<T> {
  const failAll = setInterval(() => {
    for (const { fail } of hanging.splice(0)) fail()
  }, 1)
  return responses.finally(() => clearInterval(failAll))
}

const batchOf = (items: number, photos: number, name: string) => ({
  items: Array.from({ length: items }, (_, index) => ({
    external_id: `${name}-${index}`,
    photos: photoUrls(photos, `slow-${name}-${index}`),
  })),
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

describe('hanging photos of one agency', () => {
  test('leave other agencies their slots', async () => {
    const slow = await Promise.all([1, 2, 3].map(() => t.newAgency()))
    const requests = slow.flatMap(({ writeKey: key }, agency) =>
      [0, 1, 2, 3].map((batch) =>
        t.ask('POST', '/properties/batch', { key, body: batchOf(3, 10, `a${agency}-${batch}`) }),
      ),
    )
    // Each of these three fills all slots of an agency.
    await until(() => hanging.length >= 15)
    for (const { writeKey: key } of [t, t.other]) {
      const body = publishable({ photos: photoUrls(10) })
      const created = await t.ask('POST', '/properties', { key, body })
      assert.equal(created.status, 201, created.text)
      assert.deepEqual(created.body['warnings'], [])
    }
    assert.equal(hanging.length, 15)
    for (const { status } of await failing(Promise.all(requests))) assert.equal(status, 200)
  })

  test('use the slots of one write, however many items a batch has', async () => {
    const response = t.ask('POST', '/properties/batch', { body: batchOf(10, 3, 'items') })
    await until(() => hanging.length >= 4)
    // Another write of the agency still gets a slot.
    const created = await t.ask('POST', '/properties', { body: publishable() })
    assert.equal(created.status, 201, created.text)
    assert.equal(hanging.length, 4)
    assert.equal((await failing(response)).status, 200)
  })
})

describe('photos that the service had no time for', () => {
  const late = 'There was no time left to decode this picture. Send it again, with a new Idempotency-Key.'
  const slowFor = (name: string): void => {
    t.deps.photos.read = (bytes, agencyId, signal) =>
      Buffer.from(bytes).includes(name)
        ? Promise.reject(new PhotoDelayed(late))
        : readPicture(bytes, agencyId, signal)
  }
  afterEach(() => void delete t.deps.photos.read)

  test('return 503 if publishing needs them, and leave the Idempotency-Key free', async () => {
    slowFor('late')
    const body = publishable({ photos: [...photoUrls(2), ...photoUrls(1, 'late')] })
    const headers = { 'idempotency-key': randomUUID() }
    const refused = await t.ask('POST', '/properties', { body, headers })
    assert.equal(refused.status, 503, refused.text)
    assert.equal(refused.body.error['code'], 'service_unavailable')
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    const [, , url] = body['photos'] as string[]
    const failed = { url, status: 'failed', position: null, stored_url: null, error: late }
    assert.deepEqual(refused.body.error['photos'], [failed])
    delete t.deps.photos.read
    assert.equal((await t.ask('POST', '/properties', { body, headers })).status, 201)
  })

  test('return 503 if there are no others, and otherwise fail alone, to be sent again', async () => {
    const created = await t.ask('POST', '/properties', { body: { title: 'Casa' } })
    const path = `/properties/${created.body.data['id']}/photos`
    slowFor('late')
    const alone = await t.ask('POST', path, { body: { urls: photoUrls(2, 'late') } })
    assert.equal(alone.status, 503, alone.text)
    const named = (alone.body.error as { photos?: { status: string; error: string }[] }).photos ?? []
    assert.deepEqual(
      named.map(({ status, error }) => [status, error]),
      [
        ['failed', late],
        ['failed', late],
      ],
    )
    const urls = [...photoUrls(1), ...photoUrls(1, 'late')]
    const some = await t.ask('POST', path, { body: { urls } })
    assert.equal(some.status, 200, some.text)
    const { photos: verdicts } = JSON.parse(some.text) as {
      photos: { status: string; error: string | null }[]
    }
    assert.deepEqual(
      verdicts.map(({ status, error }) => [status, error]),
      [
        ['stored', null],
        ['failed', late],
      ],
    )
  })
})
