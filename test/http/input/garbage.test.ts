/**
 * Random bytes on a connection (api.md 4.6): none causes a 500 or stops the service, and every response has the envelope and its
 * headers.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { published } from '../../support/app/listings.ts'
import { exchange, type RawResponse, readResponses } from '../../support/network/raw-http.ts'

let t: TestApp
let valid: Buffer[]

before(async () => {
  t = await testApp()
  const { id } = await published(t, { external_id: 'garbage-1' })
  const request = (line: string, headers: readonly string[], body = '') =>
    Buffer.from(
      [
        `${line} HTTP/1.1`,
        'Host: listings.test',
        'User-Agent: ListingTests/1.0 (tests@example.com)',
        `X-API-Key: ${t.writeKey}`,
        'Connection: close',
        ...headers,
        ...(body === ''
          ? []
          : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
        '',
        body,
      ].join('\r\n'),
    )
  valid = [
    request('GET /api/v1/properties?page=1&per_page=2', ['If-None-Match: "x"']),
    request('GET /api/v1/health', ['Accept: */*']),
    request(`GET /api/v1/properties/${id}?fields=id,title`, ['Origin: https://a.example']),
    request(
      'POST /api/v1/geocode',
      ['Idempotency-Key: abcdefgh'],
      '{"address":"Calle 48 Nº 1234","city":"La Plata"}',
    ),
    request(
      `PATCH /api/v1/properties/${id}`,
      ['If-Match: *'],
      '{"title":"Casa","price":{"amount":1.5,"currency":"USD"}}',
    ),
    request(
      'POST /api/v1/properties/batch',
      ['Idempotency-Key: ijklmnop'],
      '{"items":[{"external_id":"x","title":"y"}]}',
    ),
    request('OPTIONS /api/v1/me', ['Origin: https://a.example', 'Access-Control-Request-Method: GET']),
    Buffer.concat([
      request('PUT /api/v1/properties/external/garbage-1', [
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ]),
      Buffer.from('e\r\n{"title":"abc"\r\n1\r\n}\r\n0\r\n\r\n'),
    ]),
  ]
})
after(async () => {
  assert.equal((await t.ask('GET', '/properties')).status, 200)
  await t.close()
})

/** Asserts what all responses have in common. @param isOfApi false if the request may name a page */
function isSound({ status, headers, text }: RawResponse, isOfApi: boolean): void {
  assert.ok(status >= 200 && status < 500, `${status} ${text}`)
  // An interim response to `Expect: 100-continue`.
  for (const name of ['x-request-id', 'x-svc-notice', 'link'])
    assert.ok(headers[name], `${name} of ${status}`)
  if (text === '') return
  if (!isOfApi && headers['content-type'] === 'text/html; charset=utf-8') return
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  const body = JSON.parse(text) as { error?: { code: string; request_id: string }; notice?: string }
  if (status < 400) return
  assert.equal(body.error?.request_id, headers['x-request-id'])
  assert.equal(body.notice, headers['x-svc-notice'])
}

async function soundness(bytes: Uint8Array): Promise<number> {
  const received = await exchange(t.baseUrl, bytes)
  const responses = readResponses(received)
  for (const response of responses) isSound(response, Buffer.from(bytes).includes('/api'))
  return responses.length
}

/** The number of concurrent connections. Many of them wait for the timeout of incomplete requests, so they wait together. */
const several = (bytes: fc.Arbitrary<Uint8Array>) => fc.array(bytes, { minLength: 50, maxLength: 50 })
const allSound = async (each: readonly Uint8Array[]): Promise<void> => {
  await Promise.all(each.map(soundness))
}

describe('bytes on a connection', () => {
  test('that form a request get a response', async () => {
    for (const request of valid) assert.equal(await soundness(request), 1, request.toString())
  })

  test('that are random never cause a 500', async () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
      fc
        .array(
          fc.constantFrom(
            'GET',
            ' ',
            '/api/v1/me',
            'HTTP/1.1',
            '\r\n',
            '\n',
            ':',
            'Host',
            'x',
            '\0',
            '\t',
            'Content-Length',
            '5',
            '{}',
          ),
          { maxLength: 30 },
        )
        .map((parts) => Buffer.from(parts.join(''))),
    )
    await fc.assert(fc.asyncProperty(several(anything), allSound), { numRuns: 6 })
  })

  test('that almost form a request never cause a 500: bytes changed, dropped, doubled or moved', async () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      drop: fc.nat({ max: 12 }),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 4 }),
        fc
          .constantFrom(
            '\r\n',
            '\n',
            '\r\n\r\n',
            ' ',
            '\0',
            '%',
            '%ff',
            '%00',
            '?',
            '#',
            '&&',
            '..',
            '//',
            '\u00ff',
            ':',
            ',',
            'Content-Length: 7\r\n',
            'Transfer-Encoding: chunked\r\n',
            'Transfer-Encoding: gzip, chunked\r\n',
            'Host: b\r\n',
            'Expect: 100-continue\r\n',
            'Connection: upgrade\r\nUpgrade: websocket\r\n',
            'Upgrade: h2c\r\n',
            'Content-Encoding: gzip\r\n',
            'X-API-Key: a\r\n',
            'Cookie: a=b\r\n',
            '\\u0000',
            '"',
            '{',
            '[',
            '1e999',
            '-',
            'HTTP/1.0',
            'HTTP/2.0',
            'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
          )
          .map((text) => Buffer.from(text, 'latin1')),
      ),
    })
    const mutated = fc
      .tuple(fc.nat(), fc.array(change, { minLength: 1, maxLength: 5 }))
      .map(([which, changes]) => {
        let bytes = valid[which % valid.length] ?? Buffer.alloc(0)
        for (const { at, drop, put } of changes) {
          const place = Math.floor(at * bytes.length)
          bytes = Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + drop)])
        }
        return bytes
      })
    await fc.assert(fc.asyncProperty(several(mutated), allSound), { numRuns: 17 })
  })
})
