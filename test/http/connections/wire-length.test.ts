/**
 * The size of a chunked body is counted on the wire (api.md 4.3): all bytes besides the chunks' data count too, except those that chunks
 * require.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sizeLimits } from '../../../src/limits/sizes.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { type RawResponse, readResponses } from '../../support/network/raw-http.ts'

const limit = sizeLimits.body_bytes

let t: TestApp
before(async () => {
  t = await testApp()
  // A quarter of a million chunks take a while on a busy machine.
  t.app.server.requestTimeout = 120_000
})
after(() => t.close())

const head = (path = '/properties', method = 'POST') =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: listings.test',
    'User-Agent: ListingTests/1.0 (tests@example.com)',
    `X-API-Key: ${t.writeKey}`,
    'Content-Type: application/json',
    `Idempotency-Key: ${randomUUID()}`,
    'Transfer-Encoding: chunked',
    '',
    '',
  ].join('\r\n')

/** A creation whose body has `size` bytes. */
const creation = (length: number) => {
  const empty = JSON.stringify({ title: 'x', description: '' })
  return empty.replace('""', `"${'y'.repeat(length - empty.length)}"`)
}
type Framing = { size?: number; extension?: string; zeros?: number; trailers?: string; last?: string }
/** The text in chunks of the given size. */
function inChunks(
  text: string,
  { size = 65_536, extension = '', zeros = 0, trailers = '', last = '0' }: Framing = {},
) {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) {
    const piece = text.slice(at, at + size)
    pieces.push(`${'0'.repeat(zeros)}${piece.length.toString(16)}${extension}\r\n${piece}\r\n`)
  }
  return `${pieces.join('')}${last}\r\n${trailers}\r\n`
}

const wireOf = (body: string) => Buffer.byteLength(body)

/** Whether that many whole responses have arrived. */
function hasResponses(bytes: Buffer, count: number): boolean {
  if (!bytes.includes('\r\n\r\n')) return false
  const whole = readResponses(bytes).filter(
    ({ headers, text }) => Buffer.byteLength(text) === Number(headers['content-length']),
  )
  return whole.length === count
}

/** Sends the texts on one connection, each after all responses to the one before. @param counts of requests in each text */
function converse(texts: readonly string[], counts = texts.map(() => 1)): Promise<RawResponse[]> {
  const { hostname, port } = new URL(t.baseUrl)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(texts[0] ?? ''))
    let bytes = Buffer.alloc(0)
    let sent = 1
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (
        !hasResponses(
          bytes,
          counts.slice(0, sent).reduce((sum, count) => sum + count, 0),
        )
      )
        return
      if (sent === texts.length) socket.destroy()
      else socket.write(texts[sent++] ?? '')
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(readResponses(bytes)))
  })
}

async function statusOf(body: string, ...line: Parameters<typeof head>): Promise<number | undefined> {
  const [response] = await converse([head(...line) + body])
  if (response?.status === 413) assert.match(response.text, /"code":"payload_too_large"[^]*"notice":/)
  return response?.status
}

/** The creation, with chunk extensions that add the given bytes on the wire to those that its chunks require. */
function extendedTo(counted: number): string {
  const [text, size] = [creation(10_000), 100]
  const each = Math.floor((counted - text.length) / 100)
  const [whole, ...rest] = inChunks(text, { size, extension: `;${'e'.repeat(each - 1)}` }).split('\r\n')
  const missing = counted - text.length - each * 100
  return [`${whole}${'e'.repeat(missing)}`, ...rest].join('\r\n')
}

describe('a body in chunks', () => {
  // A 400 for the long description proves that the body was read.
  for (const size of [1, 7, 100, 16_384, limit]) {
    test(`of ${size} bytes each may have the full size, and no more`, async () => {
      assert.equal(await statusOf(inChunks(creation(limit), { size })), 400)
      assert.equal(await statusOf(inChunks(creation(limit + 1), { size })), 413)
    })
  }

  test('is read completely, and the listing is created', async () => {
    assert.equal(
      await statusOf(inChunks(creation(5_000), { size: 3, extension: ';a=b', trailers: 'X: y\r\n' })),
      201,
    )
  })
})

describe('anything beside the chunks’ data', () => {
  const small = creation(200)
  const over: Record<string, string> = {
    'few long extensions': inChunks(small, { size: 10, extension: `;${'e'.repeat(14_000)}` }),
    'many short extensions': inChunks(creation(40_000), { size: 1, extension: ';e=12345' }),
    'three megabytes': inChunks(small, { size: 1, extension: `;${'e'.repeat(15_000)}` }),
    'zeros before the lengths': inChunks(small, { size: 20, zeros: 30_000 }),
    'zeros before the last length': inChunks(small, { last: '0'.repeat(300_000) }),
    'an extension of the last chunk': inChunks(creation(limit - 5_000), { last: `0;${'e'.repeat(6_000)}` }),
    trailers: inChunks(creation(limit - 5_000), { trailers: `X: ${'t'.repeat(6_000)}\r\n` }),
  }
  for (const [what, body] of Object.entries(over)) {
    test(`counts toward the size: ${what}`, async () => {
      assert.ok(wireOf(body) > limit)
      assert.equal(await statusOf(body), 413)
    })
  }

  test('counts to the byte, on a new connection and on one that is kept', async () => {
    for (const [length, status] of [
      [limit, 201],
      [limit + 1, 413],
    ] as const) {
      assert.equal(await statusOf(extendedTo(length)), status)
      const before = [head() + inChunks(creation(9_000), { size: 10 }), head() + inChunks(small)]
      const responses = await converse([...before, head() + extendedTo(length)])
      assert.deepEqual(
        responses.map((response) => response.status),
        [201, 201, status],
      )
    }
  })

  test('counts toward the larger size of a batch', async () => {
    const batch = JSON.stringify({ items: [{ external_id: 'a', title: 'x'.repeat(150) }] })
    const size = Math.ceil(batch.length / 100)
    const body = (length: number) => inChunks(batch, { size, extension: `;${'e'.repeat(length / 100)}` })
    assert.equal(await statusOf(body(900_000), '/properties/batch'), 200)
    assert.equal(await statusOf(body(1_300_000), '/properties/batch'), 413)
  })

  test('counts in forms of the dashboard', async () => {
    const response = await converse([
      [
        'POST /dashboard/sign-in HTTP/1.1',
        'Host: listings.test',
        'Content-Type: application/x-www-form-urlencoded',
        'Transfer-Encoding: chunked',
        '',
        inChunks('email=a&password=b', { size: 1, extension: `;${'e'.repeat(8_000)}` }),
      ].join('\r\n'),
    ])
    assert.equal(response[0]?.status, 413)
  })
})

describe('pipelined requests', () => {
  test('are each counted alone', async () => {
    const large = creation(200_000)
    const requests = [
      head() + inChunks(creation(300), { size: 10 }),
      head() + inChunks(large, { size: 1_000 }),
      head() + inChunks(large, { size: 50 }),
      head() + inChunks(creation(400), { size: 1 }),
      head() + inChunks(large),
    ]
    const responses = await converse([requests.join('')], [requests.length])
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 400, 400, 201, 400],
    )
  })

  test('do not hide one that is too large', async () => {
    const extended = inChunks(creation(200), { size: 1, extension: `;${'e'.repeat(4_000)}` })
    const [response] = await converse([head() + extended + head() + inChunks(creation(300))], [2])
    assert.equal(response?.status, 413)
  })
})
