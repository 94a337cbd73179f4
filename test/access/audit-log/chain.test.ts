/** The audit log's chains: every entry gets one number, in the order of time, whichever worker chains it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { audit } from '../../../src/access/audit-log/entries.ts'
import { chainAudit } from '../../../src/access/audit-log/chain.ts'
import { digestOf, hashOf } from '../../../src/access/audit-log/hashes.ts'
import { advisoryLock } from '../../../src/platform/db/statements/advisory-locks.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { chainAll, clock, verdicts, write } from './support.ts'

let t: TestDatabase
before(async () => {
  t = await testDatabase({ poolSize: 8 })
})
after(() => t.drop())

type Numbered = { chain_number: number | null; subject: string; is_act: boolean }
const numbered = async () =>
  (
    await sql<Numbered>`select chain_number, subject, expires_at is null as is_act from audit_log
      order by expires_at is null desc, chain_number`.execute(t.db)
  ).rows

test('the hash of an audit entry has a fixed form, because another one would break existing chains', () => {
  const salt = '07'.repeat(16)
  const entry = {
    id: '01a1fd35-b848-73ef-aec7-94489a49b112',
    moment: '2026-11-20T09:30:00.123456Z',
    actor_kind: 'person',
    actor_id: null,
    actor_name: 'Ana Pérez',
    agency_id: null,
    action: 'key_created',
    subject: 'svc_live_abcd…',
    details: '{"name": "CRM"}',
    request_id: 'r-1',
    expires_at: null,
  }
  const digests = [entry.actor_name, entry.subject, entry.details].map((field) => digestOf(salt, field))
  const hash = hashOf('', 1, entry, digests)
  assert.deepEqual(
    [...digests, hash],
    [
      '7715fdbbe875cb455259f1f490cbc4f54ff891c0a474aad19d1cc974ecd8b76c',
      '746125acf1204b3e0a4ca192bc4ffe54ac00436538c19b239c5c6bf03d244d36',
      'fcfac169eb65a7b0e4cd26b525a5c99be1aa2a942f4aea758f3c8dd434b5e92d',
      '1ee594d338a0fd5513c5820c85590866e072a19b94c608d4d6d14698ff8ae16f',
    ],
  )
})

test('audit entries are chained while a routine backup runs, which may take hours', async () => {
  await inTransaction(t.db, async (tx) => {
    await advisoryLock('routineBackup')(tx, [])
    await write(t.db, 'key_created', 1, 1)
    assert.equal((await chainAudit(t.db, 100)).count, 1)
  })
  await sql`delete from audit_log`.execute(t.db)
  await sql`delete from audit_chains`.execute(t.db)
})

test('actions and sign-ins are numbered apart, oldest first', async () => {
  assert.deepEqual(await chainAudit(t.db, 100), { count: 0, ends: [] })
  await write(t.db, 'key_created', 1, 3)
  await write(t.db, 'signed_in', 1, 2)
  await write(t.db, 'key_created', 4, 5)
  assert.equal(await chainAll(t.db, 3), 7)
  assert.deepEqual(
    (await numbered()).map(({ chain_number: number, subject, is_act: isAct }) => [isAct, number, subject]),
    [
      ...[1, 2, 3, 4, 5].map((number) => [true, number, String(number)]),
      ...[1, 2].map((number) => [false, number, String(number)]),
    ],
  )
  assert.equal(await chainAll(t.db), 0)
  const { ends } = await chainAudit(t.db, 1)
  assert.deepEqual(ends, [])
})

test('an audit entry is chained even if it is committed after later ones', async () => {
  const by = { kind: 'system', id: null, name: 'x', requestId: null } as const
  const late = { action: 'agency_changed', agencyId: null, subject: 'late' } as const
  await inTransaction(t.db, async (tx) => {
    await audit(tx, by, late, clock)
    await write(t.db, 'agency_changed', 6, 6)
    assert.equal(await chainAll(t.db), 1)
  })
  assert.equal(await chainAll(t.db), 1)
  const [last] = (await numbered()).filter(({ is_act: isAct }) => isAct).slice(-1)
  assert.equal(last?.subject, 'late')
})

test('workers that chain at once give no number twice and leave no gap', async () => {
  await write(t.db, 'key_revoked', 1, 40)
  await write(t.db, 'signed_in', 3, 40)
  const worker = async () => {
    for (let round = 0; round < 30; round += 1) await chainAudit(t.db, 5)
  }
  await Promise.all([worker(), worker(), worker(), write(t.db, 'key_revoked', 41, 60)])
  await chainAll(t.db)
  const rows = await numbered()
  for (const chain of [true, false]) {
    const numbers = rows.filter(({ is_act: isAct }) => isAct === chain).map((row) => row.chain_number)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    )
  }
  assert.deepEqual(
    (await verdicts(t.db)).map(({ entries, mismatch, missing }) => [entries, mismatch, missing]),
    [
      [67, null, []],
      [40, null, []],
    ],
  )
})

test('new audit entries are looked up in an index', async () => {
  await sql`analyze audit_log`.execute(t.db)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain
    select id from audit_log where chain_number is null order by at, id limit 100`.execute(t.db)
  assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /audit_log_unchained_idx/)
})
