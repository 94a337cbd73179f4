/** Migration 0012: removed listings of a test agency that share a revision get new ones, and readers of changes get each change once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Agency } from '../../../src/agencies/agencies.ts'
import { testSamples } from '../../../src/samples/test-environment.ts'
import { splitStatements } from '../../../src/platform/db/migrations/migration-statements.ts'
import { readMigrations } from '../../../src/platform/db/migrations/migrations.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { newTestKey, resetTestAgency } from '../../support/app/test-key.ts'

let t: TestApp
let key: string
let twin: Agency
before(async () => {
  t = await testApp()
  ;({ key, twin } = await newTestKey(t, t.agency))
})
after(() => t.close())

async function migrateAgain(): Promise<void> {
  const text = readMigrations().find(({ name }) => name === '0012_repeated_revisions.sql')?.text ?? ''
  for (const statement of splitStatements(text)) await sql.raw(statement).execute(t.deps.db)
}

/** All listings of both agencies, with the revisions of their histories and of the agencies. */
async function stored() {
  const { rows } = await sql<{
    id: string
    agency_id: string
    version: number
    updated_at: Date
    is_removed: boolean
    last_entry: number
    last: number
  }>`
    select p.id, p.agency_id, p.version, p.updated_at, p.deleted_at is not null as is_removed, a.revision as last,
      (select max(h.revision) from listing_history h
       where h.agency_id = p.agency_id and h.property_id = p.id) as last_entry
    from properties p join agency_revisions a on a.agency_id = p.agency_id order by p.id`.execute(t.deps.db)
  return rows
}

test('repeated revisions become new ones, once', async () => {
  const more = Array.from({ length: 25 }, (_, index) => ({ external_id: `MORE-${index}`, title: 'Casa' }))
  const headers = { 'idempotency-key': 'more-than-the-samples' }
  const batch = await t.ask('POST', '/properties/batch', { key, body: { items: more }, headers })
  assert.equal(batch.status, 200, batch.text)
  await t.ask('POST', '/properties', { key: t.writeKey, body: { title: 'Of the live agency' } })
  await resetTestAgency(t, twin)
  const removed = testSamples.length + more.length
  // As resets did before: the samples got the revisions that follow the first removal's.
  const back = removed - 1
  await sql`
    update listing_history h set revision = h.revision - ${back} from properties p
    where p.agency_id = ${twin.id} and p.deleted_at is null and h.agency_id = p.agency_id and h.property_id = p.id`.execute(
    t.deps.db,
  )
  await sql`
    update properties set version = version - ${back} where agency_id = ${twin.id} and deleted_at is null`.execute(
    t.deps.db,
  )
  await sql`update agency_revisions set revision = revision - ${back} where agency_id = ${twin.id}`.execute(
    t.deps.db,
  )
  const broken = await stored()

  await migrateAgain()
  const mended = await stored()
  const ofTwin = mended.filter((one) => one.agency_id === twin.id)
  assert.equal(new Set(ofTwin.map(({ version }) => version)).size, ofTwin.length)
  const moved = mended.filter(({ version }, index) => version !== broken[index]?.version)
  assert.equal(moved.length, testSamples.length)
  assert.ok(moved.every(({ is_removed }) => is_removed))
  for (const { version, last_entry } of mended) assert.equal(last_entry, version)
  assert.equal(Math.max(...ofTwin.map(({ version }) => version)), ofTwin[0]?.last)

  const changes: { id: string; changed_at: string }[] = []
  for (let query = 'limit=7', hasMore = true; hasMore;) {
    const { body } = await t.ask('GET', `/changes?${query}`, { key })
    const page = body as unknown as { data: typeof changes; next_cursor: string; has_more: boolean }
    changes.push(...page.data)
    assert.ok(changes.length <= ofTwin.length, 'it never ends')
    query = `limit=7&cursor=${page.next_cursor}`
    hasMore = page.has_more
  }
  assert.equal(changes.length, ofTwin.length)

  await migrateAgain()
  assert.deepEqual(await stored(), mended)
})
