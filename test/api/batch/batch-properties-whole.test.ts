/** `POST /properties/batch` (api.md 16): errors of the whole batch, and that a batch is one transaction. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Ask, photoUrls, picture, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { createTrigger } from '../../support/database/triggers.ts'
import { filesOf, leavingNothing, refused, rowOf, unreferencedOf } from '../../support/app/listings.ts'
import { resultsOf, summaryOf } from '../support/batch-results.ts'

let t: TestApp
/** Running downloads, their maximum so far, and the number that must run before any of them ends. */
const downloads = { now: 0, most: 0, together: 1, areTogether: Promise.withResolvers<void>() }
before(async () => {
  t = await testApp({
    source: async (address) => {
      downloads.now += 1
      downloads.most = Math.max(downloads.most, downloads.now)
      if (downloads.now >= downloads.together) downloads.areTogether.resolve()
      await downloads.areTogether.promise
      const bytes = await picture(address)
      downloads.now -= 1
      return bytes
    },
  })
})
after(() => t.close())

const send = (items: unknown, ask: Ask = {}) =>
  t.ask('POST', '/properties/batch', { body: { items }, ...ask })
const batch = async (items: unknown) => resultsOf(await send(items)).map(summaryOf)

describe('a batch as a whole', () => {
  const item = { external_id: 'whole' }
  const fails = (body: unknown, code: Parameters<typeof refused>[1], parameter?: string) =>
    leavingNothing(t, () => t.ask('POST', '/properties/batch', { body })).then((response) =>
      refused(response, code, parameter),
    )

  test('without items, with an empty list, more than 50, or no list: 400 items', async () => {
    for (const body of [
      {},
      { items: [] },
      { items: Array.from({ length: 51 }, () => item) },
      { items: null },
      { items: item },
      { items: 'x' },
    ]) {
      await fails(body, 'invalid_parameter', 'items')
    }
    assert.equal(resultsOf(await send(Array.from({ length: 50 }, () => item))).length, 50)
  })

  test('with a field besides items: 400 naming it', async () => {
    await fails({ items: [item], dry_run: true }, 'invalid_parameter', 'dry_run')
    await fails([item], 'invalid_parameter', 'body')
  })

  test('with invalid JSON: 400 naming the field', async () => {
    for (const [raw, parameter] of [
      ['{"items":[{"external_id":"a","title":"x","title":"y"}]}', 'items[0].title'],
      ['{"items":[],"note":"\\u0000"}', 'note'],
      ['{"items":[{"__proto__":{}}]}', 'items[0].__proto__'],
    ] as const) {
      refused(
        await leavingNothing(t, () => t.ask('POST', '/properties/batch', { raw })),
        'invalid_parameter',
        parameter,
      )
    }
  })

  test('with more than 30 photos in total: 422, and nothing is downloaded', async () => {
    downloads.most = 0
    const spread = (counts: number[]) =>
      counts.map((count, index) => ({ external_id: `photos-${index}`, photos: photoUrls(count) }))
    await fails({ items: spread([31]) }, 'too_many_photos')
    await fails({ items: spread([15, 1, 15]) }, 'too_many_photos')
    // A photo that is sent twice counts twice.
    const [twice] = photoUrls(1)
    await fails(
      { items: [{ external_id: 'twice', photos: Array.from({ length: 31 }, () => twice) }] },
      'too_many_photos',
    )
    assert.equal(downloads.most, 0)
  })

  test('has up to 30 photos, fetched in parallel and kept in order', { timeout: 60_000 }, async () => {
    // More than the first item has: if the items ran one at a time, the downloads would hang.
    Object.assign(downloads, { together: 3, areTogether: Promise.withResolvers<void>() })
    const items = [2, 14, 14].map((count, index) => ({
      external_id: `thirty-${index}`,
      photos: photoUrls(count),
    }))
    const results = resultsOf(await send(items))
    assert.deepEqual(results.map(summaryOf), ['201', '201', '201'])
    assert.deepEqual(
      results.map(({ data }) => (data?.['photos'] as string[] | undefined)?.length),
      [2, 14, 14],
    )
    const files = await filesOf(t)
    for (const { data } of results) {
      const { photos } = await rowOf(t, String(data?.['id']))
      for (const photo of photos) assert.ok(files.includes(photo))
    }
    assert.deepEqual(await unreferencedOf(t), [])
  })

  test('has up to 1,048,576 bytes, and one more is 413', async () => {
    const body = JSON.stringify({ items: [{ external_id: 'megabyte', description: 'Descripción' }] })
    const pad = (size: number) => body + ' '.repeat(size - Buffer.byteLength(body))
    assert.deepEqual(
      resultsOf(await t.ask('POST', '/properties/batch', { raw: pad(1_048_576) })).map(summaryOf),
      ['201'],
    )
    refused(await t.ask('POST', '/properties/batch', { raw: pad(1_048_577) }), 'payload_too_large')
  })

  test('needs write scope, an Idempotency-Key and JSON', async () => {
    refused(await send([item], { key: t.readKey }), 'insufficient_scope')
    refused(await send([item], { headers: { 'idempotency-key': '' } }), 'idempotency_key_required')
    refused(await send([item], { headers: { 'content-type': 'text/plain' } }), 'unsupported_media_type')
    const get = await t.ask('GET', '/properties/batch')
    refused(get, 'method_not_allowed')
    assert.equal(get.headers.get('allow'), 'POST')
  })
})

describe('the transaction of a batch', () => {
  const items = () => [
    { external_id: `tx-${randomUUID()}`, ...publishable() },
    { external_id: `tx-${randomUUID()}`, title: 'Falla la base' },
    { external_id: `tx-${randomUUID()}`, title: 'Tras la falla' },
  ]

  test('a database error in one item: 500, and no item is stored', async () => {
    await sql`create function fail() returns trigger language plpgsql as
      'begin if new.title = ''Falla la base'' then raise exception ''out of order''; end if; return new; end'`.execute(
      t.deps.db,
    )
    await createTrigger(
      t.deps.db,
      'create trigger fail before insert on properties for each row execute function fail()',
    )
    const body = { items: items() }
    const headers = { 'idempotency-key': randomUUID() }
    const ask = () => t.ask('POST', '/properties/batch', { body, headers })
    refused(await leavingNothing(t, ask), 'internal_error')
    await sql`drop function fail() cascade`.execute(t.deps.db)
    assert.deepEqual(resultsOf(await ask()).map(summaryOf), ['201', '201', '201'])
  })

  test('a connection that breaks halfway: 503, and no item is stored', async () => {
    await sql`create function fail() returns trigger language plpgsql as
      'begin if new.title = ''Falla la base'' then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end'`.execute(
      t.deps.db,
    )
    await createTrigger(
      t.deps.db,
      'create trigger fail before insert on properties for each row execute function fail()',
    )
    const response = await leavingNothing(t, () => send(items()))
    refused(response, 'service_unavailable')
    await sql`drop function fail() cascade`.execute(t.deps.db)
  })

  test('a storage error fails only the items with photos', async () => {
    const { storage } = t.deps.photos
    const { put } = storage
    storage.put = async () => {
      throw new Error('the disk is full')
    }
    const results = await batch(items())
    storage.put = put
    assert.deepEqual(results, ['503 service_unavailable', '201', '201'])
  })

  test('readers see either the whole batch or nothing', async () => {
    const { writeKey: key } = await t.newAgency()
    const count = async () =>
      (
        (await t.ask('GET', '/properties?status=all&fields=id', { key })).body as unknown as {
          meta: { total: number }
        }
      ).meta.total
    let over = false
    const seen = new Set<number>()
    const watching = (async () => {
      while (!over) seen.add(await count())
    })()
    const many = Array.from({ length: 50 }, (_, index) => ({ external_id: `seen-${index}` }))
    assert.equal((await t.ask('POST', '/properties/batch', { key, body: { items: many } })).status, 200)
    over = true
    await watching
    seen.add(await count())
    for (const total of seen) assert.ok(total === 0 || total === 50, `a reader saw ${total}`)
  })
})
