/** Detects keys that need attention, from daily request counts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { findKeyTroubles, findLastError, isSilent } from '../../../src/access/keys/key-trouble.ts'
import { listKeys } from '../../../src/access/keys/keys.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

/** Days ago → number of requests by outcome; '' is success. */
type Days = Record<number, Record<string, number>>

/** The troubles reported for a key with these counts. */
async function told(days: Days, scopes = ['properties:write'], ended = false) {
  const { agency } = await t.newAgency()
  const { id } = await t.newKey(agency.id, { name: 'CRM', scopes })
  for (const [ago, counts] of Object.entries(days))
    for (const [code, requests] of Object.entries(counts))
      await sql`insert into request_days (agency_id, key_id, day, code, requests) values (${agency.id}, ${id},
        date_trunc('day', now() - ${Number(ago)}::int * interval '1 day', 'UTC'), ${code}, ${requests})`.execute(
        t.deps.db,
      )
  if (ended) await sql`update api_keys set revoked_at = now() where id = ${id}`.execute(t.deps.db)
  const keys = await listKeys(t.deps.db, agency.id, t.clock)
  const troubles = await findKeyTroubles(t.deps.db, agency.id, keys, t.clock)
  return troubles.map(({ key: _key, ...one }) => one)
}

const daily = (from: number, to: number): Days =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, index) => [from + index, { '': 100 }]))

describe('a failing key', () => {
  test('is reported when at least 20 requests and a quarter of all failed since yesterday', async () => {
    assert.deepEqual(await told({ 0: { '': 60, rate_limited: 15 }, 1: { invalid_signature: 10 } }), [
      { kind: 'failing', failures: 25, requests: 85, code: 'rate_limited' },
    ])
    assert.deepEqual(await told({ 0: { '': 100, rate_limited: 25 } }), [])
    assert.deepEqual(await told({ 0: { rate_limited: 19 } }), [])
    assert.deepEqual(await told({ 2: { rate_limited: 500 } }), [])
  })

  test('is not reported for requests that return 404', async () => {
    assert.deepEqual(await told({ 0: { '': 10, not_found: 200 } }), [])
  })

  test('is reported when it has ended and is still used', async () => {
    assert.deepEqual(await told({ 0: { '': 900, revoked_api_key: 3 } }, undefined, true), [
      { kind: 'ended', failures: 3, code: 'revoked_api_key' },
    ])
    assert.deepEqual(await told({ 0: { revoked_api_key: 2 } }, undefined, true), [])
  })
})

describe('a silent key', () => {
  test('is reported when it wrote daily and has stopped', async () => {
    const [silent] = await told(daily(3, 27))
    assert.equal(silent?.kind, 'silent')
    const since = silent?.kind === 'silent' ? Date.parse(silent.since) : 0
    const today = Math.floor((Date.now() + t.clock.offsetMs) / 86_400_000)
    assert.ok(Math.abs(today - since / 86_400_000 - 3) <= 1)
    assert.deepEqual(await told(daily(2, 27)), [])
    assert.deepEqual(await told(daily(3, 27), ['properties:read']), [])
    assert.deepEqual(await told(daily(40, 60)), [])
  })

  test('is judged by its own habit: one that rests at weekends is not silent after a weekend', () => {
    const everyDay = [3, 4, 5, 6, 7, 8, 9, 10]
    assert.equal(isSilent(everyDay), true)
    assert.equal(isSilent(everyDay.map((age) => age - 1)), false)
    const weekdays = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18]
    for (const days of [1, 2, 3, 4])
      assert.equal(isSilent(weekdays.map((age) => age + days)), false, `${days}`)
    assert.equal(isSilent(weekdays.map((age) => age + 5)), true)
    // Too few requests for a habit.
    assert.equal(isSilent([10, 11, 12]), false)
    assert.equal(isSilent([]), false)
  })
})

test('the last error of a key is found, and no other key’s', async () => {
  const { agency, writeKey: key } = await t.newAgency()
  const { agency: other } = await t.newAgency()
  await t.ask('GET', '/properties?page=0', { key })
  await t.ask('GET', '/properties/NOPE1234', { key })
  await t.ask('GET', '/properties', { key })
  await t.deps.requestLog.flush()
  const { rows } = await sql<{ key_id: string }>`
    select key_id from request_log where agency_id = ${agency.id} limit 1`.execute(t.deps.db)
  const id = rows[0]?.key_id ?? ''
  assert.equal((await findLastError(t.deps.db, agency.id, id))?.code, 'invalid_parameter')
  assert.equal(await findLastError(t.deps.db, other.id, id), null)
})
