// Encryption at rest: api.md 3, optional request signing.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as fc from 'fast-check'
import { loadSecretKey, openSecretBox } from '../../../src/access/keys/secret-box.ts'

test('what is sealed opens again, and never looks the same', () => {
  const box = openSecretBox('a key of sixteen characters')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = box.seal(text)
      assert.equal(box.open(sealed), text)
      assert.notDeepEqual(box.seal(text), sealed)
    }),
  )
})

test('a single changed bit anywhere is noticed', () => {
  const box = openSecretBox('a key of sixteen characters')
  const sealed = box.seal('svc_sign_something')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => box.open(changed), /secret has an unknown format|secret cannot be decrypted/)
  }
})

test('a cut or empty one is refused', () => {
  const box = openSecretBox('a key of sixteen characters')
  const sealed = box.seal('svc_sign_something')
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(
      () => box.open(sealed.subarray(0, length)),
      /secret has an unknown format|secret cannot be decrypted/,
    )
  }
})

test('another secret key opens nothing, and the message gives nothing away', () => {
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

test('the setting goes before the file, and no file is made', async (t) => {
  const dataDir = await temporaryDirectory(t)
  assert.equal(await loadSecretKey({ secretKey: 'from the settings', dataDir }), 'from the settings')
  assert.deepEqual(await readdir(dataDir), [])
})

test('the key is made once, for its owner alone, and all who start at once agree', async (t) => {
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

test('a file that holds no key stops with a line that names it', async (t) => {
  const dataDir = await temporaryDirectory(t)
  await writeFile(join(dataDir, 'secret.key'), '\n')
  await assert.rejects(loadSecretKey({ secretKey: null, dataDir }), {
    name: 'ConfigError',
    message: /secret\.key has no usable key/,
  })
})
