/** The format of keys: api.md 2.2. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  displayPrefix,
  fingerprint,
  newApiKey,
  newSigningSecret,
  parseApiKey,
} from '../../../src/access/keys/key-format.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const serviceName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,31}$/)

test('a key has the service’s prefix and 40 base62 characters', () => {
  assert.match(newApiKey('Svc', 'live'), /^svc_live_[0-9A-Za-z]{40}$/)
  assert.match(newSigningSecret('Svc'), /^svc_sign_[0-9A-Za-z]{40}$/)
  assert.match(newApiKey('Casas24', 'live'), /^casas24_live_[0-9A-Za-z]{40}$/)
})

test('every new key is well-formed, whatever the service is called', () => {
  fc.assert(
    fc.property(serviceName, (name) => {
      const key = newApiKey(name, 'live')
      assert.deepEqual(parseApiKey(key), { prefix: `${name.toLowerCase()}_live_`, secret: key.slice(-40) })
      assert.equal(displayPrefix(key), key.slice(0, -36))
    }),
  )
})

test('a key with a single wrong character in any position is detected', () => {
  const wrong = fc.tuple(fc.nat(48), fc.constantFrom(...base62, '_', '-', ' ', 'é'))
  fc.assert(
    fc.property(wrong, ([at, character]) => {
      const key = newApiKey('Svc', 'live')
      fc.pre(key[at] !== character)
      assert.equal(parseApiKey(key.slice(0, at) + character + key.slice(at + 1)), null)
    }),
    { numRuns: 2000 },
  )
})

test('a key with swapped, missing or doubled characters is detected', () => {
  fc.assert(
    fc.property(fc.integer({ min: 9, max: 41 }), (at) => {
      const key = newApiKey('Svc', 'live')
      const [a = '', b = ''] = key.slice(at, at + 2)
      fc.pre(a !== b)
      assert.equal(parseApiKey(key.slice(0, at) + b + a + key.slice(at + 2)), null)
      assert.equal(parseApiKey(key.slice(0, at) + key.slice(at + 1)), null)
      assert.equal(parseApiKey(key.slice(0, at) + a + key.slice(at)), null)
    }),
  )
})

test('strings that are not keys are refused', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (text) => {
      assert.equal(parseApiKey(text), null)
    }),
  )
  const key = newApiKey('Svc', 'live')
  for (const text of ['', ` ${key}`, `${key}\n`, key.toUpperCase(), newSigningSecret('Svc'), key.slice(9)]) {
    assert.equal(parseApiKey(text), null, JSON.stringify(text))
  }
})

test('new keys draw all characters about equally often', () => {
  const counts = new Map<string, number>()
  const draws = 2000 * 34
  for (let i = 0; i < 2000; i++) {
    for (const character of newApiKey('Svc', 'live').slice(9, 43))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  assert.equal(counts.size, 62)
  // With modulo bias the first eight would come 21 % too often; by chance, 10 % is nine standard deviations away.
  const first = Array.from(base62.slice(0, 8)).reduce(
    (sum, character) => sum + (counts.get(character) ?? 0),
    0,
  )
  assert.ok(Math.abs(first / ((draws * 8) / 62) - 1) < 0.1, `the first eight came ${first} times`)
})

test('the fingerprint of a key is the SHA-256 of the whole key', () => {
  const key = newApiKey('Svc', 'live')
  assert.deepEqual(fingerprint(key), createHash('sha256').update(key).digest())
})
