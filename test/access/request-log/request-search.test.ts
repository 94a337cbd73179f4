/**
 * Searching the request log: each filter is compared with the same filter in JavaScript, page by page. Also the stored response details,
 * and errors by kind.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { uuidv7 } from '../../../src/platform/names/ids.ts'
import { writeDetail } from '../../../src/access/request-log/request-detail.ts'
import type { LoggedRequest } from '../../../src/access/request-log/request-log.ts'
import {
  errorKinds,
  findRequest,
  type FoundRequest,
  type RequestFilter,
  searchRequests,
} from '../../../src/access/request-log/request-search.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { accepted } from '../../support/app/listings.ts'
import { noFilter } from '../keys/no-filter.ts'

let t: TestApp
let agencyId: string
const keys = [uuidv7(), uuidv7()]
let recorded: LoggedRequest[]

before(async () => {
  t = await testApp()
  agencyId = (await t.newAgency()).agency.id
  const kinds = [
    ['GET', '/api/v1/properties', 200, null, null],
    ['GET', '/api/v1/properties/ABCD2345', 404, 'not_found', null],
    ['PATCH', '/api/v1/properties/ABCD2345', 400, 'invalid_parameter', 'price.amount'],
    ['PATCH', '/api/v1/properties/ABCD2346', 400, 'invalid_parameter', 'price.amount'],
    ['PUT', '/api/v1/properties/external/A-1', 422, 'not_publishable', null],
    ['PUT', '/api/v1/properties/external/A_2', 200, null, null],
    ['POST', '/api/v1/properties/batch', 503, 'service_unavailable', null],
  ] as const
  // Ids are random within a millisecond.
  const ids = Array.from({ length: 140 }, uuidv7).sort()
  recorded = ids.map((requestId, index) => {
    const [method, path, status, code, parameter] = kinds[index % kinds.length] ?? kinds[0]
    const detail = parameter === null ? null : writeDetail({ message: 'No.', parameter })
    const keyId = keys[index % 3 === 0 ? 0 : 1] ?? ''
    return {
      agencyId,
      keyId,
      requestId,
      method,
      path,
      status,
      code,
      ms: 1,
      detail,
      isCharged: true,
    }
  })
  for (const one of recorded) t.deps.requestLog.record(one)
  await t.deps.requestLog.flush()
})
after(() => t.close())

async function all(filter: RequestFilter, limit: number): Promise<FoundRequest[]> {
  const found: FoundRequest[] = []
  for (let next: string | null = null, pages = 0; pages < 200; pages += 1) {
    const page = await searchRequests(t.deps.db, agencyId, filter, limit, next)
    assert.ok(page.requests.length <= limit)
    found.push(...page.requests)
    next = page.next
    if (next === null) return found
  }
  throw new Error('pages never end')
}

test('every filter of the request log finds the expected requests, page by page, latest first', async () => {
  const maybe = <T>(values: readonly T[]) => fc.constantFrom<T | null>(null, ...values)
  const filters = fc.record({
    keyId: maybe([...keys, uuidv7()]),
    method: maybe(['GET', 'PATCH', 'DELETE']),
    path: maybe(['/api/v1/properties/external', '*external/A_', '/api/v1/properties', '%']),
    status: maybe([200, 404, 4, 5, 2, 400]),
    code: maybe(['not_found', 'invalid_parameter', 'nope']),
    parameter: maybe(['price.amount', 'x']),
  })
  const matches = (filter: RequestFilter) => (one: LoggedRequest) =>
    [null, one.keyId].includes(filter.keyId) &&
    [null, one.method].includes(filter.method) &&
    (filter.path === null ||
      (filter.path.startsWith('*')
        ? one.path.includes(filter.path.slice(1))
        : one.path.startsWith(filter.path))) &&
    [null, one.status, Math.floor(one.status / 100)].includes(filter.status) &&
    [null, one.code].includes(filter.code) &&
    (filter.parameter === null || one.detail?.includes(filter.parameter) === true)
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 7, max: 60 }), async (chosen, limit) => {
      const filter = { ...noFilter, ...chosen }
      const found = await all(filter, limit)
      const expected = recorded.filter(matches(filter)).map(({ requestId }) => requestId)
      assert.deepEqual(
        found.map((one) => one.request_id),
        expected.reverse(),
      )
    }),
    { numRuns: 60 },
  )
})

test('a search of the request log is limited to a range of days and to one agency', async () => {
  const { db } = t.deps
  const now = Date.now()
  const hour = 3_600_000
  const iso = (ms: number) => new Date(ms).toISOString()
  const within = { ...noFilter, from: iso(now - hour), before: iso(now + hour) }
  assert.equal((await searchRequests(db, agencyId, within, 500)).requests.length, 140)
  for (const filter of [
    { ...noFilter, from: iso(now + hour) },
    { ...noFilter, before: iso(now - hour) },
  ])
    assert.deepEqual((await searchRequests(db, agencyId, filter, 500)).requests, [])
  const { id } = recorded[0] === undefined ? { id: '' } : { id: recorded[0].requestId }
  assert.equal((await findRequest(db, agencyId, id))?.path, '/api/v1/properties')
  assert.deepEqual((await searchRequests(db, t.agency.id, noFilter, 5)).requests, [])
  assert.equal(await findRequest(db, t.agency.id, id), null)
})

test('logged errors are grouped by code, endpoint and parameter, with the latest of each', async () => {
  const found = await errorKinds(t.deps.db, agencyId, noFilter, 50)
  assert.equal(found[0]?.code, 'invalid_parameter')
  found.sort((a, b) => b.requests - a.requests || (a.code < b.code ? 1 : -1))
  assert.deepEqual(
    found.map(({ code, method, endpoint, parameter, requests }) => [
      code,
      method,
      endpoint,
      parameter,
      requests,
    ]),
    [
      ['invalid_parameter', 'PATCH', '/properties/{id}', 'price.amount', 40],
      ['service_unavailable', 'POST', '/properties/batch', null, 20],
      ['not_publishable', 'PUT', '/properties/external/{external_id}', null, 20],
      ['not_found', 'GET', '/properties/{id}', null, 20],
    ],
  )
  assert.equal(found[1]?.request_id, recorded.at(-1)?.requestId)
})

describe('the details of a logged request', () => {
  const detailOf = async (id: string | null) => {
    await t.deps.requestLog.flush()
    return (await findRequest(t.deps.db, t.agency.id, id ?? ''))?.detail
  }
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')

  test('name only the listing for a plain read or edit', async () => {
    const made = await t.ask('POST', '/properties', { key: t.writeKey, body: { title: 'Casa' } })
    const { id } = accepted(made, 201)
    assert.deepEqual(await detailOf(idOf(made)), { listing: id })
    const read = await t.ask('GET', `/properties/${id}`, { key: t.writeKey })
    assert.equal(await detailOf(idOf(read)), null)
  })

  test('hold an error’s message, parameters and the sender’s name, but no submitted values', async () => {
    const refused = await t.ask('POST', '/properties', {
      key: t.writeKey,
      body: { title: 'geheim', operation: 'buy', price: { amount: -1 } },
      headers: { 'user-agent': 'AcmeCRM/2.3' },
    })
    const detail = await detailOf(idOf(refused))
    assert.equal(detail?.parameter, refused.body.error['parameter'])
    assert.equal(detail?.user_agent, 'AcmeCRM/2.3')
    assert.ok((detail?.errors?.length ?? 0) > 1)
    assert.doesNotMatch(JSON.stringify(detail), /geheim/)
  })

  test('list each item of a batch, with the reasons for those that failed', async () => {
    const items = [
      { external_id: 'OK-1', title: 'Casa' },
      { external_id: 'NO-1', type: 'Castillo' },
    ]
    const response = await t.ask('POST', '/properties/batch', { key: t.writeKey, body: { items } })
    const detail = await detailOf(idOf(response))
    assert.deepEqual(
      detail?.items?.map(({ index, external_id, status, code, parameter }) => [
        index,
        external_id,
        status,
        code,
        parameter,
      ]),
      [
        [1, 'NO-1', 400, 'invalid_parameter', 'items[1].type'],
        [0, 'OK-1', 201, undefined, undefined],
      ],
    )
  })

  test('mark a replay and a dry run', async () => {
    const ask = () =>
      t.ask('POST', '/properties', {
        key: t.writeKey,
        body: { title: 'Quinta' },
        headers: { 'idempotency-key': 'told-replay-1' },
      })
    await ask()
    assert.equal((await detailOf(idOf(await ask())))?.is_replay, true)
    const dry = await t.ask('POST', '/properties?dry_run=true', { key: t.writeKey, body: { title: 'Lote' } })
    assert.deepEqual(await detailOf(idOf(dry)), { is_dry_run: true })
  })
})

test('details of logged requests are bounded, storable and never contain a key', () => {
  const errors = Array.from({ length: 50 }, (_, index) => ({
    parameter: `p${index}`,
    message: 'm'.repeat(2_000),
  }))
  const text = writeDetail({ message: 'a\0b \ud800 svc_live_0123456789abcdef', errors }) ?? ''
  assert.ok(Buffer.byteLength(text) < 9_000)
  const { message, left_out: leftOut, errors: kept } = JSON.parse(text)
  assert.equal(message, 'a\u{fffd}b \u{fffd} svc_live_…')
  assert.equal(leftOut + kept.length, 50)
  assert.equal(writeDetail({}), null)
})

test('details are omitted once a key’s errors fill its hourly quota, while its requests are still logged', async () => {
  const { agency } = await t.newAgency()
  const entry = {
    agencyId: agency.id,
    keyId: uuidv7(),
    method: 'GET',
    path: '/x',
    status: 400,
    code: 'invalid_parameter',
    ms: 1,
    detail: JSON.stringify({ message: 'x'.repeat(8_000) }),
    isCharged: true,
  }
  const ids = Array.from({ length: 70 }, () => uuidv7())
  for (const requestId of ids) t.deps.requestLog.record({ ...entry, requestId })
  await t.deps.requestLog.flush()
  const found = await Promise.all(ids.map((id) => findRequest(t.deps.db, agency.id, id)))
  assert.ok(found.every((one) => one?.status === 400))
  const detailed = found.filter((one) => one?.detail !== null).length
  assert.ok(detailed >= 60 && detailed < 70, String(detailed))
})
