/** The rules for keys: api.md 2.3, 2.5 and 2.6. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import {
  allScopes,
  checkExpiry,
  checkName,
  checkOrigins,
  checkScopes,
  rotatedExpiry,
} from '../../../src/access/keys/key-rules.ts'

const now = new Date('2026-11-20T09:30:00.000Z')
const days = (count: number): Date => new Date(now.getTime() + count * 86_400_000)

function refuses(parameter: string, run: () => unknown): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.deepEqual([error.code, error.parameter], ['invalid_parameter', parameter])
    return true
  })
}

test('scopes have a default and an order, and write implies read', () => {
  assert.deepEqual(checkScopes([]), ['properties:read'])
  assert.deepEqual(checkScopes(['properties:write']), ['properties:read', 'properties:write'])
  assert.deepEqual(checkScopes(['leads:write', 'leads:read', 'leads:write']), ['leads:read', 'leads:write'])
  assert.deepEqual(checkScopes(['leads:write', 'properties:write']), [
    'properties:read',
    'properties:write',
    'leads:write',
  ])
  for (const wrong of ['', 'properties', 'Properties:read', 'properties:read ', '*']) {
    refuses('scopes[1]', () => checkScopes(['leads:read', wrong]))
  }
})

test('any choice of scopes is ordered and deduplicated, and write always comes with read', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...allScopes)), (chosen) => {
      const scopes = checkScopes(chosen)
      assert.deepEqual(scopes, [...new Set(scopes)])
      assert.deepEqual(
        scopes,
        allScopes.filter((scope) => scopes.includes(scope)),
      )
      for (const scope of chosen) assert.ok(scopes.includes(scope))
      if (scopes.includes('properties:write')) assert.ok(scopes.includes('properties:read'))
      assert.deepEqual(checkScopes(scopes), scopes)
    }),
  )
})

test('without a chosen date, a key lives as long as its scopes allow', () => {
  assert.equal(checkExpiry(['properties:read'], null, now), null)
  assert.deepEqual(checkExpiry(['properties:read', 'properties:write'], null, now), days(365))
  assert.deepEqual(checkExpiry(['leads:read'], null, now), days(90))
  assert.deepEqual(checkExpiry(['leads:write'], null, now), days(90))
  assert.deepEqual(checkExpiry(['properties:read', 'properties:write', 'leads:read'], null, now), days(90))
})

test('a key keeps a chosen expiry date if its scopes allow it', () => {
  const read = checkScopes([])
  const write = checkScopes(['properties:write'])
  const leads = checkScopes(['leads:read', 'properties:write'])
  assert.deepEqual(checkExpiry(read, '2027-03-31', now), new Date('2027-03-31T00:00:00Z'))
  assert.deepEqual(checkExpiry(read, '2027-03-31T12:00', now), new Date('2027-03-31T12:00:00Z'))
  assert.deepEqual(
    checkExpiry(read, '2027-03-31T12:00:00.5-03:00', now),
    new Date('2027-03-31T15:00:00.500Z'),
  )
  assert.deepEqual(checkExpiry(write, '2099-01-01', now), new Date('2099-01-01T00:00:00Z'))
  assert.deepEqual(checkExpiry(write, days(1).toISOString(), now), days(1))
  assert.deepEqual(checkExpiry(leads, days(90).toISOString(), now), days(90))
  refuses('expires_at', () => checkExpiry(leads, new Date(days(90).getTime() + 1).toISOString(), now))
  for (const scopes of [read, write, leads]) {
    for (const past of ['2026-11-20', now.toISOString(), '2020-02-29', '0000-01-01']) {
      refuses('expires_at', () => checkExpiry(scopes, past, now))
    }
    for (const wrong of [
      '',
      'tomorrow',
      '2027',
      '2027-02-30',
      '2027-13-01',
      '2027-03-31T25:00',
      '31/03/2027',
      '1806000000',
    ]) {
      refuses('expires_at', () => checkExpiry(scopes, wrong, now))
    }
  }
})

test('a rotated key gets the lifetime of the old one, within the rules', () => {
  const made = new Date('2026-10-01T00:00:00.000Z')
  const after = (count: number): Date => new Date(made.getTime() + count * 86_400_000)
  const rotated = (scopes: string[], expiresAt: Date | null): Date | null =>
    rotatedExpiry(checkScopes(scopes), expiresAt && expiresAt.getTime() - made.getTime(), now)
  assert.equal(rotated([], null), null)
  assert.deepEqual(rotated([], after(30)), days(30))
  assert.deepEqual(rotated(['properties:write'], after(365)), days(365))
  assert.deepEqual(rotated(['properties:write'], after(1000)), days(1000))
  assert.deepEqual(rotated(['leads:read'], after(7)), days(7))
  assert.deepEqual(rotated(['leads:read'], after(90)), days(90))
  // No rule allows such keys; rotation repairs them.
  assert.deepEqual(rotated(['leads:read'], after(400)), days(90))
  assert.deepEqual(rotated(['properties:write'], null), days(365))
})

test('a key accepts only origins that a browser would send, and none with write access', () => {
  const read = checkScopes([])
  const good = [
    'https://www.acme.example',
    'https://acme.example',
    'https://acme.example:8443',
    'https://xn--and-6ma2c.example',
    'https://localhost:5173',
    'https://[2001:db8::1]',
    'https://203.0.113.7',
  ]
  for (const origin of good) assert.deepEqual(checkOrigins(read, [origin], 'live'), [origin])
  const bad = [
    '',
    'acme.example',
    'http://acme.example',
    'https://',
    'https://acme.example/',
    'https://acme.example/app',
    'https://acme.example?x=1',
    'https://acme.example#x',
    'https://ACME.example',
    'HTTPS://acme.example',
    'https://acme.example:443',
    'https://user@acme.example',
    'https://ñandú.example',
    'https://*.acme.example',
    'https://*',
    'https://acme..example',
    'https://acme.example,https://b.example',
    ' https://acme.example',
    'https://acme.example\n',
    'null',
    '*',
    'ftp://acme.example',
    `https://${'a'.repeat(250)}.example`,
  ]
  for (const origin of bad) {
    refuses('allowed_origins[1]', () => checkOrigins(read, ['https://acme.example', origin], 'live'))
  }
  for (const scope of ['properties:write', 'leads:write']) {
    refuses('allowed_origins', () => checkOrigins(checkScopes([scope]), ['https://acme.example'], 'live'))
    assert.deepEqual(checkOrigins(checkScopes([scope]), [], 'live'), [])
  }
  assert.deepEqual(checkOrigins(checkScopes(['leads:read']), ['https://acme.example'], 'live'), [
    'https://acme.example',
  ])
})

test('a key has at most five distinct origins', () => {
  const read = checkScopes([])
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}.example`)
  assert.deepEqual(checkOrigins(read, [...five, ...five], 'live'), five)
  refuses('allowed_origins', () => checkOrigins(read, [...five, 'https://f.example'], 'live'))
})

test('every accepted origin equals the origin that URL computes', () => {
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ['https', 'http'] }), (url) => {
      let taken: string[]
      try {
        taken = checkOrigins(['properties:read'], [url], 'live')
      } catch (error) {
        assert.ok(error instanceof ApiError)
        return
      }
      assert.deepEqual(taken, [new URL(url).origin])
    }),
  )
})

test('the name of a key is trimmed, and refused if blank, too long or with control characters', () => {
  assert.equal(checkName('  CRM de ventas  '), 'CRM de ventas')
  assert.equal(checkName('🏠'.repeat(120)), '🏠'.repeat(120))
  for (const wrong of ['', ' \t ', 'a'.repeat(121), 'a\nb', 'a\u0000b', '\u001b[31m', '\ud800']) {
    refuses('name', () => checkName(wrong))
  }
})
