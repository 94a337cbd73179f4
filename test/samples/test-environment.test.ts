/** Test environments: created and filled with the first test key, isolated from the agency, and reset atomically. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createAgency } from '../../src/agencies/agencies.ts'
import { findTwin } from '../../src/agencies/twins.ts'
import { testSamples } from '../../src/samples/test-environment.ts'
import { saveAgencyProfile } from '../support/app/agency-profile.ts'
import { hashContent } from '../../src/listings/photos/names-and-urls.ts'
import { reapPhotos } from '../../src/listings/photos/unreferenced.ts'
import { pictureUrl } from '../../src/samples/pictures.ts'
import { type ApiResponse, publishable, testApp, type TestApp } from '../support/app/app.ts'
import { newTestKey, resetTestAgency } from '../support/app/test-key.ts'

let t: TestApp
let looked: number
let testKey: Awaited<ReturnType<typeof newTestKey>>
let reading: string
before(async () => {
  looked = 0
  t = await testApp({
    geocoder: async () => {
      looked += 1
      return null
    },
  })
  testKey = await newTestKey(t, t.agency)
  reading = (await newTestKey(t, t.agency, { scopes: ['properties:read'] })).key
})
after(() => t.close())

const count = async (from: string, agencyId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.raw(from)} where agency_id = ${agencyId}`.execute(t.deps.db)
  return rows[0]?.n ?? -1
}
const listed = async (key: string, query = 'status=all'): Promise<Record<string, never>[]> => {
  const { body } = await t.ask('GET', `/properties?per_page=50&${query}`, { key })
  return body.data as unknown as Record<string, never>[]
}
type Me = {
  agency: { id: string; name: string; slug: string; test: boolean }
  key: { test: boolean }
  usage: Record<string, { used: number }>
}
const me = async (key: string): Promise<Me> => (await t.ask('GET', '/me', { key })).body.data as unknown as Me
const photosOf = (listing: Record<string, never> | undefined): string[] =>
  (listing === undefined ? [] : listing['photos']) as unknown as string[]
const refusal = ({ status, body }: ApiResponse) => `${status} ${body.error?.['code']}`
const reset = () => resetTestAgency(t, testKey.twin)

describe('the first test key', () => {
  test('is of its own kind, and sees an agency of its own', async () => {
    assert.match(testKey.key, /^svc_test_[0-9A-Za-z]{40}$/)
    assert.match(testKey.prefix, /^svc_test_.{4}$/)
    const { agency, key } = await me(testKey.key)
    assert.deepEqual([agency.test, key.test], [true, true])
    assert.deepEqual([agency.slug, agency.name], [`${t.agency.slug}-test`, t.agency.name])
    assert.notEqual(agency.id, t.agency.id)
    const live = await me(t.writeKey)
    assert.deepEqual([live.agency.test, live.key.test], [false, false])
  })

  test('finds samples in several states, with photos, without charges or notifications', async () => {
    const listings = await listed(testKey.key)
    assert.deepEqual(
      listings.map((one) => one['external_id']).sort(),
      testSamples.map((_, index) => `SAMPLE-${String(index + 1).padStart(2, '0')}`),
    )
    const states = new Set(listings.map((one) => `${one['status']} ${one['reserved']} ${one['operation']}`))
    assert.ok(states.size >= 7, [...states].join())
    const [photo = ''] = photosOf(listings[0])
    const shown = await fetch(photo.replace('https://listings.test', t.baseUrl))
    assert.equal(shown.status, 200)
    await shown.arrayBuffer()
    const { usage } = await me(testKey.key)
    for (const name of ['new_listings_per_hour', 'new_listings_per_day', 'photos_per_day'])
      assert.equal(usage[name]?.used, 0, name)
    assert.equal(looked, 0)
    assert.equal(await count('notification_events', testKey.twin.id), 0)
    assert.equal(await count('unreferenced_photos', testKey.twin.id), 0)
  })

  test('shares one environment with all further ones, even when created concurrently', async () => {
    const { agency } = await t.newAgency()
    const keys = await Promise.all([1, 2, 3, 4].map(() => newTestKey(t, agency)))
    assert.equal(new Set(keys.map(({ twin }) => twin.id)).size, 1)
    assert.equal((await listed(keys[0]?.key ?? '')).length, testSamples.length)
    // Everything stored by the losers of the race is deleted.
    const { rows } = await sql`select 1 from unreferenced_photos u where not exists (
      select from agencies where id = u.agency_id)`.execute(t.deps.db)
    assert.equal(rows.length, 0)
  })

  test('is refused if another agency has the slug, which no new one can take', async () => {
    const { db } = t.deps
    const { agency: older } = await t.newAgency()
    const { agency } = await t.newAgency()
    await sql`update agencies set slug = ${`${agency.slug}-test`} where id = ${older.id}`.execute(db)
    await assert.rejects(newTestKey(t, agency), /another agency has its slug/)
    assert.equal(await findTwin(db, agency.id), null)
    await assert.rejects(createAgency(db, { name: 'X', slug: 'x-test' }, t.clock), /reserved/)
    const profile = { name: 'X', email: null }
    await assert.rejects(
      saveAgencyProfile({ db, clock: t.clock }, agency.id, { ...profile, slug: 'y-test' }),
      /reserved/,
    )
    // The older agency keeps its slug when its profile changes.
    const kept = await saveAgencyProfile({ db, clock: t.clock }, older.id, {
      ...profile,
      slug: `${agency.slug}-test`,
    })
    assert.equal(kept.name, 'X')
  })

  test('works for an agency with a slug of maximum length', async () => {
    const slug = 'a'.repeat(63)
    const agency = await createAgency(t.deps.db, { name: 'Long', slug }, t.clock)
    const { twin } = await newTestKey(t, agency)
    assert.equal(twin.slug, `${slug}-test`)
    assert.equal((await fetch(`${t.baseUrl}/inmobiliarias/${twin.slug}`)).status, 200)
  })
})

describe('a key of one kind', () => {
  test('is unknown with the prefix of the other kind', async () => {
    const live = t.writeKey.replace('_live_', '_test_')
    for (const key of [live, testKey.key.replace('_test_', '_live_')])
      assert.equal(refusal(await t.ask('GET', '/me', { key })), '401 invalid_api_key')
  })

  test('neither sees nor changes anything of the other environment', async () => {
    const sides = [
      { own: testKey.key, foreign: t.writeKey, foreignAgency: t.agency.id },
      { own: t.writeKey, foreign: testKey.key, foreignAgency: testKey.twin.id },
    ]
    for (const { own, foreign, foreignAgency } of sides) {
      const body = publishable({ external_id: 'BOTH-1' })
      const theirs = (await t.ask('POST', '/properties', { key: foreign, body })).body.data
      const { rows } = await sql<{ id: string }>`
        select id from properties where agency_id = ${foreignAgency} and public_id = ${theirs['id']}`.execute(
        t.deps.db,
      )
      const uuid = rows[0]?.id ?? ''
      for (const id of [theirs['id'], uuid]) {
        const asked: [string, string, unknown?][] = [
          ['GET', `/properties/${id}`],
          ['PATCH', `/properties/${id}`, { title: 'Ajena' }],
          ['POST', `/properties/${id}/disable`, {}],
          ['POST', `/properties/${id}/enable`],
          ['POST', `/properties/${id}/photos`, { urls: ['https://photos.example/x.jpg'] }],
          ['PUT', `/properties/${id}/photos`, { urls: [] }],
          ['DELETE', `/properties/${id}`],
        ]
        for (const [method, path, sent] of asked)
          assert.equal(
            refusal(await t.ask(method, path, { key: own, body: sent })),
            '404 not_found',
            `${method} ${path}`,
          )
      }
      assert.equal(refusal(await t.ask('GET', '/properties/external/BOTH-1', { key: own })), '404 not_found')
      // Neither the address nor the external id conflicts.
      const same = await t.ask('POST', '/properties', {
        key: own,
        body: { ...body, external_id: 'BOTH-1' },
      })
      assert.equal(same.status, 201, same.text)
      const mine = same.body.data['id']
      const place = await t.ask('POST', '/geocode', { key: own, body: { address: body['address'] } })
      assert.equal(place.body.data['existing_id'], mine)
      const photos = photosOf(theirs)
      const taken = await t.ask('PATCH', `/properties/${mine}`, { key: own, body: { photos } })
      assert.equal(refusal(taken), '400 invalid_parameter')
      const deleted = await t.ask('DELETE', `/properties/${mine}`, { key: own })
      assert.equal(deleted.status, 200)
      assert.equal((await t.ask('DELETE', `/properties/${theirs['id']}`, { key: foreign })).status, 200)
    }
  })

  test('has its own Idempotency-Keys and cursors', async () => {
    const headers = { 'idempotency-key': 'same-for-both' }
    const made = await t.ask('POST', '/properties', {
      key: testKey.key,
      body: { title: 'De prueba' },
      headers,
    })
    const other = await t.ask('POST', '/properties', { body: { title: 'De verdad' }, headers })
    assert.deepEqual([made.status, other.status], [201, 201])
    assert.notEqual(made.body.data['id'], other.body.data['id'])
    const { body } = await t.ask('GET', '/changes?limit=1', { key: testKey.key })
    const cursor = String((body as Record<string, never>)['next_cursor'])
    assert.equal(refusal(await t.ask('GET', `/changes?cursor=${cursor}`)), '400 invalid_parameter')
  })
})

describe('no notification is sent', () => {
  test('for any change of state in a test environment', async () => {
    const { id } = (await t.ask('POST', '/properties', { key: testKey.key, body: publishable() })).body.data
    const steps: [string, unknown?][] = [['disable', { reason: 'sold' }], ['enable']]
    for (const [name, body] of steps)
      assert.equal((await t.ask('POST', `/properties/${id}/${name}`, { key: testKey.key, body })).status, 200)
    assert.equal((await t.ask('DELETE', `/properties/${id}`, { key: testKey.key })).status, 200)
    for (const table of ['notification_events', 'notification_deliveries', 'notification_lanes'])
      assert.equal(await count(table, testKey.twin.id), 0)
    const before = await count('notification_events', t.agency.id)
    await t.ask('POST', '/properties', { body: publishable() })
    assert.equal(await count('notification_events', t.agency.id), before + 1)
  })
})

describe('a reset of a test environment', () => {
  test('removes the listings and restores the samples, atomically for every reader', async () => {
    const { key } = testKey
    const headers = { 'idempotency-key': 'before-the-reset' }
    const own = await t.ask('POST', '/properties', { key, body: publishable(), headers })
    const { body: was } = await t.ask('GET', '/changes?limit=100', { key })
    const cursor = String((was as Record<string, never>)['next_cursor'])
    const before = await listed(key)
    const { usage: usageBefore } = await me(key)
    const lookedBefore = looked
    let isDone = false
    const seen = new Set<string>()
    const watching = (async () => {
      while (!isDone) {
        const ids = (await listed(key)).map((one) => one['id'])
        seen.add(ids.sort().join())
      }
    })()
    assert.deepEqual(await reset(), { listings: testSamples.length })
    isDone = true
    await watching
    const after = await listed(key)
    assert.equal(after.length, testSamples.length)
    const complete = [before, after].map((all) =>
      all
        .map((one) => one['id'])
        .sort()
        .join(),
    )
    for (const ids of seen) assert.ok(complete.includes(ids))

    // Reading the feed on shows the removals and the samples, and ends with exactly the current listings.
    const { body } = await t.ask('GET', `/changes?cursor=${cursor}&limit=100`, { key })
    const changes = body.data as unknown as { id: string; type: string; reason: string | null }[]
    const removed = changes.filter(({ type }) => type === 'removed')
    assert.deepEqual(removed.map(({ id }) => id).sort(), before.map((one) => one['id']).sort())
    assert.ok(removed.every(({ reason }) => reason === 'deleted'))
    assert.deepEqual(
      changes
        .filter(({ type }) => type === 'upserted')
        .map(({ id }) => id)
        .sort(),
      after.map((one) => one['id']).sort(),
    )

    // The idempotency key is free again, and usage stays counted.
    const again = await t.ask('POST', '/properties', { key, body: { title: 'Nueva' }, headers })
    assert.equal(again.status, 201)
    assert.notEqual(again.body.data['id'], own.body.data['id'])
    const { usage } = await me(key)
    assert.equal(usage['photos_per_day']?.used, usageBefore['photos_per_day']?.used)
    assert.equal(usage['new_listings_per_day']?.used, (usageBefore['new_listings_per_day']?.used ?? 0) + 1)

    // Its photos are gone, along with their files.
    const [photo = ''] = photosOf(own.body.data)
    assert.equal((await fetch(photo.replace('https://listings.test', t.baseUrl))).status, 404)
    await reapPhotos(t.deps.photos, 1_000)
    assert.equal(await count('unreferenced_photos', testKey.twin.id), 0)
    const name = photo.split('/').at(-2) ?? ''
    assert.equal(await t.deps.photos.storage.openRead(`${testKey.twin.id}/${name}/large.webp`), null)
    const [kept = ''] = photosOf(after[0])
    assert.equal((await fetch(kept.replace('https://listings.test', t.baseUrl))).status, 200)
    assert.equal(await count('notification_events', testKey.twin.id), 0)
    assert.equal(looked, lookedBefore)
  })

  test('gives every change its own revision: a reader of changes gets each one once, in order', async () => {
    const { key } = testKey
    // More than the samples, so that the removals have more revisions than the creations after them.
    const items = Array.from({ length: 25 }, (_, index) => ({ external_id: `EXTRA-${index}`, title: 'Casa' }))
    const headers = { 'idempotency-key': 'more-than-the-samples' }
    const batch = await t.ask('POST', '/properties/batch', { key, body: { items }, headers })
    assert.equal(batch.status, 200, batch.text)
    await reset()
    const versions = await t.deps.db
      .selectFrom('properties')
      .select('version')
      .where('agency_id', '=', testKey.twin.id)
      .execute()
    assert.equal(new Set(versions.map(({ version }) => version)).size, versions.length)

    type Page = { data: { id: string; changed_at: string }[]; next_cursor: string; has_more: boolean }
    const read = async (query: string): Promise<Page> =>
      (await t.ask('GET', `/changes?${query}`, { key })).body as unknown as Page
    const all: Page['data'] = []
    let page = await read('limit=1')
    for (; page.has_more; page = await read(`limit=1&cursor=${page.next_cursor}`)) {
      all.push(...page.data)
      assert.ok(all.length <= versions.length, 'it never ends')
    }
    all.push(...page.data)
    assert.equal(all.length, versions.length)
    const times = all.map((change) => change.changed_at)
    assert.deepEqual(times, times.toSorted())
  })

  test('changes nothing if a single picture is not stored', async () => {
    const { photos } = t.deps
    const { storage } = photos
    const before = await listed(testKey.key)
    // The draft has another picture, so it could be stored without this one.
    const [picture = ''] = testSamples.findLast(({ status }) => status === 'draft')?.pictures ?? []
    const hash = hashContent(Buffer.from(pictureUrl(t.deps, picture)))
    photos.storage = {
      ...storage,
      async put(key, bytes) {
        if (key.includes(hash)) throw new Error('no space left on device')
        await storage.put(key, bytes)
      },
    }
    try {
      await assert.rejects(reset(), { code: 'service_unavailable' })
    } finally {
      photos.storage = storage
    }
    assert.deepEqual(await listed(testKey.key), before)
  })

  test('that runs twice at once leaves one set of samples', async () => {
    await Promise.all([reset(), reset()])
    assert.equal((await listed(testKey.key)).length, testSamples.length)
    assert.equal(
      (await listed(reading, '')).length,
      testSamples.filter((one) => one.status === 'published').length,
    )
  })

  test('does not block writes through the API', async () => {
    const writes = Array.from({ length: 6 }, () =>
      t.ask('POST', '/properties', { key: testKey.key, body: publishable({ external_id: 'SAMPLE-01' }) }),
    )
    const responses = await Promise.all([...writes, reset().then(() => null)])
    for (const response of responses)
      if (response !== null) assert.ok([201, 409].includes(response.status), response.text)
    const ids = (await listed(testKey.key)).map((one) => one['external_id'])
    assert.equal(new Set(ids).size, ids.length)
    await reset()
  })
})
