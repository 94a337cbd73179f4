// The log of API requests: every request of a known key, whatever came of it; counted by day and outcome; gone after its time.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { reapRequestLog } from '../../src/keys/request-log.ts'
import { errorsByCode, listRequests, requestsByDay, requestsByKey } from '../../src/keys/request-reports.ts'
import { revokeKey } from '../../src/keys/keys.ts'
import { testApp, type TestApp } from '../support/app.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const dayMs = 86_400_000

test('requests of a key are there with method, path, status, code and id; the query is not', async () => {
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
  assert.deepEqual(
    (await listRequests(db, agency.id, { requestId }, 50)).map(({ status }) => status),
    [200],
  )
  assert.deepEqual(await listRequests(db, t.agency.id, { requestId }, 50), [])
  assert.deepEqual(await listRequests(db, agency.id, { requestId: 'no uuid' }, 50), [])
  assert.equal((await listRequests(db, agency.id, { errorsOnly: true }, 50)).length, 3)
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

test('a revoked key’s requests are there too', async () => {
  const { agency } = await t.newAgency()
  const made = await t.newKey(agency.id)
  await revokeKey(t.deps.db, agency.id, made.id, t.clock)
  await t.ask('GET', '/me', { key: made.key })
  await t.deps.requestLog.flush()
  const [logged] = await listRequests(t.deps.db, agency.id, { keyId: made.id }, 5)
  assert.deepEqual([logged?.status, logged?.code], [401, 'revoked_api_key'])
})

test('many at once are all written, each once', async () => {
  const { agency } = await t.newAgency()
  const keyId = randomUUID()
  const entry = { agencyId: agency.id, keyId, method: 'GET', path: '/x', status: 200, code: null, ms: 1 }
  for (let count = 0; count < 2_500; count += 1)
    t.deps.requestLog.record({ ...entry, requestId: randomUUID() })
  await t.deps.requestLog.flush()
  assert.equal((await listRequests(t.deps.db, agency.id, { keyId }, 5_000)).length, 2_500)
  assert.equal((await requestsByDay(t.deps.db, agency.id, keyId, 1, t.clock))[0]?.succeeded, 2_500)
})

test('requests go after 7 days, their numbers after 90', async () => {
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
