/**
 * Which errors an Idempotency-Key keeps (api.md 7.3). Each test causes an error, removes the cause and sends the request again: a
 * kept error is replayed, otherwise the request succeeds.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { resultsOf, summaryOf } from '../../api/support/batch-results.ts'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import {
  type Ask,
  freshAddress,
  photoUrls,
  picture,
  publishable,
  type TestApp,
  testApp,
} from '../../support/app/app.ts'
import { draft, published, refused, tracesOf, usageOf } from '../../support/app/listings.ts'
import { createTrigger } from '../../support/database/triggers.ts'
import { isFresh, isReplay } from './idempotent-requests.ts'

let t: TestApp
/** Whether photo sources respond. */
let sourcesWork = true
before(async () => {
  t = await testApp({
    limits: { new_listings_per_hour: 20 },
    source: async (address) => {
      if (!sourcesWork && !address.includes('steady')) throw new PhotoFailure('The source answered 503.')
      return picture(address.split('?', 1)[0] ?? '')
    },
  })
})
after(() => t.close())

type Scene = {
  method: string
  path: string
  ask?: Ask
  code: ErrorCode
  /** Removes the cause of the error. */
  mend(): Promise<unknown>
  /** Options that differ when the request is sent again, such as a key or a header. */
  again?: Ask
  status?: number
}

/** A write key of a new agency, so that no scene reaches the limits of another. */
async function fresh() {
  const { agency, writeKey: key, readKey } = await t.newAgency()
  const ask = (method: string, path: string, options: Ask = {}) => t.ask(method, path, { key, ...options })
  return { agency, key, readKey, ask, own: { ...t, agency, writeKey: key, readKey, ask } }
}

/** Causes the error, removes its cause, sends the request again. */
async function play({ method, path, ask = {}, code, mend, again = {} }: Scene, key: string) {
  const headers = { 'idempotency-key': randomUUID(), ...ask.headers }
  const first = await t.ask(method, path, { key, ...ask, headers })
  const error = refused(first, code)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  await mend()
  const second = await t.ask(method, path, {
    key,
    ...ask,
    ...again,
    headers: { ...headers, ...again.headers },
  })
  return { first, error, second, idempotencyKey: headers['idempotency-key'] }
}

describe('an Idempotency-Key keeps', () => {
  const kept: Record<string, (made: Awaited<ReturnType<typeof fresh>>) => Promise<Scene>> = {
    'not_found, for a listing that is restored later': async ({ own }) => {
      const { id } = await published(own)
      await own.ask('DELETE', `/properties/${id}`)
      return {
        method: 'POST',
        path: `/properties/${id}/disable`,
        ask: { body: { reason: 'other' } },
        code: 'not_found',
        mend: () =>
          sql`update properties set deleted_at = null where agency_id = ${own.agency.id} and public_id = ${id}`.execute(
            t.deps.db,
          ),
      }
    },
    'external_id_exists, for an id that is freed later': async ({ own }) => {
      const { id } = await draft(own, { external_id: 'TAKEN' })
      return {
        method: 'POST',
        path: '/properties',
        ask: { body: { title: 'Otra', external_id: 'TAKEN' } },
        code: 'external_id_exists',
        mend: () => own.ask('DELETE', `/properties/${id}`),
      }
    },
    'external_id_exists, in a PATCH': async ({ own }) => {
      const [one, two] = [await draft(own, { external_id: 'TAKEN' }), await draft(own)]
      return {
        method: 'PATCH',
        path: `/properties/${two.id}`,
        ask: { body: { external_id: 'TAKEN' } },
        code: 'external_id_exists',
        mend: () => own.ask('PATCH', `/properties/${one.id}`, { body: { external_id: null } }),
      }
    },
    'duplicate_property, for an address that is freed later': async ({ own }) => {
      const address = freshAddress()
      const { id } = await draft(own, { address })
      return {
        method: 'PUT',
        path: '/properties/external/SECOND',
        ask: { body: { address } },
        code: 'duplicate_property',
        mend: () => own.ask('DELETE', `/properties/${id}`),
      }
    },
    'insufficient_photos, for a listing that gets photos later': async ({ own }) => {
      const { id } = await draft(own, { ...publishable({ status: undefined, photos: photoUrls(2) }) })
      return {
        method: 'POST',
        path: `/properties/${id}/enable`,
        code: 'insufficient_photos',
        mend: () => own.ask('POST', `/properties/${id}/photos`, { body: { urls: photoUrls(1) } }),
      }
    },
    'not_publishable, for a listing that is completed later': async ({ own }) => {
      const { id } = await draft(own, {
        ...publishable({ status: undefined, title: undefined, price: undefined }),
      })
      return {
        method: 'POST',
        path: `/properties/${id}/enable`,
        code: 'not_publishable',
        mend: () =>
          own.ask('PATCH', `/properties/${id}`, { body: { title: 'T', price: { on_request: true } } }),
      }
    },
    'too_many_photos, for a listing that has fewer later': async ({ own }) => {
      const { id } = await draft(own, { photos: photoUrls(3) })
      return {
        method: 'POST',
        path: `/properties/${id}/photos`,
        ask: { body: { urls: photoUrls(48) } },
        code: 'too_many_photos',
        mend: () => own.ask('PATCH', `/properties/${id}`, { body: { photos: [] } }),
      }
    },
  }
  for (const [what, set] of Object.entries(kept)) {
    test(what, async () => {
      const made = await fresh()
      const scene = await set(made)
      const { first, second, error } = await play(scene, made.key)
      isReplay(second, first)
      const { request_id, ...told } = second.body.error as Record<string, unknown>
      assert.equal(request_id, second.headers.get('x-request-id'))
      assert.deepEqual({ ...told, request_id: error['request_id'] }, error)
      // The cause is removed: with another key the request passes.
      const headers = { 'idempotency-key': randomUUID() }
      const other = await t.ask(scene.method, scene.path, { key: made.key, ...scene.ask, headers })
      assert.ok(other.status < 300, other.text)
    })
  }
})

describe('an Idempotency-Key does not keep', () => {
  const released: Record<string, (made: Awaited<ReturnType<typeof fresh>>) => Promise<Scene>> = {
    'invalid_parameter, for the state of the listing': async ({ own }) => {
      const { id } = await draft(own, publishable({ status: undefined }))
      return {
        method: 'POST',
        path: `/properties/${id}/disable`,
        code: 'invalid_parameter',
        mend: () => own.ask('POST', `/properties/${id}/enable`),
      }
    },
    'invalid_parameter, for a body that is corrected': async () => ({
      method: 'POST',
      path: '/properties',
      ask: { body: { title: '' } },
      code: 'invalid_parameter',
      mend: async () => {},
      again: { body: { title: 'Una' } },
      status: 201,
    }),
    'invalid_parameter, for rules beyond the schema': async () => ({
      method: 'POST',
      path: '/properties',
      ask: { body: { operation: 'sale', price: { amount: 1, currency: 'USD', period: 'month' } } },
      code: 'invalid_parameter',
      mend: async () => {},
      again: { body: { operation: 'rent', price: { amount: 1, currency: 'USD', period: 'month' } } },
      status: 201,
    }),
    missing_api_key: async ({ key }) => ({
      method: 'POST',
      path: '/properties',
      ask: { body: { title: 'Una' }, key: null },
      code: 'missing_api_key',
      mend: async () => {},
      again: { key },
      status: 201,
    }),
    insufficient_scope: async ({ key, readKey }) => ({
      method: 'POST',
      path: '/properties',
      ask: { body: { title: 'Una' }, key: readKey },
      code: 'insufficient_scope',
      mend: async () => {},
      again: { key },
      status: 201,
    }),
    precondition_failed: async ({ own }) => {
      const { id } = await draft(own)
      const etag = (await own.ask('GET', `/properties/${id}`)).headers.get('etag') ?? ''
      return {
        method: 'PATCH',
        path: `/properties/${id}`,
        ask: { body: { title: 'Una' }, headers: { 'if-match': '"another"' } },
        code: 'precondition_failed',
        mend: async () => {},
        again: { headers: { 'if-match': etag } },
      }
    },
    payload_too_large: async () => ({
      method: 'POST',
      path: '/properties',
      ask: { raw: JSON.stringify({ title: 'x'.repeat(300_000) }) },
      code: 'payload_too_large',
      mend: async () => {},
      again: { raw: JSON.stringify({ title: 'x' }) },
      status: 201,
    }),
    unsupported_media_type: async () => ({
      method: 'POST',
      path: '/properties',
      ask: { raw: '{"title":"x"}', headers: { 'content-type': 'text/plain' } },
      code: 'unsupported_media_type',
      mend: async () => {},
      again: { headers: { 'content-type': 'application/json' } },
      status: 201,
    }),
    photo_ingest_failed: async ({ own }) => {
      const { id } = await draft(own)
      sourcesWork = false
      return {
        method: 'POST',
        path: `/properties/${id}/photos`,
        ask: { body: { urls: photoUrls(2) } },
        code: 'photo_ingest_failed',
        mend: async () => {
          sourcesWork = true
        },
      }
    },
    'photo_ingest_failed, when setting photos': async ({ own }) => {
      const { id } = await draft(own, { photos: photoUrls(1, `steady-${randomUUID()}`) })
      sourcesWork = false
      return {
        method: 'PUT',
        path: `/properties/${id}/photos`,
        ask: { body: { urls: photoUrls(2) } },
        code: 'photo_ingest_failed',
        mend: async () => {
          sourcesWork = true
        },
      }
    },
    'insufficient_photos, for a creation with failed photos': async () => {
      sourcesWork = false
      const photos = [...photoUrls(1), ...photoUrls(2, `steady-${randomUUID()}`)]
      return {
        method: 'PUT',
        path: `/properties/external/${randomUUID()}`,
        ask: { body: publishable({ photos }) },
        code: 'insufficient_photos',
        mend: async () => {
          sourcesWork = true
        },
        status: 201,
      }
    },
    rate_limited: async ({ own, key }) => {
      await Promise.all(Array.from({ length: 20 }, () => draft(own)))
      return {
        method: 'POST',
        path: '/properties',
        ask: { body: { title: 'Una' } },
        code: 'rate_limited',
        mend: async () => {
          const { resets_at } = (await usageOf(t, key)).new_listings_per_hour
          t.clock.offsetMs = Date.parse(resets_at) - Date.now() + 1_000
        },
        status: 201,
      }
    },
    service_unavailable: async () => {
      const { storage } = t.deps.photos
      const { put } = storage
      storage.put = async () => {
        throw new Error('the disk is full')
      }
      return {
        method: 'POST',
        path: '/properties',
        ask: { body: { photos: photoUrls(1) } },
        code: 'service_unavailable',
        mend: async () => {
          storage.put = put
        },
        status: 201,
      }
    },
    internal_error: async () => {
      await sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''out of order''; end'`.execute(
        t.deps.db,
      )
      await createTrigger(
        t.deps.db,
        'create trigger fail before insert on listing_history execute function fail()',
      )
      return {
        method: 'POST',
        path: '/properties',
        ask: { body: { title: 'Una', photos: photoUrls(1) } },
        code: 'internal_error',
        mend: () => sql`drop function fail() cascade`.execute(t.deps.db),
        status: 201,
      }
    },
  }
  for (const [what, set] of Object.entries(released)) {
    test(what, async () => {
      const made = await fresh()
      const scene = await set(made)
      let leftBehind: unknown
      const before = await tracesOf(t, made.agency.id)
      const { second, idempotencyKey } = await play(
        {
          ...scene,
          mend: async () => {
            leftBehind = await tracesOf(t, made.agency.id)
            await scene.mend()
          },
        },
        made.key,
      )
      assert.deepEqual(leftBehind, before, 'the refused request left something behind')
      isFresh(second, scene.status ?? 200)
      const again = { ...scene.ask, ...scene.again }
      const headers = { 'idempotency-key': idempotencyKey, ...scene.ask?.headers, ...scene.again?.headers }
      isReplay(await t.ask(scene.method, scene.path, { key: made.key, ...again, headers }), second)
    })
  }
})

test('insufficient_photos for too few or identical photos is kept, because no download caused it', async () => {
  const [a = '', b = ''] = photoUrls(2)
  // Two URLs of one picture.
  const same = ['?1', '?2'].map((query) => `https://photos.example/same.jpg${query}`)
  for (const photos of [
    [a, b],
    [a, ...same],
  ]) {
    const body = publishable({ photos })
    const headers = { 'idempotency-key': randomUUID() }
    const first = await t.ask('POST', '/properties', { body, headers })
    assert.equal(refused(first, 'insufficient_photos')['photos'], undefined)
    isReplay(await t.ask('POST', '/properties', { body, headers }), first)
  }
})

test('the result of a batch is kept as a whole, with failed photos too, which need another key', async () => {
  const { ask } = await fresh()
  const items = [
    { external_id: 'KEPT-1', photos: photoUrls(1) },
    { external_id: 'KEPT-2', title: 'Otra' },
    {
      external_id: 'KEPT-3',
      ...publishable({ photos: [...photoUrls(2, 'steady-kept'), ...photoUrls(1)] }),
    },
  ]
  const headers = { 'idempotency-key': randomUUID() }
  const send = (sent: object[], own = headers) =>
    ask('POST', '/properties/batch', { body: { items: sent }, headers: own })
  sourcesWork = false
  const first = await send(items)
  sourcesWork = true
  const results = resultsOf(first).map(summaryOf)
  assert.deepEqual(results, ['422 photo_ingest_failed', '201', '422 insufficient_photos'])
  isReplay(await send(items), first)
  const again = await send([items[0] ?? {}, items[2] ?? {}], { 'idempotency-key': randomUUID() })
  assert.deepEqual(resultsOf(again).map(summaryOf), ['201', '201'])
})
