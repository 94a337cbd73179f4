/** Limits of one agency (api.md 6.1): in effect from the next request, on every instance, for that agency only, until they expire. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { inTransaction } from '../../src/platform/db/statements/transaction.ts'
import { ApiError } from '../../src/platform/errors/errors.ts'
import { changeLimits, getLimits, type LimitChange } from '../../src/limits/of-agency.ts'
import { photoUrls, type TestApp, testApp } from '../support/app/app.ts'
import { accepted, atOnce, limited, tally, usageOf } from '../support/app/listings.ts'
import { forward, now, toNext } from '../support/moments.ts'
import { secondApp } from '../support/app/second-app.ts'

let t: TestApp
before(async () => {
  t = await testApp({
    limits: {
      reads_per_minute: 8,
      writes_per_minute: 8,
      new_listings_per_hour: 3,
      new_listings_per_day: 50,
      photos_per_day: 4,
      geocoding_per_minute: 2,
    },
  })
})
after(() => t.close())
beforeEach(async () => {
  await toNext(t, 'day')
  await change({ clear: null })
})

const change = (wanted: LimitChange, agencyId = t.agency.id) =>
  inTransaction(t.deps.db, (tx) => changeLimits(tx, agencyId, wanted, t.deps))
const set = (maxima: Record<string, number>, until: string | null = null) => change({ set: maxima, until })
const inSeconds = async (seconds: number) => new Date((await now(t)) + seconds * 1000).toISOString()
const read = (key = t.readKey) => t.ask('GET', '/properties', { key })
const create = (body: object = {}) => t.ask('PUT', `/properties/external/${randomUUID()}`, { body })
const limitsOf = async (key = t.readKey) => {
  const { data } = (await t.ask('GET', '/me', { key })).body as unknown as {
    data: { limits: Record<string, { max: number; until: string | null }> }
  }
  return data.limits
}

test('the limits of an agency raise the reads and writes of each of its keys, and of no other agency', async () => {
  await set({ reads_per_minute: 12, writes_per_minute: 10 })
  assert.deepEqual(tally(await atOnce(20, () => read())), { 200: 12, 429: 8 })
  assert.deepEqual(tally(await atOnce(20, () => read(t.other.readKey))), { 200: 8, 429: 12 })
  const second = (await t.newKey(t.agency.id, { scopes: ['properties:read'] })).key
  assert.deepEqual(tally(await atOnce(15, () => read(second))), { 200: 12, 429: 3 })
  const refusal = await read()
  limited(refusal, 'reads_per_minute')
  assert.match(refusal.body.error['message'] ?? '', /reads_per_minute \(12\)/)
  assert.equal(refusal.headers.get('x-ratelimit-limit'), '12')
  const writes = await atOnce(11, () => t.ask('DELETE', '/properties/ABCD2345'))
  assert.deepEqual(tally(writes), { 404: 10, 429: 1 })
})

test('the limits of an agency refuse at once when lowered below the usage, and allow at once when raised', async () => {
  await atOnce(5, () => read())
  await set({ reads_per_minute: 5 })
  const refusal = await read()
  limited(refusal, 'reads_per_minute')
  assert.deepEqual(
    ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => refusal.headers.get(name)),
    ['5', '0'],
  )
  await set({ reads_per_minute: 3 })
  limited(await read(), 'reads_per_minute')
  await set({ reads_per_minute: 6 })
  assert.equal((await read()).status, 200)
  limited(await read(), 'reads_per_minute')
  await change({ clear: 'reads_per_minute' })
  assert.deepEqual(tally(await atOnce(4, () => read())), { 200: 2, 429: 2 })
})

test('the limits of an agency refuse everything at zero', async () => {
  await set({ reads_per_day: 0, new_listings_per_day: 0, photos_per_day: 0, geocoding_per_day: 0 })
  limited(await read(), 'reads_per_day')
  limited(await create(), 'new_listings_per_day')
  limited(await t.ask('POST', '/geocode', { body: { address: 'Calle 1 2' } }), 'geocoding_per_day')
  await change({ clear: 'new_listings_per_day' })
  limited(await create({ photos: photoUrls(1) }), 'photos_per_day')
  accepted(await create(), 201)
})

test('the limits of an agency report zero as forbidden, and shorten the wait when a limit expires', async () => {
  const zero = { reads_per_day: 0, new_listings_per_day: 0, photos_per_day: 0 }
  const photos = { photos: photoUrls(1) }
  await set(zero)
  const never = ' to 0. Waiting does not help until the operator changes that.'
  const set0 = (names: string) => `The operator has set the ${names}`
  assert.equal((await read()).body.error.message, `${set0('limit reads_per_day')}${never}`)
  const refusal = (await create(photos)).body.error
  assert.equal(refusal.message, `${set0('limits new_listings_per_day and photos_per_day')}${never}`)
  await toNext(t, 'day')
  await set(zero, await inSeconds(100))
  for (const seconds of [
    limited(await read(), 'reads_per_day'),
    limited(await create(photos), 'new_listings_per_day', 'photos_per_day'),
  ])
    assert.ok(seconds > 90 && seconds <= 100, String(seconds))
  const tried = await t.ask('POST', '/properties?dry_run=true', { body: photos })
  const { room } = tried.body as unknown as { room: { retry_after: number } }
  assert.ok(room.retry_after > 90 && room.retry_after <= 100, String(room.retry_after))
  const { message = '' } = (await read()).body.error
  assert.match(message, /^The operator has set the limit reads_per_day to 0\. Try again in \d+ seconds\.$/)
})

test('the limits of an agency apply to its new listings, photos and address tests', async () => {
  await set({ new_listings_per_hour: 5, photos_per_day: 6, geocoding_per_minute: 3 })
  assert.deepEqual(tally(await atOnce(7, () => create())), { 201: 5, 429: 2 })
  await set({ new_listings_per_hour: 7, photos_per_day: 6, geocoding_per_minute: 3 })
  await toNext(t, 'minute')
  accepted(await create({ photos: photoUrls(5) }), 201)
  limited(await create({ photos: photoUrls(2) }), 'photos_per_day')
  accepted(await create({ photos: photoUrls(1) }), 201)
  await set({ writes_per_minute: 100, geocoding_per_minute: 3 })
  const tests = await atOnce(5, () => t.ask('POST', '/geocode', { body: { address: 'Calle 1 2' } }))
  assert.deepEqual(tally(tests), { 200: 3, 429: 2 })
  const items = Array.from({ length: 5 }, () => ({ external_id: randomUUID() }))
  const batch = await t.ask('POST', '/properties/batch', { body: { items } })
  const { results } = batch.body as unknown as { results: { status: number }[] }
  assert.deepEqual(
    results.map(({ status }) => status),
    [429, 429, 429, 429, 429],
  )
  const room = await t.ask('POST', '/properties?dry_run=true', { body: {} })
  assert.deepEqual((room.body as unknown as { room: { limits: string[] } }).room.limits, [
    'new_listings_per_hour',
  ])
})

test('the limits of an agency end exactly at their expiry, and then the defaults return', async () => {
  const until = await inSeconds(600)
  await set({ reads_per_minute: 2, new_listings_per_hour: 1, photos_per_day: 9 }, until)
  assert.deepEqual((await limitsOf())['reads_per_minute'], { max: 2, window_seconds: 60, until })
  accepted(await create(), 201)
  limited(await create(), 'new_listings_per_hour')
  forward(t, 595)
  await toNext(t, 'minute')
  t.clock.offsetMs = t.clock.offsetMs + Date.parse(until) - (await now(t)) - 2_000
  assert.deepEqual(tally(await atOnce(3, () => read())), { 200: 2, 429: 1 })
  t.clock.offsetMs += 2_001
  const after = await limitsOf()
  assert.deepEqual(after['reads_per_minute'], { max: 8, window_seconds: 60, until: null })
  assert.deepEqual(after['photos_per_day'], { max: 4, window_seconds: 86_400, until: null })
  accepted(await create(), 201)
  limited(await create({ photos: photoUrls(5) }), 'photos_per_day')
})

test('the limits of an agency are shown by /me along with what remains', async () => {
  const until = await inSeconds(86_400)
  await set({ writes_per_day: 7 }, until)
  await set({ photos_per_day: 300 })
  const limits = await limitsOf(t.writeKey)
  assert.deepEqual(limits['writes_per_day'], { max: 7, window_seconds: 86_400, until })
  assert.deepEqual(limits['photos_per_day'], { max: 300, window_seconds: 86_400, until: null })
  assert.equal(limits['body_bytes']?.until, null)
  accepted(await create({ photos: photoUrls(5) }), 201)
  const usage = await usageOf(t)
  assert.deepEqual(
    [usage.writes_per_day.remaining, usage.photos_per_day.used, usage.photos_per_day.remaining],
    [6, 5, 295],
  )
})

test('the limits of an agency are the same on every instance at once', async () => {
  const second = await secondApp(t)
  const there = () => second.ask('GET', '/properties', { key: t.readKey })
  assert.equal((await there()).status, 200)
  await set({ reads_per_minute: 2, new_listings_per_hour: 1 })
  assert.equal((await there()).status, 200)
  limited(await there(), 'reads_per_minute')
  limited(await read(), 'reads_per_minute')
  const responses = await atOnce(4, (index) =>
    (index % 2 === 0 ? t : second).ask('PUT', `/properties/external/${randomUUID()}`, {
      key: t.writeKey,
      body: {},
    }),
  )
  await second.close()
  assert.deepEqual(tally(responses), { 201: 1, 429: 3 })
})

test('the limits of an agency allow no more creations than one of two concurrent limits permits', async () => {
  await set({ writes_per_minute: 100, new_listings_per_hour: 30 })
  const creating = atOnce(30, () => create())
  await set({ writes_per_minute: 100, new_listings_per_hour: 10 })
  const created = tally(await creating)[201] ?? 0
  const { used } = (await usageOf(t)).new_listings_per_hour
  assert.equal(used, created)
  limited(await create(), 'new_listings_per_hour')
})

describe('a change of an agency’s limits', () => {
  const wrong = (wanted: LimitChange, parameter: string) =>
    assert.rejects(
      change(wanted),
      (error) =>
        error instanceof ApiError && error.code === 'invalid_parameter' && error.parameter === parameter,
    )

  test('is refused as a whole for an unknown name, an invalid number or a past expiry', async () => {
    await set({ photos_per_day: 7 })
    for (const name of ['photos', 'state_changes_per_day', 'keyless_per_minute', 'constructor', 'body_bytes'])
      await wrong({ set: { reads_per_day: 1, [name]: 1 }, until: null }, 'limits')
    for (const max of [-1, 1.5, 1e9 + 1, Number.NaN])
      await wrong({ set: { reads_per_day: max }, until: null }, 'reads_per_day')
    await wrong({ set: { reads_per_day: 1 }, until: await inSeconds(-1) }, 'until')
    await wrong({ clear: 'photos' }, 'limits')
    const limits = await getLimits(t.deps, t.agency.id)
    assert.deepEqual([limits.photos_per_day.max, limits.reads_per_day.max], [7, 1e6])
  })

  test('keeps the other limits, and drops expired ones', async () => {
    await set({ photos_per_day: 7 }, await inSeconds(60))
    await set({ reads_per_day: 5 })
    forward(t, 61)
    await set({ writes_per_day: 6 })
    const { limits } = await t.deps.db
      .selectFrom('agency_revisions')
      .select('limits')
      .where('agency_id', '=', t.agency.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(limits, {
      reads_per_day: { max: 5, until: null },
      writes_per_day: { max: 6, until: null },
    })
    await change({ clear: 'reads_per_day' })
    const rest = await change({ clear: 'writes_per_day' })
    assert.equal(rest.writes_per_day.max, 1e6)
  })
})
