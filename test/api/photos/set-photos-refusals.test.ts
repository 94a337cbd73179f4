/**
 * Rejections by `PUT /properties/{id}/photos` (api.md 13.7, 15.18): bad URLs, too few or too many, and failures that leave nothing to
 * change.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { photoUrls, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  leavingNothing,
  published,
  refused,
  usageOf,
  warningsOf,
} from '../../support/app/listings.ts'
import { outcomesOf, chosenSources, setPhotos, sources } from '../support/chosen-sources.ts'

let t: TestApp
const { source: chosen, fetched, shows } = chosenSources()
before(async () => {
  t = await testApp({ source: chosen })
})
after(() => t.close())
beforeEach(() => {
  fetched.length = 0
})
const put = (id: string, body: unknown, ask: object = {}) => setPhotos(t, id, body, ask)

describe('a published listing keeps its three photos', () => {
  test('fewer URLs are refused before anything is downloaded', async () => {
    const { id, photos } = await published(t)
    for (const urls of [[], photos.slice(1), photoUrls(2)]) {
      const error = refused(await leavingNothing(t, () => put(id, { urls })), 'insufficient_photos')
      assert.deepEqual([error['missing'], error['photos']], [['photos'], undefined])
    }
    fetched.length = 0
    const error = refused(await put(id, { urls: photoUrls(2) }), 'insufficient_photos')
    assert.match(String(error['message']), /; 2 were sent\.$/)
    assert.deepEqual(fetched, [])
  })

  test('that refusal is stored for its Idempotency-Key', async () => {
    const { id } = await published(t)
    const headers = { 'idempotency-key': randomUUID() }
    const body = { urls: photoUrls(2) }
    refused(await put(id, body, { headers }), 'insufficient_photos')
    accepted(await t.ask('POST', `/properties/${id}/disable`))
    const again = await put(id, body, { headers })
    refused(again, 'insufficient_photos')
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(accepted(await put(id, body)).photos.length, 2)
  })

  test('fewer pictures are refused, and none of them remains', async () => {
    const source = sources()
    const { id, photos } = await published(t)
    for (const name of ['x', 'y', 'z']) shows.set(source(name), 'same')
    const urls = [photos[0], source('x'), source('y'), source('z')]
    const error = refused(await leavingNothing(t, () => put(id, { urls })), 'insufficient_photos')
    assert.deepEqual([error['missing'], error['photos']], [['photos'], undefined])
  })

  test('a failure never removes a photo', async () => {
    const source = sources()
    const { id, photos } = await published(t)
    for (const name of ['x', 'y']) shows.set(source(name), null)
    const response = await put(id, { urls: [photos[2], source('x'), source('y')] })
    assert.deepEqual(accepted(response).photos, [photos[2], photos[0], photos[1]])
    assert.deepEqual(warningsOf(response), [
      'photo_failed urls[1]',
      'photo_failed urls[2]',
      'photos_kept urls',
    ])
  })
})

describe('a request whose failures leave nothing to change', () => {
  test('is refused with the failed photos', async () => {
    const source = sources()
    const { id, photos } = await draft(t, { photos: [source('a'), source('b')] })
    for (const name of ['x', 'b']) shows.set(source(name), null)
    for (const body of [
      { urls: [source('x')] },
      { urls: [photos[0], source('x'), photos[1]] },
      { urls: [source('a'), source('b')], refresh: true },
    ]) {
      const error = refused(await leavingNothing(t, () => put(id, body)), 'photo_ingest_failed')
      const failed = body.refresh ? source('b') : source('x')
      assert.deepEqual(error['photos'], [
        {
          url: failed,
          status: 'failed',
          position: null,
          stored_url: null,
          error: 'The source answered 404.',
        },
      ])
    }
  })
})

describe('setting photos refuses', () => {
  const [good = '', other = ''] = photoUrls(2)
  for (const [what, parameter, body] of [
    ['no list', 'urls', {}],
    ['null', 'urls', { urls: null }],
    ['a number', 'urls[1]', { urls: [good, 5] }],
    ['a blank URL', 'urls[0]', { urls: [' '] }],
    ['a long URL', 'urls[0]', { urls: [`https://photos.example/${'a'.repeat(2048)}`] }],
    ['a URL twice', 'urls[2]', { urls: [good, other, good] }],
    ['a URL twice among too many', 'urls[51]', { urls: [...photoUrls(51), good, good].toSpliced(1, 1) }],
    ['http', 'urls[1]', { urls: [good, 'http://photos.example/2.jpg'] }],
    ['the loopback', 'urls[0]', { urls: ['https://127.0.0.1/1.jpg'] }],
    ['refresh as a text', 'refresh', { urls: [good], refresh: 'true' }],
    ['unknown fields', 'photos', { urls: [good], photos: [] }],
  ] as const) {
    test(`${what}, naming ${parameter}, and fetches nothing`, async () => {
      const { id } = await draft(t)
      refused(await leavingNothing(t, () => put(id, body)), 'invalid_parameter', parameter)
      assert.deepEqual(fetched, [])
    })
  }

  test('blank URLs, with advice; null counts as blank, and refresh: null as omitted', async () => {
    const { id } = await draft(t)
    const message = (parameter: string) => `${parameter} is blank. Send a URL, or leave it out.`
    for (const [method, path, body, parameter] of [
      ['PUT', `/properties/${id}/photos`, { urls: [good, ''] }, 'urls[1]'],
      ['POST', `/properties/${id}/photos`, { urls: [' '] }, 'urls[0]'],
      ['PATCH', `/properties/${id}`, { photos: [''] }, 'photos[0]'],
    ] as const) {
      const error = refused(await t.ask(method, path, { body }), 'invalid_parameter', parameter)
      assert.equal(error['message'], message(parameter))
    }
    const blank = await t.ask('PATCH', `/properties/${id}`, { body: { amenities: ['SUM', ' '] } })
    assert.equal(
      refused(blank, 'invalid_parameter', 'amenities[1]')['message'],
      'amenities[1] is blank. Send some text, or leave it out.',
    )
    accepted(await put(id, { urls: [], refresh: null }))
  })

  test('dry_run, which it does not support', async () => {
    const { id } = await draft(t)
    const response = await t.ask('PUT', `/properties/${id}/photos?dry_run=true`, { body: { urls: [] } })
    refused(response, 'invalid_parameter', 'dry_run')
  })

  test('more than fifty, before anything is fetched or charged', async () => {
    const { id } = await draft(t)
    const { used } = (await usageOf(t)).photos_per_day
    refused(await leavingNothing(t, () => put(id, { urls: photoUrls(51) })), 'too_many_photos')
    assert.deepEqual([fetched, (await usageOf(t)).photos_per_day.used], [[], used])
  })

  test('missing listings and other versions, before anything is fetched', async () => {
    const gone = await draft(t)
    await t.ask('DELETE', `/properties/${gone.id}`)
    for (const id of [gone.id, 'ZZZZ9999', randomUUID()])
      refused(await put(id, { urls: photoUrls(1) }), 'not_found')
    const own = await draft(t)
    refused(await put(own.id, { urls: photoUrls(1) }, { key: t.other.writeKey }), 'not_found')
    const headers = { 'if-match': '"x"' }
    refused(await put(own.id, { urls: photoUrls(1) }, { headers }), 'precondition_failed')
    refused(await put(own.id, { urls: [] }, { headers }), 'precondition_failed')
    assert.deepEqual(fetched, [])
    const read = await t.ask('GET', `/properties/${own.id}`)
    const matching = { 'if-match': read.headers.get('etag') ?? '' }
    accepted(await put(own.id, { urls: photoUrls(1) }, { headers: matching }))
  })

  test('own URLs that are not the listing’s', async () => {
    const [one, two] = [await draft(t, { photos: photoUrls(2) }), await draft(t, { photos: photoUrls(1) })]
    // The test's address is public and https: an ordinary download.
    shows.set(one.photos[0] ?? '', 'elsewhere')
    fetched.length = 0
    assert.equal(outcomesOf(await put(two.id, { urls: [one.photos[0]] })).photos[0]?.status, 'stored')
    assert.deepEqual(fetched, [one.photos[0]])
    const plain = (one.photos[0] ?? '').replace('https:', 'http:')
    refused(await put(two.id, { urls: [plain] }), 'invalid_parameter', 'urls[0]')
  })
})
