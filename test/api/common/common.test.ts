/**
 * Rules common to every endpoint (api.md 1.4, 15.1): the list of endpoints, methods, queries, and the order of checks. Keys and bodies have
 * files of their own.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setAgencyActive } from '../../../src/agencies/agencies.ts'
import { endpoints } from '../../../src/api/endpoints.ts'
import type { ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { newApiKey } from '../../../src/access/keys/key-format.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { published, refused } from '../../support/app/listings.ts'
import { rawRequest } from '../../support/network/raw-http.ts'
import {
  assertEnvelope,
  bodyFor,
  everywhere,
  keyFor,
  refusedWhole,
  type Subject,
  subjects,
} from '../support/every-endpoint.ts'

/** The endpoints of api.md 15.1. test/docs.test.ts compares the document with the code. */
const specified = [
  ['GET', '/', 'none'],
  ['GET', '/health', 'none'],
  ['GET', '/openapi.json', 'none'],
  ['GET', '/me', 'any'],
  ['GET', '/properties', 'properties:read'],
  ['POST', '/properties', 'properties:write'],
  ['POST', '/properties/batch', 'properties:write'],
  ['GET', '/properties/external/{external_id}', 'properties:read'],
  ['PUT', '/properties/external/{external_id}', 'properties:write'],
  ['GET', '/properties/{id}', 'properties:read'],
  ['PATCH', '/properties/{id}', 'properties:write'],
  ['DELETE', '/properties/{id}', 'properties:write'],
  ['POST', '/properties/{id}/disable', 'properties:write'],
  ['POST', '/properties/{id}/enable', 'properties:write'],
  ['POST', '/properties/{id}/photos', 'properties:write'],
  ['PUT', '/properties/{id}/photos', 'properties:write'],
  ['POST', '/geocode', 'properties:write'],
  ['GET', '/changes', 'properties:read'],
] as const

let t: TestApp
let all: Subject[]
let keyed: Subject[]

before(async () => {
  t = await testApp()
  const listing = await published(t, { external_id: 'common-1' })
  all = subjects({ id: listing.id, external_id: 'common-1' })
  keyed = all.filter(({ endpoint }) => endpoint.scope !== 'none')
})
after(() => t.close())

test('the API has the specified endpoints and no others', () => {
  assert.deepEqual(
    endpoints.map(({ method, path, scope }) => `${method} ${path} ${scope}`).sort(),
    specified.map((row) => row.join(' ')).sort(),
  )
})

describe('methods', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
  // Known to Node, unknown to the router.
  const rare = ['PROPFIND', 'LOCK', 'SEARCH', 'QUERY', 'REPORT']

  test('that a path does not have: 405 and Allow, with no key and any body', async () => {
    // The root has two paths.
    for (const path of new Set(['', ...all.map((subject) => subject.path)])) {
      const defined = all
        .filter((subject) => subject.path === (path || '/'))
        .map(({ endpoint }) => endpoint.method as string)
      const allowed = [...defined, ...(defined.includes('GET') ? ['HEAD'] : [])].sort()
      for (const method of [...methods, ...rare].filter((candidate) => !allowed.includes(candidate))) {
        const body = ['POST', 'PUT', 'QUERY'].includes(method) ? { body: 'x'.repeat(300_000) } : {}
        const response = await rawRequest(t.baseUrl, { method, path: `/api/v1${path}`, ...body })
        const where = `${method} ${path} → ${response.text}`
        assert.equal(response.status, 405, where)
        assert.deepEqual(response.headers.allow?.split(', ').sort(), allowed, where)
        for (const name of ['x-request-id', 'x-svc-notice', 'link']) assert.ok(response.headers[name], where)
        if (method === 'HEAD') assert.equal(response.text, '', where)
        else
          assert.equal(
            (JSON.parse(response.text) as { error: { code: string } }).error.code,
            'method_not_allowed',
          )
      }
    }
  })

  test('HEAD gets the response of GET, without a body', async () => {
    const same = ['content-type', 'etag', 'x-ratelimit-limit', 'access-control-allow-origin', 'cache-control']
    await everywhere(
      all.filter(({ writes }) => !writes),
      async ({ path }) => {
        const [get, head] = [await t.ask('GET', path), await t.ask('HEAD', path)]
        assert.equal(head.status, 200)
        for (const name of same) assert.equal(head.headers.get(name), get.headers.get(name), name)
        assertEnvelope(head)
        assert.equal(
          (await t.ask('HEAD', path, { key: 'nonsense' })).status,
          get.headers.has('x-ratelimit-limit') ? 401 : 200,
        )
        assert.equal((await t.ask('HEAD', `${path}?unknown_parameter=1`)).status, 400)
      },
    )
    assert.equal((await t.ask('HEAD', '/properties/ZZZZZZZZ')).status, 404)
  })
})

describe('paths', () => {
  test('that are unknown: 404, with no key and any body', async () => {
    const paths = [
      '/nothing',
      '/propertie',
      '/PROPERTIES',
      '/Health',
      '//',
      '/health;v=1',
      '/me/x',
      '/properties//',
    ]
    const below = all.flatMap(({ path }) => (path === '/' ? [] : [`${path}/`, `${path}/nothing`, `/${path}`]))
    // `/properties/nothing` is a listing's path.
    const known = endpoints.map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
    for (const path of [...paths, ...below].filter(
      (candidate) => !known.some((pattern) => pattern.test(candidate)),
    )) {
      for (const method of ['GET', 'POST', 'PROPFIND']) {
        const body =
          method === 'POST' ? { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(2_000_000) } : {}
        const response = await rawRequest(t.baseUrl, { method, path: `/api/v1${path}`, ...body })
        const { error } = JSON.parse(response.text) as { error: { code: string } }
        assert.deepEqual([response.status, error.code], [404, 'not_found'], `${method} ${path}`)
        for (const name of ['x-request-id', 'x-svc-notice', 'link']) assert.ok(response.headers[name], path)
      }
    }
  })
})

describe('the query', () => {
  const queries: readonly (readonly [query: string, parameter: string])[] = [
    ['unknown_parameter=1', 'unknown_parameter'],
    ['x=1&unknown_parameter=2', 'x'],
    ['page=1&page=2', 'page'],
    ['unknown', 'unknown'],
    ['unknown=', 'unknown'],
    ['%75nknown=1', 'unknown'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['=5', 'query'],
    ['%zz=5', 'query'],
    ['unknown=%zz', 'unknown'],
    ['unknown=%ff', 'unknown'],
    ['unknown=%00', 'unknown'],
  ]
  for (const [query, parameter] of queries) {
    test(`is refused as ?${query} everywhere`, async () => {
      for (const subject of all) {
        // The error names the parameter, whether it is unknown or repeated there.
        const response = await t.ask(subject.endpoint.method, `${subject.path}?${query}`, {
          key: keyFor(t, subject),
          ...bodyFor(subject),
        })
        refusedWhole(response, subject, 'invalid_parameter', parameter)
      }
    })
  }

  test('accepts dry_run on six operations, true or false', async () => {
    const trying = [
      'POST /properties',
      'POST /properties/batch',
      'PUT /properties/external/{external_id}',
      'PATCH /properties/{id}',
      'POST /properties/{id}/disable',
      'POST /properties/{id}/enable',
    ]
    await everywhere(all, async (subject) => {
      const values = trying.includes(subject.name)
        ? ['yes', '1', 'TRUE', 'true%20', '', 'true&dry_run=true']
        : ['true', 'false']
      for (const value of values) {
        const response = await t.ask(subject.endpoint.method, `${subject.path}?dry_run=${value}`, {
          key: keyFor(t, subject),
          ...bodyFor(subject),
        })
        refusedWhole(response, subject, 'invalid_parameter', 'dry_run')
      }
    })
    assert.deepEqual(
      all
        .filter(({ endpoint }) => 'runsDry' in endpoint)
        .map(({ name }) => name)
        .sort(),
      trying.sort(),
    )
  })

  test('may be empty', async () => {
    for (const subject of all.filter(({ writes }) => !writes)) {
      for (const query of ['?', '?&', '?&&'])
        assert.equal((await t.ask('GET', subject.path + query)).status, 200)
    }
  })
})

test('a path is recognized in any spelling, by the crawler gate too', async () => {
  const ways = [
    '/api/v1/properties',
    '/api/%761/properties',
    '/%61pi/v1/propertie%73',
    'http://listings.test/api/v1/properties',
  ]
  for (const path of ways) {
    const ask = (agent: string) =>
      rawRequest(t.baseUrl, { method: 'GET', path, headers: { 'user-agent': agent, 'x-api-key': t.readKey } })
    assert.equal((await ask('AcmeCRM/2.3 (+https://acme.example)')).status, 200, path)
    assert.equal((await ask('GPTBot/1.2')).status, 403, path)
  }
})

test('checks run in the order path, method, key, agency, origin, scope, content type, size, validation', async () => {
  const idle = await t.newAgency()
  const leads = async (agencyId: string) => (await t.newKey(agencyId, { scopes: ['leads:read'] })).key
  const keys = {
    active: t.writeKey,
    activeLeads: await leads(t.agency.id),
    idle: idle.writeKey,
    idleLeads: await leads(idle.agency.id),
  }
  await setAgencyActive(t.deps.db, idle.agency.slug, false, t.clock)
  const faults: readonly ErrorCode[] = [
    'not_found',
    'method_not_allowed',
    'invalid_api_key',
    'agency_not_active',
    'origin_not_allowed',
    'insufficient_scope',
    'unsupported_media_type',
    'payload_too_large',
    'invalid_parameter',
  ]
  const ofBodies: readonly ErrorCode[] = ['unsupported_media_type', 'payload_too_large']
  await everywhere(keyed, async ({ endpoint, path, takesBody }) => {
    const possible = takesBody ? faults : faults.filter((fault) => !ofBodies.includes(fault))
    const pairs = possible.flatMap((first, index) =>
      possible.slice(index).map((second) => [first, second] as const),
    )
    for (const [first, second] of pairs) {
      const has = (fault: ErrorCode) => first === fault || second === fault
      const key = has('agency_not_active')
        ? keys[has('insufficient_scope') ? 'idleLeads' : 'idle']
        : keys[has('insufficient_scope') ? 'activeLeads' : 'active']
      const size = (endpoint.maxBodyBytes ?? 262_144) + 1
      const hasBody = takesBody && !(has('method_not_allowed') && endpoint.path === '/')
      const response = await t.ask(
        has('method_not_allowed') ? 'OPTIONS' : endpoint.method,
        `${path}${has('not_found') ? '/nothing/here' : ''}${has('invalid_parameter') ? '?unknown_parameter=1' : ''}`,
        {
          key: has('invalid_api_key') ? newApiKey('Svc', 'live') : key,
          ...(hasBody ? { raw: has('payload_too_large') ? ' '.repeat(size) : '{}' } : {}),
          headers: {
            ...(has('origin_not_allowed') ? { origin: 'https://elsewhere.example' } : {}),
            ...(has('unsupported_media_type') ? { 'content-type': 'text/plain' } : {}),
          },
        },
      )
      refused(response, first)
      assertEnvelope(response)
    }
  })
})
