/** Races between adding photos and other writes of the listing: each picture appears once, and no file is lost or left over. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type ApiResponse, photoUrls, picture, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  filesOf,
  historyOf,
  refused,
  rowOf,
  tally,
  unreferencedOf,
} from '../../support/app/listings.ts'

let t: TestApp
/** Runs while a URL is fetched, before its response. */
let meanwhile: (address: string) => Promise<unknown> = async () => {}
before(async () => {
  t = await testApp({
    source: async (address) => {
      await meanwhile(address)
      return picture(new URL(address).searchParams.get('shows') ?? address)
    },
  })
})
after(() => t.close())
beforeEach(() => {
  meanwhile = async () => {}
})

const add = (id: string, urls: string[]) => t.ask('POST', `/properties/${id}/photos`, { body: { urls } })
const statuses = (response: ApiResponse) =>
  (
    response.body as unknown as {
      photos: { status: string; position: number | null; stored_url: string | null }[]
    }
  ).photos
const showing = (name: string) => `${photoUrls(1)[0]}?shows=${name}`

/** Asserts that the agency's files are exactly those that its listings show. */
async function onlyFilesOf(...ids: string[]): Promise<void> {
  const rows = await Promise.all(ids.map((id) => rowOf(t, id)))
  assert.deepEqual(await filesOf(t), rows.flatMap(({ photos }) => photos).sort())
  assert.deepEqual(await unreferencedOf(t), [])
}
const listings: string[] = []
async function make(photos: string[] = []): Promise<string> {
  const { id } = await draft(t, { photos })
  listings.push(id)
  return id
}

test('one picture added by two concurrent requests appears once', async () => {
  const id = await make()
  // Both are downloaded before either is stored.
  const both = Promise.withResolvers<void>()
  let waiting = 0
  meanwhile = async () => {
    waiting += 1
    if (waiting === 2) both.resolve()
    await both.promise
  }
  const responses = await atOnce(2, () => add(id, [showing('twin')]))
  const [one, two] = responses.map((response) => statuses(response)[0])
  assert.deepEqual([one?.status, two?.status].sort(), ['duplicate', 'stored'])
  assert.deepEqual([one?.position, two?.position], [0, 0])
  assert.equal(one?.stored_url, two?.stored_url)
  assert.equal((await rowOf(t, id)).photos.length, 1)
  await onlyFilesOf(...listings)
})

test('every picture added by concurrent requests appears once, in the order of the writes', async () => {
  const id = await make()
  const responses = await atOnce(8, (index) =>
    add(id, [showing(`own ${index}`), showing('shared'), showing(`pair ${index % 2}`)]),
  )
  assert.deepEqual(tally(responses), { 200: 8 })
  const { photos } = await rowOf(t, id)
  assert.equal(photos.length, 8 + 1 + 2)
  assert.equal(new Set(photos.map((name) => name.split('.')[0])).size, photos.length)
  const growing = (await historyOf(t, id)).map(({ changes }) => changes['photos']?.to as string[] | undefined)
  for (const list of growing) assert.deepEqual(photos.slice(0, list?.length ?? 0), list ?? [])
  await onlyFilesOf(...listings)
})

test('of two requests that together exceed fifty photos, one is refused and its files are deleted', async () => {
  const id = await make(photoUrls(40))
  const responses = await atOnce(2, () => add(id, photoUrls(10)))
  assert.deepEqual(tally(responses), { 200: 1, 422: 1 })
  const late = responses.find(({ status }) => status === 422)
  assert.ok(late !== undefined)
  refused(late, 'too_many_photos')
  assert.equal((await rowOf(t, id)).photos.length, 50)
  await onlyFilesOf(...listings)
})

test('photos added to a listing that is removed in the meantime: 404, and the files are deleted', async () => {
  const id = await make(photoUrls(1))
  meanwhile = async () => assert.equal((await t.ask('DELETE', `/properties/${id}`)).status, 200)
  refused(await add(id, photoUrls(1)), 'not_found')
  await onlyFilesOf(...listings)
})

test('adding photos keeps a concurrent edit', async () => {
  const id = await make()
  meanwhile = () => t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otra' } })
  const after = accepted(await add(id, photoUrls(1)))
  assert.deepEqual([after.title, after.photos.length], ['Otra', 1])
  await onlyFilesOf(...listings)
})

test('a duplicate whose original is removed while it is added is stored after all', async () => {
  const id = await make([showing('gone'), showing('kept')])
  const own = accepted(await t.ask('GET', `/properties/${id}`)).photos
  let first = true
  meanwhile = async () => {
    if (!first) return
    first = false
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { photos: own.slice(1) } }))
  }
  const response = await add(id, [showing('gone')])
  const [verdict] = statuses(response)
  const after = accepted(response)
  assert.deepEqual([verdict?.status, verdict?.position, verdict?.stored_url], ['stored', 1, after.photos[1]])
  assert.equal(after.photos[0], own[1])
})
