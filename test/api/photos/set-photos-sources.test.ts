/** Which sources are known when photos are set (api.md 13.7). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, draft, rowOf } from '../../support/app/listings.ts'
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

describe('a source is known', () => {
  const kept = async (id: string, urls: string[]) => {
    fetched.length = 0
    const response = await put(id, { urls })
    assert.deepEqual(
      outcomesOf(response).photos.map(({ status }) => status),
      urls.map(() => 'kept'),
      response.text,
    )
    assert.deepEqual(fetched, [])
  }

  test('from POST, PUT, batches, added photos and set photos', async () => {
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
    assert.equal(outcomesOf(await put(id, { urls: [c] })).photos[0]?.status, 'stored')
  })

  test('when its URL is written differently, if the request is the same', async () => {
    const { id } = await draft(t, { photos: ['https://photos.example/Same.jpg?x=1'] })
    await kept(id, ['HTTPS://Photos.example:443/./Same.jpg?x=1#top'])
    accepted(await put(id, { urls: ['https://photos.example/Same.jpg?x=2'] }))
    assert.equal(fetched.length, 1)
  })

  test('for one listing only', async () => {
    const source = sources()
    await draft(t, { photos: [source('a')] })
    const other = await draft(t)
    assert.equal(outcomesOf(await put(other.id, { urls: [source('a')] })).photos[0]?.status, 'stored')
  })

  test('until its photo is gone or came from elsewhere', async () => {
    const source = sources()
    const { id } = await draft(t, { photos: [source('a')] })
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { photos: [] } }))
    shows.set(source('b'), 'a')
    accepted(await t.ask('POST', `/properties/${id}/photos`, { body: { urls: [source('b')] } }))
    fetched.length = 0
    assert.equal(outcomesOf(await put(id, { urls: [source('a')] })).photos[0]?.status, 'duplicate')
    assert.deepEqual(fetched, [source('a')])
  })

  test('for photos stored before sources were recorded only after a download', async () => {
    const source = sources()
    const { id } = await draft(t, { photos: [source('a')] })
    const { id: uuid } = await rowOf(t, id)
    await t.deps.db.run({ text: 'delete from photo_sources where property_id = $1', values: [uuid] })
    assert.equal(outcomesOf(await put(id, { urls: [source('a')] })).photos[0]?.status, 'duplicate')
    await kept(id, [source('a')])
  })

  test('only as a fingerprint, never in plain text', async () => {
    const secret = `token-${randomUUID()}`
    const { id } = await draft(t, { photos: [`https://photos.example/${secret}.jpg`] })
    accepted(await put(id, { urls: [`https://photos.example/${secret}.png`] }))
    const dump = await t.deps.db.run<{ row: string }>({
      text: 'select s::text as row from photo_sources s',
      values: [],
    })
    assert.ok(dump.length > 0 && dump.every(({ row }) => !row.includes(secret)))
  })

  test('up to the maximum number of photos, first ones first, however many URLs show one picture', async () => {
    const source = sources()
    const { id } = await draft(t, { photos: [source('a')] })
    const tokens = (night: number) =>
      Array.from({ length: 30 }, (_, index) => `${source('a')}?token=${night}-${index}`)
    for (const url of [...tokens(1), ...tokens(2)]) shows.set(url, 'a')
    for (const night of [1, 2]) accepted(await put(id, { urls: tokens(night) }))
    await kept(id, [source('a')])
    const again = await put(id, { urls: [...tokens(2), ...tokens(1).slice(-20)] })
    assert.equal(outcomesOf(again).meta['duplicate'], 49)
    assert.deepEqual(fetched, [])
    accepted(await put(id, { urls: tokens(1).slice(0, 1) }))
    assert.equal(fetched.length, 1)
  })
})
