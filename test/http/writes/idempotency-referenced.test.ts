/**
 * Responses stored by reference (api.md 7.2): whatever has happened to a listing and its agency since, a replay equals the first response
 * byte for byte.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { actOnListing } from '../../../src/listings/writing/write-by-person.ts'
import { restoreRemoved } from '../../../src/listings/writing/states/restore.ts'
import { saveAgencyProfile } from '../../support/app/agency-profile.ts'
import type { Listing } from '../../../src/listings/listing.ts'
import { findListingAt } from '../../../src/listings/history/rewind.ts'
import { groupReaders } from '../../../src/listings/fields/groups.ts'
import { reserveListing } from '../../../src/listings/writing/states/states.ts'
import { resultsOf } from '../../api/support/batch-results.ts'
import { randomSteps } from '../../api/support/random-steps.ts'
import { newRun, type Request, type Run, randomWritesApp, runStep } from '../../api/support/random-writes.ts'
import { freshAddress, photoUrls, publishable, type TestApp } from '../../support/app/app.ts'
import { accepted, draft, listingOf, rowOf } from '../../support/app/listings.ts'
import { secondApp } from '../../support/app/second-app.ts'
import { isFresh, isReplay, operations } from './idempotent-requests.ts'

let t: TestApp
before(async () => {
  t = await randomWritesApp()
})
after(() => t.close())

type Kept = { status: number; body: string | null; property_id: string | null; rest: string | null }

async function keptOf(agencyId: string, key: string): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`select status, body, property_id, rest from idempotency_keys
    where agency_id = ${agencyId} and key = ${key}`.execute(t.deps.db)
  return rows[0]
}

const again = ({ writeKey }: Run, { method, path, body, key }: Request) =>
  t.ask(method, path, { key: writeKey, body, headers: { 'idempotency-key': key } })

/** A listing without the invisible difference between missing and empty rental terms. */
const comparable = (listing: Listing | null) =>
  listing && { ...listing, rental: groupReaders.rental(listing) }

describe('after random writes', () => {
  test('every response can be replayed, and every version of a listing can be reconstructed', async () => {
    await fc.assert(
      fc.asyncProperty(randomSteps, fc.nat(), async (steps, chosen) => {
        const run = await newRun(t)
        const versions = new Map<number, Listing>()
        for (const step of steps) {
          await runStep(run, step)
          for (const id of run.listings) {
            const row = await rowOf(t, id, run.agency.id)
            versions.set(row.version, row)
          }
          // One in the middle, which must not see later writes.
          const early = run.requests[chosen % Math.max(run.requests.length, 1)]
          if (early !== undefined && early.response.status < 300)
            isReplay(await again(run, early), early.response)
        }
        for (const request of run.requests) {
          const { status } = request.response
          if (status >= 300) continue
          isReplay(await again(run, request), request.response)
          const kept = await keptOf(run.agency.id, request.key)
          assert.equal(kept?.body !== null, request.method === 'DELETE', request.path)
        }
        for (const [version, row] of versions)
          assert.deepEqual(
            comparable(await findListingAt(t.deps.db, run.agency.id, row.id, version)),
            comparable(row),
          )
      }),
      { numRuns: 12 },
    )
  })
})

/** Changes everything that a response shows about the listing and its agency. */
async function changeAll(agencyId: string, id: string): Promise<void> {
  const { deps } = t
  const operator = { kind: 'operator', id: null, name: 'command line', requestId: null } as const
  const name = `Otra ${randomUUID().slice(0, 8)}`
  await saveAgencyProfile(deps, agencyId, { name, slug: `otra-${randomUUID()}`, email: null })
  const { public_id: code, deleted_at: deletedAt } = await rowOf(t, id, agencyId)
  if (deletedAt === null) {
    const body = {
      external_id: randomUUID(),
      title: name,
      description: name,
      type: 'Lote',
      operation: 'temporary',
      price: { amount: 7.25, currency: 'ARS', period: 'week' },
      expenses: { amount: 3, currency: 'USD' },
      address: freshAddress(),
      location: { city: 'Azul', province: null, lat: -36.5, lng: -59.5 },
      features: { total_m2: 1.5 },
      amenities: [name],
      video_url: 'https://video.example/3',
      video_urls: ['https://video.example/2'],
      rental: { min_stay: 3 },
    }
    accepted(await t.ask('PATCH', `/properties/${code}`, { body }))
    accepted(await t.ask('PUT', `/properties/${code}/photos`, { body: { urls: photoUrls(4) } }))
    accepted(await t.ask('POST', `/properties/${code}/enable`))
    await actOnListing(deps, agencyId, code, null, operator, reserveListing)
    accepted(await t.ask('POST', `/properties/${code}/disable`, { body: { reason: 'rented' } }))
    assert.equal((await t.ask('DELETE', `/properties/${code}`)).status, 200)
  }
  await restoreRemoved(deps, agencyId, code, null, operator)
}

describe('a response survives changes to its listing and agency', () => {
  for (const { name, status, make } of operations) {
    test(name, async () => {
      const { method, path, body } = await make(t)
      const headers = { 'idempotency-key': randomUUID() }
      const first = await t.ask(method, path, { body, headers })
      isFresh(first, status)
      const { results } = first.body as unknown as { results?: { data: { id: string } }[] }
      const { id } = results?.[0]?.data ?? listingOf(first)
      for (let time = 0; time < 2; time += 1) {
        await changeAll(t.agency.id, id)
        isReplay(await t.ask(method, path, { body, headers }), first)
      }
      const kept = await keptOf(t.agency.id, headers['idempotency-key'])
      const isWhole = method === 'DELETE'
      assert.deepEqual([kept?.body === null, kept?.rest === null], [!isWhole, isWhole])
    })
  }

  test('a batch with several items for one listing, some of which fail', async () => {
    const stored = await draft(t, { external_id: randomUUID(), title: 'Antes' })
    const [id, fails] = [stored['external_id'] as string, randomUUID()]
    const again = randomUUID()
    const items = [
      { external_id: again, title: 'Una', address: freshAddress(), photos: photoUrls(2) },
      { external_id: id, action: 'update', title: 'Entre' },
      { external_id: again, action: 'update', title: 'Otra', price: { amount: 1, currency: 'USD' } },
      { external_id: id, action: 'update', title: 'Entre' },
      { external_id: fails, action: 'enable' },
      { external_id: again, action: 'enable' },
      { external_id: again, action: 'delete' },
      { external_id: again, action: 'create', title: 'De nuevo', bogus: 1 },
      { external_id: again, title: 'De nuevo' },
      7,
    ]
    const ask = { body: { items }, headers: { 'idempotency-key': randomUUID() } }
    const first = await t.ask('POST', '/properties/batch', ask)
    const results = resultsOf(first)
    assert.deepEqual(
      results.map(({ status }) => status),
      [201, 200, 200, 200, 404, 422, 200, 400, 201, 400],
      first.text,
    )
    for (let time = 0; time < 2; time += 1) {
      await changeAll(t.agency.id, stored.id)
      await changeAll(t.agency.id, String(results[8]?.data?.['id']))
      isReplay(await t.ask('POST', '/properties/batch', ask), first)
    }
  })

  test('a response of an instance with another public URL', async () => {
    const app = await secondApp(t, undefined, { settings: { publicBaseUrl: 'https://other.test' } })
    try {
      const ask = { body: publishable(), headers: { 'idempotency-key': randomUUID() } }
      const first = await app.ask('POST', '/properties', ask)
      assert.match(String(listingOf(first)['url']), /^https:\/\/other\.test\//)
      const { headers, ...replay } = await t.ask('POST', '/properties', ask)
      assert.deepEqual([replay.text, headers.get('idempotent-replayed')], [first.text, 'true'])
    } finally {
      await app.close()
    }
  })
})

test('a response stored whole by an older version is replayed unchanged', async () => {
  const { id } = await draft(t)
  const ask = { body: { title: 'Primera' }, headers: { 'idempotency-key': randomUUID() } }
  const first = await t.ask('PATCH', `/properties/${id}`, ask)
  const whole = { etag: first.headers.get('etag') }
  await sql`update idempotency_keys set body = ${first.text}, headers = ${whole}, property_id = null, revision = null, rest = null
    where agency_id = ${t.agency.id} and key = ${ask.headers['idempotency-key']}`.execute(t.deps.db)
  accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Segunda' } }))
  isReplay(await t.ask('PATCH', `/properties/${id}`, ask), first)
})

test('a version that a listing never had is not found', async () => {
  const [one, two] = [await rowOf(t, (await draft(t)).id), await rowOf(t, (await draft(t)).id)]
  assert.equal(await findListingAt(t.deps.db, t.agency.id, one.id, two.version), null)
  assert.equal(await findListingAt(t.deps.db, t.agency.id, two.id, one.version), null)
  assert.equal(await findListingAt(t.deps.db, t.other.agency.id, one.id, one.version), null)
})
