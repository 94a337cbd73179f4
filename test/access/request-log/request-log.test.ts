/**
 * The log of API requests. It keeps every counted request of a known key and the first rejected ones, counts all of them by day and
 * outcome, and expires.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openRequestLog, reapRequestLog } from '../../../src/access/request-log/request-log.ts'
import {
  errorsByCode,
  requestsByDay,
  requestsByKey,
} from '../../../src/access/request-log/request-reports.ts'
import {
  findRequest,
  type RequestFilter,
  searchRequests,
} from '../../../src/access/request-log/request-search.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { uuidv7 } from '../../../src/platform/names/ids.ts'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { forward, toNext } from '../../support/moments.ts'
import { type ApiResponse, testApp, type TestApp } from '../../support/app/app.ts'
import { atOnce } from '../../support/app/listings.ts'
import { noFilter } from '../keys/no-filter.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

async function listRequests(db: Db, agencyId: string, filter: Partial<RequestFilter>, limit: number) {
  return (await searchRequests(db, agencyId, { ...noFilter, ...filter }, limit)).requests
}

test('the request log has method, path, status, code and id of a key’s requests, without the query', async () => {
  const { agency, writeKey, readKey } = await t.newAgency()
  const { db } = t.deps
  const ok = await t.ask('GET', '/properties?city=secreta', { key: writeKey })
  await t.ask('GET', '/properties/ABCDEFGH', { key: writeKey })
  await t.ask('POST', '/properties', { key: readKey, body: {} })
  await t.ask('POST', '/properties', { key: writeKey, body: { nope: 1 } })
  await t.ask('GET', '/me', { key: null })
  await t.ask('GET', '/me', { key: t.writeKey })
  await t.deps.requestLog.flush()
  const logged = await listRequests(db, agency.id, {}, 50)
  assert.deepEqual(
    logged.map(({ method, path, status, code }) => [method, path, status, code]),
    [
      ['POST', '/api/v1/properties', 400, 'invalid_parameter'],
      ['POST', '/api/v1/properties', 403, 'insufficient_scope'],
      ['GET', '/api/v1/properties/ABCDEFGH', 404, 'not_found'],
      ['GET', '/api/v1/properties', 200, null],
    ],
  )
  assert.ok(logged.every(({ ms, at }) => ms > 0 && Math.abs(Date.now() - Date.parse(at)) < 60_000))
  const requestId = ok.headers.get('x-request-id') ?? ''
  assert.equal((await findRequest(db, agency.id, requestId))?.status, 200)
  assert.equal(await findRequest(db, t.agency.id, requestId), null)
  assert.equal(await findRequest(db, agency.id, 'no uuid'), null)
  assert.equal((await listRequests(db, agency.id, { status: 4 }, 50)).length, 3)
  assert.equal((await listRequests(db, agency.id, {}, 2)).length, 2)

  const writer = logged[0]?.key_id ?? ''
  assert.equal((await listRequests(db, agency.id, { keyId: writer }, 50)).length, 3)
  assert.deepEqual(await errorsByCode(db, agency.id, null, 30, t.clock), [
    { code: 'insufficient_scope', requests: 1 },
    { code: 'invalid_parameter', requests: 1 },
    { code: 'not_found', requests: 1 },
  ])
  assert.equal((await errorsByCode(db, agency.id, writer, 30, t.clock)).length, 2)
  const byKey = await requestsByKey(db, agency.id, 30, t.clock)
  assert.deepEqual(
    byKey.map(({ succeeded, failed }) => [succeeded, failed]),
    [
      [1, 2],
      [0, 1],
    ],
  )
  const days = await requestsByDay(db, agency.id, null, 3, t.clock)
  assert.deepEqual(
    days.map(({ succeeded, failed }) => [succeeded, failed]),
    [
      [0, 0],
      [0, 0],
      [1, 3],
    ],
  )
  assert.match(days[2]?.day ?? '', /T00:00:00\.000Z$/)
  const tomorrow = await requestsByDay(db, agency.id, writer, 2, { offsetMs: dayMs })
  assert.deepEqual([tomorrow[0]?.failed, tomorrow[1]?.failed], [2, 0])
})

test('the request log omits a key that was put into the path in place of an id', async () => {
  const { agency, writeKey, readKey } = await t.newAgency()
  await t.ask('GET', `/properties/external/${readKey}`, { key: writeKey })
  await t.ask('GET', `/properties/${readKey.slice(0, 36)}`, { key: writeKey })
  await t.deps.requestLog.flush()
  const paths = (await listRequests(t.deps.db, agency.id, {}, 50)).map(({ path }) => path)
  assert.deepEqual(paths, ['/api/v1/properties/svc_live_…', '/api/v1/properties/external/svc_live_…'])
})

test('the request log has the requests of a revoked key too', async () => {
  const { agency } = await t.newAgency()
  const made = await t.newKey(agency.id)
  await revokeKey(t.deps.db, agency.id, made.id, t.clock)
  await t.ask('GET', '/me', { key: made.key })
  await t.deps.requestLog.flush()
  const [logged] = await listRequests(t.deps.db, agency.id, { keyId: made.id }, 5)
  assert.deepEqual([logged?.status, logged?.code], [401, 'revoked_api_key'])
})

test('the request log has every one of many concurrent requests once', async () => {
  const { agency } = await t.newAgency()
  const keyId = uuidv7()
  const entry = {
    agencyId: agency.id,
    keyId,
    method: 'GET',
    path: '/x',
    status: 200,
    code: null,
    ms: 1,
    isCharged: true,
    detail: null,
  }
  for (let count = 0; count < 2_500; count += 1) t.deps.requestLog.record({ ...entry, requestId: uuidv7() })
  await t.deps.requestLog.flush()
  assert.equal((await listRequests(t.deps.db, agency.id, { keyId }, 5_000)).length, 2_500)
  assert.equal((await requestsByDay(t.deps.db, agency.id, keyId, 1, t.clock))[0]?.succeeded, 2_500)
})

test('the request log keeps ten refused requests a minute for each key and error, and counts all of them', async (context) => {
  const tight = await testApp({ limits: { reads_per_minute: 5 } })
  context.after(() => tight.close())
  const { db, requestLog } = tight.deps
  const { agency, readKey } = await tight.newAgency()
  const signing = await tight.newKey(agency.id, { scopes: ['properties:write'], signature_required: true })
  const gone = await tight.newKey(agency.id)
  await revokeKey(db, agency.id, gone.id, tight.clock)
  const floods: [number, string | null, () => Promise<ApiResponse>][] = [
    [40, 'rate_limited', () => tight.ask('GET', '/properties', { key: readKey })],
    [30, 'insufficient_scope', () => tight.ask('DELETE', '/properties/ZZZZ9999', { key: readKey })],
    [20, 'revoked_api_key', () => tight.ask('GET', '/me', { key: gone.key })],
    [25, 'invalid_signature', () => tight.ask('GET', '/me', { key: signing.key })],
    // Rejected before the sender is known to own the key.
    [
      15,
      'unsupported_media_type',
      () =>
        tight.ask('POST', '/properties', {
          key: signing.key,
          raw: 'x',
          headers: { 'content-type': 'text/plain' },
        }),
    ],
  ]
  await toNext(tight, 'minute')
  // The log counts minutes by its own process's clock, so they start at other times than those of the limits.
  const leftMs = 60_000 - ((performance.now() + tight.clock.offsetMs) % 60_000)
  if (leftMs < 10_000) forward(tight, 11)
  await atOnce(5, () => tight.ask('GET', '/properties/ZZZZ9999', { key: readKey }))
  for (const [count, , ask] of floods) await atOnce(count, ask)
  const kept = async () => {
    await requestLog.flush()
    const codes = (await listRequests(db, agency.id, {}, 1_000)).map(({ code }) => code)
    return Object.fromEntries(
      [...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]),
    )
  }
  const each = (many: (count: number) => number) =>
    Object.fromEntries(floods.map(([count, code]) => [code, many(count)]))
  assert.deepEqual(await kept(), { not_found: 5, ...each(() => 10) })
  forward(tight, 61)
  for (const [count, , ask] of floods) await atOnce(count, ask)
  assert.deepEqual(await kept(), { not_found: 5, null: 5, ...each(() => 20) })
  const counted = await errorsByCode(db, agency.id, null, 30, tight.clock)
  assert.deepEqual(Object.fromEntries(counted.map(({ code, requests }) => [code, requests])), {
    ...each((count) => 2 * count),
    not_found: 5,
    rate_limited: 75,
  })
})

test('a flood of refused requests does not displace requests waiting to be written', async () => {
  const { agency } = await t.newAgency()
  const keyId = uuidv7()
  const entry = { agencyId: agency.id, keyId, method: 'GET', path: '/x', ms: 1 }
  const stored = { ...entry, requestId: uuidv7(), status: 200, code: null, detail: null, isCharged: true }
  t.deps.requestLog.record(stored)
  for (let count = 0; count < 50_000; count += 1)
    t.deps.requestLog.record({
      ...entry,
      requestId: uuidv7(),
      status: 429,
      code: 'rate_limited',
      isCharged: false,
      detail: null,
    })
  await t.deps.requestLog.flush()
  const { requestId } = stored
  assert.equal((await findRequest(t.deps.db, agency.id, requestId))?.status, 200)
  assert.equal((await listRequests(t.deps.db, agency.id, { keyId }, 50)).length, 11)
  const [today] = await requestsByDay(t.deps.db, agency.id, keyId, 1, t.clock)
  assert.deepEqual([today?.succeeded, today?.failed], [1, 50_000])
})

test('logged requests are deleted after 7 days, and their counts after 90', async () => {
  const { agency, readKey } = await t.newAgency()
  await t.ask('GET', '/me', { key: readKey })
  await t.deps.requestLog.flush()
  const { db } = t.deps
  await reapRequestLog(db, 100, { offsetMs: 6.9 * dayMs })
  assert.equal((await listRequests(db, agency.id, {}, 5)).length, 1)
  while ((await reapRequestLog(db, 100, { offsetMs: 7.1 * dayMs })) === 100);
  assert.deepEqual(await listRequests(db, agency.id, {}, 5), [])
  assert.equal((await requestsByDay(db, agency.id, null, 1, t.clock))[0]?.succeeded, 1)
  await reapRequestLog(db, 100, { offsetMs: 92 * dayMs })
  assert.equal((await requestsByDay(db, agency.id, null, 1, t.clock))[0]?.succeeded, 0)
})

test('an agency’s requests, and later ones, are logged even when its database node is unknown', async () => {
  const { agency } = await t.newAgency()
  const { id: keyId } = await t.newKey(agency.id)
  const db = Object.assign(Object.create(t.deps.db) as Db, {
    at: async () => Promise.reject(new Error('all are away')),
  })
  const log = openRequestLog(db, t.clock, { warn: () => {} })
  const request = {
    agencyId: agency.id,
    keyId,
    method: 'GET',
    path: '/',
    status: 200,
    code: null,
    ms: 1,
    isCharged: true,
    detail: null,
  }
  for (const requestId of [uuidv7(), uuidv7()]) {
    log.record({ ...request, requestId })
    await log.flush()
    assert.equal((await findRequest(t.deps.db, agency.id, requestId))?.request_id, requestId)
  }
})
