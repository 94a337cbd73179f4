/** Which keys are accepted, over every state of a key: `refusalOf` is compared with a list of independently written rules. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type KeyState, type Need, type KeyRefusal, refusalOf } from '../../../src/access/keys/check-key.ts'

const now = '2026-11-23T12:00:00.000Z'
const site = 'https://www.acme.example'
const own = 'https://listings.example'
const moment = fc.constantFrom(
  null,
  '2026-11-23T11:59:59.999Z',
  now,
  '2026-11-23T12:00:00.001Z',
  '2027-01-01T00:00:00.000Z',
)
const scopes = ['properties:read', 'properties:write', 'leads:read', 'leads:write'] as const

const states: fc.Arbitrary<KeyState> = fc
  .record({
    revoked_at: fc.constantFrom(null, '2026-01-01T00:00:00.000Z'),
    revokes_at: moment,
    expires_at: moment,
    scopes: fc.subarray([...scopes], { minLength: 1 }),
    allowed_origins: fc.subarray([site, 'http://localhost:3000']),
    signature_required: fc.boolean(),
    active: fc.boolean(),
    test: fc.boolean(),
  })
  .map(({ active, test, ...key }) => ({
    key: { id: '1', name: 'key', prefix: 'svc_live_abcd', created_at: now, signing_secret: null, ...key },
    agency: { id: '2', name: 'Acme', slug: 'acme', active, profile_version: 1, test },
    looked_at: now,
  }))
const needs: fc.Arbitrary<Need> = fc.record({
  scope: fc.constantFrom('any' as const, ...scopes),
  origin: fc.constantFrom(null, '', site, own, `${site}/`, 'null'),
  isOwnOrigin: fc.boolean(),
})

const rules: readonly [KeyRefusal, (state: KeyState, need: Need) => boolean][] = [
  ['revoked_api_key', ({ key }) => key.revoked_at !== null],
  ['revoked_api_key', ({ key }) => key.revokes_at !== null && key.revokes_at <= now],
  ['expired_api_key', ({ key }) => key.expires_at !== null && key.expires_at <= now],
  ['agency_not_active', ({ agency }) => !agency.active],
  [
    'origin_not_allowed',
    ({ key, agency }, { origin, isOwnOrigin }) =>
      typeof origin === 'string' &&
      !new Set(key.allowed_origins).has(origin) &&
      !(agency.test && isOwnOrigin),
  ],
  [
    'insufficient_scope',
    ({ key }, { scope }) =>
      scope === 'any' ? !key.scopes.join().includes('properties') : !key.scopes.includes(scope),
  ],
]

describe('judging a key', () => {
  test('refuses it for the first rule it breaks, and only then', () => {
    fc.assert(
      fc.property(states, needs, (state, need) => {
        const broken = rules.find(([, isBroken]) => isBroken(state, need))
        assert.equal(refusalOf(state, need), broken?.[0] ?? null)
      }),
      { numRuns: 5_000 },
    )
  })
})
