/** Requests that Node's parser rejects (api.md 4.6): they get a response on the raw socket with the usual envelope and headers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { respondToClientError } from '../../../src/http/connections/client-errors.ts'
import { standardHeaders } from '../../../src/http/responses/standard-headers.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { sendLines } from '../../support/network/raw-http.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

/** Parses a raw response and asserts that it is the envelope. */
function read(text: string): { status: number; code: string } {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const headers = new Map(
    head
      .split('\r\n')
      .slice(1)
      .map(
        (line) =>
          [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
      ),
  )
  const { error, notice } = JSON.parse(body) as {
    error: { code: string; message: string; request_id: string }
    notice: string
  }
  assert.equal(error.request_id, headers.get('x-request-id'))
  assert.equal(notice, headers.get('x-svc-notice'))
  assert.match(headers.get('link') ?? '', /rel="terms-of-service", .*rel="security"$/)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(Number(headers.get('content-length')), Buffer.byteLength(body))
  assert.ok(error.message.length > 10)
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), code: error.code }
}

describe('a request that the parser rejects', () => {
  const get = 'GET /api/v1/health HTTP/1.1'
  const malformed: Record<string, readonly string[]> = {
    'garbage as a request line': ['nonsense'],
    'an invalid method': ['FET,CH /api/v1/health HTTP/1.1', 'Host: x'],
    'an unknown method without a target': ['FETCH HTTP/1.1', 'Host: x'],
    'an unknown version': ['GET /api/v1/health HTTP/9.9', 'Host: x'],
    'a space in the path': ['GET /api/v1/he alth HTTP/1.1', 'Host: x'],
    'a header without a colon': [get, 'Host: x', 'nonsense'],
    'a space before the colon': [get, 'Host: x', 'X-API-Key : abc'],
    'a control character in a header': [get, 'Host: x', 'X-API-Key: a\u0001b'],
    'an invalid Content-Length': [get, 'Host: x', 'Content-Length: many'],
    'two Content-Lengths': [
      'POST /api/v1/properties HTTP/1.1',
      'Host: x',
      'Content-Length: 2',
      'Content-Length: 3',
    ],
    'both chunks and a Content-Length': [
      'POST /api/v1/properties HTTP/1.1',
      'Host: x',
      'Transfer-Encoding: chunked',
      'Content-Length: 3',
    ],
    'a CONNECT request': ['CONNECT elsewhere.example:443 HTTP/1.1', 'Host: x'],
  }
  for (const [what, lines] of Object.entries(malformed)) {
    test(`${what}: 400`, async () => {
      assert.deepEqual(read(await sendLines(t.baseUrl, lines)), { status: 400, code: 'invalid_parameter' })
    })
  }

  test('an unknown method: 405 with the methods of the path, or 404 if the path does not exist', async () => {
    for (const method of ['FETCH', 'get', 'X-A.b!']) {
      const response = await sendLines(t.baseUrl, [
        `${method} /api/v1/properties/batch?x=1 HTTP/1.1`,
        'Host: x',
      ])
      assert.deepEqual(read(response), { status: 405, code: 'method_not_allowed' })
      assert.match(response, /^allow: POST\r$/im)
      const lost = await sendLines(t.baseUrl, [`${method} /api/v1/nothing HTTP/1.1`, 'Host: x'])
      assert.deepEqual(read(lost), { status: 404, code: 'not_found' })
    }
  })

  test('headers of more than 16 KB: 431', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `X-Filler-${index}: ${'x'.repeat(500)}`)
    for (const lines of [
      [get, 'Host: x', `X-API-Key: ${'k'.repeat(20_000)}`],
      [get, 'Host: x', ...many],
      [`GET /api/v1/properties/${'x'.repeat(20_000)} HTTP/1.1`, 'Host: x'],
    ]) {
      assert.deepEqual(read(await sendLines(t.baseUrl, lines)), { status: 431, code: 'headers_too_large' })
    }
  })

  test('a request that is too slow: 408', async () => {
    const response = await responseTo(
      Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    )
    assert.deepEqual(read(response), { status: 408, code: 'request_timeout' })
  })

  test('a connection that was reset gets nothing', async () => {
    assert.equal(await responseTo(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })), '')
  })
})

describe('an unusual but valid request', () => {
  const allowed: Record<string, readonly string[]> = {
    'HTTP/1.0 without Host': ['GET /api/v1/health HTTP/1.0'],
    'an absolute URL': ['GET http://listings.test/api/v1/health HTTP/1.1', 'Host: listings.test'],
    'an unknown expectation': ['GET /api/v1/health HTTP/1.1', 'Host: x', 'Expect: miracles'],
    'a body with a GET': ['GET /api/v1/health HTTP/1.1', 'Host: x', 'Content-Length: 0'],
  }
  for (const [what, lines] of Object.entries(allowed)) {
    test(`${what}: 200`, async () => {
      assert.match(await sendLines(t.baseUrl, lines), /^HTTP\/1\.1 200 [\s\S]*"status":"ok"/)
    })
  }
})

/** The bytes that a client reads after an error on its connection. */
async function responseTo(error: NodeJS.ErrnoException): Promise<string> {
  const server = createServer((socket) =>
    respondToClientError(error, socket, standardHeaders(t.deps.config), () => new ApiError('not_found')),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  await once(socket, 'close')
  server.close()
  return text
}
