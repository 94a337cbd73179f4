/**
 * Races between setting photos and other writes of the listing: the list that was sent wins, each picture appears once, and no file is lost
 * or left over.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { restoreRemoved } from '../../../src/listings/writing/states/restore.ts'
import {
  type ApiResponse,
  photoUrls,
  picture,
  publishable,
  type TestApp,
  testApp,
} from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  filesOf,
  historyOf,
  leavingNothing,
  listingOf,
  refused,
  rowOf,
  tally,
  unreferencedOf,
  usageOf,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
let fetched: string[] = []
/** Runs while the first URL is fetched, before its response. */
let meanwhile: (() => Promise<unknown>) | null = null
before(async () => {
  t = await testApp({
    source: async (url) => {
      fetched.push(url)
      const run = meanwhile
      meanwhile = null
      await run?.()
      return picture(new URL(url).searchParams.get('shows') ?? url)
    },
  })
})
after(() => t.close())
beforeEach(() => {
  fetched = []
  meanwhile = null
})

const listings: string[] = []
async function make(photos: string[], more: Record<string, unknown> = {}) {
  const listing = await draft(t, { photos, ...more })
  listings.push(listing.id)
  fetched = []
  return listing
}
const put = (id: string, urls: readonly string[], more: object = {}) =>
  t.ask('PUT', `/properties/${id}/photos`, { body: { urls, ...more } })
const patch = (id: string, photos: readonly string[]) =>
  t.ask('PATCH', `/properties/${id}`, { body: { photos } })
const verdicts = (response: ApiResponse) =>
  (response.body as unknown as { photos: { status: string; position: number | null }[] }).photos.map(
    ({ status, position }) => `${status} ${position}`,
  )
const showing = (name: string) => `https://photos.example/${randomUUID()}.jpg?shows=${name}`

/** Asserts that the agency's files are those that its listings show or have shown within a day. */
afterEach(async () => {
  const rows = await Promise.all(listings.map((id) => rowOf(t, id)))
  const shown = rows.flatMap(({ photos }) => photos)
  const waiting = await unreferencedOf(t)
  assert.deepEqual(await filesOf(t), [...shown, ...waiting].sort())
  const before = await Promise.all(listings.map((id) => historyOf(t, id)))
  const everShown = new Set(before.flat().flatMap(({ changes }) => (changes['photos']?.to ?? []) as string[]))
  assert.ok(
    waiting.every((photo) => everShown.has(photo)),
    'an upload of a failed write is left over',
  )
})

test('two equal concurrent lists of photos give the same photos, none of them twice', async () => {
  const { id } = await make([])
  const urls = [showing('a'), showing('b'), showing('a2')]
  const responses = await atOnce(2, () => put(id, urls))
  assert.deepEqual(tally(responses), { 200: 2 })
  const [one, two] = responses.map((response) => listingOf(response).photos)
  assert.deepEqual([one, one?.length], [two, 3])
  // The later one may have downloaded them too, or found their sources known.
  const stored = responses.filter((response) =>
    verdicts(response).every((verdict) => verdict.startsWith('stored')),
  )
  assert.equal(stored.length, 1)
})

test('one of several concurrent lists of photos wins', async () => {
  const urls = Array.from({ length: 6 }, (_, index) => showing(`many-${index}`))
  const { id } = await make(urls.slice(0, 3))
  const lists = Array.from({ length: 8 }, (_, index) => [
    ...urls.slice(index % 6),
    ...urls.slice(0, index % 6),
  ])
  const responses = await atOnce(8, (index) => put(id, lists[index] ?? []))
  assert.deepEqual(tally(responses), { 200: 8 })
  const read = listingOf(await t.ask('GET', `/properties/${id}`))
  assert.ok(responses.some((response) => listingOf(response).photos.join() === read.photos.join()))
  assert.equal(new Set((await rowOf(t, id)).photos.map((name) => name.split('.')[0])).size, 6)
})

test('photos added in the meantime are not in the list, and are removed; one that is also sent is shown once', async () => {
  const { id } = await make([showing('first')])
  const extra = photoUrls(1)
  meanwhile = () => t.ask('POST', `/properties/${id}/photos`, { body: { urls: [...extra, showing('twin')] } })
  const response = await put(id, [showing('new'), showing('twin')])
  assert.deepEqual(verdicts(response), ['stored 0', 'duplicate 1'])
  assert.equal((response.body as unknown as { meta: { removed: number } }).meta.removed, 2)
  assert.equal((await rowOf(t, id)).photos.length, 2)
})

test('a known source whose photo is removed in the meantime is downloaded after all', async () => {
  const [a, b] = [showing('kept'), showing('gone')]
  const { id, photos } = await make([a, b])
  const { used } = (await usageOf(t)).photos_per_day
  meanwhile = () => patch(id, photos.slice(0, 1))
  const response = await put(id, [b, a, showing('other')])
  assert.deepEqual(verdicts(response), ['stored 0', 'kept 1', 'stored 2'])
  assert.equal((await rowOf(t, id)).photos.length, 3)
  // Photos that were downloaded already are not downloaded again.
  assert.equal((await usageOf(t)).photos_per_day.used, used + 2)
})

test('a duplicate whose original is removed in the meantime is stored after all', async () => {
  const { id, photos } = await make([showing('a'), showing('b')])
  meanwhile = () => patch(id, photos.slice(0, 1))
  assert.deepEqual(verdicts(await put(id, [showing('b')])), ['stored 0'])
})

test('a refreshed photo that is removed in the meantime is stored after all', async () => {
  const [a, b] = [showing('a'), showing('b')]
  const { id, photos } = await make([a, b])
  meanwhile = () => patch(id, photos.slice(1))
  assert.deepEqual(verdicts(await put(id, [b, a], { refresh: true })), ['kept 0', 'stored 1'])
})

test('a listing published in the meantime refuses fewer than three photos, and nothing is stored', async () => {
  const { id } = await make([], publishable({ status: 'draft', photos: photoUrls(3) }))
  const { photos } = await rowOf(t, id)
  meanwhile = () => t.ask('POST', `/properties/${id}/enable`)
  refused(await put(id, photoUrls(2)), 'insufficient_photos')
  const after = await rowOf(t, id)
  assert.deepEqual([after.status, after.photos], ['published', photos])
})

test('setting photos keeps a concurrent edit; with If-Match the request is refused', async () => {
  const { id } = await make(photoUrls(1))
  const edit = (title: string) => () => t.ask('PATCH', `/properties/${id}`, { body: { title } })
  meanwhile = edit('Otra')
  assert.equal(accepted(await put(id, photoUrls(1))).title, 'Otra')
  const etag = (await t.ask('GET', `/properties/${id}`)).headers.get('etag') ?? ''
  meanwhile = edit('Y otra')
  const late = await t.ask('PUT', `/properties/${id}/photos`, {
    headers: { 'if-match': etag },
    body: { urls: photoUrls(1) },
  })
  refused(late, 'precondition_failed')
})

test('a listing removed in the meantime is a 404; once restored, it knows the sources of its photos', async () => {
  const [a, b] = [showing('a'), showing('b')]
  const { id } = await make([a, b])
  meanwhile = () => t.ask('DELETE', `/properties/${id}`)
  refused(await put(id, photoUrls(1)), 'not_found')
  const operator = { kind: 'operator', id: null, name: 'tests', requestId: null } as const
  await restoreRemoved(t.deps, t.agency.id, id, undefined, operator)
  assert.deepEqual(verdicts(await put(id, [b, a])), ['kept 0', 'kept 1'])
})

test('setting photos without capacity for the downloads returns 503, and nothing changes', async () => {
  const { id, photos } = await make([showing('a'), showing('b')])
  const put503 = t.deps.photos.storage.put
  t.deps.photos.storage.put = async () => {
    throw new Error('no space left')
  }
  try {
    const urls = [...photos.toReversed(), ...photoUrls(1)]
    const response = await leavingNothing(t, () => put(id, urls))
    const error = refused(response, 'service_unavailable')
    assert.equal((error['photos'] as unknown[]).length, 1)
  } finally {
    t.deps.photos.storage.put = put503
  }
})

test('photos that the service could store are set, without those that it could not', async () => {
  const { id, photos } = await make([showing('a')])
  const { put: store } = t.deps.photos.storage
  let left = 3
  t.deps.photos.storage.put = async (...args) => {
    left -= 1
    if (left < 0) throw new Error('no space left')
    return store.apply(t.deps.photos.storage, args)
  }
  try {
    const response = await put(id, photoUrls(2))
    const after = accepted(response)
    assert.equal(verdicts(response).filter((verdict) => verdict.startsWith('failed')).length, 1)
    assert.deepEqual(after.photos.slice(1), photos)
    assert.ok(warningsOf(response).includes('photos_kept urls'))
  } finally {
    t.deps.photos.storage.put = store
  }
})
