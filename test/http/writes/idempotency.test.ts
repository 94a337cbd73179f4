/** The table of api.md 7, row by row, for every operation that takes an Idempotency-Key. Kept errors and races have their own files. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { endpoints } from '../../../src/api/endpoints.ts'
import { canonicalJson } from '../../../src/http/writes/request-hash.ts'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { startWorker } from '../../../src/operations/worker/worker.ts'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, draft, published, refused, rowOf, tracesOf, usageOf } from '../../support/app/listings.ts'
import { rawRequest } from '../../support/network/raw-http.ts'
import { isFresh, isReplay, operations, type Write } from './idempotent-requests.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const ask = ({ method, path, body }: Write, key: string) =>
  t.ask(method, path, { body, headers: { 'idempotency-key': key } })

test('an Idempotency-Key is accepted by these operations only', () => {
  const taking = endpoints.flatMap((endpoint) => (endpoint.kind === 'write' ? [endpoint] : []))
  assert.deepEqual(
    taking.map(({ method, path, idempotency }) => `${method} ${path} ${idempotency}`).sort(),
    [...new Set(operations.map(({ name, rule }) => `${name.replace(/,.*/, '')} ${rule}`))].sort(),
  )
})

describe('the header Idempotency-Key', () => {
  const wrong = [
    'seven77',
    'x'.repeat(65),
    'with space',
    'with/slash',
    'with,comma',
    'with"quote',
    'ñandúñandú',
    'abcdefgh!',
  ]

  for (const { name, rule, status, make } of operations) {
    test(`of ${name} is ${rule}`, async () => {
      const write = await make(t)
      const without = { ...write, headers: { 'idempotency-key': '' } }
      const before = await tracesOf(t)
      if (rule === 'required') {
        refused(await t.ask(write.method, write.path, without), 'idempotency_key_required')
        assert.deepEqual(await tracesOf(t), before)
      } else {
        isFresh(await t.ask(write.method, write.path, without), status)
      }
    })

    test(`of ${name} is 400 when malformed or repeated, and nothing is done`, async () => {
      const write = await make(t)
      const before = await tracesOf(t)
      const send = async (value: string | string[]) => {
        const response = await rawRequest(t.baseUrl, {
          method: write.method,
          path: `/api/v1${write.path}`,
          headers: {
            'x-api-key': t.writeKey,
            'idempotency-key': Array.isArray(value) ? value : Buffer.from(value).toString('latin1'),
            ...(write.body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(write.body === undefined ? {} : { body: JSON.stringify(write.body) }),
        })
        const { error } = JSON.parse(response.text) as { error: { code: string; parameter: string } }
        return [response.status, error.code, error.parameter]
      }
      const invalid = [400, 'invalid_parameter', 'Idempotency-Key']
      for (const value of wrong) assert.deepEqual(await send(value), invalid, value)
      assert.deepEqual(await send(['repeated-1', 'repeated-1']), invalid)
      assert.deepEqual(await send(['repeated-1', 'repeated-2']), invalid)
      const empty = rule === 'required' ? [400, 'idempotency_key_required', 'Idempotency-Key'] : invalid
      assert.deepEqual(await send(''), empty)
      assert.deepEqual(await tracesOf(t), before)
    })
  }

  test('has 8 to 64 characters of A-Z a-z 0-9 . _ : -', async () => {
    const all = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-'
    for (const key of ['a.b_c:d-', all.slice(0, 64), all.slice(-64), '--------', '........'])
      isFresh(
        await ask({ method: 'PUT', path: '/properties/external/HEADER', body: {} }, key),
        key === 'a.b_c:d-' ? 201 : 200,
      )
  })

  test('is case-sensitive', async () => {
    const write = { method: 'PUT', path: '/properties/external/HEADER-CASE', body: { title: 'Una' } }
    isFresh(await ask(write, 'Upper-and-lower'), 201)
    isFresh(await ask(write, 'upper-and-lower'), 200)
  })

  test('is ignored by POST /geocode, which stores nothing', async () => {
    const write = { method: 'POST', path: '/geocode', body: { address: 'Calle 7 123' } }
    for (const key of ['geocode-again', 'geocode-again', 'short']) isFresh(await ask(write, key), 200)
    isFresh(await ask({ ...write, body: { address: 'Calle 8 123' } }, 'geocode-again'), 200)
  })
})

describe('the same request again', () => {
  for (const { name, status, make } of operations) {
    test(`returns the original response of ${name} without repeating the effect`, async () => {
      const write = await make(t)
      const key = randomUUID()
      const first = await ask(write, key)
      isFresh(first, status)
      const traces = await tracesOf(t)
      for (let time = 0; time < 3; time += 1) isReplay(await ask(write, key), first)
      assert.deepEqual(await tracesOf(t), traces)
      // With another key it is another request.
      assert.equal((await ask(write, randomUUID())).headers.get('idempotent-replayed'), null)
    })
  }

  test('is shared by all API keys of an agency, and separate between agencies', async () => {
    const write = { method: 'POST', path: '/properties', body: { title: 'Una', external_id: 'SAME-1' } }
    const headers = { 'idempotency-key': 'same-over-keys' }
    const first = await t.ask(write.method, write.path, { body: write.body, headers })
    const { key } = await t.newKey(t.agency.id, { scopes: ['properties:write'] })
    isReplay(await t.ask(write.method, write.path, { key, body: write.body, headers }), first)
    const other = await t.ask(write.method, write.path, { key: t.other.writeKey, body: write.body, headers })
    isFresh(other, 201)
    const different = { key: t.other.writeKey, body: { title: 'Otra' }, headers }
    refused(await t.ask(write.method, write.path, different), 'idempotency_key_reuse')
    isReplay(
      await t.ask(write.method, write.path, { key: t.other.writeKey, body: write.body, headers }),
      other,
    )
  })

  test('is replayed even if its listing has changed or is gone', async () => {
    const { id } = await published(t)
    const patch = { method: 'PATCH', path: `/properties/${id}`, body: { title: 'Primera' } }
    const key = randomUUID()
    const first = await ask(patch, key)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Segunda' } }))
    isReplay(await ask(patch, key), first)
    assert.equal((await rowOf(t, id)).title, 'Segunda')
    assert.equal((await t.ask('DELETE', `/properties/${id}`)).status, 200)
    isReplay(await ask(patch, key), first)
  })

  test('is replayed whatever its If-Match', async () => {
    const { id } = await draft(t)
    const path = `/properties/${id}`
    const etag = (await t.ask('GET', path)).headers.get('etag') ?? ''
    const headers = { 'idempotency-key': randomUUID(), 'if-match': etag }
    const first = await t.ask('PATCH', path, { body: { title: 'Con versión' }, headers })
    isFresh(first, 200)
    isReplay(await t.ask('PATCH', path, { body: { title: 'Con versión' }, headers }), first)
  })
})

describe('the comparison of requests', () => {
  const put = (raw: string, key: string) =>
    t.ask('PUT', '/properties/external/SAMENESS', { raw, headers: { 'idempotency-key': key } })

  test('ignores member order, white space, and the spelling of numbers and letters', async () => {
    const key = randomUUID()
    const first = await put(
      '{"title":"Año","price":{"amount":100,"currency":"USD"},"features":{"total_m2":0.5}}',
      key,
    )
    for (const raw of [
      '{"features":{"total_m2":0.5},"price":{"currency":"USD","amount":100},"title":"Año"}',
      ' {\n"title" : "Año",\t"price":{ "amount" : 100 , "currency":"USD" }, "features":{"total_m2":0.5}\r\n} ',
      '{"title":"Año","price":{"amount":100.0,"currency":"USD"},"features":{"total_m2":5e-1}}',
      '{"title":"Año","price":{"amount":1e2,"currency":"USD"},"features":{"total_m2":0.50}}',
      '{"title":"Año","price":{"amount":1.00E+2,"currency":"USD"},"features":{"total_m2":0.05e1}}',
      String.raw`{"\u0074itle":"A\u00f1o","price":{"amount":100,"currency":"\u0055SD"},"features":{"total_m2":0.5}}`,
    ]) {
      isReplay(await put(raw, key), first)
    }
  })

  test('treats no body as the empty object', async () => {
    const { id } = await published(t)
    const headers = { 'idempotency-key': randomUUID() }
    const first = await t.ask('POST', `/properties/${id}/disable`, { headers })
    isReplay(await t.ask('POST', `/properties/${id}/disable`, { body: {}, headers }), first)
  })

  test('any other difference in values or list order makes another request', async () => {
    const key = randomUUID()
    const raw = '{"title":"Una","type":"Casa","amenities":["a","b"],"description":null}'
    isFresh(await put(raw, key), 200)
    for (const other of [
      '{"title":"una","type":"Casa","amenities":["a","b"],"description":null}',
      '{"title":"Una ","type":"Casa","amenities":["a","b"],"description":null}',
      '{"title":"Una","type":"casa","amenities":["a","b"],"description":null}',
      '{"title":"Una","type":"Casa","amenities":["b","a"],"description":null}',
      '{"title":"Una","type":"Casa","amenities":["a","b","b"],"description":null}',
      '{"title":"Una","type":"Casa","amenities":["a,b"],"description":null}',
      '{"title":"Una","type":"Casa","amenities":["a","b"]}',
      '{"title":"Una","type":"Casa","amenities":["a","b"],"description":"null"}',
      '{}',
    ]) {
      const error = refused(await put(other, key), 'idempotency_key_reuse')
      assert.equal(error['parameter'], undefined)
    }
    assert.equal((await put(raw, key)).headers.get('idempotent-replayed'), 'true')
  })

  test('another path or method makes another request', async () => {
    const [one, two] = [await published(t), await published(t)]
    const key = randomUUID()
    const first = await ask({ method: 'DELETE', path: `/properties/${one.id}` }, key)
    isFresh(first, 200)
    for (const write of [
      { method: 'DELETE', path: `/properties/${two.id}` },
      { method: 'PATCH', path: `/properties/${one.id}`, body: {} },
      { method: 'POST', path: `/properties/${one.id}/disable` },
      { method: 'POST', path: '/properties', body: {} },
      { method: 'PUT', path: '/properties/external/ANOTHER', body: {} },
    ]) {
      refused(await ask(write, key), 'idempotency_key_reuse')
    }
    isReplay(await ask({ method: 'DELETE', path: `/properties/${one.id}` }, key), first)
    assert.equal((await rowOf(t, two.id)).status, 'published')
  })

  test('canonicalJson gives one text for every spelling of a value, and another for every other value', () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, member]) => [name, reversed(member)]),
      )
    }
    fc.assert(
      fc.property(json, json, (one, other) => {
        const canonical = canonicalJson(one)
        assert.deepEqual(JSON.parse(canonical), JSON.parse(JSON.stringify(one)))
        assert.equal(canonicalJson(reversed(one)), canonical)
        assert.equal(canonicalJson(JSON.parse(JSON.stringify(one, null, 3))), canonical)
        let same = true
        try {
          assert.deepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))
        } catch {
          same = false
        }
        assert.equal(canonicalJson(other) === canonical, same)
      }),
      { numRuns: 300 },
    )
    assert.equal(canonicalJson(JSON.parse('[1, 1.0, 1e0, 10e-1, -0]')), '[1,1,1,1,0]')
    // Too large for a double; must not equal null.
    assert.notEqual(canonicalJson(JSON.parse('[1e999]')), canonicalJson([null]))
  })
})

describe('a replay passes the checks that come before it', () => {
  const write = { method: 'POST', path: '/properties', body: { title: 'Una' } }
  const withKey = (key: string | null, headers: Record<string, string>) =>
    t.ask(write.method, write.path, { key, body: write.body, headers })

  test('is refused without the authentication, the scope or the content type', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const { id, key } = await t.newKey(t.agency.id, { scopes: ['properties:write'] })
    const first = await withKey(key, headers)
    isReplay(await withKey(key, headers), first)
    refused(await withKey(t.readKey, headers), 'insufficient_scope')
    refused(await withKey(null, headers), 'missing_api_key')
    refused(await withKey(key, { ...headers, 'content-type': 'text/plain' }), 'unsupported_media_type')
    refused(await withKey(key, { ...headers, origin: 'https://site.example' }), 'origin_not_allowed')
    await revokeKey(t.deps.db, t.agency.id, id, t.clock)
    refused(await withKey(key, headers), 'revoked_api_key')
    isReplay(await withKey(t.writeKey, headers), first)
  })

  test('is refused with an invalid body', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await withKey(t.writeKey, headers)
    for (const body of [
      { title: '' },
      { surprise: 1 },
      { price: { amount: 1.005, currency: 'USD' } },
      { location: { lat: 1 } },
      { video_url: 'nowhere' },
    ]) {
      refused(await t.ask('POST', '/properties', { body, headers }), 'invalid_parameter')
    }
    isReplay(await withKey(t.writeKey, headers), first)
  })

  test('costs one write and nothing else', async () => {
    const { writeKey: key } = await t.newAgency()
    for (const { method, path, body } of [
      write,
      {
        method: 'POST',
        path: '/properties/batch',
        body: {
          items: [1, 2, 3].map((n) => ({
            external_id: `cost-${n}`,
            title: 'x',
            photos: [`https://photos.example/cost${n}.jpg`],
          })),
        },
      },
    ]) {
      const headers = { 'idempotency-key': randomUUID() }
      const first = await t.ask(method, path, { key, body, headers })
      const before = await usageOf(t, key)
      const replay = await t.ask(method, path, { key, body, headers })
      isReplay(replay, first)
      const usage = await usageOf(t, key)
      for (const name of ['writes_per_minute', 'writes_per_day'] as const)
        assert.equal(usage[name].used, before[name].used + 1, name)
      for (const name of ['new_listings_per_hour', 'photos_per_day', 'geocoding_per_day'] as const)
        assert.equal(usage[name].used, before[name].used, name)
      // The rate limit headers have current values, not stored ones.
      assert.equal(Number(replay.headers.get('x-ratelimit-remaining')), usage.writes_per_minute.remaining)
    }
  })
})

describe('a used Idempotency-Key', () => {
  test('keeps its response for 24 hours, by the clock', async () => {
    const write = { method: 'POST', path: '/properties', body: { title: 'Una', address: freshAddress() } }
    const key = randomUUID()
    const first = await ask(write, key)
    t.clock.offsetMs += 86_400_000 - 5_000
    isReplay(await ask(write, key), first)
    t.clock.offsetMs += 5_000
    refused(await ask(write, key), 'duplicate_property')
    isFresh(await ask({ ...write, body: { title: 'Otra' } }, 'after-a-day'), 201)
  })

  test('may be used for another request once it has expired', async () => {
    const key = randomUUID()
    isFresh(await ask({ method: 'POST', path: '/properties', body: { title: 'Una' } }, key), 201)
    t.clock.offsetMs += 86_400_000
    isFresh(await ask({ method: 'POST', path: '/properties', body: { title: 'Otra' } }, key), 201)
  })

  test('is deleted by the worker once it has expired, and not before', async () => {
    const remaining = async () =>
      (await sql<{ key: string }>`select key from idempotency_keys order by key`.execute(t.deps.db)).rows.map(
        ({ key }) => key,
      )
    t.clock.offsetMs += 86_400_000
    const young = ['a-young-key-1', 'a-young-key-2']
    for (const key of young)
      isFresh(await ask({ method: 'POST', path: '/properties', body: { title: 'Una' } }, key), 201)
    // More than one batch of deletions.
    await sql`insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at, status, body)
      select ${t.agency.id}, 'old-' || n, '', gen_random_uuid(), now(), now() - interval '1 day', 200, '{}'
      from generate_series(1, 250) n`.execute(t.deps.db)
    assert.ok((await remaining()).length > 250)
    const worker = startWorker(t.deps)
    while ((await remaining()).length > young.length) await new Promise((resolve) => setImmediate(resolve))
    await worker.stop()
    assert.deepEqual(await remaining(), young)
  })
})
