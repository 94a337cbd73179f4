/** `GET /properties/{id}` and `GET /properties/external/{external_id}` (api.md 15.8, 15.10): ids, visibility, fields and ETags. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type ApiResponse, type TestApp, photoUrls, publishable, testApp } from '../../support/app/app.ts'
import { accepted, atOnce, draft, published, refused, rowOf, type Shown } from '../../support/app/listings.ts'
import { assertEnvelope } from '../support/every-endpoint.ts'
import { fieldNames } from '../../support/app/fields.ts'

let t: TestApp
let shown: Shown
let uuid: string
before(async () => {
  t = await testApp()
  shown = await published(t, { external_id: 'G:1._-a' })
  uuid = (await rowOf(t, shown.id)).id
})
after(() => t.close())

const get = (path: string, key = t.readKey, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  t.ask('GET', `/properties/${path}`, { key, headers })

describe('concurrent reads', () => {
  test('each return what their own key may see', async () => {
    const hidden = await draft(t)
    const foreign = accepted(
      await t.ask('POST', '/properties', { body: { title: 'Ajena' }, key: t.other.writeKey }),
      201,
    )
    const asked: [string, string, string | null][] = [
      [shown.id, t.readKey, shown.id],
      [shown.id, t.other.writeKey, null],
      [hidden.id, t.writeKey, hidden.id],
      [hidden.id, t.readKey, null],
      [foreign.id, t.other.writeKey, foreign.id],
      [foreign.id, t.writeKey, null],
      ['22222222', t.readKey, null],
    ]
    const many = Array.from({ length: 6 }, () => asked).flat()
    const responses = await atOnce(many.length, (index) => {
      const [id, key] = many[index] as [string, string, string | null]
      return get(`${id}?fields=id,title${',status'.repeat(index % 2)}`, key)
    })
    for (const [index, response] of responses.entries()) {
      const [, , id] = many[index] as [string, string, string | null]
      if (id === null) refused(response, 'not_found')
      else assert.equal(accepted(response).id, id)
    }
  })
})

describe('a listing', () => {
  test('is read by its code in either case, its uuid in either case, and its external id', async () => {
    for (const path of [
      shown.id,
      shown.id.toLowerCase(),
      uuid,
      uuid.toUpperCase(),
      'external/G:1._-a',
      'external/G%3A1._-a',
    ]) {
      for (const key of [t.readKey, t.writeKey]) {
        const response = await get(path, key)
        assert.deepEqual(accepted(response), shown, path)
        assertEnvelope(response)
      }
    }
  })

  test('is the same in the list and in responses to writes', async () => {
    const { body } = await t.ask('GET', '/properties?external_id=G:1._-a', { key: t.readKey })
    assert.deepEqual(body.data, [shown])
    const same = accepted(await t.ask('PATCH', `/properties/${shown.id}`, { body: {} }))
    assert.deepEqual(same, shown)
  })

  test('has a code without look-alike characters', () => {
    assert.match(shown.id, /^[2-9A-HJKMNP-TV-Z]{8}$/)
  })

  test('has a case-sensitive external id', async () => {
    refused(await get('external/g:1._-a'), 'not_found')
    refused(await get('external/G:1._-'), 'not_found')
  })
})

describe('an id that matches nothing', () => {
  test('in a shape that no id has is 400', async () => {
    for (const id of [
      'a',
      'abc',
      'a'.repeat(37),
      `${uuid}0`,
      'x'.repeat(2001),
      'x'.repeat(10_000),
      '%F0%9F%8F%A1',
      '%20%20%20',
    ]) {
      refused(await get(id, t.writeKey), 'invalid_parameter', 'id')
    }
    for (const id of ['a'.repeat(65), 'a%20b', '%C3%B1', 'a%2Fb', 'a,b', "a'b", '%00', 'x'.repeat(5_000)]) {
      refused(await get(`external/${id}`, t.writeKey), 'invalid_parameter', 'external_id')
    }
    const response = await get('%zz%zz')
    refused(response, 'invalid_parameter')
    assertEnvelope(response)
  })

  test('in any other shape is 404', async () => {
    const missing = [
      'abcd',
      'ZZZZZZZZ',
      'ILOUILOU',
      'batches',
      'a%2Fb%2Fc',
      '%00%00%00%00',
      randomUUID(),
      'x'.repeat(36),
      "' or 1=1--",
      'external',
    ]
    for (const id of missing) refused(await get(id, t.writeKey), 'not_found')
    for (const id of ['missing', 'a'.repeat(64), '..', '-', ':']) {
      refused(await get(`external/${id}`.replace('/..', '/%2E%2E.'), t.writeKey), 'not_found')
    }
  })
})

test('reads of hidden, foreign, removed and missing listings get the same 404, except for the request id', async () => {
  const others = await t.newAgency()
  const own = await draft(t, publishable({ status: 'draft', external_id: 'H-draft' }))
  const disabled = await published(t, { external_id: 'H-disabled' })
  accepted(await t.ask('POST', `/properties/${disabled.id}/disable`))
  const removed = await published(t, { external_id: 'H-removed' })
  const removedUuid = (await rowOf(t, removed.id)).id
  const removedEtag = (await get(removed.id)).headers.get('etag') ?? ''
  await t.ask('DELETE', `/properties/${removed.id}`)
  const foreign = accepted(
    await t.ask('POST', '/properties', {
      key: others.writeKey,
      body: publishable({ external_id: 'H-foreign' }),
    }),
    201,
  )
  const foreignUuid = (await rowOf(t, foreign.id, others.agency.id)).id

  const volatile = new Set(['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
  const whole = ({ status, headers, body }: ApiResponse) => {
    const { request_id: _, ...error } = body.error
    return {
      status,
      error,
      headers: [...headers].filter(([name]) => !volatile.has(name)),
      rest: Object.keys(body),
    }
  }
  const reference = whole(await get('ZZZZZZZZ'))
  assert.equal(reference.status, 404)
  const hidden = [own.id, (await rowOf(t, own.id)).id, 'external/H-draft', disabled.id, 'external/H-disabled']
  const gone = [
    removed.id,
    removedUuid,
    'external/H-removed',
    foreign.id,
    foreignUuid,
    'external/H-foreign',
    'external/none',
  ]
  for (const path of [...hidden, ...gone]) {
    for (const suffix of ['', '?fields=id']) {
      assert.deepEqual(whole(await get(path + suffix)), reference, path)
      const conditional = await get(path + suffix, t.readKey, { 'if-none-match': `*` })
      assert.deepEqual(whole(conditional), reference, path)
    }
  }
  assert.deepEqual(whole(await get(removed.id, t.readKey, { 'if-none-match': removedEtag })), reference)
  // A write key sees drafts and suspended listings too, but nothing else.
  for (const path of hidden) assert.equal((await get(path, t.writeKey)).status, 200, path)
  for (const path of gone) assert.deepEqual(whole(await get(path, t.writeKey)), reference, path)
  assert.equal((await get(foreign.id, others.readKey)).status, 200)
})

describe('the fields of a read', () => {
  test('are the selected ones, id always, and location_status with location', async () => {
    for (const name of fieldNames) {
      const { [name]: value, ...rest } = accepted(await get(`${shown.id}?fields=${name}`)) as Record<
        string,
        unknown
      >
      assert.deepEqual(value, shown[name])
      const beside = {
        ...(name === 'id' ? {} : { id: shown.id }),
        ...(name === 'location' ? { location_status: 'manual' } : {}),
      }
      assert.deepEqual(rest, beside)
    }
    const some = accepted(await get('external/G:1._-a?fields=price,title'))
    assert.deepEqual(some, { id: shown.id, title: shown.title, price: shown.price })
    assert.deepEqual(accepted(await get(`${shown.id}?fields=${fieldNames.join(',')}`)), shown)
  })

  test('are refused when unknown, empty, repeated or malformed', async () => {
    for (const query of [
      'fields=location_status',
      'fields=',
      'fields=title,',
      'fields=Title',
      'fields=id&fields=id',
      'fields=*',
    ]) {
      for (const path of [shown.id, 'external/G:1._-a']) {
        refused(await get(`${path}?${query}`), 'invalid_parameter', 'fields')
      }
    }
    refused(await get(`${shown.id}?page=1`), 'invalid_parameter', 'page')
  })

  test('are validated before the listing is looked up', async () => {
    refused(await get('ZZZZZZZZ?fields=x'), 'invalid_parameter', 'fields')
    refused(await get('ab?fields=title'), 'invalid_parameter', 'id')
  })
})

describe('the ETag of a listing', () => {
  const etagOf = async (path: string, key = t.readKey) => (await get(path, key)).headers.get('etag') ?? ''

  test('is strong, and the same for every id and every key', async () => {
    const etag = await etagOf(shown.id)
    assert.match(etag, /^"[\x21\x23-\x7e]+"$/)
    for (const path of [shown.id.toLowerCase(), uuid, 'external/G:1._-a'])
      assert.equal(await etagOf(path), etag)
    assert.equal(await etagOf(shown.id, t.writeKey), etag)
    const head = await t.ask('HEAD', `/properties/${shown.id}`)
    assert.equal(head.headers.get('etag'), etag)
  })

  test('differs by fields, not by their order', async () => {
    const fields = ['', '?fields=id', '?fields=id,title', '?fields=title,price']
    const tags = await Promise.all(fields.map((query) => etagOf(shown.id + query)))
    assert.equal(new Set(tags).size, fields.length)
    assert.equal(await etagOf(`${shown.id}?fields=price,title`), tags[3])
  })

  test('in If-None-Match gives 304 without a body; any other gives the listing', async () => {
    for (const path of [shown.id, `${shown.id}?fields=title`, 'external/G:1._-a']) {
      const etag = await etagOf(path)
      for (const value of [etag, `W/${etag}`, `"x", W/${etag}`, '*']) {
        const response = await get(path, t.readKey, { 'if-none-match': value })
        assert.deepEqual([response.status, response.text, response.headers.get('etag')], [304, '', etag])
        assertEnvelope(response)
      }
      for (const value of ['"x"', etag.slice(1, -1), await etagOf(`${shown.id}?fields=id`)]) {
        assert.equal((await get(path, t.readKey, { 'if-none-match': value })).status, 200)
      }
    }
  })

  test('changes with every write of the listing, is the one that the write returned, and ignores other listings', async () => {
    const other = await published(t)
    const otherEtag = await etagOf(other.id)
    const { id } = await draft(t, publishable({ status: 'draft' }))
    const seen = new Set([await etagOf(id, t.writeKey)])
    const write = async (method: string, path: string, body?: unknown) => {
      const response = await t.ask(method, `/properties/${id}${path}`, body === undefined ? {} : { body })
      assert.equal(response.status, 200, response.text)
      const etag = response.headers.get('etag') ?? ''
      assert.equal(await etagOf(id, t.writeKey), etag)
      assert.ok(!seen.has(etag), `${method} ${path} left the tag as it was`)
      seen.add(etag)
    }
    await write('PATCH', '', { title: 'Uno' })
    await write('PATCH', '', { title: 'Dos' })
    await write('PATCH', '', { title: 'Uno' })
    await write('POST', '/photos', { urls: photoUrls(1) })
    await write('PUT', '/photos', { urls: photoUrls(3) })
    await write('POST', '/enable')
    await write('POST', '/disable', { reason: 'other' })
    assert.equal(await etagOf(other.id), otherEtag)
    const unchanged = await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Uno' } })
    assert.ok(seen.has(unchanged.headers.get('etag') ?? ''))
  })

  test('changes with the profile of the agency, which every listing shows', async () => {
    const { agency, writeKey, readKey } = await t.newAgency()
    const { id } = accepted(await t.ask('POST', '/properties', { key: writeKey, body: publishable() }), 201)
    const etag = await etagOf(id, readKey)
    await sql`
      update agencies set name = 'Otro nombre', profile_version = profile_version + 1 where id = ${agency.id}`.execute(
      t.deps.db,
    )
    const response = await get(id, readKey, { 'if-none-match': etag })
    assert.equal(response.status, 200)
    assert.notEqual(response.headers.get('etag'), etag)
    assert.deepEqual(accepted(response)['agency'], {
      name: 'Otro nombre',
      slug: agency.slug,
      url: `https://listings.test/inmobiliarias/${agency.slug}`,
    })
  })
})
