/** Encryption at rest of signing secrets: api.md 3. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as fc from 'fast-check'
import { loadSecretKey, openSecretBox } from '../../../src/access/keys/secret-box.ts'

test('decrypts what it encrypted, and never produces the same ciphertext twice', () => {
  const box = openSecretBox('a key of sixteen characters')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = box.seal(text)
      assert.equal(box.open(sealed), text)
      assert.notDeepEqual(box.seal(text), sealed)
    }),
  )
})

test('detects any single flipped bit', () => {
  const box = openSecretBox('a key of sixteen characters')
  const sealed = box.seal('svc_sign_something')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => box.open(changed), /secret has an unknown format|secret cannot be decrypted/)
  }
})

test('rejects a truncated or empty ciphertext', () => {
  const box = openSecretBox('a key of sixteen characters')
  const sealed = box.seal('svc_sign_something')
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(
      () => box.open(sealed.subarray(0, length)),
      /secret has an unknown format|secret cannot be decrypted/,
    )
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

async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'secret-key-'))
  t.after(() => rm(directory, { recursive: true }))
  return directory
}

test('the setting takes precedence over the file, and no file is created', async (t) => {
  const dataDir = await temporaryDirectory(t)
  assert.equal(await loadSecretKey({ secretKey: 'from the settings', dataDir }), 'from the settings')
  assert.deepEqual(await readdir(dataDir), [])
})

test('concurrent processes create one key, readable only by its owner', async (t) => {
  const dataDir = join(await temporaryDirectory(t), 'not', 'there', 'yet')
  const keys = await Promise.all(
    Array.from({ length: 20 }, () => loadSecretKey({ secretKey: null, dataDir })),
  )
  assert.equal(new Set(keys).size, 1)
  assert.ok(keys[0]!.length >= 43)
  assert.deepEqual(await readdir(dataDir), ['secret.key'])
  assert.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600)
  assert.equal(await loadSecretKey({ secretKey: null, dataDir }), keys[0])
  assert.equal(await readFile(join(dataDir, 'secret.key'), 'utf8'), `${keys[0]}\n`)
})

test('a file without a key stops the process with a message that names the file', async (t) => {
  const dataDir = await temporaryDirectory(t)
  await writeFile(join(dataDir, 'secret.key'), '\n')
  await assert.rejects(loadSecretKey({ secretKey: null, dataDir }), {
    name: 'ConfigError',
    message: /secret\.key has no usable key/,
  })
})
