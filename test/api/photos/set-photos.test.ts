/**
 * `PUT /properties/{id}/photos` (api.md 13.7, 15.18): the meaning of each URL, the order, and which photos are downloaded, kept and
 * removed.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contentHash, hashContent } from '../../../src/listings/photos/names-and-urls.ts'
import { photoUrls, picture, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  filesOf,
  historyOf,
  listingOf,
  published,
  revisionOf,
  rowOf,
  unreferencedOf,
  usageOf,
  warningsOf,
} from '../../support/app/listings.ts'
import { outcomesOf, chosenSources, nameOf, setPhotos, sources } from '../support/chosen-sources.ts'

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

const pictures = new Map<string, string>()
/** The names of the pictures at the URLs of stored photos. */
async function shownAt(photos: readonly string[], names: Iterable<string>): Promise<string> {
  for (const name of names) pictures.set(hashContent(await picture(name)), name)
  return photos.map((url) => pictures.get(contentHash(url.split('/').at(-2) ?? '')) ?? '?').join('')
}

type Case = {
  /** The pictures of the listing, each from the source of its name. */
  has: string
  /** The current pictures at sources; null: they fail. */
  now?: Record<string, string | null>
  /** `a`: the source; with a mark, the listing's own URL of the picture, in one of `ways`. */
  urls: string
  refresh?: true
  /** For each URL, `status position`. */
  verdicts: string
  /** The pictures afterwards. */
  leaves: string
  removed?: number
  downloads?: string
  behind?: number
}

const ways: Record<string, (own: string) => string> = {
  '=': (own) => own,
  '~': (own) => own.replace('large', 'small'),
  '?': (own) => `${own}?x=1#x`,
  '^': (own) => own.replace(/^https:\/\/[^/]+/, (origin) => `${origin.toUpperCase()}:443`),
  // Not the URL of any photo that the listing has or had.
  '!': (own) => own.replace(/[^/]+(?=\/large)/, (name) => `${name.slice(0, -8)}AAAAAAAA`),
}

const cases: Record<string, Case> = {
  'own URLs reorder photos, and remove those not listed': {
    has: 'abcd',
    urls: '=c =a',
    verdicts: 'kept 0, kept 1',
    leaves: 'ca',
    removed: 2,
  },
  'sources of existing photos are known, and cost nothing': {
    has: 'abc',
    urls: 'c b a',
    verdicts: 'kept 0, kept 1, kept 2',
    leaves: 'cba',
  },
  'other URLs are downloaded': {
    has: 'ab',
    urls: 'n b m',
    verdicts: 'stored 0, kept 1, stored 2',
    leaves: 'nbm',
    removed: 1,
    downloads: 'mn',
  },
  'own URLs work in any spelling, and removed ones fail without a download': {
    has: 'abcd',
    urls: '^c !a ?b',
    verdicts: 'kept 0, failed null, kept 1',
    leaves: 'cbad',
    behind: 2,
  },
  'own URLs of every size mean the same photo': {
    has: 'abc',
    urls: '~b =b b a',
    verdicts: 'kept 0, duplicate 0, duplicate 0, kept 1',
    leaves: 'ba',
    removed: 1,
  },
  'a picture takes the place of its first URL': {
    has: 'ab',
    now: { n: 'a', m: 'a' },
    urls: 'n b =a m',
    verdicts: 'duplicate 0, kept 1, duplicate 0, duplicate 0',
    leaves: 'ab',
    downloads: 'mn',
  },
  'a new picture sent by two URLs is stored once': {
    has: 'a',
    now: { m: 'n' },
    urls: 'm a n',
    verdicts: 'stored 0, kept 1, duplicate 0',
    leaves: 'na',
    downloads: 'mn',
  },
  'the current pictures at known sources do not matter': {
    has: 'abc',
    now: { a: 'x', b: null },
    urls: 'a b c',
    verdicts: 'kept 0, kept 1, kept 2',
    leaves: 'abc',
  },
  'refresh: an unchanged picture is kept, a new one replaces the old': {
    has: 'abc',
    now: { b: 'x' },
    urls: 'a b c',
    refresh: true,
    verdicts: 'kept 0, stored 1, kept 2',
    leaves: 'axc',
    removed: 1,
    downloads: 'abc',
  },
  'refresh does not download own URLs': {
    has: 'ab',
    now: { a: 'x' },
    urls: '=b =a',
    refresh: true,
    verdicts: 'kept 0, kept 1',
    leaves: 'ba',
  },
  'refresh: an old photo stays if its own URL is listed': {
    has: 'ab',
    now: { a: 'x' },
    urls: 'a b =a',
    refresh: true,
    verdicts: 'stored 0, kept 1, kept 2',
    leaves: 'xba',
    downloads: 'ab',
  },
  'refresh: a source that now shows another photo of the listing': {
    has: 'abc',
    now: { a: 'b' },
    urls: 'a b c',
    refresh: true,
    verdicts: 'duplicate 0, duplicate 0, kept 1',
    leaves: 'bc',
    removed: 1,
    downloads: 'abc',
  },
  'refresh: two sources that have swapped their pictures': {
    has: 'ab',
    now: { a: 'b', b: 'a' },
    urls: 'a b',
    refresh: true,
    verdicts: 'duplicate 0, duplicate 1',
    leaves: 'ba',
    downloads: 'ab',
  },
  'failed refresh: the old photo stays in its place': {
    has: 'abc',
    now: { b: null, c: 'x' },
    urls: 'c b a',
    refresh: true,
    verdicts: 'stored 0, failed null, kept 2',
    leaves: 'xbac',
    downloads: 'abc',
    behind: 1,
  },
  'failed refresh: later URLs of the old photo are duplicates': {
    has: 'abc',
    now: { b: null },
    urls: 'b c =b a',
    refresh: true,
    verdicts: 'failed null, kept 1, duplicate 0, kept 2',
    leaves: 'bca',
    downloads: 'abc',
  },
  'a failed URL is left out, and nothing is removed': {
    has: 'abcd',
    now: { m: null },
    urls: 'm c n',
    verdicts: 'failed null, kept 0, stored 1',
    leaves: 'cnabd',
    downloads: 'mn',
    behind: 3,
  },
  'a failure with every photo listed: no warning about kept photos': {
    has: 'ab',
    now: { n: null },
    urls: 'b n a',
    verdicts: 'kept 0, failed null, kept 1',
    leaves: 'ba',
    downloads: 'n',
  },
  'an empty list removes all photos': { has: 'abc', urls: '', verdicts: '', leaves: '', removed: 3 },
}

for (const [name, { has, now = {}, urls, refresh, verdicts, leaves, ...told }] of Object.entries(cases)) {
  test(name, async () => {
    const source = sources()
    const listing = await draft(t, { photos: [...has].map((letter) => source(letter)) })
    const own = (letter: string) => listing.photos[has.indexOf(letter)] ?? ''
    for (const [letter, seed] of Object.entries(now)) shows.set(source(letter), seed)
    const sent = (urls === '' ? [] : urls.split(' ')).map((url) => {
      const letter = url.slice(-1)
      const write = ways[url.charAt(0)]
      return write === undefined ? source(letter) : write(own(letter))
    })
    const { used } = (await usageOf(t)).photos_per_day
    fetched.length = 0
    const response = await put(listing.id, { urls: sent, ...(refresh && { refresh }) })
    const after = accepted(response)
    const { photos, meta } = outcomesOf(response)

    const letters = [...'abcdmnx']
    assert.equal(photos.map(({ status, position }) => `${status} ${position}`).join(', '), verdicts)
    assert.equal(await shownAt(after.photos, letters), leaves)
    const { removed = 0, downloads = '', behind = 0 } = told
    assert.equal(fetched.map(nameOf).sort().join(''), downloads)
    assert.equal((await usageOf(t)).photos_per_day.used, used + downloads.length)
    const count = (status: string) => photos.filter((entry) => entry.status === status).length
    assert.deepEqual(meta, {
      requested: sent.length,
      stored: count('stored'),
      kept: count('kept'),
      duplicate: count('duplicate'),
      failed: count('failed'),
      removed,
    })
    const failures = photos.flatMap(({ status }, index) =>
      status === 'failed' ? [`photo_failed urls[${index}]`] : [],
    )
    assert.deepEqual(warningsOf(response), [...failures, ...(behind > 0 ? ['photos_kept urls'] : [])])
    for (const [index, { url, status, position, stored_url, error }] of photos.entries()) {
      assert.equal(url, sent[index])
      assert.equal(stored_url, status === 'failed' ? null : after.photos[position ?? -1])
      assert.equal(error === null, status !== 'failed')
    }
    assert.equal(removed, listing.photos.filter((url) => !after.photos.includes(url)).length)

    // The same request again downloads only the failed ones, and changes nothing.
    if (refresh || count('failed') > 0) return
    fetched.length = 0
    const before = [await rowOf(t, listing.id), await historyOf(t, listing.id), await revisionOf(t)]
    const again = await put(listing.id, { urls: sent })
    assert.deepEqual(accepted(again), after)
    assert.deepEqual(
      outcomesOf(again).photos.map((entry) => entry.position),
      photos.map((entry) => entry.position),
    )
    assert.ok(outcomesOf(again).photos.every(({ status }) => ['kept', 'duplicate'].includes(status)))
    assert.equal(again.headers.get('etag'), response.headers.get('etag'))
    assert.deepEqual(fetched, [])
    assert.deepEqual(
      [await rowOf(t, listing.id), await historyOf(t, listing.id), await revisionOf(t)],
      before,
    )
  })
}

test('after photos are set, the response, the history, the files and the next read agree', async () => {
  const source = sources()
  const { id } = await published(t, { photos: ['a', 'b', 'c', 'd'].map(source) })
  const names = (await rowOf(t, id)).photos
  const response = await put(id, { urls: ['n', 'b', 'a'].map(source) })
  const after = accepted(response)
  const now = (await rowOf(t, id)).photos
  assert.deepEqual(now.slice(1), [names[1], names[0]])
  assert.deepEqual(
    await unreferencedOf(t).then((all) => all.filter((name) => names.includes(name))),
    names.slice(2).sort(),
  )
  assert.ok((await filesOf(t)).includes(now[0] ?? ''))
  const entry = (await historyOf(t, id)).at(-1)
  assert.deepEqual([entry?.action, entry?.changes], ['updated', { photos: { from: names, to: now } }])
  assert.equal(entry?.request_id, response.headers.get('x-request-id'))
  const read = await t.ask('GET', `/properties/${id}`)
  assert.deepEqual(listingOf(read), after)
  assert.equal(read.headers.get('etag'), response.headers.get('etag'))
})

test('after a failure, photos beyond the fiftieth place are removed', async () => {
  const source = sources()
  const { id, photos } = await draft(t, { photos: photoUrls(48) })
  shows.set(source('x'), null)
  const fresh = photoUrls(4)
  const response = await put(id, { urls: [source('x'), ...fresh] })
  const after = accepted(response)
  assert.deepEqual(after.photos.slice(4), photos.slice(0, 46))
  assert.equal(outcomesOf(response).meta['removed'], 2)
  assert.deepEqual(warningsOf(response), ['photo_failed urls[0]', 'photos_kept urls'])
  const [, kept] = response.body['warnings'] as unknown as { message: string }[]
  assert.match(
    kept?.message ?? '',
    /^46 photos were kept behind the others [^;]*; 2 more had no place among the 50 and were removed\. .* new Idempotency-Key\.$/,
  )
  assert.equal(accepted(await put(id, { urls: photoUrls(50) })).photos.length, 50)
})

test('the photos of an incomplete draft may be set, and a complete one can then be published', async () => {
  const { id } = await draft(t, publishable({ photos: [], status: 'draft' }))
  assert.deepEqual(accepted(await put(id, { urls: photoUrls(3) })).missing, [])
  accepted(await t.ask('POST', `/properties/${id}/enable`))
})
