/** Encryption at rest of secrets: api.md 3. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openSecretBox } from '../../../src/access/secrets/secret-box.ts'

test('a secret box decrypts what it encrypted, and never produces the same ciphertext twice', () => {
  const box = openSecretBox('a key of sixteen characters')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = box.seal(text)
      assert.equal(box.open(sealed), text)
      assert.notDeepEqual(box.seal(text), sealed)
    }),
  )
})

test('a secret box detects any single flipped bit', () => {
  const box = openSecretBox('a key of sixteen characters')
  const sealed = box.seal('svc_sign_something')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => box.open(changed), /secret cannot be decrypted/)
  }
})

test('a secret box refuses a truncated or empty ciphertext', () => {
  const box = openSecretBox('a key of sixteen characters')
  const sealed = box.seal('svc_sign_something')
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => box.open(sealed.subarray(0, length)), /secret cannot be decrypted/)
  }
})

test('another secret key decrypts nothing, and the message reveals nothing', () => {
  const sealed = openSecretBox('a key of sixteen characters').seal('svc_sign_something')
  assert.throws(
    () => openSecretBox('A key of sixteen characters').open(sealed),
    (error: Error) =>
      /encrypted with another SECRET_KEY/.test(error.message) && !error.message.includes('characters'),
  )
  assert.equal(openSecretBox('a key of sixteen characters').open(sealed), 'svc_sign_something')
})

test('the previous secret key decrypts and never encrypts', () => {
  const old = openSecretBox('a key of sixteen characters')
  const both = openSecretBox('its successor, just as long', 'a key of sixteen characters')
  const sealed = old.seal('svc_sign_something')
  assert.deepEqual([both.open(sealed), both.keyOf(sealed)], ['svc_sign_something', 'previous'])
  const again = both.seal('svc_sign_something')
  assert.deepEqual([both.keyOf(again), old.keyOf(again)], ['current', null])
})
