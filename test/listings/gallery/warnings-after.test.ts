/** Photo failures of writes are stored until they are fixed, at no cost to other writes. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { PhotoDelayed, PhotoFailure, type PhotoWhy } from '../../../src/listings/photos/failure.ts'
import { sourceFingerprint } from '../../../src/listings/photos/names-and-urls.ts'
import { addPhotosByUrl } from '../../../src/listings/gallery/add-photos.ts'
import {
  findListingsWithWarnings,
  findPhotoWarnings,
} from '../../../src/listings/reading/warnings/attention.ts'
import { dismissWarnings } from '../../../src/listings/gallery/photo-notes.ts'
import { reapPhotoWarnings } from '../../../src/listings/store/photo-sources.ts'
import { noPhotoWarnings, openWarnings } from '../../../src/listings/reading/warnings/photo-warnings.ts'
import type { Actor } from '../../../src/writing/actor.ts'
import { photoUrls, picture, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  listingOf,
  refused,
  rowOf,
  tally,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
/** URL → why it fails. */
const failing = new Map<string, PhotoWhy | 'busy'>()
/** Runs while the first URL is fetched. */
let meanwhile: (() => Promise<unknown>) | null = null
before(async () => {
  t = await testApp({
    source: async (url) => {
      const run = meanwhile
      meanwhile = null
      await run?.()
      const why = failing.get(url)
      if (why === 'busy') throw new PhotoDelayed({ kind: 'busy' })
      if (why !== undefined) throw new PhotoFailure(why)
      return picture(url)
    },
  })
})
after(() => t.close())
beforeEach(() => failing.clear())

const person: Actor = { kind: 'person', id: randomUUID(), name: 'Ana', requestId: randomUUID() }
const notFound: PhotoWhy = { kind: 'status', status: 404 }

function fresh(why?: PhotoWhy | 'busy'): string {
  const [url = ''] = photoUrls(1)
  if (why !== undefined) failing.set(url, why)
  return url
}
const add = (id: string, urls: readonly string[]) =>
  t.ask('POST', `/properties/${id}/photos`, { body: { urls } })
const set = (id: string, urls: readonly string[], more: object = {}) =>
  t.ask('PUT', `/properties/${id}/photos`, { body: { urls, ...more } })

/** The open problems of a listing's photos. */
async function openOf(id: string) {
  const { id: uuid, photos } = await rowOf(t, id)
  const { failed, kept } = openWarnings(await findPhotoWarnings(t.deps.db, t.agency.id, uuid), photos)
  return { failed: failed.map(({ url }) => url), kept: kept?.photos.length ?? 0 }
}
const nothing = { failed: [], kept: 0 }

async function storedOf(id: string) {
  const { id: uuid } = await rowOf(t, id)
  const { rows } = await sql<{ to_mend: number; warned_at: string | null }>`
    select to_mend, warned_at from photo_sources where agency_id = ${t.agency.id} and property_id = ${uuid}`.execute(
    t.deps.db,
  )
  return rows[0]
}

describe('a failed photo', () => {
  test('of a creation is recorded, with its sender, time and reason', async () => {
    const url = fresh(notFound)
    const response = await t.ask('POST', '/properties', { body: { photos: [fresh(), url] } })
    const { id } = accepted(response, 201)
    const row = await rowOf(t, id)
    const { failed } = await findPhotoWarnings(t.deps.db, t.agency.id, row.id)
    const { key_name } = (
      await sql<{ key_name: string }>`select actor_name as key_name from listing_history
      where agency_id = ${t.agency.id} and property_id = ${row.id}`.execute(t.deps.db)
    ).rows[0] as { key_name: string }
    assert.deepEqual(failed, [
      {
        url,
        why: notFound,
        since: row.created_at,
        at: row.created_at,
        by: { kind: 'key', name: key_name },
        request_id: response.headers.get('x-request-id'),
        is_dismissed: false,
      },
    ])
  })

  test('of a batch, of an upsert that creates, or added or set is recorded', async () => {
    const urls = Array.from({ length: 4 }, () => fresh(notFound))
    const [a = '', b = '', c = '', d = ''] = urls
    const batch = await t.ask('POST', '/properties/batch', {
      body: { items: [{ external_id: randomUUID(), photos: [fresh(), a] }, { external_id: randomUUID() }] },
    })
    const [first, second] = (batch.body as unknown as { results: { data: { id: string } }[] }).results
    assert.deepEqual(await openOf(first?.data.id ?? ''), { failed: [a], kept: 0 })
    assert.deepEqual(await openOf(second?.data.id ?? ''), nothing)
    const put = await t.ask('PUT', `/properties/external/${randomUUID()}`, { body: { photos: [b, fresh()] } })
    assert.deepEqual(await openOf(accepted(put, 201).id), { failed: [b], kept: 0 })
    const { id } = await draft(t)
    accepted(await add(id, [c, fresh()]))
    accepted(await set(id, [d, fresh()]))
    // Setting all photos clears the earlier ones.
    assert.deepEqual(await openOf(id), { failed: [d], kept: 1 })
  })

  test('of a refused request is recorded too, if the listing exists', async () => {
    const { id, photos } = await draft(t, { photos: photoUrls(3) })
    const [a, b] = [fresh(notFound), fresh({ kind: 'damaged' })]
    refused(await add(id, [a]), 'photo_ingest_failed')
    assert.deepEqual(await openOf(id), { failed: [a], kept: 0 })
    // Without the failed photo nothing would change.
    refused(await set(id, [...photos, b]), 'photo_ingest_failed')
    assert.deepEqual(await openOf(id), { failed: [a, b], kept: 0 })
  })

  test('is not recorded if the service was too busy and the request should be retried', async () => {
    const { id } = await draft(t)
    assert.equal((await add(id, [fresh('busy')])).status, 503)
    assert.deepEqual(await openOf(id), nothing)
    const late = fresh('busy')
    accepted(await add(id, [late, fresh()]))
    assert.deepEqual(await openOf(id), { failed: [late], kept: 0 })
  })

  test('is not recorded by a dry run, a refused creation or a request without failures', async () => {
    const before = await sql`select count(*) from photo_sources where to_mend > 0`.execute(t.deps.db)
    refused(
      await t.ask('POST', '/properties', { body: { photos: [fresh(notFound)] } }),
      'photo_ingest_failed',
    )
    accepted(
      await t.ask('POST', '/properties?dry_run=true', { body: { photos: [fresh(notFound), fresh()] } }),
      201,
    )
    const { id } = await draft(t, { photos: photoUrls(2) })
    assert.deepEqual(await storedOf(id), { to_mend: 0, warned_at: null })
    assert.deepEqual(
      await sql`select count(*) from photo_sources where to_mend > 0`.execute(t.deps.db),
      before,
    )
  })
})

describe('a recorded failure is cleared', () => {
  test('when its URL is stored later, by adding, by setting, or as a duplicate', async () => {
    const { id } = await draft(t)
    const [a, b, c] = [fresh(notFound), fresh(notFound), fresh(notFound)]
    accepted(await add(id, [a, b, c, fresh()]))
    assert.deepEqual((await openOf(id)).failed, [a, b, c])
    failing.clear()
    accepted(await add(id, [`${b}#fragment`]))
    assert.deepEqual((await openOf(id)).failed, [a, c])
    accepted(await set(id, [a, c, b]))
    assert.deepEqual(await openOf(id), nothing)
    assert.deepEqual(await storedOf(id), { to_mend: 0, warned_at: null })
  })

  test('when a person retries it; a repeated failure keeps its first date', async () => {
    const { id } = await draft(t)
    const [a, b] = [fresh(notFound), fresh(notFound)]
    accepted(await add(id, [a, b, fresh()]))
    const { id: uuid, photos } = await rowOf(t, id)
    const [first] = (await findPhotoWarnings(t.deps.db, t.agency.id, uuid)).failed
    failing.delete(b)
    failing.set(a, { kind: 'slow' })
    const { listing, results } = await addPhotosByUrl(t.deps, t.agency.id, id, person, [a, b])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['failed', 'stored'],
    )
    assert.equal(listing.photos.length, photos.length + 1)
    const { failed } = await findPhotoWarnings(t.deps.db, t.agency.id, uuid)
    assert.deepEqual(
      failed.map(({ url, why, since, by }) => [url, why, since, by]),
      [[a, { kind: 'slow' }, first?.since, { kind: 'person', name: 'Ana' }]],
    )
    const again = await addPhotosByUrl(t.deps, t.agency.id, id, person, [a])
    assert.equal(again.results[0]?.status, 'failed')
    assert.deepEqual(await openOf(id), { failed: [a], kept: 0 })
    await assert.rejects(addPhotosByUrl(t.deps, t.other.agency.id, id, person, [a]), { code: 'not_found' })
  })

  test('when a person dismisses it, until there is new information', async () => {
    const { id } = await draft(t)
    const [a, b] = [fresh(notFound), fresh(notFound)]
    accepted(await add(id, [a, b, fresh()]))
    const dismiss = (names: ReadonlySet<string> | null, agencyId = t.agency.id) =>
      dismissWarnings(t.deps, agencyId, { id }, person, names)
    await assert.rejects(dismiss(null, t.other.agency.id), { code: 'not_found' })
    await dismiss(new Set([sourceFingerprint(a)]))
    assert.deepEqual((await openOf(id)).failed, [b])
    assert.equal((await storedOf(id))?.to_mend, 1)
    accepted(await add(id, [a, fresh()]))
    assert.deepEqual((await openOf(id)).failed, [b])
    failing.set(a, { kind: 'damaged' })
    accepted(await add(id, [a, fresh()]))
    assert.deepEqual((await openOf(id)).failed, [b, a])
    await dismiss(null)
    assert.deepEqual(await openOf(id), nothing)
    assert.equal((await storedOf(id))?.to_mend, 0)
  })

  test('after 90 days', async () => {
    const { id } = await draft(t, { photos: [fresh(), fresh(notFound)] })
    await t.deps.db.at(t.agency.id)
    const age = (days: number) =>
      sql`update photo_sources set warned_at = now() - ${days}::int * interval '1 day'
        where agency_id = ${t.agency.id} and to_mend > 0`.execute(t.deps.db)
    await age(89)
    assert.equal(await reapPhotoWarnings(t.deps.db, 100, t.clock), 0)
    await age(91)
    assert.ok((await reapPhotoWarnings(t.deps.db, 100, t.clock)) > 0)
    assert.deepEqual(await openOf(id), nothing)
    const { id: uuid } = await rowOf(t, id)
    assert.deepEqual(await findPhotoWarnings(t.deps.db, t.agency.id, uuid), noPhotoWarnings)
    // The source of its picture stays.
    const { rows } = await sql<{ sources: string[] }>`
      select sources from photo_sources where agency_id = ${t.agency.id} and property_id = ${uuid}`.execute(
      t.deps.db,
    )
    assert.equal(rows[0]?.sources.length, 1)
  })
})

describe('photos kept because another one failed', () => {
  test('are reported until they are removed, by the same list or by hand', async () => {
    const { id, photos } = await draft(t, { photos: photoUrls(4) })
    const bad = fresh(notFound)
    const response = await set(id, [photos[0] ?? '', fresh(), bad])
    assert.deepEqual(warningsOf(response), ['photo_failed urls[2]', 'photos_kept urls'])
    assert.deepEqual(await openOf(id), { failed: [bad], kept: 3 })
    const now = listingOf(response).photos
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { photos: now.slice(0, 2) } }))
    assert.deepEqual(await openOf(id), { failed: [bad], kept: 0 })
    const [found] = (await findListingsWithWarnings(t.deps.db, t.agency.id, { limit: 100 })).filter(
      (one) => one.public_id === id,
    )
    assert.equal(found?.warnings.failed.length, 1)
    failing.clear()
    accepted(await set(id, [photos[0] ?? '', bad]))
    assert.deepEqual(await openOf(id), nothing)
  })
})

describe('the photo problems of an agency', () => {
  test('are listed, latest first, without removed listings and those of others', async () => {
    const { agency, writeKey: key } = await t.newAgency()
    const find = (limit = 10, offset = 0) => findListingsWithWarnings(t.deps.db, agency.id, { limit, offset })
    assert.deepEqual(await find(), [])
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) {
      const body = { photos: [fresh(), ...Array.from({ length: index + 1 }, () => fresh(notFound))] }
      ids.unshift(accepted(await t.ask('POST', '/properties', { key, body }), 201).id)
    }
    const brief = (rows: Awaited<ReturnType<typeof find>>) =>
      rows.map(({ public_id, warnings, listings, open }) => [
        public_id,
        warnings.failed.length,
        listings,
        open,
      ])
    assert.deepEqual(brief(await find()), [
      [ids[0], 3, 3, 6],
      [ids[1], 2, 3, 6],
      [ids[2], 1, 3, 6],
    ])
    assert.deepEqual(brief(await find(1, 1)), [[ids[1], 2, 3, 6]])
    await t.ask('DELETE', `/properties/${ids[1]}`, { key })
    assert.deepEqual(brief(await find(1)), [[ids[0], 3, 2, 4]])
  })

  test('are limited to the latest fifty for each listing', async () => {
    const { id } = await draft(t)
    accepted(await add(id, [fresh(), ...Array.from({ length: 49 }, () => fresh(notFound))]))
    const latest = Array.from({ length: 10 }, () => fresh(notFound))
    refused(await add(id, latest), 'photo_ingest_failed')
    const { failed } = await openOf(id)
    assert.equal(failed.length, 50)
    assert.deepEqual(failed.slice(-10), latest)
  })
})

describe('under concurrency', () => {
  test('photos fail in several writes, and all are recorded', async () => {
    const { id } = await draft(t)
    const urls = Array.from({ length: 8 }, () => fresh(notFound))
    const responses = await atOnce(8, (index) =>
      add(id, [urls[index] ?? '', ...(index % 2 ? [fresh()] : [])]),
    )
    assert.deepEqual(tally(responses), { 200: 4, 422: 4 })
    assert.deepEqual((await openOf(id)).failed.toSorted(), urls.toSorted())
  })

  test('a URL is stored while a person dismisses or retries it', async () => {
    const { id } = await draft(t)
    const url = fresh(notFound)
    refused(await add(id, [url]), 'photo_ingest_failed')
    failing.clear()
    meanwhile = () => dismissWarnings(t.deps, t.agency.id, { id }, person, null)
    accepted(await add(id, [url]))
    assert.deepEqual(await openOf(id), nothing)
    const again = fresh(notFound)
    refused(await add(id, [again]), 'photo_ingest_failed')
    failing.clear()
    meanwhile = () => add(id, [again])
    const { results } = await addPhotosByUrl(t.deps, t.agency.id, id, person, [again])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['duplicate'],
    )
    assert.deepEqual(await openOf(id), nothing)
  })

  test('the listing is removed while a photo is retried', async () => {
    const { id } = await draft(t)
    const url = fresh(notFound)
    refused(await add(id, [url]), 'photo_ingest_failed')
    meanwhile = () => t.ask('DELETE', `/properties/${id}`)
    await assert.rejects(addPhotosByUrl(t.deps, t.agency.id, id, person, [url]), { code: 'not_found' })
  })
})
