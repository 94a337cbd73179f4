/**
 * A dry run predicts what the real request then does (api.md 19): random operations, each run dry first and then for real, singly and in
 * batches, give the same statuses, errors, listings and warnings, at the predicted cost.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { readPicture } from '../../../src/listings/photos/image.ts'
import { picture, type TestApp, testApp } from '../../support/app/app.ts'
import type { Item, Result } from '../support/batch-results.ts'
import { type Agency, endState, plain, single } from '../support/batch-singly.ts'
import { item } from '../support/random-items.ts'

type Told = Result & { cost?: unknown; room?: unknown; results?: Result[] }

let t: TestApp
before(async () => {
  t = await testApp({
    geocoder: async ({ address }) =>
      address.startsWith('Ruta') ? null : { lat: -34, lng: -58, status: 'approximate' },
    // A dry run treats every photo as a distinct picture.
    source: async (address) => Buffer.from(address),
  })
  const sample = await readPicture(await picture('sample'))
  t.deps.photos.read = async () => sample
})
after(() => t.close())

const works = fc.array(
  fc.oneof(
    fc.record({ batch: fc.constant(false), items: fc.array(item, { minLength: 1, maxLength: 4 }) }),
    fc.record({ batch: fc.constant(true), items: fc.array(item, { minLength: 1, maxLength: 9 }) }),
  ),
  { minLength: 1, maxLength: 3 },
)

test('a dry run predicts what the real request does', async () => {
  await fc.assert(
    fc.asyncProperty(works, async (list) => {
      const { agency, writeKey: key } = await t.newAgency()
      for (const { batch, items } of list) {
        if (batch) await tryBatch({ id: agency.id, key }, items)
        else for (const one of items) await tryOne({ id: agency.id, key }, one)
      }
    }),
    { numRuns: 8 },
  )
})

async function tryBatch(agency: Agency, items: readonly Item[]): Promise<void> {
  const send = async (search: string) => {
    const response = await t.ask('POST', `/properties/batch${search}`, { key: agency.key, body: { items } })
    assert.equal(response.status, 200, response.text)
    return response.body as unknown as Told & { results: Result[] }
  }
  const { tried, real, taken } = await tryFirst(agency, send)
  const [told, done] = [tried.results ?? [], real.results ?? []]
  assert.equal(told.length, done.length)
  for (const [index, result] of told.entries()) assertSame(result, done[index] as Result)
  assert.deepEqual(tried.cost, {
    writes: items.length,
    new_listings: done.filter(({ status }) => status === 201).length,
    ...taken,
  })
}

async function tryOne(agency: Agency, one: Item): Promise<void> {
  // A removal has no dry run.
  if (one.action === 'delete') return void (await single(t, agency, one))
  const send = async (search: string) => {
    const { status, body } = await single(t, agency, one, search)
    return { ...(body as unknown as Told), status }
  }
  const { tried, real, taken } = await tryFirst(agency, send)
  assertSame(tried, real)
  if (real.status < 400)
    assert.deepEqual(tried.cost, { writes: 1, new_listings: real.status === 201 ? 1 : 0, ...taken })
}

/** Runs the request dry, then for real. @returns both results, and the photos and state changes charged to the second */
async function tryFirst(agency: Agency, send: (search: string) => Promise<Told>) {
  const [state, was] = [await endState(t, agency.id), await countTaken(agency.id)]
  const tried = await send('?dry_run=true')
  assert.deepEqual(await endState(t, agency.id), state)
  const real = await send('')
  const is = await countTaken(agency.id)
  if (tried.room !== undefined) assert.deepEqual(tried.room, { ok: true, limits: [], retry_after: null })
  const taken = { photos: is.photos - was.photos, state_changes: is.state_changes - was.state_changes }
  return { tried, real, taken }
}

async function countTaken(agencyId: string) {
  const { rows } = await sql<{ photos: number; state_changes: number }>`select
    coalesce((select used from agency_usage where agency_id = ${agencyId} and name = 'photos_per_day'), 0)::int as photos,
    (select count(*)::int from listing_history
      where agency_id = ${agencyId} and action in ('published', 'disabled', 'deleted')) as state_changes`.execute(
    t.deps.db,
  )
  return rows[0] ?? { photos: 0, state_changes: 0 }
}

/** Asserts that both results are equal, except for what only the real one can know. */
function assertSame(tried: Told, real: Told): void {
  const isImagined = tried.data?.['location_status'] === null && tried.data['address'] !== null
  const comparable = ({ status, data, error, warnings = [] }: Told) => ({
    status,
    data: data && plain(known(data, isImagined)),
    error: error && knownOfError(error, tried.error?.['existing_id'] === null),
    warnings: warnings.filter(({ code }) => code !== 'location_unresolved'),
  })
  assert.deepEqual(comparable(tried), comparable(real))
  if (tried.data === undefined) return
  assert.equal(tried.warnings.length, comparable(tried).warnings.length, 'it warns of a place')
  const { id, url = null, photos = [] } = tried.data
  if (tried.status === 201) assert.deepEqual([id, url, photos], [null, null, []])
  // The id is also null for a listing that an earlier item would create.
  else if (id !== null) assert.equal(id, real.data?.['id'])
}

function known(data: Record<string, unknown>, isImagined: boolean) {
  const { photos: _photos, location, location_status, ...rest } = data
  if (!isImagined) return { ...rest, location, location_status }
  const { lat: _lat, lng: _lng, ...place } = (location ?? {}) as Record<string, unknown>
  return { ...rest, location: place }
}

/** @param isUnknown whether the error is about a listing that has no code yet, which the message contains too */
function knownOfError(error: Record<string, unknown>, isUnknown: boolean) {
  const { request_id: _id, existing_id, message, ...rest } = error
  return isUnknown ? rest : { ...rest, existing_id, message }
}
