/**
 * Slow clients (api.md 4.6): two hundred connections that send nothing, or a byte at a time, or never read their response, are closed
 * within 15 s; meanwhile everyone else is served.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../support/ask.ts'
import { newService, type Service } from '../support/service.ts'

const closedWithinMs = 15_000
/** The longest time of a /health probe; an upper bound, not a measurement. */
const healthWithinMs = 3_000
const perKind = 25

let service: Service
let key: string
before(async () => {
  service = await newService()
  await service.start()
  key = (await service.newAgency('slow')).key
})
after(() => service.end())

type Kind = {
  what: string
  /** Sent at once. */
  first: (host: string) => string
  /** Sent a byte at a time, at this interval in milliseconds. */
  drip?: { byte: string; everyMs: number }
  getsReason: boolean
  reads: boolean
}

const agent = 'user-agent: Slow/1.0 (slow@example.com)'
const lines = (...all: string[]) => all.join('\r\n')
const post = (host: string, ...headers: string[]) =>
  lines(
    'POST /api/v1/properties HTTP/1.1',
    `host: ${host}`,
    agent,
    `x-api-key: ${key}`,
    'content-type: application/json',
    `idempotency-key: ${randomUUID()}`,
    ...headers,
    '',
    '',
  )
const get = (host: string, path: string) => lines(`GET ${path} HTTP/1.1`, `host: ${host}`, agent, '', '')

const kinds: readonly Kind[] = [
  { what: 'nothing', first: () => '', getsReason: false, reads: true },
  {
    what: 'half a request line',
    first: () => 'GET /api/v1/health HT',
    getsReason: true,
    reads: true,
  },
  {
    what: 'a header, one byte a second',
    first: (host) => lines('GET /api/v1/health HTTP/1.1', `host: ${host}`, 'x-slow: '),
    drip: { byte: 'a', everyMs: 1000 },
    getsReason: true,
    reads: true,
  },
  {
    what: 'a header, three bytes a second',
    first: (host) => lines('GET /api/v1/health HTTP/1.1', `host: ${host}`, 'x-slow: '),
    drip: { byte: 'a', everyMs: 300 },
    getsReason: true,
    reads: true,
  },
  {
    what: 'a body, one byte a second',
    first: (host) => `${post(host, 'content-length: 1000')}{`,
    drip: { byte: ' ', everyMs: 1000 },
    getsReason: true,
    reads: true,
  },
  {
    what: 'a body in chunks, three bytes a second',
    first: (host) => `${post(host, 'transfer-encoding: chunked')}1\r\n{\r\n`,
    drip: { byte: '1\r\n \r\n', everyMs: 300 },
    getsReason: true,
    reads: true,
  },
  {
    what: 'a request, and never reads the response',
    first: (host) => get(host, '/api/v1/health'),
    getsReason: false,
    reads: false,
  },
  {
    what: 'many requests for much, and never reads a response',
    // Together more than the intermediate buffers hold.
    first: (host) => get(host, '/api/v1/openapi.json').repeat(16),
    getsReason: false,
    reads: false,
  },
]

/** A connection of that kind. `text` is the received data; `closed` resolves with the time after which it was closed. */
function open(kind: Kind) {
  const { hostname, port, host } = new URL(service.url)
  // It keeps sending after the other side has ended, and closes only when forced to.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: kind.drip !== undefined })
  const began = performance.now()
  const state = { text: '', timer: undefined as NodeJS.Timeout | undefined }
  socket.on('error', () => {})
  socket.once('connect', () => {
    socket.write(kind.first(host))
    const { drip } = kind
    if (drip !== undefined) state.timer = setInterval(() => socket.write(drip.byte), drip.everyMs)
  })
  const closed = new Promise<number>((resolve) => {
    socket.once('close', () => {
      clearInterval(state.timer)
      resolve(performance.now() - began)
    })
  })
  if (kind.reads) socket.on('data', (piece) => (state.text += piece.toString()))
  return { kind, socket, state, closed }
}

/** A client that does not read misses the end of its connection. Reads the rest, to see whether the connection was closed. */
async function readAtLast(socket: Socket, closed: Promise<number>): Promise<'closed' | 'open'> {
  socket.resume()
  const isClosed = await Promise.race([closed.then(() => true), delay(6_000, false)])
  socket.destroy()
  return isClosed ? 'closed' : 'open'
}

test(`${kinds.length * perKind} slow connections are closed in time`, async (context) => {
  const connections = kinds.flatMap((kind) => Array.from({ length: perKind }, () => open(kind)))
  const reading = connections.filter(({ kind }) => kind.reads)
  let isOver = false

  const slowest = { health: 0, ordinary: 0 }
  const served = { health: 0, ordinary: 0 }
  const probe = async () => {
    while (!isOver) {
      const began = performance.now()
      const response = await ask(service.url, '', { method: 'GET', path: '/health' })
      assert.equal(response?.status, 200)
      served.health += 1
      slowest.health = Math.max(slowest.health, performance.now() - began)
      await delay(250)
    }
  }
  const work = async (worker: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const path = `/properties/external/ordinary-${worker}`
      const began = performance.now()
      const body = { title: `Casa ${turn}` }
      const written = await ask(service.url, key, { method: 'PUT', path, body })
      assert.ok(written?.status === 200 || written?.status === 201, written?.text)
      const read = await ask(service.url, key, { method: 'GET', path })
      assert.equal(read?.body.data['title'], body.title)
      served.ordinary += 2
      slowest.ordinary = Math.max(slowest.ordinary, performance.now() - began)
      await delay(100)
    }
  }
  const others = Promise.all([probe(), work(1), work(2)])
  const ends = Promise.all(reading.map(({ closed }) => closed))
  const inTime = await Promise.race([ends, delay(closedWithinMs, null)])
  const stillOpen = reading.filter(({ socket }) => !socket.destroyed).map(({ kind }) => kind.what)
  if (inTime !== null) await delay(closedWithinMs - Math.max(...inTime))
  isOver = true
  await others

  assert.deepEqual([...new Set(stillOpen)], [])
  for (const { kind, state } of reading) {
    if (!kind.getsReason) continue
    const [head = '', body = ''] = state.text.split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 408 /, kind.what)
    assert.match(head, /^x-request-id: \S+/im)
    assert.equal(JSON.parse(body).error.code, 'request_timeout')
  }
  const silent = connections.filter(({ kind }) => !kind.reads)
  const found = await Promise.all(
    silent.map(async ({ kind, socket, closed }) => `${await readAtLast(socket, closed)}: ${kind.what}`),
  )
  for (const one of found) assert.match(one, /^closed/)

  assert.ok(slowest.health < healthWithinMs, `/health took ${slowest.health} ms`)
  const inMs = (ms: number) => `${Math.round(ms)} ms`
  context.diagnostic(
    `${reading.length} closed within ${inMs(Math.max(...(inTime ?? [])))}; /health ${served.health} times, slowest ${inMs(slowest.health)}; ` +
      `others ${served.ordinary} times, slowest pair ${inMs(slowest.ordinary)}`,
  )
})
