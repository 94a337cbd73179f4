/**
 * Slow clients (api.md 4.6): they get a 408 and are cut off, whether they stop in a header or in a body. The timeouts are shortened
 * here; the first test checks that the real ones add up to 15 seconds at most.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { slownessLimits } from '../../../src/http/connections/client-errors.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { type RawResponse, readResponses } from '../../support/network/raw-http.ts'

let t: TestApp
before(async () => {
  t = await testApp()
  t.app.server.headersTimeout = 200
  t.app.server.requestTimeout = 300
})
after(() => t.close())

/** Sends the text and nothing more, and waits for the server to close. */
function stall(text: string): Promise<Buffer> {
  const { hostname, port } = new URL(t.baseUrl)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

test('the timeouts of slow clients cut a connection within 15 seconds', () => {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = slownessLimits
  // A second for the response to be read.
  assert.ok(Math.max(headersTimeout, requestTimeout) + connectionsCheckingInterval + 1000 <= 15_000)
})

const body = 'Content-Type: application/json\r\nIdempotency-Key: abcdefgh\r\n'
for (const [where, text] of [
  ['only a first line', () => 'GET /api/v1/me HTTP/1.1\r\n'],
  ['half a first line', () => 'GET /api/v1'],
  ['unfinished headers', () => 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-API-Key: '],
  [
    'half a body',
    () =>
      `POST /api/v1/properties HTTP/1.1\r\nHost: x\r\nX-API-Key: ${t.writeKey}\r\n${body}Content-Length: 20\r\n\r\n{"title"`,
  ],
  [
    'a missing body',
    () =>
      `POST /api/v1/properties HTTP/1.1\r\nHost: x\r\nX-API-Key: ${t.writeKey}\r\n${body}Content-Length: 20\r\n\r\n`,
  ],
  [
    'unfinished chunks',
    () =>
      `POST /api/v1/properties HTTP/1.1\r\nHost: x\r\nX-API-Key: ${t.writeKey}\r\n${body}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
  ],
] as const) {
  test(`${where}: one 408 in the envelope, and the connection is closed`, async () => {
    const responses = readResponses(await stall(text()))
    assert.deepEqual(
      responses.map(({ status }) => status),
      [408],
    )
    const { headers, text: told } = responses[0] as RawResponse
    const { error, notice } = JSON.parse(told) as {
      error: { code: string; request_id: string }
      notice: string
    }
    assert.equal(error.code, 'request_timeout')
    assert.equal(error.request_id, headers['x-request-id'])
    assert.equal(notice, headers['x-svc-notice'])
    assert.equal(headers['connection'], 'close')
  })
}

test('other clients are served while some are slow', async () => {
  const stalled = Array.from({ length: 50 }, () => stall('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n'))
  for (let count = 0; count < 20; count += 1) assert.equal((await t.ask('GET', '/health')).status, 200)
  for (const received of await Promise.all(stalled)) assert.equal(readResponses(received)[0]?.status, 408)
})
