/** The limits in `/me` (api.md 15.5): their values, and their exact usage. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { photoUrls, type TestApp, testApp } from '../support/app/app.ts'
import { accepted, atOnce, draft, usageOf } from '../support/app/listings.ts'
import { nextStart, toNext } from '../support/moments.ts'

/** api.md 6, line by line. */
const specified = {
  reads_per_minute: { max: 60, window_seconds: 60 },
  reads_per_day: { max: 10_000, window_seconds: 86_400 },
  writes_per_minute: { max: 60, window_seconds: 60 },
  writes_per_day: { max: 2_000, window_seconds: 86_400 },
  new_listings_per_hour: { max: 20, window_seconds: 3_600 },
  new_listings_per_day: { max: 100, window_seconds: 86_400 },
  photos_per_day: { max: 300, window_seconds: 86_400 },
  geocoding_per_minute: { max: 5, window_seconds: 60 },
  geocoding_per_day: { max: 200, window_seconds: 86_400 },
}

let t: TestApp
before(async () => {
  t = await testApp({
    limits: Object.fromEntries(Object.entries(specified).map(([name, { max }]) => [name, max])),
  })
})
after(() => t.close())

async function limitsOf(
  app: TestApp,
): Promise<Record<string, { max: number; window_seconds: number | null }>> {
  const { limits } = (await app.ask('GET', '/me')).body.data as unknown as {
    limits: Record<string, { max: number; window_seconds: number | null }>
  }
  return limits
}

test('the usage in /me has the limits of docs/api.md', async () => {
  const limits = await limitsOf(t)
  for (const [name, limit] of Object.entries(specified))
    assert.deepEqual(limits[name], { ...limit, until: null }, name)
  const maxima = Object.values(limits)
    .filter(({ window_seconds }) => window_seconds === null)
    .map(({ max }) => max)
  for (const size of [262_144, 1_048_576, 10_485_760, 50, 30, 3])
    assert.ok(maxima.includes(size), String(size))
})

test('the usage in /me has limits set by the operator, and those of state changes', async () => {
  const changed = await testApp({
    env: { LIMITS: JSON.stringify({ reads_per_minute: 7, photos_per_day: 0 }) },
  })
  const limits = await limitsOf(changed)
  const usage = await usageOf(changed)
  await changed.close()
  assert.deepEqual(limits['reads_per_minute'], { max: 7, window_seconds: 60, until: null })
  assert.deepEqual(limits['photos_per_day'], { max: 0, window_seconds: 86_400, until: null })
  assert.deepEqual(limits['writes_per_day'], { ...specified.writes_per_day, until: null })
  const stateChanges = Object.values(limits).filter(
    ({ max, window_seconds }) => window_seconds === 86_400 && [2, 6].includes(max),
  )
  assert.equal(stateChanges.length, 3)
  assert.deepEqual([usage.reads_per_minute.used, usage.reads_per_minute.remaining], [2, 5])
  assert.equal(usage.photos_per_day.remaining, 0)
})

test('the usage in /me is exact, with the time at which it resets', async () => {
  await toNext(t, 'day')
  const { key } = await t.newKey(t.agency.id, { scopes: ['properties:read', 'properties:write'] })
  await atOnce(7, () => t.ask('GET', '/properties', { key }))
  await atOnce(5, () => t.ask('PUT', '/properties/external/USAGE-1', { key, body: {} }))
  accepted(await t.ask('POST', '/properties', { key, body: { photos: photoUrls(4) } }), 201)
  // Another key counts toward the agency only.
  await draft(t)
  const used = { reads: 8, writes: 6, new_listings: 3, photos: 4, geocoding: 0 }
  const usage = await usageOf(t, key)
  const ends = {
    minute: await nextStart(t, 'minute'),
    hour: await nextStart(t, 'hour'),
    day: await nextStart(t, 'day'),
  }
  assert.deepEqual(
    usage,
    Object.fromEntries(
      Object.entries(specified).map(([name, { max }]) => {
        const [what, unit] = name.split('_per_') as [keyof typeof used, keyof typeof ends]
        return [name, { used: used[what], remaining: max - used[what], resets_at: ends[unit] }]
      }),
    ),
  )

  await toNext(t, 'minute')
  const inNextMinute = await usageOf(t, key)
  assert.deepEqual([inNextMinute.reads_per_minute.used, inNextMinute.reads_per_day.used], [1, 9])
  assert.deepEqual([inNextMinute.writes_per_minute.used, inNextMinute.writes_per_day.used], [0, 6])
  await toNext(t, 'hour')
  const inNextHour = await usageOf(t, key)
  assert.deepEqual([inNextHour.new_listings_per_hour.used, inNextHour.new_listings_per_day.used], [0, 3])
  await toNext(t, 'day')
  const inNextDay = await usageOf(t, key)
  for (const [name, { used: now }] of Object.entries(inNextDay))
    assert.equal(now, name.startsWith('reads') ? 1 : 0, name)
})

test('the usage in /me never has a negative remainder', async () => {
  await toNext(t, 'day')
  const { key } = await t.newKey(t.agency.id, { scopes: ['properties:read', 'properties:write'] })
  await atOnce(70, () => t.ask('PUT', '/properties/external/USAGE-2', { key, body: {} }))
  assert.deepEqual(
    [(await usageOf(t, key)).writes_per_minute.used, (await usageOf(t, key)).writes_per_minute.remaining],
    [60, 0],
  )
})
