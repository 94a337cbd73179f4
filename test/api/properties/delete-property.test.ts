/** `DELETE /properties/{id}` (api.md 11.4, 15.12): the API no longer shows the listing; the operator can restore it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  filesOf,
  historyOf,
  leavingNothing,
  published,
  refused,
  revisionOf,
  rowOf,
  tally,
  unreferencedOf,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const remove = (id: string, body?: unknown) => t.ask('DELETE', `/properties/${id}`, { body })
const photoStatus = (address: string) =>
  fetch(address.replace('https://listings.test', t.baseUrl)).then(({ status }) => status)

describe('a removal returns', () => {
  test('with the id and the time of the removal', async () => {
    const { id, external_id } = await draft(t, { external_id: randomUUID() })
    const revision = await revisionOf(t)
    const response = await remove(id)
    assert.equal(response.status, 200, response.text)
    const { deleted_at } = await rowOf(t, id)
    assert.match(deleted_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(response.body, { data: { id, external_id, deleted: true, deleted_at }, warnings: [] })
    const entry = (await historyOf(t, id)).at(-1)
    assert.deepEqual([entry?.action, entry?.changes], ['deleted', { deleted: { from: false, to: true } }])
    assert.deepEqual([entry?.at, entry?.request_id], [deleted_at, response.headers.get('x-request-id')])
    assert.equal(await revisionOf(t), revision + 1)
  })

  test('with null if it had no external id', async () => {
    const { id } = await draft(t)
    assert.equal((await remove(id)).body.data['external_id'], null)
  })

  test('the same for a draft, a published and a suspended listing, by code or uuid, with a body or without', async () => {
    const [one, two, three] = [await draft(t), await published(t), await published(t)]
    accepted(await t.ask('POST', `/properties/${three.id}/disable`))
    const uuid = (await rowOf(t, two.id)).id
    for (const response of [
      await remove(one.id),
      await remove(uuid, {}),
      await remove(three.id.toLowerCase()),
    ]) {
      assert.equal(response.status, 200, response.text)
    }
  })
})

test('a removed listing is 404 from every operation', async () => {
  const { id, external_id } = await published(t, { external_id: randomUUID() })
  const uuid = (await rowOf(t, id)).id
  assert.equal((await remove(id)).status, 200)
  await leavingNothing(t, async () => {
    for (const ref of [id, uuid]) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { title: 'x' }],
        ['DELETE', '', undefined],
        ['POST', '/disable', undefined],
        ['POST', '/enable', undefined],
        ['POST', '/photos', { urls: photoUrls(1) }],
        ['PUT', '/photos', { urls: photoUrls(1) }],
        ['PUT', '/photos', { urls: [] }],
      ] as const) {
        refused(await t.ask(method, `/properties/${ref}${path}`, { body }), 'not_found')
      }
      refused(await t.ask('GET', `/properties/${ref}`, { key: t.readKey }), 'not_found')
    }
    return t.ask('GET', `/properties/external/${external_id}`)
  })
  for (const query of ['status=all', 'status=published', `external_id=${external_id}&status=all`]) {
    const { data } = (await t.ask('GET', `/properties?${query}&per_page=50`)).body as unknown as {
      data: { id: string }[]
    }
    assert.ok(!data.some((listing) => listing.id === id), query)
  }
})

test('a second removal is 404, and so are all but one of many concurrent ones', async () => {
  const { id } = await published(t)
  assert.deepEqual(tally(await atOnce(10, () => remove(id))), { 200: 1, 404: 9 })
  refused(await leavingNothing(t, () => remove(id)), 'not_found')
  assert.deepEqual(
    (await historyOf(t, id)).map(({ action }) => action),
    ['created', 'deleted'],
  )
})

describe('after the removal of a listing', () => {
  test('its external id is free again', async () => {
    const external_id = randomUUID()
    const { id } = await draft(t, { external_id })
    assert.equal((await remove(id)).status, 200)
    const next = await draft(t, { external_id })
    assert.notEqual(next.id, id)
    assert.equal((await rowOf(t, id)).external_id, external_id)
  })

  test('its address is free again', async () => {
    const first = await published(t)
    assert.equal((await remove(first.id)).status, 200)
    await published(t, { address: first.address })
  })
})

test('photos of a removed listing are 404 immediately in every size, and their files stay for the operator', async () => {
  const { id, photos } = await published(t)
  const sizes = photos.flatMap((photo) => [
    photo,
    photo.replace('large', 'medium'),
    photo.replace('large', 'small'),
  ])
  assert.deepEqual(new Set(await Promise.all(sizes.map(photoStatus))), new Set([200]))
  const before = [await filesOf(t), await unreferencedOf(t)]
  assert.equal((await remove(id)).status, 200)
  assert.deepEqual(new Set(await Promise.all(sizes.map(photoStatus))), new Set([404]))
  assert.deepEqual([await filesOf(t), await unreferencedOf(t)], before)
})

describe('a removal refuses', () => {
  test('a non-empty body', async () => {
    const { id } = await draft(t)
    for (const [parameter, body] of [
      ['reason', { reason: 'sold' }],
      ['body', []],
      ['body', 'x'],
    ] as const) {
      refused(await leavingNothing(t, () => remove(id, body)), 'invalid_parameter', parameter)
    }
  })

  test('missing listings', async () => {
    const own = await published(t)
    refused(await t.ask('DELETE', `/properties/${own.id}`, { key: t.other.writeKey }), 'not_found')
    for (const id of ['ZZZZ9999', randomUUID()]) refused(await remove(id), 'not_found')
    refused(await remove('abc'), 'invalid_parameter', 'id')
    accepted(await t.ask('GET', `/properties/${own.id}`))
  })
})

test('concurrent edits do not change a listing after its removal', async () => {
  const { id } = await draft(t, publishable({ status: 'draft' }))
  await atOnce(10, (index) =>
    index === 4 ? remove(id) : t.ask('PATCH', `/properties/${id}`, { body: { title: `Casa ${index}` } }),
  )
  assert.equal((await historyOf(t, id)).at(-1)?.action, 'deleted')
})
