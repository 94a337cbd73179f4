/** The TypeScript client against the application, through a faulty proxy: nothing is lost, and nothing happens twice. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  type BatchItem,
  ListingsClient,
  type ListingsClientOptions,
  ListingsError,
  type PropertyInput,
  type Retry,
} from '../../clients/typescript/src/index.ts'
import { freshAddress, photoUrls, publishable, type TestApp, testApp } from '../support/app/app.ts'
import { type Fault, type FaultProxy, faultProxy } from '../support/network/fault-proxy.ts'

let app: TestApp
let proxy: FaultProxy
let retries: Retry[]
let client: ListingsClient

before(async () => {
  app = await testApp()
  proxy = await faultProxy(app.baseUrl)
})
after(async () => {
  await proxy.close()
  await app.close()
})
beforeEach(() => {
  proxy.requests.length = 0
  retries = []
  client = newClient()
})

const newClient = (options: Partial<ListingsClientOptions> = {}): ListingsClient =>
  new ListingsClient({
    baseUrl: proxy.url,
    key: app.writeKey,
    userAgent: 'ClientTests/1.0 (tests@example.com)',
    retry: { baseMs: 1, maxMs: 2 },
    onRetry: (retry) => retries.push(retry),
    ...options,
  })

/** A draft with a unique title and address. */
const draft = (title: string) => ({
  title,
  address: freshAddress(),
  location: { city: 'La Plata', lat: -34.9, lng: -57.9 },
})

async function failure(work: Promise<unknown>): Promise<ListingsError> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof ListingsError, String(error))
    return error
  }
  return assert.fail('it did not fail')
}

const busy: Fault = { status: 503, headers: { 'retry-after': '0' }, body: 'busy' }
const limited: Fault = {
  status: 429,
  headers: { 'retry-after': '0', 'content-type': 'application/json' },
  body: '{"error":{"code":"rate_limited","message":"Wait.","limits":["writes_per_minute"],"retry_after":1}}',
}

describe('a write through faults', () => {
  const scripts: Record<string, Fault[]> = {
    'that lose the request': ['refuse', 'refuse'],
    'that lose the response': ['lose response', 'lose response'],
    'that cut the response': ['cut response'],
    'of a busy service': [busy, limited, { status: 502, body: '<html>' }, { status: 408 }],
    'of all kinds': ['lose response', busy, 'refuse', 'cut response', limited],
  }
  for (const [name, faults] of Object.entries(scripts)) {
    test(`${name} happens once, with one key`, async () => {
      proxy.script(...faults)
      const { data, response } = await client.create(draft(name))
      assert.equal(response.status, 201)
      assert.equal(response.attempts, faults.length + 1)
      assert.equal(retries.length, faults.length)
      assert.equal(new Set(proxy.requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
      assert.equal(response.idempotencyKey, proxy.requests[0]?.headers['idempotency-key'])
      const isLost = faults.some((fault) => fault === 'lose response' || fault === 'cut response')
      assert.equal(response.replayed, isLost)
      const found = await client.list({ status: 'all', q: name })
      assert.deepEqual(
        found.data.map(({ id }) => id),
        [data.id],
      )
    })
  }

  test('adds photos once, runs a batch once and deletes once', async () => {
    const { data } = await client.create(draft('three writes'))
    proxy.script('lose response')
    const added = await client.addPhotos(data.id, photoUrls(2))
    assert.deepEqual(added.meta, { requested: 2, stored: 2, duplicate: 0, failed: 0 })
    assert.equal(added.data.photos.length, 2)
    proxy.script('lose response')
    const { results, meta } = await client.batch([
      { external_id: 'BATCH-1', action: 'create', ...draft('in a batch') },
      { external_id: 'BATCH-1', action: 'create' },
    ])
    assert.deepEqual(meta, { total: 2, succeeded: 1, failed: 1 })
    assert.equal(results[1]?.error?.code, 'external_id_exists')
    proxy.script('lose response')
    const deleted = await client.delete(data.id)
    assert.equal(deleted.data.deleted, true)
  })

  test('fails after its retries, and says how to continue', async () => {
    proxy.script('lose response', 'refuse', 'refuse')
    const error = await failure(newClient({ retry: { retries: 2, baseMs: 1 } }).create(draft('given up')))
    assert.equal(error.code, 'connection_failed')
    assert.equal(error.attempts, 3)
    const { response } = await client.create(JSON.parse(proxy.requests[0]?.body ?? ''), {
      idempotencyKey: error.idempotencyKey ?? '',
    })
    assert.equal(response.replayed, true)
  })

  test('is not retried after a refusal, or when a limit outlasts the maximum wait', async () => {
    const wrong = await failure(client.create({ ...draft('wrong'), price: { amount: -1, currency: 'USD' } }))
    assert.equal(wrong.code === 'invalid_parameter' && wrong.errors[0]?.parameter, 'price.amount')
    proxy.script({ ...limited, headers: { ...limited.headers, 'retry-after': '3600' } } as Fault)
    const held = await failure(client.create(draft('held')))
    assert.deepEqual(held.code === 'rate_limited' && held.limits, ['writes_per_minute'])
    assert.equal(proxy.requests.length, 2)
  })

  test('fails with the caller’s abort reason before, during and between attempts', async () => {
    const reason = new Error('enough')
    await assert.rejects(client.me({ signal: AbortSignal.abort(reason) }), reason)
    const during = new AbortController()
    proxy.script('hold response')
    const held = client.create(draft('held response'), { signal: during.signal })
    while (proxy.requests.length === 0) await new Promise(setImmediate)
    during.abort(reason)
    await assert.rejects(held, reason)
    const between = new AbortController()
    const slow = newClient({ retry: { baseMs: 60_000, maxMs: 60_000 }, onRetry: () => between.abort(reason) })
    proxy.script('refuse')
    await assert.rejects(slow.me({ signal: between.signal }), reason)
    const whole = new AbortController()
    proxy.script('hold response')
    const ended = newClient({ signal: whole.signal }).me()
    whole.abort(reason)
    await assert.rejects(ended, reason)
  })

  test('counts an attempt without a response as failed', async () => {
    proxy.script('hold response')
    await newClient({ timeoutMs: 500 }).me()
    assert.equal(retries[0]?.code, 'timed_out')
  })

  test('does not follow redirects, and reports pages that this API did not send', async () => {
    proxy.script(
      { status: 308, headers: { location: 'https://elsewhere.example/' } },
      { status: 200, body: '<html>' },
    )
    const moved = await failure(client.me())
    assert.match(moved.message, /redirects to https:\/\/elsewhere\.example/)
    assert.equal((await failure(client.me())).code, 'unexpected_answer')
    assert.equal(retries.length, 0)
  })
})

describe('a signed key', () => {
  let signed: Partial<ListingsClientOptions>
  before(async () => {
    const { key, signing_secret } = await app.newKey(app.agency.id, {
      scopes: ['properties:write'],
      signature_required: true,
    })
    signed = { key, signingSecret: signing_secret ?? '' }
  })

  test('signs each attempt separately', async () => {
    const signing = newClient(signed)
    proxy.script('lose response', 'cut response', 'refuse')
    const { data } = await signing.create({ ...draft('Ñandú & «comillas» 100 %'), external_id: 'SIGNED-1' })
    assert.equal(new Set(proxy.requests.map(({ headers }) => headers['x-svc-signature'])).size, 4)
    const { data: found } = await signing.list({
      status: 'all',
      q: 'Ñandú',
      per_page: 1,
      fields: ['id', 'title'],
    })
    assert.deepEqual(found, [{ id: data.id, title: 'Ñandú & «comillas» 100 %' }])
    await Promise.all(Array.from({ length: 5 }, () => signing.get(data.id)))
  })

  test('adopts the clock of the service', async (t) => {
    const now = Date.now()
    t.mock.method(Date, 'now', () => now - 3_600_000)
    const { response } = await newClient(signed).me()
    assert.equal(response.attempts, 2)
    assert.equal(retries.length, 0)
  })

  test('reports a wrong secret', async () => {
    const error = await failure(newClient({ ...signed, signingSecret: 'svc_sign_wrong' }).me())
    assert.equal(error.code, 'invalid_signature')
    assert.equal(proxy.requests.length, 1)
  })
})

describe('reads of the client', () => {
  test('remember unchanged responses', async () => {
    const { data, response: written } = await client.create({ ...draft('remembered'), external_id: 'READ-1' })
    const first = await client.getByExternalId('READ-1')
    const second = await client.getByExternalId('READ-1')
    assert.deepEqual([first.response.notModified, second.response.notModified], [false, true])
    assert.deepEqual(second.data, first.data)
    assert.equal(second.response.etag, written.etag)
    second.data.title = 'changed by the caller'
    assert.equal((await client.getByExternalId('READ-1')).data.title, 'remembered')
    await client.update(data.id, { title: 'edited' }, { ifMatch: String(written.etag) })
    const stale = await failure(client.update(data.id, { title: 'late' }, { ifMatch: String(written.etag) }))
    assert.equal(stale.code, 'precondition_failed')
    assert.equal((await client.getByExternalId('READ-1')).data.title, 'edited')
    const forgetful = newClient({ etags: false })
    await forgetful.get(data.id)
    assert.equal((await forgetful.get(data.id)).response.notModified, false)
  })

  test('iterate over a whole list, through faults', async () => {
    const { writeKey } = await app.newAgency()
    const own = newClient({ key: writeKey })
    const titles = Array.from({ length: 7 }, (_, index) => `listing ${index}`)
    for (const title of titles) await own.create(draft(title))
    proxy.script('cut response', 'pass', busy, 'refuse')
    const found: string[] = []
    for await (const { title } of own.listAll({ status: 'all', per_page: 3, fields: ['title'] }))
      found.push(String(title))
    assert.deepEqual(found.toSorted(), titles)
  })
})

test('the client sets photos once, and keeps known ones', async () => {
  const { data } = await client.create({ ...draft('photos'), photos: photoUrls(2) })
  const [first = ''] = proxy.requests[0] === undefined ? [] : JSON.parse(proxy.requests[0].body).photos
  const [added = ''] = photoUrls(1)
  proxy.script('lose response')
  const { photos, meta, response } = await client.setPhotos(data.id, [added, first])
  assert.equal(response.replayed, true)
  assert.deepEqual(
    photos.map(({ status, position }) => [status, position]),
    [
      ['stored', 0],
      ['kept', 1],
    ],
  )
  assert.deepEqual(meta, { requested: 2, stored: 1, kept: 1, duplicate: 0, failed: 0, removed: 1 })
})

test('the client’s feed of changes keeps a copy in sync, through faults', async () => {
  const { writeKey } = await app.newAgency()
  const own = newClient({ key: writeKey })
  const copy = new Map<string, string | null>()
  const follow = async (cursor?: string): Promise<string> => {
    const feed = own.changes({ cursor, fields: ['title'], limit: 2 })
    for await (const { id, property } of feed)
      if (property === null) copy.delete(id)
      else copy.set(id, property.title)
    return feed.cursor ?? ''
  }
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) ids.push((await own.create(draft(`copied ${index}`))).data.id)
  proxy.script('lose response', 'cut response', 'pass', 'refuse')
  const cursor = await follow()
  assert.deepEqual([...copy.keys()], ids)
  await own.delete(String(ids[0]))
  await own.update(String(ids[1]), { title: 'edited' })
  assert.equal(await follow(await follow(cursor)), await follow(cursor))
  assert.deepEqual([...copy.values()].toSorted(), ['copied 2', 'copied 3', 'copied 4', 'edited'])
  assert.equal((await failure(follow('nonsense'))).code, 'invalid_parameter')
})

describe('errors of the client', () => {
  test('have the members of their code', async () => {
    const address = freshAddress()
    const { data } = await client.create({ ...draft('one'), address })
    const duplicate = await failure(client.create({ ...draft('two'), address }))
    assert.ok(duplicate.code === 'duplicate_property')
    assert.equal(duplicate.existing_id, data.id)
    const bare = await failure(client.enable(data.id))
    assert.ok(bare.code === 'not_publishable')
    assert.deepEqual(bare.missing, ['type', 'operation', 'price', 'photos'])
    const missing = await failure(client.addPhotos(data.id, ['https://photos.example/missing.jpg']))
    assert.ok(missing.code === 'photo_ingest_failed')
    assert.equal(missing.photos[0]?.status, 'failed')
    const unknown = await failure(client.get('ZZZZZZZZ'))
    assert.equal(unknown.code, 'not_found')
    assert.equal(unknown.status, 404)
    assert.match(String(unknown.requestId), /^[0-9a-f-]{36}$/)
    assert.equal((await failure(newClient({ key: 'svc_live_wrong' }).me())).code, 'invalid_api_key')
  })

  test('are distinguishable even when a later release adds them', async () => {
    proxy.script({
      status: 418,
      body: '{"error":{"code":"teapot","message":"Short and stout.","request_id":"x"}}',
    })
    const error = await failure(client.me())
    assert.equal(error.code === 'other' && error.otherCode, 'teapot')
  })
})

describe('batches of the client', () => {
  test('are split into what the service accepts, and number their results over all parts', async () => {
    const items = Array.from({ length: 120 }, (_, index): BatchItem => ({
      external_id: `MANY-${index}`,
      ...draft(`one of many ${index}`),
      photos: photoUrls(index % 2),
    }))
    proxy.script('pass', 'lose response')
    const ids: (string | null)[] = []
    for await (const { index, external_id, status } of client.batches(items)) {
      assert.equal(status, 201)
      assert.equal(index, ids.length)
      ids.push(external_id)
    }
    assert.deepEqual(
      ids,
      items.map(({ external_id }) => external_id),
    )
    assert.equal(proxy.requests.length, 4)
  })
})

test('a dry run of a write stores nothing', async () => {
  const { data, cost, room } = await client.create(
    { ...draft('tried'), photos: photoUrls(2) },
    { dryRun: true },
  )
  assert.deepEqual([data.id, data.title, data.missing.length], [null, 'tried', 4])
  assert.deepEqual(cost, { writes: 1, new_listings: 1, photos: 2, state_changes: 0 })
  assert.equal(room.ok, true)
  const batch = await client.batch(
    [
      { external_id: 'TRIED', ...draft('tried') },
      { external_id: 'NONE', action: 'enable' },
    ],
    { dryRun: true },
  )
  assert.deepEqual([batch.cost.new_listings, batch.results[1]?.error?.code], [1, 'not_found'])
  assert.equal((await client.list({ status: 'all', q: 'tried' })).meta.total, 0)
})

test('the client publishes, suspends and geocodes listings', async () => {
  const { data, photos } = await client.put('LIFE-1', publishable() as PropertyInput)
  assert.equal(data.status, 'published')
  assert.equal(photos?.length, 3)
  assert.equal((await client.disable(data.id, { reason: 'sold', close_price: 1 })).data.status, 'disabled')
  assert.equal((await client.enable(data.id)).data.status, 'published')
  const { data: place } = await client.geocode({ address: String(data.address), city: 'La Plata' })
  assert.equal(place.existing_id, data.id)
  assert.equal((await client.health()).status, 'ok')
  assert.equal((await client.root()).version, '1')
})
