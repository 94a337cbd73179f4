/** `POST /properties/{id}/photos` (api.md 15.15): a result for each URL, and new pictures appended in the given order. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import { type ApiResponse, photoUrls, picture, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  filesOf,
  historyOf,
  leavingNothing,
  listingOf,
  published,
  refused,
  revisionOf,
  rowOf,
  unreferencedOf,
  usageOf,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
let fetched: string[] = []
before(async () => {
  t = await testApp({
    source: async (address) => {
      fetched.push(address)
      const query = new URL(address).searchParams
      if (query.has('fails')) throw new PhotoFailure(`The source answered ${query.get('fails')}.`)
      if (query.has('text')) return Buffer.from('<html>no picture</html>')
      return picture(query.get('shows') ?? address)
    },
  })
})
after(() => t.close())
beforeEach(() => {
  fetched = []
})

type Result = {
  url: string
  status: string
  position: number | null
  stored_url: string | null
  error: string | null
}
const add = (id: string, urls: unknown) => t.ask('POST', `/properties/${id}/photos`, { body: { urls } })
const outcomesOf = (response: ApiResponse) =>
  response.body as unknown as { photos: Result[]; meta: Record<string, number> }
const showing = (picture: string) => `https://photos.example/${randomUUID()}.jpg?shows=${picture}`

describe('adding photos appends', () => {
  test('in the given order, to a listing without photos: the first is the cover', async () => {
    const before = await draft(t)
    const files = await filesOf(t)
    const urls = photoUrls(3)
    const response = await add(before.id, urls)
    const after = accepted(response)
    const { photos, updated_at } = after
    const missing = before.missing.filter((name) => name !== 'photos')
    assert.deepEqual(after, { ...before, photos, updated_at, missing })
    assert.ok(after.updated_at > before.updated_at)
    assert.deepEqual(
      outcomesOf(response).photos,
      urls.map((url, position) => ({
        url,
        status: 'stored',
        position,
        stored_url: after.photos[position],
        error: null,
      })),
    )
    assert.deepEqual(outcomesOf(response).meta, { requested: 3, stored: 3, duplicate: 0, failed: 0 })
    assert.deepEqual(warningsOf(response), [])
    const names = (await rowOf(t, before.id)).photos
    assert.deepEqual(await filesOf(t), [...files, ...names].sort())
    assert.deepEqual(await unreferencedOf(t), [])
    const entry = (await historyOf(t, before.id)).at(-1)
    assert.deepEqual([entry?.action, entry?.changes], ['photos_added', { photos: { from: [], to: names } }])
    assert.equal(entry?.request_id, response.headers.get('x-request-id'))
    const read = await t.ask('GET', `/properties/${before.id}`)
    assert.deepEqual(listingOf(read), after)
    assert.equal(read.headers.get('etag'), response.headers.get('etag'))
  })

  test('after the existing photos, in any state', async () => {
    const made = await published(t)
    const more = accepted(await add(made.id, photoUrls(1)))
    assert.deepEqual(more.photos.slice(0, 3), made.photos)
    assert.equal(more.status, 'published')
    accepted(await t.ask('POST', `/properties/${made.id}/disable`))
    assert.equal(accepted(await add(made.id, photoUrls(1))).photos.length, 5)
  })

  test('up to fifty in total', async () => {
    const { id } = await draft(t, { photos: photoUrls(48) })
    assert.equal(accepted(await add(id, photoUrls(2))).photos.length, 50)
    refused(await leavingNothing(t, () => add(id, photoUrls(1))), 'too_many_photos')
  })

  test('and counts a URL as often as it is sent, because its picture is not known yet', async () => {
    const { id } = await draft(t, { photos: photoUrls(48) })
    const [again = ''] = photoUrls(1)
    refused(await leavingNothing(t, () => add(id, [again, again, again])), 'too_many_photos')
    assert.equal(accepted(await add(id, [again, again])).photos.length, 49)
  })
})

describe('adding photos returns a result for each URL', () => {
  test('stored, duplicate or failed, with its position and its warning', async () => {
    const { id, photos } = await draft(t, { photos: [showing('a'), showing('b')] })
    const [b, c, cAgain, bad, d] = [
      showing('b'),
      showing('c'),
      showing('c'),
      showing('x&fails=404'),
      showing('d'),
    ]
    const urls = [b, c, bad, cAgain, d, c]
    const response = await add(id, urls)
    const after = accepted(response)
    assert.equal(after.photos.length, 4)
    assert.deepEqual(
      outcomesOf(response).photos.map(({ url, status, position, stored_url }) => [
        url,
        status,
        position,
        stored_url,
      ]),
      [
        [b, 'duplicate', 1, photos[1]],
        [c, 'stored', 2, after.photos[2]],
        [bad, 'failed', null, null],
        [cAgain, 'duplicate', 2, after.photos[2]],
        [d, 'stored', 3, after.photos[3]],
        [c, 'duplicate', 2, after.photos[2]],
      ],
    )
    assert.deepEqual(outcomesOf(response).meta, { requested: 6, stored: 2, duplicate: 3, failed: 1 })
    assert.deepEqual(warningsOf(response), ['photo_failed urls[2]'])
    const errors = outcomesOf(response).photos.map(({ error }) => error)
    assert.equal(errors.filter((error) => error !== null).length, 1)
    assert.match(errors[2] ?? '', /404/)
    assert.deepEqual(await unreferencedOf(t), [])
  })

  test('duplicates alone change nothing', async () => {
    const { id } = await draft(t, { photos: [showing('a'), showing('b')] })
    const before = [await rowOf(t, id), await historyOf(t, id), await revisionOf(t), await filesOf(t)]
    const response = await add(id, [showing('b'), showing('a'), showing('b')])
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(
      outcomesOf(response).photos.map(({ status, position }) => [status, position]),
      [
        ['duplicate', 1],
        ['duplicate', 0],
        ['duplicate', 1],
      ],
    )
    assert.deepEqual(
      [await rowOf(t, id), await historyOf(t, id), await revisionOf(t), await filesOf(t)],
      before,
    )
  })

  test('a file that is not a picture fails alone', async () => {
    const { id } = await draft(t)
    const response = await add(id, [showing('a&text'), showing('b')])
    assert.deepEqual(
      outcomesOf(response).photos.map(({ status }) => status),
      ['failed', 'stored'],
    )
    assert.ok((outcomesOf(response).photos[0]?.error ?? '').length > 10)
  })

  test('the same picture on another listing is stored there too', async () => {
    const [one, two] = [await draft(t), await draft(t)]
    for (const { id } of [one, two])
      assert.equal(outcomesOf(await add(id, [showing('same')])).photos[0]?.status, 'stored')
  })

  test('a duplicate of a picture that was removed before is stored again', async () => {
    const { id } = await draft(t, { photos: [showing('a'), showing('b')] })
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { photos: [] } }))
    assert.equal(outcomesOf(await add(id, [showing('a')])).photos[0]?.status, 'stored')
  })
})

describe('adding photos refuses', () => {
  test('requests without a storable photo, with the reason for each', async () => {
    const { id } = await draft(t)
    const response = await leavingNothing(t, () =>
      add(id, [showing('a&fails=404'), showing('b&fails=500'), showing('c&text')]),
    )
    assert.match(String(refused(response, 'photo_ingest_failed')['message']), /404/)
  })

  for (const [what, parameter, body] of [
    ['an empty list', 'urls', { urls: [] }],
    ['a missing list', 'urls', {}],
    ['null', 'urls', { urls: null }],
    ['a string instead of a list', 'urls', { urls: 'https://photos.example/1.jpg' }],
    ['a number in the list', 'urls[1]', { urls: ['https://photos.example/1.jpg', 5] }],
    ['a blank URL', 'urls[0]', { urls: [' '] }],
    ['a long URL', 'urls[0]', { urls: [`https://photos.example/${'a'.repeat(2048)}`] }],
    ['unknown fields', 'photos', { urls: ['https://photos.example/1.jpg'], photos: [] }],
    ['http', 'urls[1]', { urls: ['https://photos.example/1.jpg', 'http://photos.example/2.jpg'] }],
    ['a port', 'urls[0]', { urls: ['https://photos.example:444/1.jpg'] }],
    ['credentials', 'urls[0]', { urls: ['https://a:b@photos.example/1.jpg'] }],
    ['the loopback', 'urls[2]', { urls: [...photoUrls(2), 'https://127.0.0.1/1.jpg'] }],
    ['the loopback in another notation', 'urls[0]', { urls: ['https://[::ffff:7f00:1]/1.jpg'] }],
    ['an internal name', 'urls[0]', { urls: ['https://db.internal/1.jpg'] }],
    ['a body that is not an object', 'body', ['https://photos.example/1.jpg']],
  ] as const) {
    test(`${what}, naming ${parameter}, and fetches nothing`, async () => {
      const { id } = await draft(t)
      const ask = () => t.ask('POST', `/properties/${id}/photos`, { body })
      refused(await leavingNothing(t, ask), 'invalid_parameter', parameter)
      assert.deepEqual(fetched, [])
    })
  }

  test('more than fifty in total, before anything is fetched or charged', async () => {
    const { id } = await draft(t, { photos: photoUrls(3) })
    const { used } = (await usageOf(t)).photos_per_day
    fetched = []
    for (const urls of [photoUrls(51), photoUrls(48), Array(51).fill(showing('a'))]) {
      refused(await leavingNothing(t, () => add(id, urls)), 'too_many_photos')
    }
    assert.deepEqual([fetched, (await usageOf(t)).photos_per_day.used], [[], used])
  })

  test('missing listings, before anything is fetched', async () => {
    const gone = await draft(t)
    await t.ask('DELETE', `/properties/${gone.id}`)
    for (const id of [gone.id, 'ZZZZ9999', randomUUID()]) refused(await add(id, photoUrls(1)), 'not_found')
    const own = await draft(t)
    const body = { urls: photoUrls(1) }
    refused(await t.ask('POST', `/properties/${own.id}/photos`, { key: t.other.writeKey, body }), 'not_found')
    assert.deepEqual(fetched, [])
  })
})
