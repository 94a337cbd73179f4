/**
 * Pipelined requests run one at a time, get their responses in order, and are bounded while they wait. For their cost under attack see
 * chaos/clients/pipelined.test.ts.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { RequestQueues } from '../../../src/http/connections/request-queues.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { readResponses } from '../../support/network/raw-http.ts'

type Begun = { request: IncomingMessage; response: ServerResponse }

/** A server; the test responds to its requests. */
type Waiter = {
  requests: RequestQueues
  server: Server
  /** Requests in the order in which they began. */
  begun: Begun[]
  /** Waits until that many requests have begun. */
  begin(count: number): Promise<void>
  open(): Promise<Client>
}

/** A connection, and the data received on it. */
type Client = { socket: Socket; text(): string; arrive(text: string): Promise<void> }

const opened: { server: Server; clients: Client[] }[] = []
afterEach(async () => {
  for (const { server, clients } of opened.splice(0)) {
    for (const { socket } of clients) socket.destroy()
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
})

async function listen(limits: {
  unanswered: number
  waiting: number
  arriving?: number
  requestTimeout?: number
}): Promise<Waiter> {
  const requests = new RequestQueues({ requestTimeout: 10_000, arriving: 500, ...limits })
  const begun: Begun[] = []
  const server = requests.serve((request, response) => {
    begun.push({ request, response })
    server.emit('begun')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clients: Client[] = []
  opened.push({ server, clients })
  return {
    requests,
    server,
    begun,
    async begin(count) {
      while (begun.length < count) await once(server, 'begun')
    },
    async open() {
      const client = await openClient((server.address() as AddressInfo).port)
      clients.push(client)
      return client
    },
  }
}

async function openClient(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (piece) => (received += piece.toString()))
  await once(socket, 'connect')
  return {
    socket,
    text: () => received,
    async arrive(text) {
      while (!received.includes(text)) await once(socket, 'data')
    },
  }
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n')
const many = (count: number, name = ''): string =>
  Array.from({ length: count }, (_, index) => get(`/${name}${index}`)).join('')
const paths = (begun: readonly Begun[]) => begun.map(({ request }) => request.url)

describe('pipelined requests', () => {
  test('run one at a time, in order', async () => {
    const { requests, begun, begin, open } = await listen({ unanswered: 16, waiting: 1_000 })
    const { socket, arrive } = await open()
    socket.write(many(40))
    for (let turn = 0; turn < 40; turn += 1) {
      await begin(turn + 1)
      assert.deepEqual(requests.running(), [begun[turn]?.request])
      begun[turn]?.response.end(`(${turn})`)
      await arrive(`(${turn})`)
    }
    assert.deepEqual(
      paths(begun),
      Array.from({ length: 40 }, (_, index) => `/${index}`),
    )
  })

  test('are not read while many are unanswered, and other connections are', async () => {
    const { server, begun, begin, open } = await listen({ unanswered: 16, waiting: 10_000 })
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const greedy = await open()
    const [connection] = await accepted
    greedy.socket.write(many(200_000))
    await begin(1)
    const other = await open()
    for (let turn = 0; turn < 20; turn += 1) {
      other.socket.write(get('/other'))
      await begin(turn + 2)
      begun.at(-1)?.response.end(`(${turn})`)
      await other.arrive(`(${turn})`)
    }
    assert.equal(begun.length, 21)
    // As much as Node reads at once.
    assert.ok(connection.bytesRead <= 65_536, `${connection.bytesRead} bytes were read`)
  })

  test('are read from one connection at a time', async () => {
    const { server, begun, begin, open } = await listen({ unanswered: 16, waiting: 100_000, arriving: 100 })
    const arrived: number[] = []
    let turn = 0
    const count = (): void => {
      turn += 1
      if (begun.length < 20) setImmediate(count)
    }
    server.on('request', () => (arrived[turn] = (arrived[turn] ?? 0) + 1))
    const clients: Client[] = []
    for (let opened = 0; opened < 20; opened += 1) {
      const accepted = once(server, 'connection')
      clients.push(await open())
      await accepted
    }
    for (const { socket } of clients) socket.write(many(200))
    // Waits until everything has arrived to be read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    count()
    await begin(20)
    const most = Math.max(...arrived.filter(Boolean))
    assert.ok(most <= 200, `${most} in one turn`)
  })

  test('are never begun after a response that closes the connection', async () => {
    const { requests, begun, begin, open } = await listen({ unanswered: 16, waiting: 1_000 })
    const { socket } = await open()
    socket.write(get('/first', 'connection: close') + many(3))
    await begin(1)
    begun[0]?.response.end()
    await once(socket, 'close')
    assert.deepEqual(paths(begun), ['/first'])
    assert.deepEqual(requests.running(), [])
  })

  test('are never begun while they wait for a disconnected client', async () => {
    const { server, begun, begin, open } = await listen({ unanswered: 16, waiting: 1_000 })
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const { socket } = await open()
    const [connection] = await accepted
    socket.write(many(3))
    await begin(1)
    socket.destroy()
    await once(connection, 'close')
    const other = await open()
    other.socket.write(get('/other'))
    await begin(2)
    assert.deepEqual(paths(begun), ['/0', '/other'])
  })

  test('wait within a bound over all connections: the one with the most is cut, the others continue', async () => {
    const { begun, begin, open } = await listen({ unanswered: 4, waiting: 50 })
    const [small, large] = [await open(), await open()]
    small.socket.write(many(20, 'small-'))
    await begin(1)
    large.socket.write(many(60, 'large-'))
    await once(large.socket, 'close')
    const other = await open()
    other.socket.write(get('/other'))
    await begin(3)
    assert.deepEqual(paths(begun).slice(0, 3).sort(), ['/large-0', '/other', '/small-0'])
    begun[0]?.response.end()
    for (let turn = 1; turn < 20; turn += 1) {
      await begin(turn + 3)
      begun.at(-1)?.response.end(`(${turn})`)
    }
    await small.arrive('(19)')
    assert.equal(begun.at(-1)?.request.url, '/small-19')
  })
})

describe('a partial request behind others', () => {
  test('is timed from the last response before it', async () => {
    const { requests, server, begun, begin, open } = await listen({
      unanswered: 16,
      waiting: 1_000,
      requestTimeout: 50,
    })
    server.headersTimeout = 50
    server.requestTimeout = 50
    let expired = 0
    server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
      if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return
      assert.ok(requests.restartTimeout(socket as Socket, () => server.emit('expired', (expired += 1))))
    })
    for (const part of [
      'GET /late HTTP/1.1\r\nhost:',
      'POST /late HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n1',
    ]) {
      begun.length = 0
      expired = 0
      const { socket, arrive } = await open()
      const timedOut = once(server, 'clientError')
      socket.write(many(2) + part)
      await timedOut
      await begin(1)
      begun[0]?.response.end('(0)')
      await arrive('(0)')
      await begin(2)
      assert.equal(expired, 0)
      const isExpired = once(server, 'expired')
      begun[1]?.response.end('(1)')
      await isExpired
      socket.destroy()
    }
  })

  test('is not confused with one alone', async () => {
    const { requests, server, open } = await listen({ unanswered: 16, waiting: 1_000 })
    server.headersTimeout = 50
    const { socket } = await open()
    const timedOut = once(server, 'clientError') as Promise<[Error, Socket]>
    socket.write('GET /late HTTP/1.1\r\nhost:')
    const [, connection] = await timedOut
    assert.equal(requests.restartTimeout(connection, assert.fail), false)
  })
})

describe('the application', () => {
  let t: TestApp
  let asked: () => void
  let isAsked: Promise<void>
  let respond: () => void
  before(async () => {
    t = await testApp({
      geocoder: async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        respond = resolve
        asked()
        await promise
        return null
      },
    })
  })
  after(() => t.close())

  const openApp = () => openClient(Number(new URL(t.baseUrl).port))
  const geocode = (): string => {
    const body = JSON.stringify({ address: 'Calle 48 1234' })
    isAsked = new Promise((resolve) => {
      asked = resolve
    })
    return `POST /api/v1/geocode HTTP/1.1\r\nhost: x\r\nx-api-key: ${t.writeKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }

  test('responds to each of 2,000 pipelined requests of a client that reads', async () => {
    const { socket, text } = await openApp()
    socket.write(get('/api/v1/health').repeat(1_999) + get('/api/v1/health', 'connection: close'))
    await once(socket, 'close')
    const responses = readResponses(Buffer.from(text()))
    assert.equal(responses.length, 2_000)
    assert.ok(responses.every(({ status }) => status === 200))
  })

  test('sends no 408 into the response that precedes a partial request', async () => {
    t.app.server.requestTimeout = 50
    t.app.server.headersTimeout = 50
    const { socket, text } = await openApp()
    const timedOut = once(t.app.server, 'clientError')
    socket.write(`${geocode()}GET /api/v1/health HTTP/1.1\r\nhost:`)
    await isAsked
    await timedOut
    respond()
    socket.write(' x\r\nconnection: close\r\n\r\n')
    await once(socket, 'close')
    assert.deepEqual(
      readResponses(Buffer.from(text())).map(({ status }) => status),
      [200, 200],
    )
  })

  test('finishes the running request when it closes, and at most one behind it', async () => {
    const { socket, text } = await openApp()
    socket.write(geocode() + get('/api/v1/health').repeat(5))
    await isAsked
    const closing = t.close()
    respond()
    await closing
    if (!socket.closed) await once(socket, 'close')
    const [first, ...others] = readResponses(Buffer.from(text()))
    assert.equal(first?.status, 200)
    assert.ok(others.length <= 1)
    for (const { headers } of others) assert.equal(headers['connection'], 'close')
  })
})
