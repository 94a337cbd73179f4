/**
 * A request rejected for a limit writes nothing (api.md 6): the counter rows keep their versions, so that a flood of rejections does not
 * slow down later requests.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { photoUrls, type TestApp, testApp } from '../../support/app/app.ts'
import { atOnce, draft, refused, tally } from '../../support/app/listings.ts'
import { forward, toNext } from '../../support/moments.ts'

let t: TestApp
before(async () => {
  t = await testApp({
    limits: {
      reads_per_minute: 5,
      reads_per_day: 8,
      writes_per_minute: 20,
      photos_per_day: 3,
      geocoding_per_minute: 2,
      keyless_per_minute: 12,
      keyless_per_address_per_minute: 5,
    },
    env: { TRUST_PROXY: 'true' },
  })
})
after(() => t.close())
beforeEach(() => toNext(t, 'day'))

const tables = ['key_usage', 'agency_usage', 'subject_usage'] as const

/** Location and transactions of every row version of a table: reveals writes, and locks too. */
async function versions(table: (typeof tables)[number]): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`
    select ctid::text || ' ' || xmin::text || ' ' || xmax::text as version from ${sql.table(table)} order by 1`.execute(
    t.deps.db,
  )
  return rows.map(({ version }) => version)
}

async function writesNothing(
  ask: () => Promise<unknown>,
  ...which: (typeof tables)[number][]
): Promise<void> {
  const looked = which.length === 0 ? tables : which
  const before = await Promise.all(looked.map(versions))
  await ask()
  assert.deepEqual(await Promise.all(looked.map(versions)), before)
}

const reading = (key: string) => () => t.ask('GET', '/properties', { key })

describe('a key', () => {
  test('that exhausted its minute is refused without a write until the next one', async () => {
    const { key } = await t.newKey(t.agency.id)
    assert.deepEqual(tally(await atOnce(7, reading(key))), { 200: 5, 429: 2 })
    await writesNothing(async () => assert.deepEqual(tally(await atOnce(40, reading(key))), { 429: 40 }))
    await writesNothing(async () => refused(await reading(key)(), 'rate_limited'))
    await toNext(t, 'minute')
    assert.equal((await reading(key)()).headers.get('x-ratelimit-remaining'), '4')
  })

  test('that used up its minute in one request is refused without a write at once', async () => {
    const { key } = await t.newKey(t.agency.id)
    for (let count = 0; count < 5; count += 1) assert.equal((await reading(key)()).status, 200)
    await writesNothing(async () => refused(await reading(key)(), 'rate_limited'))
  })

  test('that exhausted its day is refused without a write in every minute', async () => {
    const { key } = await t.newKey(t.agency.id)
    await atOnce(5, reading(key))
    await toNext(t, 'minute')
    assert.deepEqual(tally(await atOnce(5, reading(key))), { 200: 3, 429: 2 })
    await toNext(t, 'minute')
    await writesNothing(async () => {
      const response = await reading(key)()
      assert.match(String(refused(response, 'rate_limited')['message']), /reads_per_day/)
      assert.equal(response.headers.get('x-ratelimit-remaining'), '5')
    })
  })

  test('that exhausted its reads can still write, and is counted exactly', async () => {
    const { key } = await t.newKey(t.agency.id, { scopes: ['properties:read', 'properties:write'] })
    const writing = () => t.ask('DELETE', '/properties/ZZZZ9999', { key })
    await atOnce(6, reading(key))
    const left = (await atOnce(8, (index) => (index % 2 === 0 ? writing() : reading(key)())))
      .filter(({ status }) => status === 404)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    assert.deepEqual(left.sort(), [16, 17, 18, 19])
    await writesNothing(async () => refused(await reading(key)(), 'rate_limited'))
  })

  test('that is revoked or expires while exhausted gets the matching error', async () => {
    const revoked = await t.newKey(t.agency.id)
    const expiring = await t.newKey(t.agency.id, {
      expires_at: new Date(Date.now() + t.clock.offsetMs + 20_000).toISOString(),
    })
    for (const { key } of [revoked, expiring]) await atOnce(6, reading(key))
    await revokeKey(t.deps.db, t.agency.id, revoked.id, t.clock)
    forward(t, 30)
    refused(await reading(revoked.key)(), 'revoked_api_key')
    refused(await reading(expiring.key)(), 'expired_api_key')
  })
})

describe('other quotas of the agency', () => {
  test('refuse photos beyond the day’s limit without a write', async () => {
    const { id } = await draft(t)
    const adding = (count: number) =>
      t.ask('POST', `/properties/${id}/photos`, { body: { urls: photoUrls(count) } })
    assert.equal((await adding(2)).status, 200)
    await writesNothing(async () => {
      for (let count = 0; count < 3; count += 1) refused(await adding(2), 'rate_limited')
    }, 'agency_usage')
    assert.equal((await adding(1)).status, 200)
  })

  test('refuse address tests when the minute is exhausted and the day is not', async () => {
    const testing = () => t.ask('POST', '/geocode', { body: { address: 'Calle 7 123' } })
    assert.deepEqual(tally(await atOnce(4, testing)), { 200: 2, 429: 2 })
    await writesNothing(async () => {
      assert.deepEqual(tally(await atOnce(4, testing)), { 429: 4 })
    }, 'agency_usage')
    await toNext(t, 'minute')
    assert.equal((await testing()).status, 200)
  })
})

describe('without a valid key', () => {
  const from = (address: string, key: string | null = null) =>
    t.ask('GET', '/me', { key, headers: { 'x-forwarded-for': address } })

  test('an IP past its limit is refused without a write, whatever key it names', async () => {
    assert.deepEqual(tally(await atOnce(9, () => from('192.0.2.1'))), { 401: 5, 429: 4 })
    const gone = await t.newKey(t.agency.id)
    await revokeKey(t.deps.db, t.agency.id, gone.id, t.clock)
    // On Citus, a process creates the counters of each key that it sees for the first time.
    assert.equal((await from('192.0.2.1', gone.key)).status, 429)
    await writesNothing(async () => {
      for (const key of [null, 'nonsense', gone.key])
        assert.deepEqual(tally(await atOnce(10, () => from('192.0.2.1', key))), { 429: 10 })
    })
    refused(await from('192.0.2.2'), 'missing_api_key')
    await toNext(t, 'minute')
    refused(await from('192.0.2.1'), 'missing_api_key')
  })

  test('any IP is refused once the total limit is exhausted', async () => {
    const responses = await atOnce(20, (index) => from(`198.51.100.${index}`))
    assert.deepEqual(tally(responses), { 401: 12, 429: 8 })
    await writesNothing(async () => {
      const others = await atOnce(20, (index) => from(`203.0.113.${index}`))
      assert.deepEqual(tally(others), { 429: 20 })
    })
  })
})
