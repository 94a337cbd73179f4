/** Authentication and scopes of every endpoint (api.md 2.1, 2.3): every kind of key, sent in every way, to every endpoint in the table. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { setAgencyActive } from '../../../src/agencies/agencies.ts'
import type { ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { newApiKey } from '../../../src/access/keys/key-format.ts'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { type Ask, type TestApp, testApp } from '../../support/app/app.ts'
import { published } from '../../support/app/listings.ts'
import { rawRequest } from '../../support/network/raw-http.ts'
import {
  assertEnvelope,
  everywhere,
  keyFor,
  probe,
  refusedWhole,
  type Subject,
  subjects,
} from '../support/every-endpoint.ts'

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

/** The ways to send one key. */
const waysToSend = (key: string): Ask[] => [
  { key },
  { key: null, headers: { authorization: `Bearer ${key}` } },
  { key: null, headers: { authorization: `bearer  ${key} ` } },
  { key, headers: { authorization: `Bearer ${key}` } },
]

const passes = async (subject: Subject, ask: Ask) =>
  refusedWhole(await probe(t, subject, ask), subject, 'invalid_parameter', 'unknown_parameter')

const isRefused = (code: ErrorCode, key: string | null) => (subject: Subject) =>
  Promise.all(
    (key === null ? [{ key }] : waysToSend(key)).map(async (ask) =>
      refusedWhole(await probe(t, subject, ask), subject, code),
    ),
  ).then(() => {})

describe('keys', () => {
  test('are accepted in either header, in both if they are equal, and with the scheme in any case', async () => {
    await everywhere(keyed, async (subject) => {
      for (const ask of waysToSend(keyFor(t, subject))) await passes(subject, ask)
    })
  })

  test('are not needed if docs/api.md requires none', async () => {
    const open = all.filter(({ endpoint }) => endpoint.scope === 'none')
    await everywhere(open, async (subject) => {
      for (const key of [null, 'nonsense', newApiKey('Svc', 'live')]) {
        const response = await t.ask('GET', subject.path, { key })
        assert.equal(response.status, 200, response.text)
        assertEnvelope(response)
        assert.equal(response.headers.get('x-ratelimit-limit'), null)
      }
    })
  })

  test('that are missing: missing_api_key', async () => {
    await everywhere(keyed, isRefused('missing_api_key', null))
    await everywhere(keyed, async (subject) => {
      for (const authorization of ['Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', t.writeKey]) {
        refusedWhole(
          await probe(t, subject, { key: null, headers: { authorization } }),
          subject,
          'missing_api_key',
        )
      }
      const inAddress = await t.ask(subject.endpoint.method, `${subject.path}?api_key=${t.writeKey}`, {
        key: null,
      })
      refusedWhole(inAddress, subject, 'missing_api_key')
    })
  })

  test('that are unknown or mistyped: invalid_api_key', async () => {
    const last = t.writeKey.at(-1) === 'a' ? 'b' : 'a'
    const mistyped = [
      newApiKey('Svc', 'live'),
      t.writeKey.slice(0, -1) + last,
      t.writeKey.slice(0, -1),
      `${t.writeKey}x`,
      t.writeKey.toUpperCase(),
      `x${t.writeKey}`,
      'svc_live_',
      'nonsense',
      `${t.writeKey},${t.writeKey}`,
    ]
    await everywhere(keyed, async (subject) => {
      for (const key of mistyped) await isRefused('invalid_api_key', key)(subject)
    })
  })

  test('that are revoked, immediately: revoked_api_key', async () => {
    const { id, key } = await t.newKey(t.agency.id, { scopes: ['properties:write'] })
    await everywhere(keyed, (subject) => passes(subject, { key }))
    await revokeKey(t.deps.db, t.agency.id, id, t.clock)
    await everywhere(keyed, isRefused('revoked_api_key', key))
  })

  test('that have expired: expired_api_key', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const { key } = await t.newKey(t.agency.id, { scopes: ['properties:write'], expires_at })
    await everywhere(keyed, (subject) => passes(subject, { key }))
    t.clock.offsetMs = 3_601_000
    try {
      await everywhere(keyed, isRefused('expired_api_key', key))
      await everywhere(keyed, (subject) => passes(subject, { key: t.writeKey }))
    } finally {
      t.clock.offsetMs = 0
    }
  })

  test('of an inactive agency: agency_not_active', async () => {
    const { agency, readKey, writeKey } = await t.newAgency()
    await everywhere(keyed, (subject) => passes(subject, { key: writeKey }))
    await setAgencyActive(t.deps.db, agency.slug, false, t.clock)
    await everywhere(keyed, isRefused('agency_not_active', writeKey))
    await everywhere(keyed, isRefused('agency_not_active', readKey))
    await setAgencyActive(t.deps.db, agency.slug, true, t.clock)
    await everywhere(keyed, (subject) => passes(subject, { key: writeKey }))
  })

  test('that differ in the two headers: invalid_api_key, even if each is valid', async () => {
    await everywhere(keyed, async (subject) => {
      const response = await probe(t, subject, {
        key: t.writeKey,
        headers: { authorization: `Bearer ${t.other.writeKey}` },
      })
      refusedWhole(response, subject, 'invalid_api_key')
    })
  })

  test('that are two in one header, even the same: invalid_api_key', async () => {
    const twice = (value: string) => [value, value]
    await everywhere(keyed, async ({ endpoint, path }) => {
      const ways: Record<string, string | string[]>[] = [
        { 'X-API-Key': twice(t.writeKey) },
        { Authorization: twice(`Bearer ${t.writeKey}`) },
        { 'x-api-key': twice(t.writeKey), authorization: `Bearer ${t.writeKey}` },
      ]
      for (const headers of ways) {
        const response = await rawRequest(t.baseUrl, {
          method: endpoint.method,
          path: `/api/v1${path}`,
          headers,
        })
        const { error } = JSON.parse(response.text) as { error: { code: string } }
        assert.deepEqual([response.status, error.code], [401, 'invalid_api_key'])
      }
    })
  })
})

describe('scopes', () => {
  const lacks = (key: string) => async (subject: Subject) =>
    refusedWhole(await probe(t, subject, { key }), subject, 'insufficient_scope')
  const reads = ({ writes }: Subject) => !writes
  const writes = (subject: Subject) => subject.writes

  test('a read-only key cannot write', async () => {
    await everywhere(keyed.filter(reads), (subject) => passes(subject, { key: t.readKey }))
    await everywhere(keyed.filter(writes), lacks(t.readKey))
  })

  test('a key for writing without reading, which the dashboard never creates, allows no reads except /me', async () => {
    const { id, key } = await t.newKey(t.agency.id, { scopes: ['properties:write'] })
    await sql`update api_keys set scopes = '{properties:write}' where id = ${id}`.execute(t.deps.db)
    const needsRead = ({ endpoint }: Subject) => endpoint.scope === 'properties:read'
    await everywhere(keyed.filter(needsRead), lacks(key))
    await everywhere(
      keyed.filter((subject) => !needsRead(subject)),
      (subject) => passes(subject, { key }),
    )
  })

  test('a key with only leads scopes can do nothing, not even read /me', async () => {
    for (const scopes of [['leads:read'], ['leads:write'], ['leads:read', 'leads:write']]) {
      const { key } = await t.newKey(t.agency.id, { scopes })
      await everywhere(keyed, lacks(key))
    }
  })

  test('a key for leads and properties allows what the latter allow', async () => {
    const { key } = await t.newKey(t.agency.id, { scopes: ['leads:write', 'properties:read'] })
    await everywhere(keyed.filter(reads), (subject) => passes(subject, { key }))
    await everywhere(keyed.filter(writes), lacks(key))
  })
})
