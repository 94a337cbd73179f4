/**
 * `If-Match` on writes (api.md 8.2): the listing's version decides, and a 412 changes nothing. Every write returns the ETag of the
 * next read.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type ApiResponse,
  freshAddress,
  photoUrls,
  picture,
  publishable,
  type TestApp,
  testApp,
} from '../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  leavingNothing,
  listingOf,
  published,
  refused,
  type Shown,
  tally,
  usageOf,
} from '../support/app/listings.ts'

let t: TestApp
const outside: string[] = []
before(async () => {
  t = await testApp({
    source: async (address) => {
      outside.push(address)
      return picture(address)
    },
    geocoder: async ({ address }) => {
      outside.push(address)
      return null
    },
  })
})
after(() => t.close())

type Write = {
  make: () => Promise<Shown>
  ask: (listing: Shown, headers: Record<string, string>) => Promise<ApiResponse>
}
const external = () => ({ external_id: randomUUID() })
const writes: Record<string, Write> = {
  PATCH: {
    make: () => draft(t),
    ask: ({ id }, headers) =>
      t.ask('PATCH', `/properties/${id}`, {
        headers,
        body: { title: randomUUID(), address: freshAddress() },
      }),
  },
  PUT: {
    make: () => draft(t, external()),
    ask: ({ external_id }, headers) =>
      t.ask('PUT', `/properties/external/${external_id}`, {
        headers,
        body: { title: randomUUID(), address: freshAddress() },
      }),
  },
  DELETE: {
    make: () => draft(t),
    ask: ({ id }, headers) => t.ask('DELETE', `/properties/${id}`, { headers }),
  },
  disable: {
    make: () => published(t),
    ask: ({ id }, headers) => t.ask('POST', `/properties/${id}/disable`, { headers }),
  },
  'disabling a disabled listing': {
    make: async () => accepted(await t.ask('POST', `/properties/${(await published(t)).id}/disable`)),
    ask: ({ id }, headers) => t.ask('POST', `/properties/${id}/disable`, { headers }),
  },
  enable: {
    make: () => draft(t, publishable({ status: 'draft' })),
    ask: ({ id }, headers) => t.ask('POST', `/properties/${id}/enable`, { headers }),
  },
  'enabling a published listing': {
    make: () => published(t),
    ask: ({ id }, headers) => t.ask('POST', `/properties/${id}/enable`, { headers }),
  },
  photos: {
    make: () => draft(t),
    ask: ({ id }, headers) =>
      t.ask('POST', `/properties/${id}/photos`, { headers, body: { urls: photoUrls(2) } }),
  },
  'setting photos': {
    make: () => draft(t),
    ask: ({ id }, headers) =>
      t.ask('PUT', `/properties/${id}/photos`, { headers, body: { urls: photoUrls(2) } }),
  },
}

const tagOf = async (id: string, query = '') =>
  (await t.ask('GET', `/properties/${id}${query}`)).headers.get('etag') ?? ''
const touch = async (id: string) =>
  accepted(await t.ask('PATCH', `/properties/${id}`, { body: { description: randomUUID() } }))

for (const [name, { make, ask }] of Object.entries(writes)) {
  describe(name, () => {
    test('passes with the current ETag, *, a list that contains it, an ETag of selected fields, and without the header', async () => {
      for (const header of [
        tagOf,
        async () => '*',
        async (id: string) => `"other", ${await tagOf(id)}`,
        (id: string) => tagOf(id, '?fields=title'),
        async () => '',
      ]) {
        const listing = await make()
        const response = await ask(listing, { 'if-match': await header(listing.id) })
        assert.equal(response.status, 200, response.text)
        if (name === 'DELETE') continue
        const read = await t.ask('GET', `/properties/${listing.id}`)
        assert.match(read.headers.get('etag') ?? '', /^"[^"]+"$/)
        assert.equal(response.headers.get('etag'), read.headers.get('etag'))
        assert.deepEqual(listingOf(response), listingOf(read))
      }
    })

    test('returns 412 for any other ETag, and changes nothing', async () => {
      const listing = await make()
      const stale = await tagOf(listing.id)
      await touch(listing.id)
      const current = await tagOf(listing.id)
      const foreign = await tagOf((await draft(t)).id)
      const before = [outside.length, (await usageOf(t)).photos_per_day.used]
      for (const header of [stale, foreign, '"x"', `W/${current}`, current.slice(1, -1), `"x", ${stale}`]) {
        refused(await leavingNothing(t, () => ask(listing, { 'if-match': header })), 'precondition_failed')
      }
      assert.deepEqual([outside.length, (await usageOf(t)).photos_per_day.used], before)
    })

    test('on a missing listing is still a 404, or creates nothing', async () => {
      const listing = await make()
      await t.ask('DELETE', `/properties/${listing.id}`)
      const response = await leavingNothing(t, () => ask(listing, { 'if-match': '*' }))
      refused(response, name === 'PUT' ? 'precondition_failed' : 'not_found')
    })
  })
}

test('a creation has no version for If-Match', async () => {
  for (const header of ['*', '"x"']) {
    const headers = { 'if-match': header }
    const fetched = outside.length
    const post = () => t.ask('POST', '/properties', { headers, body: publishable() })
    const put = () => t.ask('PUT', `/properties/external/${randomUUID()}`, { headers, body: publishable() })
    for (const ask of [post, put]) refused(await leavingNothing(t, ask), 'precondition_failed')
    assert.equal(outside.length, fetched)
  }
})

test('creations return the ETag of the listing too', async () => {
  for (const response of [
    await t.ask('POST', '/properties', { body: publishable() }),
    await t.ask('PUT', `/properties/external/${randomUUID()}`, { body: {} }),
  ]) {
    assert.equal(response.headers.get('etag'), await tagOf(accepted(response, 201).id))
  }
})

test('errors of the request itself come before If-Match', async () => {
  const { id } = await draft(t)
  const headers = { 'if-match': '"stale"' }
  refused(
    await t.ask('PATCH', `/properties/${id}`, { headers, body: { title: '' } }),
    'invalid_parameter',
    'title',
  )
  refused(
    await t.ask('POST', `/properties/${id}/photos`, { headers, body: { urls: [] } }),
    'invalid_parameter',
    'urls',
  )
  refused(
    await t.ask('POST', `/properties/${id}/disable`, { headers, body: { reason: 'x' } }),
    'invalid_parameter',
    'reason',
  )
})

test('errors that depend on the listing come after If-Match', async () => {
  const { id } = await published(t)
  const headers = { 'if-match': '"stale"' }
  refused(
    await t.ask('PATCH', `/properties/${id}`, { headers, body: { title: null } }),
    'precondition_failed',
  )
  refused(
    await t.ask('POST', `/properties/${id}/photos`, { headers, body: { urls: photoUrls(48) } }),
    'precondition_failed',
  )
  for (const urls of [[], photoUrls(51)])
    refused(
      await t.ask('PUT', `/properties/${id}/photos`, { headers, body: { urls } }),
      'precondition_failed',
    )
})

test('only one of many edits of the same version succeeds', async () => {
  const { id } = await draft(t)
  const headers = { 'if-match': await tagOf(id) }
  const responses = await atOnce(20, (index) =>
    t.ask('PATCH', `/properties/${id}`, { headers, body: { title: `Casa ${index}` } }),
  )
  assert.deepEqual(tally(responses), { 200: 1, 412: 19 })
})
