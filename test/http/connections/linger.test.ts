/**
 * Bodies that are rejected unread (api.md 4.3): the client gets its response, cannot keep sending, and the next request on the connection
 * is parsed correctly.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { exchange, rawRequest, readResponses } from '../../support/network/raw-http.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const head = (line: string, ...headers: string[]) =>
  [
    `${line} HTTP/1.1`,
    'Host: listings.test',
    'User-Agent: ListingTests/1.0',
    `X-API-Key: ${t.writeKey}`,
    ...headers,
    '',
    '',
  ].join('\r\n')
const json = 'Content-Type: application/json'
const keyHeader = () => `Idempotency-Key: ${randomUUID()}`

/** Sends the beginning and then pieces until the connection is cut. */
async function flood(beginning: string, piece: Buffer): Promise<{ text: string; sent: number }> {
  const { hostname, port } = new URL(t.baseUrl)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  socket.write(beginning)
  while (!socket.destroyed && socket.writable) {
    await Promise.race([new Promise((resolve) => socket.write(piece, resolve)), closed])
  }
  await closed
  return { text, sent: socket.bytesWritten }
}

describe('an endless body', () => {
  const piece = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
  const chunked = 'Transfer-Encoding: chunked'
  const refusals: readonly (readonly [
    what: string,
    line: string,
    headers: readonly string[],
    status: number,
  ])[] = [
    ['in chunks, once it is too long', 'POST /api/v1/properties', [json, chunked], 413],
    ['in chunks of a batch', 'POST /api/v1/properties/batch', [json, chunked], 413],
    ['of another type', 'POST /api/v1/properties', ['Content-Type: text/plain', chunked], 415],
    ['to an unknown path', 'POST /api/v1/nothing', [json, chunked], 404],
    ['with an undefined method', 'DELETE /api/v1/properties', [json, chunked], 405],
    ['with a read', 'GET /api/v1/properties', [json, chunked], 400],
    ['that announces its length', 'POST /api/v1/properties', [json, 'Content-Length: 10000000000'], 413],
  ]
  for (const [what, line, headers, status] of refusals) {
    test(`${what} gets ${status}, and the connection is cut`, async () => {
      const { text, sent } = await flood(head(line, keyHeader(), ...headers), piece)
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(text, /"request_id":"[0-9a-f-]{36}"[\s\S]*"notice":/)
      // The kernel's buffers accept more than the server reads.
      assert.ok(sent < 32 * 1_048_576, String(sent))
    })
  }
})

describe('a body that is too long but ends', () => {
  test('still lets its sender read the response, however many send at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        rawRequest(t.baseUrl, {
          method: 'POST',
          path: '/api/v1/properties',
          headers: {
            'x-api-key': t.writeKey,
            'idempotency-key': randomUUID(),
            'content-type': 'application/json',
            ...(index % 2 === 0 ? { 'content-length': '900000' } : {}),
          },
          body: 'x'.repeat(900_000),
        }),
      ),
    )
    for (const { status, text } of responses) {
      assert.equal(status, 413)
      assert.match(text, /"payload_too_large"/)
    }
  })

  test('is refused before any of it has arrived, and its sender may stop then', async () => {
    const headers = head('POST /api/v1/properties', json, keyHeader(), 'Content-Length: 262145')
    const [response, ...others] = readResponses(await exchange(t.baseUrl, Buffer.from(headers)))
    assert.equal(response?.status, 413)
    assert.deepEqual(others, [])
  })

  test('leaves the connection to the next request', async () => {
    const { hostname, port } = new URL(t.baseUrl)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (method: string, path: string, body: string) =>
      new Promise<{ status: number | undefined; socket: unknown }>((resolve, reject) => {
        const headers = { 'x-api-key': t.writeKey, 'user-agent': 'Tests/1.0', 'content-length': body.length }
        const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
          response.resume().once('end', () => resolve({ status: response.statusCode, socket: sent.socket }))
        })
        sent.once('error', reject)
        sent.end(body)
      })
    const first = await ask('POST', '/api/v1/geocode', 'x'.repeat(100_000))
    assert.equal(first.status, 415)
    const second = await ask('GET', '/api/v1/me', '')
    assert.equal(second.status, 200)
    assert.equal(second.socket, first.socket)
    agent.destroy()
  })

  test('is not requested from a sender that waits for 100 Continue', async () => {
    const headers = head(
      'POST /api/v1/properties',
      json,
      keyHeader(),
      'Content-Length: 262145',
      'Expect: 100-continue',
    )
    const [first] = readResponses(await exchange(t.baseUrl, Buffer.from(headers)))
    assert.ok(first?.status === 413 || first?.status === 100, String(first?.status))
  })
})

describe('the data after a refused body', () => {
  const next = () => head('GET /api/v1/me', 'Connection: close')
  const hidden = () => head('DELETE /api/v1/properties/ZZZZ9999')

  test('is parsed as the next request, and the body is not', async () => {
    const body = hidden()
    const length = `Content-Length: ${Buffer.byteLength(body)}`
    const refusals: readonly (readonly [string, number])[] = [
      [head('GET /api/v1/properties', length), 400],
      [head('HEAD /api/v1/properties', length), 400],
      [head('POST /api/v1/properties', keyHeader(), length), 415],
      [head('POST /api/v1/properties', json, keyHeader(), length), 400],
      [head('DELETE /api/v1/properties', json, length), 405],
      [head('POST /api/v1/nothing', json, length), 404],
    ]
    for (const [first, status] of refusals) {
      const received = await exchange(t.baseUrl, Buffer.from(first + body + next()))
      const statuses = [...received.toString().matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, code]) =>
        Number(code),
      )
      // The connection either continues after the body or was closed. The body itself never gets a response.
      assert.ok(
        JSON.stringify(statuses) === JSON.stringify([status, 200]) ||
          JSON.stringify(statuses) === JSON.stringify([status]),
        `${first.split('\r\n', 1)[0]} → ${statuses.join()}`,
      )
    }
  })

  test('gets its responses in order, however many requests are pipelined', async () => {
    const requests = [
      head('GET /api/v1/health'),
      head('GET /api/v1/nothing'),
      head('GET /api/v1/me'),
      head('POST /api/v1/properties', json, keyHeader(), 'Content-Length: 1') + '{',
      head('GET /api/v1/properties?x=1'),
      head('GET /api/v1/health', 'Connection: close'),
    ]
    const responses = readResponses(await exchange(t.baseUrl, Buffer.from(requests.join(''))))
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 404, 200, 400, 400, 200],
    )
  })
})
