/** The life cycle of keys: api.md 2.5. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { createAgency } from '../../../src/agencies/agencies.ts'
import { databaseClock } from '../../../src/platform/time/clock.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { openSecretBox } from '../../../src/access/secrets/secret-box.ts'
import { fingerprint, parseApiKey } from '../../../src/access/keys/key-format.ts'
import {
  createKey,
  findKeyAgencyId,
  type KeyDeps,
  type KeyInput,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
} from '../../../src/access/keys/keys.ts'
import { uuidv7 } from '../../../src/platform/names/ids.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { testDatabase } from '../../support/database/database.ts'

const secretBox = openSecretBox('a key of sixteen characters')
const deps: KeyDeps = { secretBox, clock: databaseClock, serviceName: 'Svc' }

let db: Db
let drop: () => Promise<void>
let agencyId: string
let otherAgencyId: string
before(async () => {
  const database = await testDatabase()
  db = database.db
  drop = () => database.drop()
  agencyId = (await createAgency(db, { name: 'Acme', slug: 'acme' }, databaseClock)).id
  otherAgencyId = (await createAgency(db, { name: 'Other', slug: 'other' }, databaseClock)).id
})
after(() => drop())

const make = (input: Partial<KeyInput> = {}, as: KeyDeps = deps): Promise<NewKey> =>
  createKey(db, agencyId, { name: 'CRM', ...input }, as)
const row = (id: string) =>
  db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Days between a key's creation and its expiry. */
async function lifetimeDays(id: string): Promise<number | null> {
  const { created_at, expires_at } = await row(id)
  return expires_at === null ? null : (Date.parse(expires_at) - Date.parse(created_at)) / dayMs
}

test('a key is stored as its fingerprint and displayed prefix, never in plain text', async () => {
  const made = await make()
  assert.deepEqual(Object.keys(made), ['id', 'key', 'prefix', 'scopes', 'expires_at'])
  assert.notEqual(parseApiKey(made.key), null)
  assert.equal(made.prefix, made.key.slice(0, 13))
  assert.deepEqual([made.scopes, made.expires_at], [['properties:read'], null])
  const stored = await row(made.id)
  assert.deepEqual(stored.fingerprint, fingerprint(made.key))
  assert.equal(stored.prefix, made.prefix)
  assert.ok(!JSON.stringify(stored).includes(made.key.slice(14)))
  assert.ok(!JSON.stringify(await listKeys(db, agencyId, databaseClock)).includes(made.key.slice(14)))
})

test('the prefix of a key follows the name of the service', async () => {
  const made = await make({ signature_required: true }, { ...deps, serviceName: 'Casas24' })
  assert.match(made.key, /^casas24_live_/)
  assert.match(made.prefix, /^casas24_live_.{4}$/)
  assert.match(made.signing_secret ?? '', /^casas24_sign_/)
})

test('a signing secret is shown once and stored encrypted, only for keys that require signatures', async () => {
  const made = await make({ signature_required: true })
  assert.match(made.signing_secret ?? '', /^svc_sign_[0-9A-Za-z]{40}$/)
  const stored = await row(made.id)
  assert.equal(stored.signature_required, true)
  assert.equal(secretBox.open(stored.signing_secret ?? Buffer.alloc(0)), made.signing_secret)
  assert.ok(!stored.signing_secret?.includes('svc_sign_'))
  assert.equal((await row((await make()).id)).signing_secret, null)
})

test('the lifetime of a key is computed from the database’s clock', async () => {
  assert.equal(await lifetimeDays((await make({ scopes: ['properties:write'] })).id), 365)
  assert.equal(await lifetimeDays((await make({ scopes: ['leads:read'] })).id), 90)
  assert.equal(await lifetimeDays((await make()).id), null)
  const ahead = { ...deps, clock: { offsetMs: 1000 * dayMs } }
  const made = await make({ scopes: ['properties:write'] }, ahead)
  assert.equal(await lifetimeDays(made.id), 365)
  assert.ok(Date.parse(made.expires_at ?? '') > Date.now() + 1300 * dayMs)
  const soon = new Date(Date.now() + dayMs).toISOString()
  assert.equal((await make({ expires_at: soon })).expires_at, soon)
  await assert.rejects(make({ expires_at: soon }, ahead), {
    code: 'invalid_parameter',
    parameter: 'expires_at',
  })
})

test('an invalid key is refused by the name of its field, and not stored', async () => {
  const count = async () => (await listKeys(db, agencyId, databaseClock)).length
  const before = await count()
  const wrong: [string, Partial<KeyInput>][] = [
    ['name', { name: ' ' }],
    ['scopes[0]', { scopes: ['everything'] }],
    ['expires_at', { expires_at: '2001-01-01' }],
    ['expires_at', { scopes: ['leads:write'], expires_at: new Date(Date.now() + 91 * dayMs).toISOString() }],
    ['allowed_origins', { scopes: ['properties:write'], allowed_origins: ['https://a.example'] }],
    ['allowed_origins[0]', { allowed_origins: ['https://a.example/'] }],
  ]
  for (const [parameter, input] of wrong) {
    await assert.rejects(make(input), { code: 'invalid_parameter', parameter })
  }
  assert.equal(await count(), before)
})

test('the rotation of a key copies the configuration and leaves the old key unchanged', async () => {
  const old = await make({
    name: 'Widget',
    scopes: ['properties:read', 'leads:read'],
    allowed_origins: ['https://a.example', 'https://b.example'],
    signature_required: true,
    expires_at: new Date(Date.now() + 30 * dayMs).toISOString(),
  })
  const before = await row(old.id)
  const made = await inTransaction(db, (tx) =>
    rotateKey(tx, agencyId, old.id, { ...deps, clock: { offsetMs: 10 * dayMs } }),
  )
  assert.deepEqual(await row(old.id), before)
  const after = await row(made.id)
  for (const name of ['name', 'scopes', 'allowed_origins', 'signature_required', 'agency_id'] as const) {
    assert.deepEqual(after[name], before[name], name)
  }
  assert.notEqual(made.key, old.key)
  assert.notEqual(made.signing_secret, old.signing_secret)
  assert.equal(secretBox.open(after.signing_secret ?? Buffer.alloc(0)), made.signing_secret)
  assert.equal(await lifetimeDays(made.id), await lifetimeDays(old.id))
})

test('an expired key can be rotated, but not a revoked, foreign or unknown one', async () => {
  const old = await make({ scopes: ['leads:read'] })
  const late = { ...deps, clock: { offsetMs: 200 * dayMs } }
  assert.equal(
    await lifetimeDays((await inTransaction(db, (tx) => rotateKey(tx, agencyId, old.id, late))).id),
    90,
  )
  await revokeKey(db, agencyId, old.id, databaseClock)
  await assert.rejects(
    inTransaction(db, (tx) => rotateKey(tx, agencyId, old.id, deps)),
    { code: 'invalid_parameter', parameter: 'id' },
  )
  const mine = await make()
  for (const [agency, id] of [
    [otherAgencyId, mine.id],
    [agencyId, uuidv7()],
  ] as const) {
    await assert.rejects(
      inTransaction(db, (tx) => rotateKey(tx, agency, id, deps)),
      { code: 'not_found' },
    )
    await assert.rejects(revokeKey(db, agency, id, databaseClock), { code: 'not_found' })
  }
  assert.equal((await row(mine.id)).revoked_at, null)
})

test('a rotation that waits for a revocation in progress creates no key', async () => {
  const old = await make()
  const { promise: revoking, resolve: mayCommit } = Promise.withResolvers<void>()
  const { promise: revoked, resolve: hasRevoked } = Promise.withResolvers<void>()
  const revocation = inTransaction(db, async (tx) => {
    await revokeKey(tx, agencyId, old.id, databaseClock)
    hasRevoked()
    await revoking
  })
  await revoked
  const rotation = inTransaction(db, (tx) => rotateKey(tx, agencyId, old.id, deps))
  mayCommit()
  await revocation
  await assert.rejects(rotation, { code: 'invalid_parameter', parameter: 'id' })
})

test('a second revocation of a key keeps the time of the first', async () => {
  const made = await make({ name: 'Lost' })
  const first = await revokeKey(db, agencyId, made.id, databaseClock)
  assert.deepEqual(Object.keys(first), ['id', 'name', 'prefix', 'revoked_at'])
  assert.match(first.revoked_at, /Z$/)
  assert.deepEqual(await revokeKey(db, agencyId, made.id, { offsetMs: 5000 }), first)
})

test('the keys of one agency are listed with their states, oldest first', async () => {
  const agency = (await createAgency(db, { name: 'Listed', slug: 'listed' }, databaseClock)).id
  const inputs = [
    { name: 'a' },
    { name: 'b', expires_at: new Date(Date.now() + dayMs).toISOString() },
    { name: 'c' },
  ]
  const ids: string[] = []
  for (const [index, input] of inputs.entries()) {
    ids.push((await createKey(db, agency, input, { ...deps, clock: { offsetMs: index } })).id)
  }
  await revokeKey(db, agency, ids[2] ?? '', databaseClock)
  const states = async (offsetMs: number) =>
    (await listKeys(db, agency, { offsetMs })).map(({ id, name, status }) => [id, name, status])
  assert.deepEqual(await states(0), [
    [ids[0], 'a', 'active'],
    [ids[1], 'b', 'active'],
    [ids[2], 'c', 'revoked'],
  ])
  assert.deepEqual(
    (await states(2 * dayMs)).map(([, , status]) => status),
    ['active', 'expired', 'revoked'],
  )
  assert.deepEqual(Object.keys((await listKeys(db, agency, databaseClock))[0] ?? {}), [
    'id',
    'name',
    'prefix',
    'test',
    'status',
    'scopes',
    'allowed_origins',
    'signature_required',
    'created_at',
    'expires_at',
    'revoked_at',
    'revokes_at',
    'last_used_at',
  ])
  assert.equal(await findKeyAgencyId(db, ids[0] ?? ''), agency)
  assert.equal(await findKeyAgencyId(db, uuidv7()), null)
})
