/** Background work: a failing chore does not delay the others. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { audit } from '../../../src/access/audit-log/entries.ts'
import { isOfAgencies } from '../../../src/platform/db/citus/distribution.ts'
import { allCounters } from '../../../src/platform/log/counters.ts'
import { startWorker } from '../../../src/operations/worker/worker.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { until } from '../../support/until.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const failuresOf = (chore: string): number =>
  allCounters
    .find(({ name }) => name === 'chore_failures_total')
    ?.read()
    .get(chore) ?? 0

/** An expired row in each of the tables that are reaped first and last. */
async function expire(): Promise<void> {
  await sql`insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at)
    select id, 'old', '', gen_random_uuid(), now() - interval '1 year', now() - interval '1 year' from agencies
    on conflict do nothing`.execute(t.deps.db)
  await sql`insert into request_log (agency_id, request_id, key_id, at, method, path, status, ms)
    select id, gen_random_uuid(), gen_random_uuid(), now() - interval '1 year', 'GET', '/', 200, 1 from agencies`.execute(
    t.deps.db,
  )
}

async function isCleared(tables: readonly string[]): Promise<boolean> {
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(t.deps.db)
    if (rows.length > 0) return false
  }
  return true
}

describe('a chore that always fails', () => {
  for (const table of ['idempotency_keys', 'geocoding_cache', 'subject_usage', 'request_log']) {
    test(`for ${table}, is logged and does not stop the others`, async () => {
      await expire()
      const before = failuresOf(table)
      const away = sql.id(`${table}_away`)
      await sql`alter table ${sql.table(table)} rename to ${away}`.execute(t.deps.db)
      const told: unknown[] = []
      const warn = (details: object): void => void told.push('chore' in details && details.chore)
      const worker = startWorker({ ...t.deps, log: { ...t.deps.log, warn } })
      try {
        const others = ['idempotency_keys', 'request_log'].filter((name) => name !== table)
        await until(async () => told.length > 0 && (await isCleared(others)))
        await worker.stop()
        // On Citus once per node.
        const nodes = isOfAgencies(table) ? (await t.deps.db.nodes()).length : 1
        assert.deepEqual(told, Array<string>(nodes).fill(table))
        assert.equal(failuresOf(table), before + nodes)
      } finally {
        await worker.stop()
        await sql`alter table ${away} rename to ${sql.id(table)}`.execute(t.deps.db)
      }
    })
  }
})

test('new entries of the audit log are chained, and the new end is logged', async () => {
  const by = { kind: 'system', id: null, name: 'x', requestId: null } as const
  await audit(t.deps.db, by, { action: 'key_created', agencyId: null, subject: 'x' }, t.clock)
  const logged: object[] = []
  const info = (details: object): void => void ('chain' in details && logged.push(details))
  const worker = startWorker({ ...t.deps, log: { ...t.deps.log, info } })
  await until(() => logged.length > 0)
  await worker.stop()
  const { rows } =
    await sql<object>`select chain, number::int, encode(hash, 'hex') as hash from audit_chains`.execute(
      t.deps.db,
    )
  assert.deepEqual(logged, rows)
})
