/** Replays a listing's history and compares it with the row: each entry's old value must be the new value of the entry before. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../../src/platform/db/database.ts'
import { findHistory } from '../../support/app/listings.ts'
import { type Changes, changesBetween } from '../../../src/listings/history/history.ts'
import type { Listing } from '../../../src/listings/listing.ts'

export async function assertHistoryTells(db: Db, row: Listing): Promise<void> {
  const history = await findHistory(db, row.agency_id, row.id)
  const told = new Map<string, unknown>()
  for (const [index, { changes, action, at }] of history.entries()) {
    assert.equal(action === 'created', index === 0)
    assert.ok(index === 0 || at > (history[index - 1]?.at ?? ''), 'timestamps increase')
    for (const [name, { from, to }] of Object.entries(changes)) {
      // A creation leaves out empty fields.
      if (told.has(name)) assert.deepEqual(from, told.get(name), `${action} of ${name}`)
      else assert.ok(isEmpty(from), `${action} of ${name}`)
      assert.notDeepEqual(from, to, `${action} of ${name}`)
      told.set(name, to)
    }
  }
  // The row as the history of a new listing would show it.
  const now = JSON.parse(JSON.stringify(changesBetween(null, row))) as Changes
  for (const [name, { to }] of Object.entries(now))
    assert.deepEqual(told.get(name), to, `the last of ${name}`)
  for (const [name, value] of told) assert.ok(name in now || isEmpty(value), `the last of ${name}`)

  const { rows } = await sql<{ revision: number }>`select max(revision) as revision from listing_history
    where agency_id = ${row.agency_id} and property_id = ${row.id}`.execute(db)
  assert.equal(rows[0]?.revision, row.version)
  assert.equal(history.at(-1)?.at, row.updated_at)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false) return true
  return typeof value === 'object' && Object.values(value as object).every(isEmpty)
}
