/** The statement that consumes a signature and charges its key (docs/adr/0003): what it charges, and that it survives a crash. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { admitSigned, findKey } from '../../../src/access/keys/admission.ts'
import type { KeyState } from '../../../src/access/keys/check-key.ts'
import { admitSignedKey } from '../../../src/access/keys/key-rows.ts'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { now } from '../../support/moments.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

let t: TestApp
let key: KeyState
before(async () => {
  t = await testApp()
})
after(() => t.close())
beforeEach(async () => {
  const made = await t.newKey(t.agency.id, { scopes: ['properties:write'], signature_required: true })
  const found = await findKey(t.deps.db, made.key, t.clock)
  assert.ok(found)
  key = found
})

const fresh = async () => ({ bytes: randomBytes(32), signedAt: (await now(t)) / 1_000 })
const asking = { scope: 'properties:write', origin: null, kind: 'writes' } as const

/** Writes counted in the current minute, and signatures stored. */
async function counted() {
  const { rows } = await sql<{ writes: number; signatures: number }>`
    select coalesce((select minute_writes from key_usage where agency_id = ${t.agency.id} and key_id = ${key.key.id}), 0) as writes,
      (select count(*)::int from used_signatures where agency_id = ${t.agency.id} and key_id = ${key.key.id}) as signatures`.execute(
    t.deps.db,
  )
  return rows[0]
}

describe('a signature', () => {
  test('is consumed and charged once when valid', async () => {
    const signature = await fresh()
    const admitted = await admitSigned(t.deps, key, signature, asking)
    assert.ok(admitted !== null && typeof admitted === 'object')
    assert.deepEqual([admitted.refusal, admitted.passage?.granted], [null, 1])
    assert.equal(await admitSigned(t.deps, key, signature, asking), 'used')
    assert.deepEqual(await counted(), { writes: 1, signatures: 1 })
  })

  test('is neither charged nor stored when stale', async () => {
    const { bytes, signedAt } = await fresh()
    for (const shift of [-301, 301])
      assert.equal(await admitSigned(t.deps, key, { bytes, signedAt: signedAt + shift }, asking), 'stale')
    assert.deepEqual(await counted(), { writes: 0, signatures: 0 })
  })

  test('is consumed, and its charge refunded, when the key was revoked in the meantime', async () => {
    await revokeKey(t.deps.db, t.agency.id, key.key.id, t.clock)
    const admitted = await admitSigned(t.deps, key, await fresh(), asking)
    assert.ok(admitted !== null && typeof admitted === 'object')
    assert.deepEqual([admitted.refusal, admitted.passage], ['revoked_api_key', null])
    assert.deepEqual(await counted(), { writes: 0, signatures: 1 })
  })

  test('is committed synchronously, unlike counters', async () => {
    const { bytes, signedAt } = await fresh()
    const mode = await inTransaction(t.deps.db, async (tx) => {
      const values = [t.agency.id, key.key.id, bytes, signedAt, 300, t.clock.offsetMs, 0, 1, 9, 9, 9, 9]
      assert.equal((await admitSignedKey(tx, values))[0]?.granted_writes, 1)
      return (await sql<{ mode: string }>`select current_setting('synchronous_commit') as mode`.execute(tx))
        .rows[0]?.mode
    })
    assert.equal(mode, 'on')
  })
})
