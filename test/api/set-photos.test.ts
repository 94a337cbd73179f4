/**
 * `PUT /properties/{id}/photos` (api.md 13.7, 15.18): what each URL means, the order, what is downloaded, kept and removed.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { PhotoFailure } from '../../src/photos/failure.ts'
import { contentHash, hashContent } from '../../src/photos/names-and-urls.ts'
import { type Answer, photoUrls, picture, publishable, type TestApp, testApp } from '../support/app.ts'
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
} from '../support/listings.ts'

let t: TestApp
let fetched: string[] = []
/** What a URL shows, instead of a picture of its own. Null: it fails. */
const shows = new Map<string, string | null>()
before(async () => {
  t = await testApp({
    source: async (url) => {
      fetched.push(url)
      const seed = shows.get(url)
      if (seed === null) throw new PhotoFailure('The source answered 404.')
      return picture(seed ?? nameOf(url))
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
const answered = (answer: Answer) =>
  answer.body as unknown as { photos: Result[]; meta: Record<string, number> }
const put = (id: string, body: unknown, ask: object = {}) =>
  t.ask('PUT', `/properties/${id}/photos`, { body, ...ask })

/** Sources of a listing of its own: `source('a')` is `https://photos.example/<uuid>/a.jpg` and shows a picture named `a`. */
const sources = () => {
  const folder = randomUUID()
  return (name: string) => `https://photos.example/${folder}/${name}.jpg`
}
const nameOf = (url: string) => /\/([^/]*)\.jpg/.exec(url)?.[1] ?? url
const pictures = new Map<string, string>()
/** The names of the pictures at the URLs of stored photos. */
async function shownAt(photos: readonly string[], names: Iterable<string>): Promise<string> {
  for (const name of names) pictures.set(hashContent(await picture(name)), name)
  return photos.map((url) => pictures.get(contentHash(url.split('/').at(-2) ?? '')) ?? '?').join('')
}

type Case = {
  /** The pictures that it has, each from the source of its name. */
  has: string
  /** What sources show by now; null: they fail. */
  now?: Record<string, string | null>
  /** `a`: the source; `=a`: the listing's own URL of the picture; `~a`: the same in another size. */
  urls: string
  refresh?: true
  /** For each URL, `status position`. */
  verdicts: string
  /** The pictures that it has then. */
  leaves: string
  removed?: number
  downloads?: string
  behind?: number
}

const cases: Record<string, Case> = {
  'own URLs reorder, and remove what is not named': {
    has: 'abcd',
    urls: '=c =a',
    verdicts: 'kept 0, kept 1',
    leaves: 'ca',
    removed: 2,
  },
  'sources that photos came from are known, and cost nothing': {
    has: 'abc',
    urls: 'c b a',
    verdicts: 'kept 0, kept 1, kept 2',
    leaves: 'cba',
  },
  'others are downloaded': {
    has: 'ab',
    urls: 'n b m',
    verdicts: 'stored 0, kept 1, stored 2',
    leaves: 'nbm',
    removed: 1,
    downloads: 'mn',
  },
  'own URLs of every size mean the photo, once': {
    has: 'abc',
    urls: '~b =b b a',
    verdicts: 'kept 0, duplicate 0, duplicate 0, kept 1',
    leaves: 'ba',
    removed: 1,
  },
  'a picture has the place of the first URL that means it': {
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
  'what known sources show by now does not matter': {
    has: 'abc',
    now: { a: 'x', b: null },
    urls: 'a b c',
    verdicts: 'kept 0, kept 1, kept 2',
    leaves: 'abc',
  },
  'refresh: the same is kept, another replaces the old one': {
    has: 'abc',
    now: { b: 'x' },
    urls: 'a b c',
    refresh: true,
    verdicts: 'kept 0, stored 1, kept 2',
    leaves: 'axc',
    removed: 1,
    downloads: 'abc',
  },
  'refresh downloads no own URLs': {
    has: 'ab',
    now: { a: 'x' },
    urls: '=b =a',
    refresh: true,
    verdicts: 'kept 0, kept 1',
    leaves: 'ba',
  },
  'refresh: an old photo that is named stays': {
    has: 'ab',
    now: { a: 'x' },
    urls: 'a b =a',
    refresh: true,
    verdicts: 'stored 0, kept 1, kept 2',
    leaves: 'xba',
    downloads: 'ab',
  },
  'refresh: a source that shows another photo of the listing by now': {
    has: 'abc',
    now: { a: 'b' },
    urls: 'a b c',
    refresh: true,
    verdicts: 'duplicate 0, duplicate 0, kept 1',
    leaves: 'bc',
    removed: 1,
    downloads: 'abc',
  },
  'refresh: two sources that have changed places': {
    has: 'ab',
    now: { a: 'b', b: 'a' },
    urls: 'a b',
    refresh: true,
    verdicts: 'duplicate 0, duplicate 1',
    leaves: 'ba',
    downloads: 'ab',
  },
  'refresh that fails: the old photo stays where it was named': {
    has: 'abc',
    now: { b: null, c: 'x' },
    urls: 'c b a',
    refresh: true,
    verdicts: 'stored 0, failed null, kept 2',
    leaves: 'xbac',
    downloads: 'abc',
    behind: 1,
  },
  'refresh that fails: later URLs of the old photo are duplicates': {
    has: 'abc',
    now: { b: null },
    urls: 'b c =b a',
    refresh: true,
    verdicts: 'failed null, kept 1, duplicate 0, kept 2',
    leaves: 'bca',
    downloads: 'abc',
  },
  'a failure: it is left out, and nothing is removed': {
    has: 'abcd',
    now: { m: null },
    urls: 'm c n',
    verdicts: 'failed null, kept 0, stored 1',
    leaves: 'cnabd',
    downloads: 'mn',
    behind: 3,
  },
  'a failure where everything is named: no warning of photos kept': {
    has: 'ab',
    now: { n: null },
    urls: 'b n a',
    verdicts: 'kept 0, failed null, kept 1',
    leaves: 'ba',
    downloads: 'n',
  },
  'no URL at all: it has no photos': { has: 'abc', urls: '', verdicts: '', leaves: '', removed: 3 },
}

for (const [name, { has, now = {}, urls, refresh, verdicts, leaves, ...told }] of Object.entries(cases)) {
  test(name, async () => {
    const source = sources()
    const listing = await draft(t, { photos: [...has].map((letter) => source(letter)) })
    const own = (letter: string) => listing.photos[has.indexOf(letter)] ?? ''
    for (const [letter, seed] of Object.entries(now)) shows.set(source(letter), seed)
    const sent = (urls === '' ? [] : urls.split(' ')).map((url) => {
      const letter = url.slice(-1)
      if (url.startsWith('=')) return own(letter)
      return url.startsWith('~') ? own(letter).replace('large', 'small') : source(letter)
    })
    const { used } = (await usageOf(t)).photos_per_day
    fetched = []
    const answer = await put(listing.id, { urls: sent, ...(refresh && { refresh }) })
    const after = accepted(answer)
    const { photos, meta } = answered(answer)

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
    assert.deepEqual(warningsOf(answer), [...failures, ...(behind > 0 ? ['photos_kept urls'] : [])])
    for (const [index, { url, status, position, stored_url, error }] of photos.entries()) {
      assert.equal(url, sent[index])
      assert.equal(stored_url, status === 'failed' ? null : after.photos[position ?? -1])
      assert.equal(error === null, status !== 'failed')
    }
    assert.equal(removed, listing.photos.filter((url) => !after.photos.includes(url)).length)

    // The same again downloads only what failed, and changes nothing.
    if (refresh || count('failed') > 0) return
    fetched = []
    const before = [await rowOf(t, listing.id), await historyOf(t, listing.id), await revisionOf(t)]
    const again = await put(listing.id, { urls: sent })
    assert.deepEqual(accepted(again), after)
    assert.deepEqual(
      answered(again).photos.map((entry) => entry.position),
      photos.map((entry) => entry.position),
    )
    assert.ok(answered(again).photos.every(({ status }) => ['kept', 'duplicate'].includes(status)))
    assert.equal(again.headers.get('etag'), answer.headers.get('etag'))
    assert.deepEqual(fetched, [])
    assert.deepEqual(
      [await rowOf(t, listing.id), await historyOf(t, listing.id), await revisionOf(t)],
      before,
    )
  })
}

test('the answer, the history, the files and the next read agree', async () => {
  const source = sources()
  const { id } = await published(t, { photos: ['a', 'b', 'c', 'd'].map(source) })
  const names = (await rowOf(t, id)).photos
  const answer = await put(id, { urls: ['n', 'b', 'a'].map(source) })
  const after = accepted(answer)
  const now = (await rowOf(t, id)).photos
  assert.deepEqual(now.slice(1), [names[1], names[0]])
  assert.deepEqual(
    await unreferencedOf(t).then((all) => all.filter((name) => names.includes(name))),
    names.slice(2).sort(),
  )
  assert.ok((await filesOf(t)).includes(now[0] ?? ''))
  const entry = (await historyOf(t, id)).at(-1)
  assert.deepEqual([entry?.action, entry?.changes], ['updated', { photos: { from: names, to: now } }])
  assert.equal(entry?.request_id, answer.headers.get('x-request-id'))
  const read = await t.ask('GET', `/properties/${id}`)
  assert.deepEqual(listingOf(read), after)
  assert.equal(read.headers.get('etag'), answer.headers.get('etag'))
})

describe('a source is known', () => {
  const kept = async (id: string, urls: string[]) => {
    fetched = []
    const answer = await put(id, { urls })
    assert.deepEqual(
      answered(answer).photos.map(({ status }) => status),
      urls.map(() => 'kept'),
      answer.text,
    )
    assert.deepEqual(fetched, [])
  }

  test('from POST, PUT, batches, photos added and photos set', async () => {
    const source = sources()
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map(source)
    await kept((await draft(t, { photos: [a, b] })).id, [b, a])
    const external_id = `known-${randomUUID()}`
    const made = await t.ask('PUT', `/properties/external/${external_id}`, { body: { photos: [a, b] } })
    await kept(accepted(made, 201).id, [b, a])
    const items = ['create', 'upsert'].map((action) => ({
      external_id: `${action}-${randomUUID()}`,
      action,
      photos: [a, b],
    }))
    const batch = await t.ask('POST', '/properties/batch', { body: { items } })
    const { results } = batch.body as unknown as { results: { data: { id: string } }[] }
    assert.equal(results.length, 2)
    for (const { data } of results) await kept(data.id, [b, a])
    const { id } = await draft(t)
    accepted(await t.ask('POST', `/properties/${id}/photos`, { body: { urls: [a] } }))
    accepted(await put(id, { urls: [b, a] }))
    await kept(id, [a, b])
    assert.equal(answered(await put(id, { urls: [c] })).photos[0]?.status, 'stored')
  })

  test('as the same request, however its URL is written', async () => {
    const { id } = await draft(t, { photos: ['https://photos.example/Same.jpg?x=1'] })
    await kept(id, ['HTTPS://Photos.example:443/./Same.jpg?x=1#top'])
    accepted(await put(id, { urls: ['https://photos.example/Same.jpg?x=2'] }))
    assert.equal(fetched.length, 1)
  })

  test('for one listing only', async () => {
    const source = sources()
    await draft(t, { photos: [source('a')] })
    const other = await draft(t)
    assert.equal(answered(await put(other.id, { urls: [source('a')] })).photos[0]?.status, 'stored')
  })

  test('no longer, once its photo is gone or came from elsewhere', async () => {
    const source = sources()
    const { id } = await draft(t, { photos: [source('a')] })
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { photos: [] } }))
    shows.set(source('b'), 'a')
    accepted(await t.ask('POST', `/properties/${id}/photos`, { body: { urls: [source('b')] } }))
    fetched = []
    assert.equal(answered(await put(id, { urls: [source('a')] })).photos[0]?.status, 'duplicate')
    assert.deepEqual(fetched, [source('a')])
  })

  test('not of photos that were stored before sources were remembered, until it is downloaded once', async () => {
    const source = sources()
    const { id } = await draft(t, { photos: [source('a')] })
    const { id: uuid } = await rowOf(t, id)
    await t.deps.db.run({ text: 'delete from photo_sources where property_id = $1', values: [uuid] })
    assert.equal(answered(await put(id, { urls: [source('a')] })).photos[0]?.status, 'duplicate')
    await kept(id, [source('a')])
  })

  test('is never stored as it is', async () => {
    const secret = `token-${randomUUID()}`
    const { id } = await draft(t, { photos: [`https://photos.example/${secret}.jpg`] })
    accepted(await put(id, { urls: [`https://photos.example/${secret}.png`] }))
    const dump = await t.deps.db.run<{ row: string }>({
      text: 'select s::text as row from photo_sources s',
      values: [],
    })
    assert.ok(dump.length > 0 && dump.every(({ row }) => !row.includes(secret)))
  })

  test('however many URLs show one picture, no more are remembered than a listing may have photos, and the first', async () => {
    const source = sources()
    const { id } = await draft(t, { photos: [source('a')] })
    const tokens = (night: number) =>
      Array.from({ length: 30 }, (_, index) => `${source('a')}?token=${night}-${index}`)
    for (const url of [...tokens(1), ...tokens(2)]) shows.set(url, 'a')
    for (const night of [1, 2]) accepted(await put(id, { urls: tokens(night) }))
    await kept(id, [source('a')])
    const again = await put(id, { urls: [...tokens(2), ...tokens(1).slice(-20)] })
    assert.equal(answered(again).meta['duplicate'], 49)
    assert.deepEqual(fetched, [])
    accepted(await put(id, { urls: tokens(1).slice(0, 1) }))
    assert.equal(fetched.length, 1)
  })
})

describe('a published listing keeps its three', () => {
  test('fewer URLs are refused before anything is downloaded', async () => {
    const { id, photos } = await published(t)
    for (const urls of [[], photos.slice(1), photoUrls(2)]) {
      const error = refused(await leavingNothing(t, () => put(id, { urls })), 'insufficient_photos')
      assert.deepEqual([error['missing'], error['photos']], [['photos'], undefined])
    }
    fetched = []
    refused(await put(id, { urls: photoUrls(2) }), 'insufficient_photos')
    assert.deepEqual(fetched, [])
  })

  test('that refusal is kept for its Idempotency-Key', async () => {
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

  test('fewer pictures are refused, and nothing remains of them', async () => {
    const source = sources()
    const { id, photos } = await published(t)
    for (const name of ['x', 'y', 'z']) shows.set(source(name), 'same')
    const urls = [photos[0], source('x'), source('y'), source('z')]
    const error = refused(await leavingNothing(t, () => put(id, { urls })), 'insufficient_photos')
    assert.deepEqual([error['missing'], error['photos']], [['photos'], undefined])
  })

  test('a failure never takes one away', async () => {
    const source = sources()
    const { id, photos } = await published(t)
    for (const name of ['x', 'y']) shows.set(source(name), null)
    const answer = await put(id, { urls: [photos[2], source('x'), source('y')] })
    assert.deepEqual(accepted(answer).photos, [photos[2], photos[0], photos[1]])
    assert.deepEqual(warningsOf(answer), ['photo_failed urls[1]', 'photo_failed urls[2]', 'photos_kept urls'])
  })
})

test('fifty in the end: after a failure, what is beyond the fiftieth place is removed', async () => {
  const source = sources()
  const { id, photos } = await draft(t, { photos: photoUrls(48) })
  shows.set(source('x'), null)
  const fresh = photoUrls(4)
  const answer = await put(id, { urls: [source('x'), ...fresh] })
  const after = accepted(answer)
  assert.deepEqual(after.photos.slice(4), photos.slice(0, 46))
  assert.equal(answered(answer).meta['removed'], 2)
  assert.deepEqual(warningsOf(answer), ['photo_failed urls[0]', 'photos_kept urls'])
  assert.equal(accepted(await put(id, { urls: photoUrls(50) })).photos.length, 50)
})

describe('where nothing would change for failures', () => {
  test('it is refused with the photos that failed', async () => {
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

describe('refuses', () => {
  const [good = '', other = ''] = photoUrls(2)
  for (const [what, parameter, body] of [
    ['no list', 'urls', {}],
    ['null', 'urls', { urls: null }],
    ['a number', 'urls[1]', { urls: [good, 5] }],
    ['a blank', 'urls[0]', { urls: [' '] }],
    ['a long one', 'urls[0]', { urls: [`https://photos.example/${'a'.repeat(2048)}`] }],
    ['a URL twice', 'urls[2]', { urls: [good, other, good] }],
    ['a URL twice among too many', 'urls[51]', { urls: [...photoUrls(51), good, good].toSpliced(1, 1) }],
    ['http', 'urls[1]', { urls: [good, 'http://photos.example/2.jpg'] }],
    ['the loopback', 'urls[0]', { urls: ['https://127.0.0.1/1.jpg'] }],
    ['refresh as a text', 'refresh', { urls: [good], refresh: 'true' }],
    ['refresh as null', 'refresh', { urls: [good], refresh: null }],
    ['unknown fields', 'photos', { urls: [good], photos: [] }],
  ] as const) {
    test(`${what}, naming ${parameter}, and fetches nothing`, async () => {
      const { id } = await draft(t)
      refused(await leavingNothing(t, () => put(id, body)), 'invalid_parameter', parameter)
      assert.deepEqual(fetched, [])
    })
  }

  test('dry_run, which it does not have', async () => {
    const { id } = await draft(t)
    const answer = await t.ask('PUT', `/properties/${id}/photos?dry_run=true`, { body: { urls: [] } })
    refused(answer, 'invalid_parameter', 'dry_run')
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

  test("nobody's own URLs but the listing's", async () => {
    const [one, two] = [await draft(t, { photos: photoUrls(2) }), await draft(t, { photos: photoUrls(1) })]
    // The test's address is public and https: an ordinary download.
    shows.set(one.photos[0] ?? '', 'elsewhere')
    fetched = []
    assert.equal(answered(await put(two.id, { urls: [one.photos[0]] })).photos[0]?.status, 'stored')
    assert.deepEqual(fetched, [one.photos[0]])
    const plain = (one.photos[0] ?? '').replace('https:', 'http:')
    refused(await put(two.id, { urls: [plain] }), 'invalid_parameter', 'urls[0]')
  })
})

test('a draft with missing parts may be set, and one that is complete then be published', async () => {
  const { id } = await draft(t, publishable({ photos: [], status: 'draft' }))
  assert.deepEqual(accepted(await put(id, { urls: photoUrls(3) })).missing, [])
  accepted(await t.ask('POST', `/properties/${id}/enable`))
})
