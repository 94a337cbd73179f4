/**
 * Random sequences of requests that set photos, and of other writes to them, compared with a model of api.md 13.7 that knows pictures by
 * name: verdicts, order, downloads and warnings.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import { hashContent } from '../../../src/listings/photos/names-and-urls.ts'
import { type ApiResponse, picture, type TestApp, testApp } from '../../support/app/app.ts'
import { draft, rowOf, type Shown, warningsOf } from '../../support/app/listings.ts'

let t: TestApp
let fetched: string[] = []
const bytes = new Map<string, Buffer>()
const nameOfHash = new Map<string, string>()
/** The current picture at each source; null: it fails. */
let world = new Map<string, string | null>()
const pictures = ['p', 'q', 'r', 's']
const sources = ['1', '2', '3', '4', '5', '6'].map((name) => `https://photos.example/${name}.jpg`)

before(async () => {
  for (const name of pictures) {
    bytes.set(name, await picture(name))
    nameOfHash.set(hashContent(bytes.get(name) as Buffer), name)
  }
  t = await testApp({
    limits: { photos_per_day: 100_000, writes_per_minute: 100_000, writes_per_day: 100_000 },
    source: async (url) => {
      fetched.push(url)
      const shows = bytes.get(world.get(url) ?? '')
      if (shows === undefined) throw new PhotoFailure('The source answered 404.')
      return shows
    },
  })
})
after(() => t.close())

/** A listing as the contract describes it. */
type Model = {
  photos: string[]
  /** Source → the picture from it, while the listing has it. */
  came: Map<string, string>
  published: boolean
}
/** The meaning of a URL: a source, or the listing's own URL of a picture. */
type Url = { source: string } | { own: string; size: string }
type Expected = {
  status: number
  verdicts: string[]
  photos: string[]
  downloads: string[]
  warnings: string[]
}

function remove(model: Model, photos: readonly string[]): void {
  model.photos = [...photos]
  for (const [source, name] of model.came) if (!photos.includes(name)) model.came.delete(source)
}

function expectSet(model: Model, urls: readonly Url[], refresh: boolean): Expected {
  const refused = (status: number): Expected => ({
    status,
    verdicts: [],
    photos: model.photos,
    downloads: [],
    warnings: [],
  })
  const isDownload = (url: Url): boolean =>
    'source' in url && (refresh || model.came.get(url.source) === undefined)
  // Even if every download gives another picture, there would be too few: so none is made.
  const present = urls
    .filter((url) => !isDownload(url))
    .map((url) => ('own' in url ? url.own : model.came.get(url.source)))
  const max = new Set(present).size + urls.filter(isDownload).length
  if (model.published && max < 3) return refused(422)
  const places: string[] = []
  const downloads: string[] = []
  const learnt: [string, string][] = []
  const verdicts = urls.map((url, index) => {
    const known = 'own' in url ? url.own : model.came.get(url.source)
    const isDownloaded = isDownload(url)
    const shows = 'source' in url && isDownloaded ? world.get(url.source) : known
    if ('source' in url && isDownloaded) downloads.push(url.source)
    const takes = (name: string) => {
      const isFirst = !places.includes(name)
      if (isFirst) places.push(name)
      return isFirst
    }
    if (shows == null) {
      if (known !== undefined) takes(known)
      return `failed null ${index}`
    }
    if ('source' in url && isDownloaded) learnt.push([url.source, shows])
    if (!takes(shows)) return `duplicate ${places.indexOf(shows)} ${index}`
    const status = shows === known ? 'kept' : model.photos.includes(shows) ? 'duplicate' : 'stored'
    return `${status} ${places.indexOf(shows)} ${index}`
  })
  const failed = verdicts.filter((verdict) => verdict.startsWith('failed'))
  const behind = failed.length > 0 ? model.photos.filter((name) => !places.includes(name)) : []
  const photos = [...places, ...behind]
  if (failed.length > 0 && photos.join() === model.photos.join()) return { ...refused(422), downloads }
  if (model.published && photos.length < 3) return { ...refused(422), downloads }
  for (const [source, name] of learnt) model.came.set(source, name)
  remove(model, photos)
  return {
    status: 200,
    verdicts,
    photos,
    downloads,
    warnings: [
      ...failed.map((verdict) => `photo_failed urls[${verdict.split(' ')[2]}]`),
      ...(behind.length > 0 ? ['photos_kept urls'] : []),
    ],
  }
}

const url = fc.oneof(
  { weight: 3, arbitrary: fc.record({ source: fc.constantFrom(...sources) }) },
  {
    weight: 1,
    arbitrary: fc.record({ own: fc.constantFrom(...pictures), size: fc.constantFrom('large', 'small') }),
  },
)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      set: fc.uniqueArray(url, { maxLength: 7, selector: (one) => JSON.stringify(one) }),
      refresh: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      source: fc.constantFrom(...sources),
      shows: fc.option(fc.constantFrom(...pictures), { freq: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ add: fc.constantFrom(...sources) }) },
  { weight: 1, arbitrary: fc.record({ keep: fc.subarray(pictures) }) },
)

test('any sequence of photo writes follows the contract', async () => {
  let sets = 0
  const start = fc.shuffledSubarray(sources, { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(
      start,
      fc.boolean(),
      fc.array(step, { minLength: 3, maxLength: 10 }),
      async (first, wants, steps) => {
        world = new Map(sources.map((source, index) => [source, pictures[index % pictures.length] ?? null]))
        const model: Model = { photos: [], came: new Map(), published: false }
        let shown: Shown = await draft(t, {
          photos: first,
          title: 'T',
          operation: 'sale',
          type: 'Casa',
          price: { on_request: true },
          address: `Calle ${Math.random()} s/n`,
        })
        for (const source of first) {
          const name = world.get(source) ?? ''
          if (!model.photos.includes(name)) model.photos.push(name)
          model.came.set(source, name)
        }
        const at = `/properties/${shown.id}`
        if (wants && model.photos.length >= 3) {
          assert.equal((await t.ask('POST', `${at}/enable`)).status, 200)
          model.published = true
        }
        const namesOf = async () =>
          (await rowOf(t, shown.id)).photos.map((photo) => nameOfHash.get(photo.slice(0, 43)) ?? '?')
        const ownUrl = (name: string, size = 'large') =>
          shown.photos[model.photos.indexOf(name)]?.replace('large', size) ?? ''
        for (const one of steps) {
          fetched = []
          let response: ApiResponse
          if ('shows' in one) {
            world.set(one.source, one.shows)
            continue
          } else if ('add' in one) {
            response = await t.ask('POST', `${at}/photos`, { body: { urls: [one.add] } })
            const name = world.get(one.add)
            assert.equal(response.status, name == null ? 422 : 200, response.text)
            if (name == null) continue
            if (!model.photos.includes(name)) model.photos.push(name)
            model.came.set(one.add, name)
          } else if ('keep' in one) {
            const photos = one.keep.filter((name) => model.photos.includes(name))
            response = await t.ask('PATCH', at, { body: { photos: photos.map((name) => ownUrl(name)) } })
            if (model.published && photos.length < 3) {
              assert.equal(response.status, 422)
              continue
            }
            remove(model, photos)
          } else {
            sets += 1
            const urls = one.set.filter((named) => 'source' in named || model.photos.includes(named.own))
            const sent = urls.map((named) => ('own' in named ? ownUrl(named.own, named.size) : named.source))
            const expected = expectSet(model, urls, one.refresh)
            const version = (await rowOf(t, shown.id)).version
            const before = await namesOf()
            response = await t.ask('PUT', `${at}/photos`, { body: { urls: sent, refresh: one.refresh } })
            assert.equal(response.status, expected.status, response.text)
            assert.deepEqual(fetched.toSorted(), expected.downloads.toSorted())
            const now = await namesOf()
            assert.deepEqual(now, expected.photos)
            assert.equal((await rowOf(t, shown.id)).version > version, now.join() !== before.join())
            if (response.status !== 200) continue
            const { photos, meta } = response.body as unknown as {
              photos: { status: string; position: number | null }[]
              meta: { removed: number }
            }
            assert.deepEqual(
              photos.map(({ status, position }, index) => `${status} ${position} ${index}`),
              expected.verdicts,
            )
            assert.equal(meta.removed, before.filter((name) => !now.includes(name)).length)
            assert.deepEqual(warningsOf(response), expected.warnings)
          }
          shown = response.body.data as unknown as Shown
          assert.deepEqual(await namesOf(), model.photos)
        }
      },
    ),
    {
      numRuns: Number(process.env['FC_RUNS'] ?? 12),
      ...(process.env['FC_SEED'] && { seed: Number(process.env['FC_SEED']) }),
    },
  )
  assert.ok(sets > 12)
})
