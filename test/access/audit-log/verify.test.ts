/** Changes of the audit log outside the service: each is found, with the number of the entry. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { reapAudit, signInSeconds } from '../../../src/access/audit-log/entries.ts'
import { describeChains } from '../../../src/access/audit-log/verify.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { chainAll, clock, running, verdicts, verdictsAfter, write } from './support.ts'

const acts = 9
const signIns = 5

let t: TestDatabase
before(async () => {
  t = await testDatabase()
  await write(t.db, 'key_created', 1, acts)
  await write(t.db, 'signed_in', 1, signIns)
  await chainAll(t.db)
})
after(() => t.drop())

const sound = { erased: 0, mismatch: null, missing: [] }
const act = (number: number) => `expires_at is null and chain_number = ${number}`
const signIn = (number: number) => `expires_at is not null and chain_number = ${number}`
const changed = (set: string, number = 4) => `update audit_log set ${set} where ${act(number)}`

test('an unchanged audit log is valid', async () => {
  assert.deepEqual(await verdicts(t.db), [
    { ...sound, entries: acts },
    { ...sound, entries: signIns },
  ])
  assert.match(
    await describeChains(t.db, clock),
    /^9 actions match, up to 9 [0-9a-f]{16}…; 5 sign-ins match, up to 5 [0-9a-f]{16}…$/,
  )
})

describe('a changed field of an audit entry is found:', () => {
  const changes = [
    `id = gen_random_uuid()`,
    `at = at + interval '1 microsecond'`,
    `actor_kind = 'operator'`,
    `actor_id = gen_random_uuid()`,
    `actor_name = 'Eva'`,
    `actor_name = null`,
    `action = 'key_revoked'`,
    `subject = '5'`,
    `details = details || '{"n": 5}'`,
    `details = '{}'`,
    `request_id = 'x'`,
    `digests[1] = digests[2]`,
    `salts[1] = salts[2]`,
    `salts[1] = null`,
    `actor_name = 'Eva', salts[1] = null`,
    `chain_hash = sha256(chain_hash)`,
  ]
  for (const set of changes)
    test(set, async () => {
      const [found] = await verdictsAfter(t.db, running(changed(set)))
      assert.deepEqual([found?.mismatch, found?.missing], [4, []])
    })
})

describe('an audit entry is missed if it', () => {
  for (const [where, from] of [
    ['is the first', 1],
    ['is in the middle', 5],
    ['is the last', acts],
  ] as const)
    test(where, async () => {
      const [found] = await verdictsAfter(t.db, running(`delete from audit_log where ${act(from)}`))
      assert.deepEqual([found?.mismatch, found?.missing], [null, [[from, from]]])
    })

  test('becomes a sign-in, which would be deleted', async () => {
    const text = changed(`expires_at = now() + interval '2 days', chain_number = 6`)
    const [ofActs, ofSignIns] = await verdictsAfter(t.db, running(text))
    assert.deepEqual([ofActs?.missing, ofSignIns?.mismatch], [[[4, 4]], 6])
  })

  test('loses its number, to be chained again', async () => {
    const text = changed('chain_number = null, chain_hash = null, salts = null, digests = null')
    const [found] = await verdictsAfter(t.db, running(text))
    assert.deepEqual(found?.missing, [[4, 4]])
  })

  test('is one of several', async () => {
    const text = `delete from audit_log where expires_at is null and chain_number in (2, 3, 7)`
    const [found] = await verdictsAfter(t.db, running(text))
    assert.deepEqual(found, {
      ...sound,
      entries: acts - 3,
      missing: [
        [2, 3],
        [7, 7],
      ],
    })
  })
})

test('two swapped audit entries are found', async () => {
  const texts = [
    changed('chain_number = 103', 3),
    changed('chain_number = 3', 6),
    changed('chain_number = 6', 103),
  ]
  const [found] = await verdictsAfter(t.db, running(...texts))
  assert.deepEqual([found?.mismatch, found?.missing], [3, []])
})

describe('an inserted audit entry is found', () => {
  const copy = (number: string) => `insert into audit_log
    (id, at, actor_kind, actor_name, action, subject, details, chain_number, chain_hash, salts, digests)
    select gen_random_uuid(), at, actor_kind, actor_name, action, subject, details, ${number}, chain_hash, salts, digests
    from audit_log where ${act(5)}`

  test('in the middle, with later ones moved up', async () => {
    const moved = `update audit_log set chain_number = chain_number + 1000 where expires_at is null and chain_number > 5`
    const back = `update audit_log set chain_number = chain_number - 999 where expires_at is null and chain_number > 1000`
    const [found] = await verdictsAfter(t.db, running(moved, copy('6'), back))
    assert.equal(found?.mismatch, 6)
  })

  test('at the end', async () => {
    const [found] = await verdictsAfter(t.db, running(copy('10')))
    assert.equal(found?.mismatch, 10)
  })

  test('at the end, with the end of the chain moved too', async () => {
    const end = `update audit_chains set number = 10 where chain = 'acts'`
    const [found] = await verdictsAfter(t.db, running(copy('10'), end))
    assert.equal(found?.mismatch, 10)
  })
})

describe('a sign-in that seems to expire today', () => {
  const expiring = (number: number) => `update audit_log set expires_at = now() where ${signIn(number)}`

  for (const number of [1, 4, signIns])
    test(`is found as number ${number}`, async () => {
      const [, found] = await verdictsAfter(t.db, running(expiring(number)))
      assert.deepEqual(found, { ...sound, entries: signIns, mismatch: number })
    })

  test('hides no change of an earlier one', async () => {
    const change = `update audit_log set subject = 'x' where ${signIn(2)}`
    const [, found] = await verdictsAfter(t.db, running(change, expiring(signIns)))
    assert.deepEqual(found, { ...sound, entries: signIns, mismatch: 2 })
  })

  test('hides no gap before it', async () => {
    const gap = `delete from audit_log where ${signIn(3)}`
    const [, found] = await verdictsAfter(t.db, running(gap, expiring(4)))
    assert.deepEqual([found?.mismatch, found?.missing], [null, [[3, 3]]])
  })
})

test('an end of the audit log that was moved back, changed or deleted is found', async () => {
  for (const [text, mismatch, missing] of [
    [`update audit_chains set number = 8 where chain = 'acts'`, acts, []],
    [`update audit_chains set number = 11 where chain = 'acts'`, null, [[10, 11]]],
    [`update audit_chains set hash = sha256(hash) where chain = 'acts'`, acts, []],
    [`delete from audit_chains`, acts, []],
  ] as const) {
    const [found] = await verdictsAfter(t.db, running(text))
    assert.deepEqual([found?.mismatch, found?.missing], [mismatch, missing], text)
  }
})

test('an erased field keeps the chain of audit entries, and is counted', async () => {
  const erased = changed(
    `actor_name = null, subject = null, details = '{}', salts = array_fill(null::bytea, array[3])`,
  )
  const [found] = await verdictsAfter(t.db, running(erased, changed('subject = null, salts[2] = null', 6)))
  assert.deepEqual(found, { ...sound, entries: acts, erased: 2 })
})

test('doctor names the first audit entry that does not match, and gaps', async () => {
  const { db } = t
  await sql`update audit_log set subject = 'x' where ${sql.raw(act(2))}`.execute(db)
  await sql`delete from audit_log where ${sql.raw(signIn(3))}`.execute(db)
  await assert.rejects(
    describeChains(db, clock),
    /it was changed outside the service: actions: number 2 is the first that does not match; sign-ins: missing 3$/,
  )
  await sql`update audit_log set subject = '2' where ${sql.raw(act(2))}`.execute(db)
  assert.deepEqual((await verdicts(db))[0], { ...sound, entries: acts })
})

test('the oldest sign-ins may be gone, even if they expired slightly out of order', async () => {
  const other = await testDatabase()
  try {
    await write(other.db, 'signed_in', 1, 6)
    // Number 3 expires before number 2, as clocks of two instances may have it.
    await sql`update audit_log set at = at - interval '30 days', expires_at = expires_at - interval '30 days'
      where subject in ('1', '2', '3')`.execute(other.db)
    await sql`update audit_log set expires_at = expires_at - interval '1 minute' where subject = '3'`.execute(
      other.db,
    )
    await chainAll(other.db)
    const soon = signInSeconds * 1_000 - 30 * dayMs
    assert.deepEqual((await verdicts(other.db, soon - dayMs / 2))[1], { ...sound, entries: 6 })
    assert.equal(await reapAudit(other.db, 2, { offsetMs: soon + 60_000 }), 2)
    assert.deepEqual((await verdicts(other.db, soon + 60_000))[1], { ...sound, entries: 4 })
    assert.equal(await reapAudit(other.db, 100, { offsetMs: soon + 60_000 }), 1)
    assert.deepEqual((await verdicts(other.db, soon + 60_000))[1], { ...sound, entries: 3 })
    assert.match(await describeChains(other.db, { offsetMs: soon }), /3 sign-ins match, from 4 up to 6 /)
    assert.equal(await reapAudit(other.db, 100, { offsetMs: soon + 60 * dayMs }), 3)
    assert.deepEqual((await verdicts(other.db))[1], { ...sound, entries: 0 })
    await write(other.db, 'signed_in', 7, 7)
    await chainAll(other.db)
    assert.deepEqual((await verdicts(other.db))[1], { ...sound, entries: 1 })
  } finally {
    await other.drop()
  }
})
