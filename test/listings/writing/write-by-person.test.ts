/** People's actions on listings: the rules and limits of the API apply, and the history names the actor. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { actOnListing } from '../../../src/listings/writing/write-by-person.ts'
import { saveAgencyProfile } from '../../support/app/agency-profile.ts'
import type { Actor } from '../../../src/writing/actor.ts'
import { countListingsByStatus } from '../../../src/listings/reading/counts.ts'
import { listRemoved } from '../../../src/listings/reading/removed.ts'
import {
  deleteListing,
  disableListing,
  enableListing,
  releaseListing,
  reserveListing,
} from '../../../src/listings/writing/states/states.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { accepted, draft, historyOf, published, rowOf } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp({ limits: { state_changes_per_day: 6, disables_per_day: 2, enables_per_day: 2 } })
})
after(() => t.close())

const ana: Actor = {
  kind: 'person',
  id: '019ab0c4-7f10-7d42-8a01-5c9e1b2d3f40',
  name: 'Ana',
  requestId: 'r-1',
}
const act = (id: string, what: Parameters<typeof actOnListing>[5], version: number | null = null) =>
  actOnListing(t.deps, t.agency.id, id, version, ana, what)
const refused = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code

test('a person publishes, suspends, reserves, releases and removes a listing, and the history names them', async () => {
  const { id } = await published(t)
  await act(id, reserveListing)
  assert.equal(accepted(await t.ask('GET', `/properties/${id}`))['reserved'], true)
  await act(id, reserveListing)
  await act(id, releaseListing)
  await act(id, (context, before) => disableListing(context, before, { reason: 'contract_ended' }))
  await act(id, enableListing)
  await act(id, deleteListing)
  const history = await historyOf(t, id)
  assert.deepEqual(
    history.slice(1).map(({ action, actor }) => [action, actor.kind, actor.name, actor.id]),
    ['reserved', 'released', 'disabled', 'published', 'deleted'].map((action) => [
      action,
      'person',
      'Ana',
      ana.id,
    ]),
  )
  assert.equal(history[1]?.request_id, 'r-1')
  await assert.rejects(act(id, enableListing), refused('not_found'))
})

test('people and keys share a listing’s limits', async () => {
  const { id } = await published(t)
  accepted(await t.ask('POST', `/properties/${id}/disable`, { body: {} }))
  await act(id, enableListing)
  await act(id, (context, before) => disableListing(context, before, {}))
  accepted(await t.ask('POST', `/properties/${id}/enable`))
  await assert.rejects(
    act(id, (context, before) => disableListing(context, before, {})),
    refused('rate_limited'),
  )
  assert.equal((await t.ask('POST', `/properties/${id}/disable`, { body: {} })).status, 429)
  await act(id, reserveListing)
  await act(id, releaseListing)
  await assert.rejects(act(id, reserveListing), refused('rate_limited'))
  await assert.rejects(act(id, deleteListing), refused('rate_limited'))
})

test('an incomplete listing is not published, and the error names the missing fields', async () => {
  const { id } = await draft(t)
  await assert.rejects(act(id, enableListing), (error) => {
    assert.ok(error instanceof ApiError)
    assert.deepEqual(error.extra['missing'], ['type', 'operation', 'address', 'price', 'photos'])
    return true
  })
  assert.equal((await historyOf(t, id)).length, 1)
})

test('a listing that has changed in the meantime is a conflict; another agency’s listing is not found', async () => {
  const { id } = await published(t)
  const { version } = await rowOf(t, id)
  accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otra' } }))
  await assert.rejects(act(id, deleteListing, version), refused('precondition_failed'))
  await act(id, deleteListing, (await rowOf(t, id)).version)
  const foreign = await published(t)
  await assert.rejects(
    actOnListing(t.deps, t.other.agency.id, foreign.id, null, ana, deleteListing),
    refused('not_found'),
  )
})

test('removed listings are counted and listed, latest first', async () => {
  const own = await t.newAgency()
  const made = []
  for (let count = 0; count < 3; count += 1)
    made.push(
      accepted(await t.ask('POST', '/properties', { key: own.writeKey, body: { title: `${count}` } }), 201),
    )
  for (const { id } of made.slice(0, 2))
    await actOnListing(t.deps, own.agency.id, id, null, ana, deleteListing)
  const { listings, total } = await listRemoved(t.deps.db, own.agency.id, { limit: 1, offset: 0 })
  assert.deepEqual([total, listings.map(({ title }) => title)], [2, ['1']])
  const next = await listRemoved(t.deps.db, own.agency.id, { limit: 1, offset: 1 })
  assert.deepEqual(
    next.listings.map(({ title }) => title),
    ['0'],
  )
  assert.deepEqual(await countListingsByStatus(t.deps.db, own.agency.id), {
    draft: 1,
    published: 0,
    disabled: 0,
    removed: 2,
  })
})

test('a profile change is visible at once, and changes every ETag', async () => {
  const own = await t.newAgency()
  const { id } = accepted(
    await t.ask('POST', '/properties', { key: own.writeKey, body: { title: 'x' } }),
    201,
  )
  const tags = async () => {
    const one = await t.ask('GET', `/properties/${id}`, { key: own.writeKey })
    const list = await t.ask('GET', '/properties?status=all', { key: own.writeKey })
    return [one.headers.get('etag'), list.headers.get('etag')]
  }
  const before = await tags()
  const slug = `${own.agency.slug}-2`
  const changed = await saveAgencyProfile(t.deps, own.agency.id, {
    name: 'Nueva',
    slug,
    email: 'a@b.example',
  })
  assert.deepEqual([changed.name, changed.slug, changed.email], ['Nueva', slug, 'a@b.example'])
  const shown = accepted(await t.ask('GET', `/properties/${id}`, { key: own.writeKey }))
  assert.equal((shown['agency'] as { name: string }).name, 'Nueva')
  const now = await tags()
  assert.notEqual(now[0], before[0])
  assert.notEqual(now[1], before[1])
  for (const wrong of [{ slug: t.agency.slug }, { slug: 'No Slug' }, { name: ' ' }, { email: 'x' }])
    await assert.rejects(
      saveAgencyProfile(t.deps, own.agency.id, { name: 'Nueva', slug, email: null, ...wrong }),
      refused('invalid_parameter'),
    )
})
