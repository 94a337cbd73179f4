/** Spans and log lines of a request: they identify it and contain no secret. */
// alone: the tracer is one for the whole process
import assert from 'node:assert/strict'
import { createHmac, createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type Pictures, servePictures } from '../../../chaos/support/pictures.ts'
import { createKey } from '../../../src/access/keys/keys.ts'
import { openSecretBox } from '../../../src/access/secrets/secret-box.ts'
import { summaryOf } from '../../../src/operations/tracing/tracing.ts'
import { publishable } from '../../support/app/app.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { agencyWithKey, type ServerProcess, startServer, testSecretKey } from '../../support/app/server.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}
type Sent = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const title = 'Casa de la confidencia'

let database: TestDatabase
let pictures: Pictures
let server: ServerProcess
let agency: Awaited<ReturnType<typeof agencyWithKey>>
let reader: { id: string; key: string }
let signed: { key: string; signing_secret?: string | null }
const received: string[] = []
const collector = createServer((request, response) => {
  void text(request).then((body) => {
    received.push(`${request.url}\n${body}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
const collectorUrl = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const requestIds: string[] = []

before(async () => {
  ;[database, pictures] = await Promise.all([testDatabase(), servePictures()])
  agency = await agencyWithKey(database.db)
  signed = await createKey(
    database.db,
    agency.id,
    { name: 'signed', scopes: ['properties:write'], signature_required: true },
    { secretBox: openSecretBox(testSecretKey), clock: { offsetMs: 0 }, serviceName: 'Svc' },
  )
  reader = await createKey(
    database.db,
    agency.id,
    { name: 'reader', scopes: ['properties:read'] },
    { secretBox: openSecretBox(testSecretKey), clock: { offsetMs: 0 }, serviceName: 'Svc' },
  )
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  server = await startServer(database.connection, {
    WORKERS: '2',
    LOG_LEVEL: 'info',
    ...pictures.settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl(),
  })
  await walk()
  server.signal('SIGTERM')
  assert.equal(await server.ended, 0)
})
after(async () => {
  await server.end()
  collector.close()
  await pictures.close()
  await database.drop()
})

/** Requests of each kind: successful, rejected, signed, and with photos. */
async function walk(): Promise<void> {
  const ask = async (status: number, path: string, init: RequestInit = {}): Promise<void> => {
    const response = await fetch(`${server.url}${path}`, {
      ...init,
      headers: {
        'user-agent': 'ListingTests/1.0 (tests@example.com)',
        'x-api-key': agency.key,
        ...(init.headers as Record<string, string>),
      },
    })
    requestIds.push(response.headers.get('x-request-id') ?? '')
    assert.equal(response.status, status, await response.text())
  }
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify(publishable({ title, photos: pictures.addresses(3, randomUUID()) }))
  await ask(201, '/api/v1/properties', {
    method: 'POST',
    headers: { ...json, 'idempotency-key': randomUUID(), traceparent: `00-${traceId}-${parentId}-01` },
    body,
  })
  await ask(200, `/api/v1/properties?q=${encodeURIComponent(title)}`)
  await ask(404, '/api/v1/properties/22222222')
  await ask(401, '/api/v1/me', { headers: { 'x-api-key': `${agency.key}x` } })
  await ask(401, '/api/v1/me', { headers: { authorization: `Bearer ${signed.key}` } })
  await ask(403, '/api/v1/properties/22222222', { method: 'DELETE', headers: { 'x-api-key': reader.key } })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const toSign = [timestamp, 'GET', '/api/v1/me', createHash('sha256').digest('hex')].join('\n')
  const signature = createHmac('sha256', signed.signing_secret ?? '')
    .update(toSign)
    .digest('hex')
  await ask(200, '/api/v1/me', {
    headers: { 'x-api-key': signed.key, 'x-svc-timestamp': timestamp, 'x-svc-signature': `v1=${signature}` },
  })
  await ask(400, '/api/v1/properties', {
    method: 'POST',
    headers: { ...json, 'idempotency-key': randomUUID() },
    body: `{"secret": "${title}"`,
  })
}

const secrets = (): string[] => [
  agency.key,
  signed.key,
  reader.key,
  signed.signing_secret ?? 'none',
  testSecretKey,
  title,
  'svc_live_',
  'svc_sign_',
]

describe('spans', () => {
  const spans = (): Span[] =>
    received.flatMap((one) =>
      (JSON.parse(one.slice(one.indexOf('\n'))) as Sent).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
  const attributesOf = (span: Span) =>
    Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
  // Found by its request: another creation follows, and exported batches may arrive out of order.
  const creationOf = (among: Span[]) =>
    among.find((span) => attributesOf(span)['listings.request_id'] === requestIds[0])

  test('describe each request', () => {
    assert.ok(received.every((one) => one.startsWith('/v1/traces\n')))
    const creation = creationOf(spans())
    assert.ok(creation !== undefined, JSON.stringify(spans().map(({ name }) => name)))
    assert.equal(creation.name, 'POST /api/v1/properties')
    assert.deepEqual([creation.traceId, creation.parentSpanId], [traceId, parentId])
    assert.deepEqual(attributesOf(creation), {
      'http.request.method': 'POST',
      'http.route': '/api/v1/properties',
      'http.response.status_code': 201,
      'listings.request_id': requestIds[0],
      'listings.key_id': agency.keyId,
      'listings.agency': agency.slug,
    })
    const ids = spans().map((span) => attributesOf(span)['listings.request_id'])
    for (const id of requestIds) assert.ok(ids.includes(id), id)
  })

  test('contain the statements and outgoing calls of their request', () => {
    const creation = creationOf(spans())
    const below = spans().filter(({ parentSpanId }) => parentSpanId === creation?.spanId)
    assert.ok(below.every((span) => span.traceId === traceId))
    const names = below.map(({ name }) => name)
    assert.equal(names.filter((name) => name === 'GET 127.0.0.1').length, 3, names.join(', '))
    assert.ok(names.includes('select from admit_keys'), names.join(', '))
    assert.ok(
      names.some((name) => /^begin(; |$)/.test(name)),
      names.join(', '),
    )
    assert.ok(
      names.some((name) => /(^|; )commit$/.test(name)),
      names.join(', '),
    )
  })

  test('contain no secret and no submitted value', () => {
    for (const secret of secrets()) assert.ok(!received.join('\n').includes(secret), secret)
  })

  test('name a statement by its first operation', () => {
    for (const [statement, summary] of [
      ['select 1', 'select'],
      ['select a from b where c = $1', 'select from b'],
      ['\n  insert into x (y) values ($1)', 'insert into x'],
      ['with a as (select 1), b as (update c set d = 1) select 2', 'with update c'],
      ['delete from e', 'delete from e'],
    ] as const)
      assert.equal(summaryOf(statement), summary)
  })
})

test('OTEL_TRACES_SAMPLER chooses the requests that are recorded', async () => {
  const earlier = received.length
  const sampling = await startServer(database.connection, {
    WORKERS: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl(),
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  try {
    for (const headers of [{}, { traceparent: `00-${traceId}-${parentId}-01` }])
      assert.equal((await fetch(`${sampling.url}/api/v1/health`, { headers })).status, 200)
    sampling.signal('SIGTERM')
    assert.equal(await sampling.ended, 0)
  } finally {
    await sampling.end()
  }
  const sent = received.slice(earlier).join('\n')
  const spans = [...sent.matchAll(/"traceId":"(\w+)"/g)].map(([, id]) => id)
  assert.deepEqual([...new Set(spans)], [traceId])
})

describe('the log beside traces', () => {
  test('has a line for each request, with its id and its key', () => {
    const lines = server
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request')
    assert.deepEqual(lines.map((line) => line['request_id']).sort(), [...requestIds].sort())
    const creation = lines.find((line) => line['request_id'] === requestIds[0])
    assert.deepEqual(
      [
        creation?.['method'],
        creation?.['route'],
        creation?.['status'],
        creation?.['key'],
        creation?.['agency'],
      ],
      ['POST', '/api/v1/properties', 201, agency.keyId, agency.slug],
    )
    const refused = lines.find(({ status }) => status === 403)
    assert.deepEqual([refused?.['key'], refused?.['agency']], [reader.id, agency.slug])
  })

  test('contains no secret and no submitted value', () => {
    for (const secret of secrets()) {
      assert.ok(!server.logged().includes(secret), secret)
      assert.ok(!server.said().includes(secret), secret)
    }
  })
})
