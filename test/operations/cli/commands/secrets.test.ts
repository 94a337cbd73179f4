/** `secrets rotate` and `key find`. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAgency } from '../../../../src/agencies/agencies.ts'
import { placeSecretName } from '../../../../src/listings/geocoding/blurred-place.ts'
import { openSecretBox } from '../../../../src/access/secrets/secret-box.ts'
import { getOrCreateSecret } from '../../../../src/access/secrets/service-secrets.ts'
import { newApiKey } from '../../../../src/access/keys/key-format.ts'
import { databaseUrl, testDatabase, type TestDatabase } from '../../../support/database/database.ts'
import { nothingInDataDir, type Svc, svcHere } from '../svc.ts'

const oldKey = 'a key of sixteen characters'
const newKey = 'its successor, just as long'

let database: TestDatabase
const withKeys = (settings: Record<string, string>): Svc =>
  svcHere({ ...nothingInDataDir, DATABASE_URL: databaseUrl(database.connection), ...settings })
before(async () => {
  database = await testDatabase()
  await createAgency(database.db, { name: 'Acme', slug: 'acme' }, { offsetMs: 0 })
})
after(() => database.drop())

async function json(svc: Svc, line: string) {
  const { code, stdout, stderr } = await svc(`${line} --json`)
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return JSON.parse(stdout)
}
const create = 'key create --agency acme --scope properties:read --name'

describe('secrets rotate', () => {
  let signed: string

  test('moves every secret to the new key, and says that the old one may go', async () => {
    const old = withKeys({ SECRET_KEY: oldKey })
    signed = (await json(old, `${create} Signed --signature-required`)).id
    const both = withKeys({ SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey })
    assert.deepEqual(await json(both, 'secrets rotate'), { resealed: 1, left: 0 })
    const again = await both('secrets rotate')
    assert.match(
      again.stdout,
      /^Encrypted again, with SECRET_KEY: 0\.\nNo stored secret needs SECRET_KEY_PREVIOUS any longer/,
    )
    assert.equal(again.code, 0)
  })

  test('counts what neither key decrypts, and fails', async () => {
    const stranger = withKeys({ SECRET_KEY: 'the key of a third installation' })
    const { code, stdout, stderr } = await stranger('secrets rotate --json')
    assert.deepEqual([code, JSON.parse(stdout)], [1, { resealed: 0, left: 1 }])
    assert.match(stderr, /^1 cannot be decrypted, .* \(signing secrets of keys: 1\)\.$/m)
    await getOrCreateSecret(database.db, openSecretBox(newKey), placeSecretName, 'kept')
    // The service's own secret is made anew: then not all is lost.
    assert.equal(
      (await stranger('secrets rotate --lost')).stdout,
      'The service has replaced its own secrets. Restart its servers and workers.\n' +
        'SECRET_KEY_PREVIOUS is not set, so there was nothing to encrypt again.\n',
    )
    const { checks } = JSON.parse((await stranger('doctor --json')).stdout) as {
      checks: { name: string; detail: string }[]
    }
    assert.match(checks.find(({ name }) => name === 'secrets')?.detail ?? '', /^1 of 2 stored secrets cannot/)
    await json(stranger, `key revoke ${signed}`)
    assert.deepEqual(await json(stranger, 'secrets rotate'), { resealed: 0, left: 0 })
  })
})

describe('key find', () => {
  test('names the owner of a whole key, and revokes it', async () => {
    const svc = withKeys({ SECRET_KEY: newKey })
    const made = await json(svc, `${create} CRM`)
    const found = { id: made.id, agency: 'acme', name: 'CRM', prefix: made.prefix, status: 'active' }
    assert.deepEqual(await json(svc, `key find ${made.key}`), found)
    assert.deepEqual(await json(svc, `key find ${made.prefix}`), found)
    assert.deepEqual(await json(svc, `key find ${made.prefix}…`), found)
    const revoked = { ...found, status: 'revoked' }
    assert.deepEqual(await json(svc, `key find ${made.key} --revoke`), revoked)
    assert.deepEqual(await json(svc, `key find ${made.key} --revoke`), revoked)
  })

  test('does not find a whole key by its prefix', async () => {
    const svc = withKeys({ SECRET_KEY: newKey })
    const made = await json(svc, `${create} Web`)
    const stranger = made.prefix + newApiKey('Svc', 'live').slice(made.prefix.length)
    const { code, stderr } = await svc(`key find ${stranger} --revoke --json`)
    assert.deepEqual([code, stderr], [1, 'No key of this service has this text or prefix.\n'])
    assert.equal((await json(svc, `key find ${made.key}`)).status, 'active')
  })

  test('names all keys with a prefix, and revokes none of them', async () => {
    const svc = withKeys({ SECRET_KEY: newKey })
    const keys = [await json(svc, `${create} One`), await json(svc, `${create} Two`)]
    const { prefix } = keys[0]
    await database.db.updateTable('api_keys').set({ prefix }).where('id', '=', keys[1].id).execute()
    const { code, stdout, stderr } = await svc(`key find ${prefix} --revoke --json`)
    assert.deepEqual([code, stdout], [1, ''])
    for (const { id } of keys) assert.ok(stderr.includes(id))
    for (const { key } of keys) assert.equal((await json(svc, `key find ${key}`)).status, 'active')
  })
})
