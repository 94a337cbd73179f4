/** Conditional lists (api.md 8.1; RFC 9110): the ETag changes with every write of the agency and with nothing else. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, photoUrls, publishable, testApp } from '../../support/app/app.ts'
import { draft, published, refused } from '../../support/app/listings.ts'
import { rawRequest } from '../../support/network/raw-http.ts'
import { assertEnvelope } from '../support/every-endpoint.ts'

let t: TestApp
before(async () => {
  t = await testApp()
  await published(t)
})
after(() => t.close())

const ask = (query = '', headers: Record<string, string> = {}, key = t.readKey) =>
  t.ask('GET', `/properties?${query}`, { key, headers })

async function etagOf(query = '', key = t.readKey): Promise<string> {
  const { headers } = await ask(query, {}, key)
  return headers.get('etag') ?? assert.fail('no ETag')
}

test('the ETag of a list is strong, and the same for every request and every key of the agency', async () => {
  const etag = await etagOf()
  assert.match(etag, /^"[\x21\x23-\x7e]+"$/)
  assert.equal(await etagOf(), etag)
  assert.equal(await etagOf('', t.writeKey), etag)
  const { key } = await t.newKey(t.agency.id)
  assert.equal(await etagOf('', key), etag)
  const head = await t.ask('HEAD', '/properties', { key })
  assert.equal(head.headers.get('etag'), etag)
})

test('the ETag of a list differs by query and by agency', async () => {
  const queries = [
    '',
    'page=2',
    'per_page=5',
    'sort=updated',
    'fields=id',
    'fields=id,title',
    'q=casa',
    'currency=USD',
  ]
  const tags = await Promise.all(queries.map((query) => etagOf(query)))
  tags.push(await etagOf('status=all', t.writeKey), await etagOf('', t.other.readKey))
  assert.equal(new Set(tags).size, tags.length)
})

describe('If-None-Match of a list', () => {
  test('with the ETag gives 304, without a body and with every header', async () => {
    const etag = await etagOf()
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/"y" ,  ${etag},"z"`, '*', ` ${etag} `]) {
      const response = await ask('', { 'if-none-match': value })
      assert.deepEqual([response.status, response.text], [304, ''], value)
      assert.equal(response.headers.get('etag'), etag)
      assert.ok(response.headers.get('x-ratelimit-remaining'))
      assertEnvelope(response)
      assert.equal(
        (await t.ask('HEAD', '/properties', { key: t.readKey, headers: { 'if-none-match': value } })).status,
        304,
      )
    }
  })

  test('with another ETag gives the list', async () => {
    const etag = await etagOf()
    for (const value of ['"x"', etag.slice(1, -1), `${etag.slice(0, -1)}x"`, `"x", "y"`, '"*"', ',', 'W/*']) {
      const response = await ask('', { 'if-none-match': value })
      assert.deepEqual([response.status, response.headers.get('etag')], [200, etag], value)
    }
  })

  test('sent twice is combined into one list', async () => {
    const headers = { 'x-api-key': t.readKey, 'if-none-match': ['"x"', await etagOf()] }
    assert.equal(
      (await rawRequest(t.baseUrl, { method: 'GET', path: '/api/v1/properties', headers })).status,
      304,
    )
  })

  test('skips no check', async () => {
    const headers = { 'if-none-match': '*' }
    refused(await ask('page=0', headers), 'invalid_parameter', 'page')
    refused(await ask('fields=nothing', headers), 'invalid_parameter', 'fields')
    refused(await ask('status=all', headers), 'insufficient_scope')
    refused(await ask('', headers, 'nonsense'), 'invalid_api_key')
  })
})

describe('the ETag of a list changes with', () => {
  /** Asserts that an action changes the ETag of a plain list, and only for its own agency. */
  async function changes(write: () => Promise<unknown>): Promise<void> {
    const [before, others] = [await etagOf(), await etagOf('', t.other.readKey)]
    await write()
    const response = await ask('', { 'if-none-match': before })
    assert.equal(response.status, 200)
    assert.notEqual(response.headers.get('etag'), before)
    assert.equal(await etagOf('', t.other.readKey), others)
  }
  const write = async (method: string, path: string, body?: unknown) => {
    const response = await t.ask(method, path, body === undefined ? {} : { body })
    assert.ok([200, 201].includes(response.status), response.text)
  }

  test('every write, including fields that the list does not show', async () => {
    await changes(() => draft(t))
    await changes(() => published(t))
    const { id } = await draft(t, publishable({ status: 'draft', external_id: 'W-1' }))
    await changes(() => write('PATCH', `/properties/${id}`, { title: 'Otro título' }))
    await changes(() => write('PUT', '/properties/external/W-1', { title: 'Y otro' }))
    await changes(() => write('PUT', '/properties/external/W-2', { title: 'Nuevo' }))
    await changes(() => write('POST', `/properties/${id}/photos`, { urls: photoUrls(1) }))
    await changes(() => write('PUT', `/properties/${id}/photos`, { urls: photoUrls(3) }))
    await changes(() => write('POST', `/properties/${id}/enable`))
    await changes(() => write('POST', `/properties/${id}/disable`, { reason: 'other' }))
    await changes(() => write('DELETE', `/properties/${id}`))
  })

  test('no write that failed or changed nothing, and none of another agency', async () => {
    const { id, title } = await published(t)
    const etag = await etagOf()
    await write('PATCH', `/properties/${id}`, { title })
    await write('POST', `/properties/${id}/enable`)
    refused(await t.ask('PATCH', `/properties/${id}`, { body: { title: '' } }), 'invalid_parameter', 'title')
    refused(await t.ask('POST', '/properties', { body: { status: 'published' } }), 'not_publishable')
    refused(await t.ask('DELETE', '/properties/ZZZZZZZZ'), 'not_found')
    await t.ask('POST', '/properties', { key: t.other.writeKey, body: { title: 'De otra' } })
    assert.equal(await etagOf(), etag)
  })
})
