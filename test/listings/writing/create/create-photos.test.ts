/** The photos of a new listing (api.md 13.5): which are stored, which cause warnings, and that a failed creation leaves none. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { PhotoFailure } from '../../../../src/listings/photos/failure.ts'
import { photoUrls, picture, publishable, type TestApp, testApp } from '../../../support/app/app.ts'
import {
  accepted,
  atOnce,
  filesOf,
  leavingNothing,
  listingOf,
  refused,
  rowOf,
  tally,
  unreferencedOf,
  usageOf,
  warningsOf,
} from '../../../support/app/listings.ts'

let t: TestApp
let fetched: string[] = []

before(async () => {
  t = await testApp({
    source: async (address) => {
      fetched.push(address)
      const query = new URL(address).searchParams
      if (query.has('fails')) throw new PhotoFailure('The source answered 404.')
      return picture(query.get('shows') ?? address)
    },
  })
})
after(() => t.close())
beforeEach(() => {
  fetched = []
})

const create = (body: unknown) => t.ask('POST', '/properties', { body })
const good = (count: number) => photoUrls(count)
const bad = (count: number) => photoUrls(count).map((address) => `${address}?fails`)
/** A failed photo in the form in which an error names it. */
const failed = (url: string) => ({
  url,
  status: 'failed',
  position: null,
  stored_url: null,
  error: 'The source answered 404.',
})
/** Different URLs of one picture. */
const alike = (count: number, shows: string = randomUUID()) =>
  photoUrls(count).map((address) => `${address}?shows=${shows}`)

describe('a listing published with photos of which', () => {
  test('none fails: they are in order, stored in three sizes, without any other file', async () => {
    const before = await filesOf(t)
    const photos = alike(1, 'a').concat(alike(1, 'b'), alike(1, 'c'))
    const made = accepted(await create(publishable({ photos })), 201)
    const { photos: names } = await rowOf(t, made.id)
    assert.deepEqual(
      made.photos,
      names.map((name) => `https://listings.test/photos/${t.agency.id}/${made.id}/${name}/large.webp`),
    )
    const again = accepted(await create(publishable({ photos: photos.toReversed() })), 201)
    const hashes = (list: readonly string[]) => list.map((url) => url.split('/').at(-2)?.split('.')[0])
    assert.deepEqual(hashes(again.photos), hashes(made.photos).toReversed())
    // The same pictures on another listing have their own files.
    assert.deepEqual(await filesOf(t), [...before, ...names, ...(await rowOf(t, again.id)).photos].sort())
    assert.deepEqual(await unreferencedOf(t), [])
  })

  test('some fail: three different ones are enough, and each failure causes a warning', async () => {
    const [a = '', b = '', c = ''] = good(3)
    const [x = '', y = ''] = bad(2)
    const response = await create(publishable({ photos: [x, a, b, y, c] }))
    assert.equal(accepted(response, 201).photos.length, 3)
    assert.equal(listingOf(response).status, 'published')
    assert.deepEqual(warningsOf(response), ['photo_failed photos[0]', 'photo_failed photos[3]'])
    assert.deepEqual(await unreferencedOf(t), [])
  })

  test('too many fail: nothing is created', async () => {
    const [x = '', y = ''] = bad(2)
    const [a = '', b = ''] = good(2)
    const sent = publishable({ photos: [x, a, y, b] })
    for (const ask of [
      () => create(sent),
      () => t.ask('PUT', `/properties/external/${randomUUID()}`, { body: sent }),
    ]) {
      const error = refused(await leavingNothing(t, ask), 'insufficient_photos')
      assert.deepEqual(error['missing'], ['photos'])
      assert.deepEqual(error['photos'], [x, y].map(failed))
    }
    const { body } = await t.ask('POST', '/properties/batch', {
      body: { items: [{ external_id: randomUUID(), ...sent }] },
    })
    const { results } = body as unknown as { results: { error: Record<string, unknown> }[] }
    assert.deepEqual(results[0]?.error['photos'], [x, y].map(failed))
  })

  test('too many are the same picture: nothing is created', async () => {
    const response = await leavingNothing(t, () => create(publishable({ photos: [...alike(3), ...good(1)] })))
    const { missing, photos } = refused(response, 'insufficient_photos')
    assert.deepEqual([missing, photos], [['photos'], undefined])
  })

  test('some are the same picture: each appears once, at its first position', async () => {
    const same = alike(2)
    const [a = '', b = ''] = good(2)
    const response = await create(publishable({ photos: [same[0], a, same[1], a, b] }))
    assert.equal(accepted(response, 201).photos.length, 3)
    assert.deepEqual(warningsOf(response), [])
    const [cover] = (await rowOf(t, listingOf(response).id)).photos
    const again = accepted(await create(publishable({ photos: [same[1], ...good(2)] })), 201)
    assert.equal((await rowOf(t, again.id)).photos[0]?.split('.')[0], cover?.split('.')[0])
    assert.deepEqual(await unreferencedOf(t), [])
  })

  test('all fail: nothing is created', async () => {
    const photos = bad(4)
    const response = await leavingNothing(t, () => create(publishable({ photos })))
    assert.deepEqual(refused(response, 'photo_ingest_failed')['photos'], photos.map(failed))
  })
})

describe('a draft with photos of which', () => {
  test('some fail keeps the others', async () => {
    const response = await create({ photos: [...bad(1), ...good(1)] })
    assert.equal(accepted(response, 201).photos.length, 1)
    assert.deepEqual(warningsOf(response), ['photo_failed photos[0]'])
  })

  test('all fail is not created', async () => {
    refused(await leavingNothing(t, () => create({ photos: bad(1) })), 'photo_ingest_failed')
  })
})

describe('the outcome of each photo', () => {
  /** A cover, a photo that fails, the cover from another URL, the cover's URL again, another photo. */
  const mixed = () => {
    const [cover = '', again = ''] = alike(2)
    return [cover, ...bad(1), again, cover, ...good(1)]
  }
  const verdictsOf = (sent: readonly string[], made: readonly string[]) =>
    [
      ['stored', 0],
      ['failed', null],
      ['duplicate', 0],
      ['duplicate', 0],
      ['stored', 1],
    ].map(([status, position], index) => ({
      url: sent[index],
      status,
      position,
      stored_url: position === null ? null : made[Number(position)],
      error: position === null ? 'The source answered 404.' : null,
    }))

  test('is returned by POST and PUT, and again by a replay', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const external = `/properties/external/${randomUUID()}`
    for (const [method, path] of [
      ['POST', '/properties'],
      ['PUT', external],
    ] as const) {
      const photos = mixed()
      const ask = () => t.ask(method, path, { body: { photos }, ...(method === 'POST' ? { headers } : {}) })
      const response = await ask()
      const made = accepted(response, 201)
      assert.deepEqual(response.body['photos'], verdictsOf(photos, made.photos))
      if (method === 'POST') assert.deepEqual((await ask()).body, response.body)
    }
    const updated = await t.ask('PUT', external, { body: { title: 'Otra', photos: mixed() } })
    assert.deepEqual([updated.status, updated.body['photos']], [200, undefined])
    assert.deepEqual(warningsOf(updated), ['photos_ignored photos'])
  })

  test('is in the result of each batch item that creates', async () => {
    const photos = mixed()
    const [one, none] = [randomUUID(), randomUUID()]
    const items = [
      { external_id: one, photos },
      { external_id: none, photos: [] },
      { external_id: one, photos: good(1) },
      { external_id: randomUUID(), photos: bad(2) },
    ]
    const { body } = await t.ask('POST', '/properties/batch', { body: { items } })
    const { results } = body as unknown as {
      results: { data?: { photos: string[] }; photos?: unknown; error?: Record<string, unknown> }[]
    }
    assert.deepEqual(
      results.map((result) => result.photos),
      [verdictsOf(photos, results[0]?.data?.photos ?? []), undefined, undefined, undefined],
    )
    assert.deepEqual(results[3]?.error?.['photos'], items[3]?.photos.map(failed))
  })

  test('is omitted if no photos were sent', async () => {
    for (const sent of [{}, { photos: [] }, { photos: null }])
      assert.ok(!('photos' in (await create(sent)).body))
  })
})

describe('no photo is fetched', () => {
  for (const address of [
    'http://photos.example/1.jpg',
    'ftp://photos.example/1.jpg',
    'data:image/png;base64,iVBORw0KGgo=',
    '/photos/1.jpg',
    'photos.example/1.jpg',
    'https://user:secret@photos.example/1.jpg',
    'https://user@photos.example/1.jpg',
    'https://photos.example:8443/1.jpg',
    'https://photos.example:80/1.jpg',
    'https://localhost/1.jpg',
    'https://LOCALHOST./1.jpg',
    'https://a.localhost/1.jpg',
    'https://printer.local/1.jpg',
    'https://metadata.google.internal/1.jpg',
    'https://127.0.0.1/1.jpg',
    'https://127.1/1.jpg',
    'https://2130706433/1.jpg',
    'https://0x7f000001/1.jpg',
    'https://0177.0.0.1/1.jpg',
    'https://0.0.0.0/1.jpg',
    'https://10.1.2.3/1.jpg',
    'https://100.64.0.1/1.jpg',
    'https://169.254.169.254/latest/meta-data',
    'https://172.16.0.1/1.jpg',
    'https://192.168.0.1/1.jpg',
    'https://198.18.0.1/1.jpg',
    'https://224.0.0.1/1.jpg',
    'https://255.255.255.255/1.jpg',
    'https://[::]/1.jpg',
    'https://[::1]/1.jpg',
    'https://[::ffff:10.0.0.1]/1.jpg',
    'https://[64:ff9b::a00:1]/1.jpg',
    'https://[2002:a00:1::1]/1.jpg',
    'https://[fe80::1]/1.jpg',
    'https://[fd00::1]/1.jpg',
    'https://[ff02::1]/1.jpg',
  ]) {
    test(`from ${address}; the error names its position`, async () => {
      const photos = [...good(2), address, ...good(1)]
      for (const body of [publishable({ photos }), { photos }]) {
        refused(await leavingNothing(t, () => create(body)), 'invalid_parameter', 'photos[2]')
      }
      assert.deepEqual(fetched, [])
    })
  }

  test('for more than fifty photos, or for a listing that could not be published anyway', async () => {
    refused(await create({ photos: good(51) }), 'too_many_photos')
    refused(await create(publishable({ title: null })), 'not_publishable')
    refused(await create(publishable({ photos: good(2) })), 'insufficient_photos')
    assert.deepEqual(fetched, [])
  })
})

test('each URL of a creation is charged to the daily limit once, and not refunded', async () => {
  const { used } = (await usageOf(t)).photos_per_day
  const [a = '', b = ''] = good(2)
  refused(await create(publishable({ photos: [a, a, b, ...bad(2)] })), 'insufficient_photos')
  assert.equal((await usageOf(t)).photos_per_day.used, used + 4)
  assert.equal(fetched.length, 4)
})

test('requests that lose a race for an external id leave no file', async () => {
  const before = await filesOf(t)
  const external_id = randomUUID()
  const responses = await atOnce(8, () => create(publishable({ external_id })))
  assert.deepEqual(tally(responses), { 201: 1, 409: 7 })
  const winner = responses.find(({ status }) => status === 201)
  assert.ok(winner !== undefined)
  assert.deepEqual(await filesOf(t), [...before, ...(await rowOf(t, listingOf(winner).id)).photos].sort())
  assert.deepEqual(await unreferencedOf(t), [])
})
