/** A replaced key stops working exactly at its set date, checked on admission. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import {
  createKey,
  getKey,
  listKeys,
  revokeKey,
  rotateKey,
  setRevocation,
} from '../../../src/access/keys/keys.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { because } from '../../support/app/because.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())
beforeEach(() => {
  t.clock.offsetMs = 0
})

const hour = 3_600_000
const keyDeps = () => ({ secretBox: t.deps.secretBox, clock: t.clock, serviceName: 'Svc' })
test('a rotated key works exactly until its revocation date', async () => {
  const { db } = t.deps
  const old = await t.newKey(t.agency.id, {
    scopes: ['properties:read'],
    allowed_origins: ['https://a.example'],
  })
  const made = await inTransaction(db, (tx) => rotateKey(tx, t.agency.id, old.id, keyDeps()))
  const at = new Date(Date.now() + hour).toISOString()
  await inTransaction(db, (tx) => setRevocation(tx, t.agency.id, old.id, at, t.clock))
  assert.equal((await t.ask('GET', '/me', { key: old.key })).status, 200)
  const listed = await getKey(db, t.agency.id, old.id, t.clock)
  assert.deepEqual([listed.status, listed.revokes_at, listed.revoked_at], ['active', at, null])
  assert.ok(listed.last_used_at)

  t.clock.offsetMs = hour + 1_000
  const refused = await t.ask('GET', '/me', { key: old.key })
  assert.deepEqual([refused.status, refused.body.error['code']], [401, 'revoked_api_key'])
  assert.equal((await t.ask('GET', '/me', { key: made.key })).status, 200)
  const over = await getKey(db, t.agency.id, old.id, t.clock)
  assert.deepEqual([over.status, over.revoked_at], ['revoked', at])
  await assert.rejects(
    inTransaction(db, (tx) => rotateKey(tx, t.agency.id, old.id, keyDeps())),
    because('key_revoked'),
  )
  await assert.rejects(
    inTransaction(db, (tx) => setRevocation(tx, t.agency.id, old.id, null, t.clock)),
    because('key_revoked'),
  )
  assert.equal((await revokeKey(db, t.agency.id, old.id, t.clock)).revoked_at, at)
})

test('the revocation date of a key can be cleared, but not set to an invalid or past one', async () => {
  const { db } = t.deps
  const { id } = await t.newKey(t.agency.id)
  const set = (at: string | null) =>
    inTransaction(db, (tx) => setRevocation(tx, t.agency.id, id, at, t.clock))
  await set(new Date(Date.now() + hour).toISOString())
  await set(null)
  assert.equal((await getKey(db, t.agency.id, id, t.clock)).revokes_at, null)
  await assert.rejects(set('soon'), because('date_odd'))
  await assert.rejects(set('2020-01-01'), because('date_past'))
  await assert.rejects(
    inTransaction(db, (tx) => setRevocation(tx, t.other.agency.id, id, null, t.clock)),
    (error) => error instanceof ApiError && error.code === 'not_found',
  )
})

test('a form for a key that is submitted twice creates one key', async () => {
  const { db } = t.deps
  const { agency } = await t.newAgency()
  const id = randomUUID()
  const make = () => createKey(db, agency.id, { id, name: 'Web' }, keyDeps())
  assert.equal((await make()).id, id)
  await assert.rejects(make(), because('form_sent'))
  const successor = randomUUID()
  await inTransaction(db, (tx) => rotateKey(tx, agency.id, id, keyDeps(), successor))
  await assert.rejects(
    inTransaction(db, (tx) => rotateKey(tx, agency.id, id, keyDeps(), successor)),
    because('form_sent'),
  )
  assert.equal((await listKeys(db, agency.id, t.clock)).length, 4)
})
