/** The secret key: from the settings, or generated once and kept. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { loadSecretKeys } from '../../../src/access/secrets/secret-keys.ts'

const none = { secretKey: null, secretKeyPrevious: null }

async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'secret-key-'))
  t.after(() => rm(directory, { recursive: true }))
  return directory
}

test('the setting of the secret key takes precedence over the file, and no file is created', async (t) => {
  const dataDir = await temporaryDirectory(t)
  assert.deepEqual(await loadSecretKeys({ ...none, secretKey: 'from the settings', dataDir }), {
    current: 'from the settings',
    previous: null,
  })
  assert.deepEqual(await readdir(dataDir), [])
})

test('concurrent processes create one secret key, readable only by its owner', async (t) => {
  const dataDir = join(await temporaryDirectory(t), 'not', 'there', 'yet')
  const keys = await Promise.all(
    Array.from({ length: 20 }, async () => (await loadSecretKeys({ ...none, dataDir })).current),
  )
  assert.equal(new Set(keys).size, 1)
  assert.ok(keys[0]!.length >= 43)
  assert.deepEqual(await readdir(dataDir), ['secret.key'])
  assert.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600)
  assert.equal((await loadSecretKeys({ ...none, dataDir })).current, keys[0])
  assert.equal(await readFile(join(dataDir, 'secret.key'), 'utf8'), `${keys[0]}\n`)
})

test('a file without a secret key stops the process with a message that names the file', async (t) => {
  const dataDir = await temporaryDirectory(t)
  await writeFile(join(dataDir, 'secret.key'), '\n')
  await assert.rejects(loadSecretKeys({ ...none, dataDir }), {
    name: 'ConfigError',
    message: /secret\.key has no usable key/,
  })
})
