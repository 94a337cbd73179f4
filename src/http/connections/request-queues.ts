/**
 * Runs the requests of a connection one at a time, in order (RFC 9112, 9.3.2). Node would start all that a client pipelines at once, and
 * hold each response that the client does not read. Here at most one response per connection is in memory.
 *
 * Node parses all it has read, up to 64 KB, before a connection can be paused. So thousands of short requests may have to wait.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { pipelineBudgets } from '../../limits/sizes.ts'
import { slownessLimits } from './client-errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The requests that the application works on: at most one per connection. */
    runningRequests(): IncomingMessage[]
  }
}

type QueuedRequest = Readonly<{ request: IncomingMessage; response: ServerResponse; handle: RequestListener }>

type Connection = {
  readonly socket: Socket
  running: IncomingMessage | null
  waiting: QueuedRequest[]
  isPaused: boolean
  /** The incomplete request whose timeout was restarted; `request` is null until its headers are complete. */
  late: { request: IncomingMessage | null; expire: () => void; timer?: NodeJS.Timeout } | null
}

type Limits = { unanswered: number; arriving: number; waiting: number; requestTimeout: number }

/** The connections of a server, and the requests on them. */
export class RequestQueues {
  readonly #limits: Limits
  readonly #connections = new Map<Socket, Connection>()
  /** Waiting requests of all connections. A connection that was cut counts until it is closed: its requests take memory until then. */
  #waitingCount = 0
  /** Requests that have begun to wait since the event loop last turned. */
  #arrivedCount = 0
  /** While true, no connection is read, because each might send thousands of further requests. */
  #isHeld = false

  /** @param limits tests pass others */
  constructor(limits: Limits = { ...pipelineBudgets, ...slownessLimits }) {
    this.#limits = limits
  }

  /** Creates an application's server. `handle` gets a request once the ones before it on its connection have their responses. */
  serve(handle: RequestListener): Server {
    // A header with a bad character is refused by the parser; Host is checked later, because HTTP/1.0 has none.
    const options = { ...slownessLimits, requireHostHeader: false }
    return createServer(options, (request, response) => this.#admit({ request, response, handle })).on(
      'connection',
      (socket) => this.#open(socket),
    )
  }

  running(): IncomingMessage[] {
    return [...this.#connections.values()].flatMap(({ running }) => running ?? [])
  }

  /**
   * Restarts the timeout of a request that is behind others: Node starts it with the request's first byte, although the rest is not
   * read before the others have their responses.
   * @param expire called if the request is still incomplete `requestTimeout` after the others have theirs
   * @returns whether the request is behind others
   */
  restartTimeout(socket: Socket, expire: () => void): boolean {
    const connection = this.#connections.get(socket)
    const last = connection?.waiting.at(-1)?.request ?? connection?.running
    if (connection === undefined || last == null) return false
    const request = last.complete ? null : last
    if (request === connection.running) return false
    clearTimeout(connection.late?.timer)
    connection.late = { request, expire }
    return true
  }

  #open(socket: Socket): void {
    const connection: Connection = { socket, running: null, waiting: [], isPaused: false, late: null }
    this.#connections.set(socket, connection)
    // Node resumes on its own, for example when it discards a body.
    socket.on('resume', () => this.#pauseOrResume(connection))
    socket.once('close', () => this.#close(connection))
    this.#pauseOrResume(connection)
  }

  #close(connection: Connection): void {
    clearTimeout(connection.late?.timer)
    this.#connections.delete(connection.socket)
    this.#waitingCount -= connection.waiting.length
    connection.waiting = []
    if (this.#waitingCount > this.#limits.waiting) this.#cutLongest()
    this.#holdOrRelease()
  }

  #admit(queued: QueuedRequest): void {
    const connection = this.#connections.get(queued.request.socket)
    // Node still parses what it has read of a connection that was cut.
    if (connection === undefined || connection.socket.destroyed) return
    if (connection.late !== null) connection.late.request ??= queued.request
    if (connection.running === null && connection.waiting.length === 0) this.#run(connection, queued)
    else this.#wait(connection, queued)
  }

  #wait(connection: Connection, queued: QueuedRequest): void {
    connection.waiting.push(queued)
    this.#waitingCount += 1
    this.#pauseOrResume(connection)
    if (this.#waitingCount === this.#limits.waiting + 1) this.#cutLongest()
    this.#arrivedCount += 1
    // Parsing takes milliseconds per chunk. Between two chunks, requests in progress go on.
    if (this.#arrivedCount === 1)
      setImmediate(() => {
        this.#arrivedCount = 0
        this.#holdOrRelease()
      })
    this.#holdOrRelease()
  }

  #holdOrRelease(): void {
    const mustHold = this.#waitingCount > this.#limits.waiting || this.#arrivedCount >= this.#limits.arriving
    if (mustHold === this.#isHeld) return
    this.#isHeld = mustHold
    for (const connection of this.#connections.values()) this.#pauseOrResume(connection)
  }

  #run(connection: Connection, { request, response, handle }: QueuedRequest): void {
    connection.running = request
    if (connection.late?.request === request) this.#startTimer(connection)
    response.once('close', () => {
      connection.running = null
      // Not at once: thousands of short requests would run before any other connection is served.
      if (connection.waiting.length > 0) setImmediate(() => this.#runNext(connection))
      else if (connection.late !== null) this.#startTimer(connection)
    })
    handle(request, response)
  }

  #runNext(connection: Connection): void {
    // After a response with `Connection: close`, no further response can be sent.
    const next = connection.socket.writable ? connection.waiting.shift() : undefined
    if (next === undefined) return
    this.#waitingCount -= 1
    this.#pauseOrResume(connection)
    this.#run(connection, next)
  }

  #pauseOrResume(connection: Connection): void {
    const { socket, waiting } = connection
    const mustPause = this.#isHeld || waiting.length >= this.#limits.unanswered
    if (mustPause) socket.pause()
    else if (connection.isPaused) socket.resume()
    connection.isPaused = mustPause
  }

  #cutLongest(): void {
    let longest: Connection | null = null
    for (const connection of this.#connections.values())
      if (longest === null || connection.waiting.length > longest.waiting.length) longest = connection
    longest?.socket.destroy()
  }

  #startTimer(connection: Connection): void {
    const { late } = connection
    if (late === null || late.timer !== undefined) return
    late.timer = setTimeout(() => {
      connection.late = null
      if (late.request?.complete !== true) late.expire()
    }, this.#limits.requestTimeout)
  }
}
