/** A dry run reports exhausted limits (api.md 19.3) in `room`, and never as a 429, except for its own write. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { changeLimits } from '../../../src/limits/of-agency.ts'
import { photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, limited, refused } from '../../support/app/listings.ts'

let t: TestApp
let key: string
let agencyId: string
const day = 86_400
before(async () => {
  t = await testApp({
    limits: {
      writes_per_day: 12,
      new_listings_per_hour: 2,
      new_listings_per_day: 3,
      photos_per_day: 7,
      state_changes_per_day: 3,
      disables_per_day: 2,
      enables_per_day: 2,
    },
  })
  // A day has just begun, so that no window ends during a test.
  t.clock.offsetMs = day * 1_000 - (Date.now() % (day * 1_000))
})
after(() => t.close())
beforeEach(async () => {
  const { agency, writeKey } = await t.newAgency()
  key = writeKey
  agencyId = agency.id
})

type Room = { ok: boolean; limits: string[]; retry_after: number | null }

const send = (path: string, body: unknown) => t.ask('POST', path, { key, body })

async function roomFor(path: string, body: unknown, status = 200): Promise<Room> {
  const response = await send(`${path}?dry_run=true`, body)
  assert.equal(response.status, status, response.text)
  return response.body['room'] as unknown as Room
}

/** Asserts that exactly these limits are exhausted, and that the last of them resets within `seconds`. */
function assertFull(room: Room, limits: readonly string[], seconds: number): void {
  assert.deepEqual({ ok: room.ok, limits: room.limits }, { ok: false, limits })
  assert.ok(room.retry_after !== null && room.retry_after > seconds - 120 && room.retry_after <= seconds)
}

describe('`room` in a dry run reports', () => {
  test('the limit of new listings', async () => {
    for (const title of ['1', '2']) accepted(await send('/properties', { title }), 201)
    const refusal = limited(await send('/properties', { title: '3' }), 'new_listings_per_hour')
    const room = await roomFor('/properties', { title: '3' }, 201)
    assertFull(room, ['new_listings_per_hour'], 3600)
    assert.ok(Math.abs((room.retry_after ?? 0) - refusal) <= 5)
    const items = [1, 2].map((id) => ({ external_id: `N-${id}` }))
    assertFull(
      await roomFor('/properties/batch', { items }),
      ['new_listings_per_hour', 'new_listings_per_day'],
      day,
    )
    // The rejection of a limit differs from that of another rule.
    refused(await send('/properties?dry_run=true', { status: 'published' }), 'not_publishable')
  })

  test('the limit of photos, by the number that would be charged', async () => {
    const [a = '', b = '', c = '', d = ''] = photoUrls(4)
    accepted(await send('/properties', { photos: [a, b, c, d] }), 201)
    const three = await roomFor('/properties', { photos: [a, a, b, c] }, 201)
    assert.deepEqual(three, { ok: true, limits: [], retry_after: null })
    assertFull(await roomFor('/properties', { photos: [a, b, c, d] }, 201), ['photos_per_day'], day)
  })

  test('the limits of listings and photos together, both of which the 429 names too', async () => {
    const [a = '', ...others] = photoUrls(6)
    for (const photos of [others, [a]]) accepted(await send('/properties', { photos }), 201)
    const body = { external_id: 'BOTH', photos: photoUrls(2) }
    const full = ['new_listings_per_hour', 'photos_per_day'] as const
    assertFull(await roomFor('/properties', body, 201), full, day)
    const seconds = limited(await send('/properties', body), ...full)
    assert.ok(seconds > day - 120, String(seconds))
    limited(await t.ask('PUT', '/properties/external/BOTH', { key, body: { photos: body.photos } }), ...full)
    const response = await send('/properties/batch', { items: [body, { external_id: 'BARE' }] })
    const results = response.body['results'] as unknown as { error: { limits: string[] } }[]
    assert.deepEqual(
      results.map(({ error }) => error.limits),
      [full, ['new_listings_per_hour']],
    )
  })

  test('the limit of a listing’s changes of state', async () => {
    const { id } = accepted(await send('/properties', publishable({ external_id: 'S' })), 201)
    const change = async (action: string) => accepted(await send(`/properties/${id}/${action}`, {}))
    await change('disable')
    await change('enable')
    await change('disable')
    assertFull(await roomFor(`/properties/${id}/enable`, {}), ['state_changes_per_day'], day)
    const twice = { items: ['enable', 'disable'].map((action) => ({ external_id: 'S', action })) }
    assertFull(await roomFor('/properties/batch', twice), ['state_changes_per_day', 'disables_per_day'], day)
    assert.equal((await roomFor(`/properties/${id}/disable`, {})).ok, true)
    limited(await send(`/properties/${id}/enable`, {}), 'state_changes_per_day')
  })

  test('the limit of writes, after its own', async () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ external_id: `W-${id}`, action: 'delete' }))
    assert.equal((await roomFor('/properties/batch', { items: items(11) })).ok, true)
    assertFull(await roomFor('/properties/batch', { items: items(11) }), ['writes_per_day'], day)
    for (let used = 2; used < 11; used += 1) assert.equal((await roomFor('/properties', {}, 201)).ok, true)
    assertFull(await roomFor('/properties', {}, 201), ['writes_per_day'], day)
    limited(await send('/properties?dry_run=true', {}), 'writes_per_day')
    limited(await send('/properties/batch?dry_run=true', { items: items(1) }), 'writes_per_day')
  })

  test('the limit as it applies to the agency', async () => {
    const change = {
      set: { new_listings_per_hour: 5, new_listings_per_day: 5, photos_per_day: 0 },
      until: null,
    }
    await inTransaction(t.deps.db, (tx) => changeLimits(tx, agencyId, change, t.deps))
    const items = (count: number) => Array.from({ length: count }, (_, id) => ({ external_id: `L-${id}` }))
    assert.equal((await roomFor('/properties/batch', { items: items(5) })).ok, true)
    const full = ['new_listings_per_hour', 'new_listings_per_day']
    assertFull(await roomFor('/properties/batch', { items: items(6) }), full, day)
    assertFull(await roomFor('/properties', { photos: photoUrls(1) }, 201), ['photos_per_day'], day)
  })
})
