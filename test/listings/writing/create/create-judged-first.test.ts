/**
 * Every check that can reject a creation runs before its slow work (api.md 6.1): a rejected one fetches no photo, geocodes no address, and
 * charges no photo to the daily limit. Applies to POST, PUT and batches, where earlier items count.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Result, resultsOf, summaryOf } from '../../../api/support/batch-results.ts'
import { PhotoFailure } from '../../../../src/listings/photos/failure.ts'
import {
  freshAddress,
  photoUrls,
  picture,
  publishable,
  type TestApp,
  testApp,
} from '../../../support/app/app.ts'
import {
  accepted,
  draft,
  filesOf,
  leavingNothing,
  refused,
  unreferencedOf,
  usageOf,
} from '../../../support/app/listings.ts'

let t: TestApp
let own: TestApp
let fetched: string[] = []
let placed: string[] = []
before(async () => {
  t = await testApp({
    limits: { new_listings_per_hour: 20 },
    source: async (address) => {
      fetched.push(address)
      if (address.includes('missing')) throw new PhotoFailure('The source answered 404.')
      return picture(address)
    },
    geocoder: async ({ address }) => {
      placed.push(address)
      return null
    },
  })
})
after(() => t.close())
beforeEach(async () => {
  const { agency, writeKey: key, readKey } = await t.newAgency()
  const ask: TestApp['ask'] = (method, path, options = {}) => t.ask(method, path, { key, ...options })
  own = { ...t, agency, writeKey: key, readKey, ask }
  fetched = []
  placed = []
})

const one = () => photoUrls(1)
const broken = () => ['https://photos.example/missing.jpg']
const charged = async () => (await usageOf(t, own.writeKey)).photos_per_day.used
const batch = async (items: object[]) =>
  resultsOf(await own.ask('POST', '/properties/batch', { body: { items } }))
const drafts = (count: number) => Promise.all(Array.from({ length: count }, () => draft(own)))

const photosIn = (result?: Result) => (result?.data?.['photos'] ?? []) as unknown[]

/** Asserts which photos were fetched, and that the agency was charged for exactly those. */
async function onlyFetched(urls: readonly string[]): Promise<void> {
  assert.deepEqual(fetched.toSorted(), [...urls].sort())
  assert.equal(await charged(), urls.length)
}

describe('nothing is fetched, geocoded or charged', () => {
  const asks: Record<string, (body: object) => ReturnType<TestApp['ask']>> = {
    POST: (body) => own.ask('POST', '/properties', { body }),
    'PUT that creates': (body) => own.ask('PUT', `/properties/external/${randomUUID()}`, { body }),
  }
  for (const [what, ask] of Object.entries(asks)) {
    test(`by a ${what} of an agency at its limit of new listings, no matter how often`, async () => {
      await drafts(20)
      const body = { photos: photoUrls(3), address: freshAddress() }
      for (let round = 0; round < 3; round += 1) {
        const response = await leavingNothing(own, () => ask(body))
        assert.match(String(refused(response, 'rate_limited')['message']), /new_listings_per_hour/)
      }
      await onlyFetched([])
      assert.deepEqual(placed, [])
    })

    test(`by a ${what} at an already listed address, or of a listing that cannot be published`, async () => {
      const { address } = await draft(own, { address: freshAddress() })
      placed = []
      refused(await ask({ photos: one(), address }), 'duplicate_property')
      const [a = '', b = ''] = photoUrls(2)
      refused(await ask(publishable({ photos: [a, b, a, b] })), 'insufficient_photos')
      refused(await ask(publishable({ photos: photoUrls(3), price: null })), 'not_publishable')
      refused(await ask({ photos: photoUrls(51) }), 'too_many_photos')
      await onlyFetched([])
      assert.deepEqual(placed, [])
    })
  }

  test('by a creation with an external id that is in use', async () => {
    const { external_id } = await draft(own, { external_id: randomUUID() })
    refused(
      await own.ask('POST', '/properties', { body: { external_id, photos: one() } }),
      'external_id_exists',
    )
    await onlyFetched([])
  })

  test('except by an update, which works at the limit of new listings', async () => {
    const external_id = randomUUID()
    await draft(own, { external_id })
    await drafts(19)
    const body = { title: 'Otra', photos: one() }
    accepted(await own.ask('PUT', `/properties/external/${external_id}`, { body }))
    await onlyFetched([])
  })
})

describe('a batch that creates', () => {
  const items = (count: number, changes: object = {}) =>
    Array.from({ length: count }, () => ({ external_id: randomUUID(), photos: one(), ...changes }))
  const photosOf = (sent: readonly { photos: string[] }[]) => sent.flatMap(({ photos }) => photos)

  test('with more creations than the limit allows, the excess ones fetch nothing', async () => {
    const sent = items(25)
    const results = await batch(sent)
    assert.deepEqual(
      results.map(({ status }) => status),
      [...Array<number>(20).fill(201), ...Array<number>(5).fill(429)],
    )
    await onlyFetched(photosOf(sent.slice(0, 20)))
  })

  test('a failed item leaves its share of the limit to the next one', async () => {
    await drafts(18)
    const [a, b, c, d, e] = items(5)
    assert.ok(a && b && c && d && e)
    a.photos = broken()
    const results = await batch([a, b, { external_id: 'X', title: '' }, c, d, e])
    assert.deepEqual(
      results.map(({ status }) => status),
      [422, 201, 400, 201, 429, 429],
    )
    await onlyFetched(photosOf([a, b, c]))
  })

  test('an address taken by an earlier item is a duplicate, and one that it failed to take is not', async () => {
    const [taken, free] = [freshAddress(), freshAddress()]
    const [a, b] = items(2, { address: taken })
    const [c, d, e] = items(3, { address: free })
    assert.ok(a && b && c && d && e)
    c.photos = broken()
    const results = await batch([a, b, c, d, e])
    assert.deepEqual(
      results.map(({ status }) => status),
      [201, 409, 422, 201, 409],
    )
    await onlyFetched(photosOf([a, c, d]))
    assert.deepEqual(placed.toSorted(), [taken, free, free].sort())
  })

  test('an item that updates what an earlier one creates has its photos ignored, and none are fetched', async () => {
    const external_id = randomUUID()
    const [first, more, others] = [photoUrls(3), photoUrls(2), one()]
    const results = await batch([
      { external_id, ...publishable({ photos: first }) },
      { external_id, photos: more, title: 'Otra' },
      { external_id, action: 'create', photos: others },
    ])
    assert.deepEqual(results.map(summaryOf), ['201', '200', '409 external_id_exists items[2].external_id'])
    assert.deepEqual(
      results[1]?.warnings.map(({ code }) => code),
      ['photos_ignored'],
    )
    assert.equal(photosIn(results[1]).length, 3)
    await onlyFetched(first)
  })

  for (const [what, failing, code] of [
    ['photos that fail', { photos: broken() }, '422 photo_ingest_failed'],
    ['missing required fields', { status: 'published' }, '422 not_publishable'],
    [
      'too few remaining photos',
      publishable({ photos: [...photoUrls(2), ...broken()] }),
      '422 insufficient_photos',
    ],
  ] as const) {
    for (const action of ['create', 'upsert']) {
      test(`an item creates with its photos what an earlier ${action} failed to, for ${what}`, async () => {
        const external_id = randomUUID()
        const [photos, ignored] = [photoUrls(2), one()]
        const results = await batch([
          { external_id, action, ...failing },
          { external_id, photos },
          { external_id, photos: ignored },
        ])
        assert.deepEqual(results.map(summaryOf), [code, '201', '200'])
        assert.equal(photosIn(results[2]).length, 2)
        await onlyFetched([...('photos' in failing ? (failing.photos as string[]) : []), ...photos])
        // The failed item left nothing behind.
        assert.equal((await filesOf(t, own.agency.id)).length, 2)
        assert.deepEqual(await unreferencedOf(t, own.agency.id), [])
      })
    }
  }

  test('the first items get the last photos of the day', async (context) => {
    const tight = await testApp({ limits: { photos_per_day: 4 } })
    context.after(() => tight.close())
    const sent = items(6)
    const response = await tight.ask('POST', '/properties/batch', { body: { items: sent } })
    assert.deepEqual(
      resultsOf(response).map(({ status }) => status),
      [201, 201, 201, 201, 429, 429],
    )
  })
})
