/** The entries of `GET /changes` for a listing, for keys that write and for keys that only read (api.md 14.5). */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { geocoderOf } from '../../support/app/geocoder.ts'
import { type Act, actOnListing } from '../../../src/listings/writing/write-by-person.ts'
import { restoreRemoved } from '../../../src/listings/writing/states/restore.ts'
import { saveAgencyProfile } from '../../support/app/agency-profile.ts'
import { geocodeUnresolved } from '../../../src/listings/upkeep/geocode-unresolved.ts'
import { releaseListing, reserveListing } from '../../../src/listings/writing/states/states.ts'
import { freshAddress, photoUrls, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, refused, rowOf, type Shown } from '../../support/app/listings.ts'
import { feedAgency, pageOf, summaryOf } from '../support/feed.ts'

let t: TestApp
/** A new agency for each test. */
let own: Awaited<ReturnType<typeof feedAgency>>
before(async () => {
  t = await testApp()
})
after(() => t.close())
beforeEach(async () => {
  own = await feedAgency(t)
})

const operator = { kind: 'operator', id: null, name: 'tests', requestId: null } as const
const act = (id: string, what: Act) => actOnListing(t.deps, own.agency.id, id, null, operator, what)
const restore = (id: string) => restoreRemoved(t.deps, own.agency.id, id, undefined, operator)
const batch = (item: object) => own.send('POST', '/properties/batch', { items: [item] })

const suspended = async () => {
  const listing = await own.create('published', { external_id: 'x' })
  await own.send('POST', `/properties/${listing.id}/disable`, { reason: 'sold' })
  return listing
}
const reserved = async () => {
  const listing = await own.create('published', { external_id: 'x' })
  await act(listing.id, reserveListing)
  return listing
}
const deleted = async () => {
  const listing = await own.create('published', { external_id: 'x' })
  await own.send('DELETE', `/properties/${listing.id}`)
  return listing
}
const deletedDraft = async () => {
  const listing = await own.create('draft', { external_id: 'x' })
  await own.send('DELETE', `/properties/${listing.id}`)
  return listing
}
const withoutPlace = () =>
  own.create('published', { external_id: 'x', address: freshAddress(), location: { city: 'Salta' } })
const aPublished = () => own.create('published', { external_id: 'x' })
const aDraft = () => own.create('draft', { external_id: 'x' })
const photo = { photos: photoUrls(3) }

type Case = [string, () => Promise<Shown>, (listing: Shown) => Promise<unknown>]
type Told = [type: string, reason: string | null] | null

const upserted: Told = ['upserted', null]
const gone: Told = ['removed', 'deleted']
const unpublished: Told = ['removed', 'unpublished']

/** The entries for keys with `properties:write`, and for those without. */
const changing: [...Case, Told, Told][] = [
  [
    'a PATCH',
    aPublished,
    ({ id }) => own.send('PATCH', `/properties/${id}`, { title: 'Otra' }),
    upserted,
    upserted,
  ],
  [
    'a PATCH of a draft',
    aDraft,
    ({ id }) => own.send('PATCH', `/properties/${id}`, { title: 'Otra' }),
    upserted,
    null,
  ],
  [
    'a PUT',
    aPublished,
    () => own.send('PUT', '/properties/external/x', { title: 'Otra' }),
    upserted,
    upserted,
  ],
  [
    'another external id',
    aPublished,
    ({ id }) => own.send('PATCH', `/properties/${id}`, { external_id: 'y' }),
    upserted,
    upserted,
  ],
  ['a batch that edits', aPublished, () => batch({ external_id: 'x', title: 'Otra' }), upserted, upserted],
  [
    'a batch that suspends',
    aPublished,
    () => batch({ external_id: 'x', action: 'disable' }),
    upserted,
    unpublished,
  ],
  ['a batch that deletes', aPublished, () => batch({ external_id: 'x', action: 'delete' }), gone, gone],
  [
    'photos added',
    aPublished,
    ({ id }) => own.send('POST', `/properties/${id}/photos`, { urls: photoUrls(1) }),
    upserted,
    upserted,
  ],
  [
    'photos set, one of them new',
    aPublished,
    ({ id, photos }) =>
      own.send('PUT', `/properties/${id}/photos`, { urls: [...photoUrls(1), ...photos.slice(1)] }),
    upserted,
    upserted,
  ],
  [
    'photos in another order',
    aPublished,
    ({ id, photos }) => own.send('PATCH', `/properties/${id}`, { photos: photos.toReversed() }),
    upserted,
    upserted,
  ],
  [
    'photos set in another order',
    aPublished,
    ({ id, photos }) => own.send('PUT', `/properties/${id}/photos`, { urls: photos.toReversed() }),
    upserted,
    upserted,
  ],
  [
    'suspending',
    aPublished,
    ({ id }) => own.send('POST', `/properties/${id}/disable`, {}),
    upserted,
    unpublished,
  ],
  [
    'closing data recorded later',
    suspended,
    ({ id }) => own.send('POST', `/properties/${id}/disable`, { reason: 'sold', close_price: 1 }),
    upserted,
    unpublished,
  ],
  [
    'an edit of a suspended listing',
    suspended,
    ({ id }) => own.send('PATCH', `/properties/${id}`, { title: 'Otra' }),
    upserted,
    unpublished,
  ],
  [
    'publishing again',
    suspended,
    ({ id }) => own.send('POST', `/properties/${id}/enable`),
    upserted,
    upserted,
  ],
  ['reserving', aPublished, ({ id }) => act(id, reserveListing), upserted, upserted],
  ['releasing', reserved, ({ id }) => act(id, releaseListing), upserted, upserted],
  ['coordinates found later', withoutPlace, () => placeLater(), upserted, upserted],
  ['deletion', aPublished, ({ id }) => own.send('DELETE', `/properties/${id}`), gone, gone],
  [
    'deletion of a suspended listing',
    suspended,
    ({ id }) => own.send('DELETE', `/properties/${id}`),
    gone,
    gone,
  ],
  ['deletion of a draft', aDraft, ({ id }) => own.send('DELETE', `/properties/${id}`), gone, null],
  ['restoring', deleted, ({ id }) => restore(id), upserted, unpublished],
  ['restoring a draft', deletedDraft, ({ id }) => restore(id), upserted, null],
]

const unchanging: Case[] = [
  [
    'a PATCH that changes nothing',
    aPublished,
    ({ id, title }) => own.send('PATCH', `/properties/${id}`, { title }),
  ],
  [
    'a PUT that changes nothing',
    aPublished,
    ({ title }) => own.send('PUT', '/properties/external/x', { title, ...photo }),
  ],
  ['a batch that changes nothing', aPublished, ({ title }) => batch({ external_id: 'x', title })],
  [
    'photos that are all duplicates',
    () => own.create('published', photo),
    ({ id }) => own.send('POST', `/properties/${id}/photos`, { urls: photo.photos }),
  ],
  [
    'photos set unchanged',
    aPublished,
    ({ id, photos }) => own.send('PUT', `/properties/${id}/photos`, { urls: photos }),
  ],
  [
    'own photo URLs set unchanged',
    aPublished,
    ({ id, photos }) => own.send('PUT', `/properties/${id}/photos`, { urls: photos }),
  ],
  [
    'a dry run',
    aPublished,
    ({ id }) => own.send('PATCH', `/properties/${id}?dry_run=true`, { title: 'Otra' }),
  ],
  [
    'the photos in their order',
    aPublished,
    ({ id, photos }) => own.send('PATCH', `/properties/${id}`, { photos }),
  ],
  ['publishing a published listing', aPublished, ({ id }) => own.send('POST', `/properties/${id}/enable`)],
  ['suspending a suspended listing', suspended, ({ id }) => own.send('POST', `/properties/${id}/disable`)],
  [
    'the same closing data',
    suspended,
    ({ id }) => own.send('POST', `/properties/${id}/disable`, { reason: 'sold' }),
  ],
  ['reserving a reserved listing', reserved, ({ id }) => act(id, reserveListing)],
  [
    'a rejected write',
    deleted,
    async ({ id }) => refused(await own.ask('DELETE', `/properties/${id}`), 'not_found'),
  ],
  [
    'the profile of the agency',
    aPublished,
    () =>
      saveAgencyProfile(t.deps, own.agency.id, {
        name: 'Nueva',
        slug: `${own.agency.slug}-nueva`,
        email: null,
      }),
  ],
]

async function placeLater(): Promise<void> {
  t.deps.geocoder = geocoderOf(async () => ({
    status: 'found',
    pin: { lat: -24.8, lng: -65.4, status: 'resolved' },
  }))
  assert.ok((await geocodeUnresolved(t.deps, 100)) > 0)
  t.deps.geocoder = geocoderOf(async () => ({ status: 'none' }))
}

describe('a change in the feed', () => {
  for (const [name, given, change, toWriter, toReader] of changing)
    test(`is shown for ${name}`, async () => {
      const listing = await given()
      const [writer, reader] = [await own.read(own.writeKey), await own.read(own.readKey)]
      await change(listing)
      for (const [key, cursor, expected] of [
        [own.writeKey, writer.cursor, toWriter],
        [own.readKey, reader.cursor, toReader],
      ] as const) {
        const feed = await own.read(key, cursor)
        assert.deepEqual(summaryOf(feed), expected === null ? [] : [[listing.id, ...expected]])
        const [first] = feed.changes
        if (first === undefined) continue
        const row = await rowOf(t, listing.id, own.agency.id)
        assert.deepEqual([first.external_id, first.changed_at], [row.external_id, row.updated_at])
        if (expected === upserted)
          assert.deepEqual(
            first.property,
            accepted(await own.ask('GET', `/properties/${listing.id}`, { key })),
          )
      }
    })

  for (const [name, given, write] of unchanging)
    test(`is not shown for ${name}`, async () => {
      const listing = await given()
      const before = await rowOf(t, listing.id, own.agency.id)
      const { cursor } = await own.read(own.writeKey)
      await write(listing)
      assert.deepEqual(summaryOf(await own.read(own.writeKey, cursor)), [])
      const { version, updated_at } = await rowOf(t, listing.id, own.agency.id)
      assert.deepEqual([version, updated_at], [before.version, before.updated_at])
    })
})

describe('a key without properties:write', () => {
  test('never sees a listing that was never published', async () => {
    const secret = await own.create('draft', { external_id: 'secret', title: 'Secreto' })
    await own.send('DELETE', `/properties/${(await own.create('draft')).id}`)
    const shown = await own.create('published')
    await own.send('PATCH', `/properties/${secret.id}`, { title: 'Secreto aún' })
    const response = await own.ask('GET', '/changes', { key: own.readKey })
    assert.deepEqual(summaryOf({ changes: pageOf(response).data }), [[shown.id, 'upserted', null]])
    assert.ok(!response.text.includes(secret.id) && !response.text.includes('secret'))
  })

  test('sees only the ids of a removed listing', async () => {
    const { id } = await own.create('published', { title: 'Título', external_id: 'x' })
    await own.send('POST', `/properties/${id}/disable`)
    await own.send('PATCH', `/properties/${id}`, { title: 'Título oculto' })
    const { changes } = await own.read(own.readKey)
    const { updated_at } = await rowOf(t, id, own.agency.id)
    assert.deepEqual(changes, [
      {
        id,
        external_id: 'x',
        type: 'removed',
        reason: 'unpublished',
        changed_at: updated_at,
        property: null,
      },
    ])
  })
})

test('no two listings of an agency have the same position in the feed', async () => {
  const { rows } = await sql`
    select from properties group by agency_id, version having count(*) > 1`.execute(t.deps.db)
  assert.equal(rows.length, 0)
})
