/** The audit log with many entries: each view reads from its own index, whichever kind of entry dominates. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { listAudit, reapAudit, selectAudit } from '../../../src/access/audit-log/entries.ts'
import { type Open, openAccounts } from '../accounts/support.ts'

let t: Open
before(async () => {
  t = await openAccounts()
  await sql`insert into agencies (id, name, slug, created_at, updated_at)
    select gen_random_uuid(), 'A', 'a-' || n, now(), now() from generate_series(1, 50) n`.execute(t.db)
  await fill(30_000, 'signed_in', `now() + interval '1 year'`, (await agencies()).slice(1))
  await fill(300, 'key_created', 'null', await agencies())
  await sql`analyze audit_log, agencies`.execute(t.db)
})
after(() => t.drop())

const agencies = async (): Promise<string[]> =>
  (await t.db.selectFrom('agencies').select('id').orderBy('slug').execute()).map(({ id }) => id)

async function fill(count: number, action: string, expiresAt: string, of: readonly string[]): Promise<void> {
  await sql`insert into audit_log (id, at, actor_kind, actor_name, agency_id, action, subject, expires_at)
    select gen_random_uuid(), now() - n * interval '1 minute', 'person', 'Ana', (${of}::uuid[])[1 + n % ${of.length}::int],
      ${action}, 'x', ${sql.raw(expiresAt)}
    from generate_series(1, ${count}::int) n`.execute(t.db)
}

type Plan = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string }
/** Plan nodes at any depth, because Citus nests a worker's plan inside its own. */
const nodesOf = (plan: unknown): Plan[] => {
  if (typeof plan !== 'object' || plan === null) return []
  const within = Object.values(plan).flatMap(nodesOf)
  return 'Node Type' in plan ? [plan as Plan, ...within] : within
}

describe('a page of the audit log', () => {
  for (const view of ['acts', 'sign-ins'] as const) {
    for (const whose of ['all', 'an agency', 'an agency that never signs in']) {
      test(`with ${view} of ${whose} is read from an index, in order`, async () => {
        const ids = await agencies()
        const agencyId = whose === 'all' ? null : whose === 'an agency' ? (ids[7] ?? '') : (ids[0] ?? '')
        const query = selectAudit(t.db, agencyId, { view, limit: 50, offset: 0 })
        const { rows } = await sql<{
          'QUERY PLAN': unknown
        }>`explain (format json) ${query}`.execute(t.db)
        const nodes = nodesOf(rows[0]?.['QUERY PLAN'])
        const kinds = nodes.map((node) => node['Node Type'])
        assert.ok(!kinds.some((kind) => /Sort/.test(kind)), kinds.join(', '))
        const log = nodes.filter((node) => node['Relation Name'] === 'audit_log')
        assert.deepEqual(
          log.map((node) => [node['Node Type'], node['Index Name']]),
          [
            [
              'Index Scan',
              `audit_log_${agencyId === null ? '' : 'agency_'}${view === 'acts' ? 'acts' : 'sign_ins'}_idx`,
            ],
          ],
        )
        const { entries } = await listAudit(t.db, agencyId, { view, limit: 50, offset: 0 })
        assert.ok(entries.every(({ action }) => (action === 'signed_in') === (view === 'sign-ins')))
        assert.equal(entries.length > 0, !(view === 'sign-ins' && whose.endsWith('never signs in')))
      })
    }
  }
})

test('the reaper of the audit log checks from an index that nothing has expired', async () => {
  assert.equal(await reapAudit(t.db, 100, t.clock), 0)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain
    select id from audit_log where expires_at <= now() order by expires_at limit 100`.execute(t.db)
  assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /Index Scan using audit_log_expires_at_idx/)
})
