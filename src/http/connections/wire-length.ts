/**
 * Limits the size of a chunked body on the wire (api.md 4.3). Node passes on the chunks' data and silently drops the rest: chunk-size
 * lines, which may have leading zeros and extensions, and trailers. It limits each line, not their sum, so megabytes could pass for a
 * body of a few bytes.
 *
 * This counts the bytes that the connection has read. It subtracts only what chunks require: the digits of each chunk's length and the
 * line ends. So a body of the full size fits even with one byte per chunk; everything else counts toward the limit.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Transform } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../platform/errors/errors.ts'

/** The most that Node reads from a connection at once. `bytesRead` includes all of it before the first piece is passed on. */
const oneRead = 65_536
/** `0`, its line end, and the empty line after the trailers. */
const lastChunk = 5

/** Position of a body on its connection, in bytes read. */
type Span = {
  begins: number
  /** The body ends here at the latest, since a pipelined request has arrived behind it. */
  endsBy: number
}

type Connection = {
  unanswered: number
  /** `bytesRead` when the last request had its response and nothing was in flight; null once the next request begins. */
  quietAt: number | null
  latest: Span | null
}

/** Limits the chunked bodies of all requests to the application. */
export function countWireLength(app: FastifyInstance): void {
  const connections = new WeakMap<Socket, Connection>()
  const spans = new WeakMap<IncomingMessage, Span>()

  // Runs while the request is parsed, before any of its body is passed on.
  app.server.prependListener('request', (request, response) => {
    const { socket } = request
    const connection = connections.get(socket) ?? { unanswered: 0, quietAt: 0, latest: null }
    connections.set(socket, connection)
    const read = socket.bytesRead
    const { latest, quietAt } = connection
    if (latest !== null) latest.endsBy = Math.min(latest.endsBy, read - headLength(request) - oneRead)
    connection.latest = null
    connection.quietAt = null
    connection.unanswered += 1
    if (isChunked(request)) {
      // Part of the body may have arrived with the head.
      const begins = quietAt === null ? read : Math.min(read, quietAt + headLength(request))
      const span = { begins, endsBy: Infinity }
      connection.latest = span
      spans.set(request, span)
    }
    response.once('close', () => {
      connection.unanswered -= 1
      if (connection.unanswered === 0 && request.complete) connection.quietAt = socket.bytesRead
    })
  })

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const span = spans.get(request.raw)
    if (span === undefined) return done(null, payload)
    const limit = request.routeOptions.bodyLimit
    let length = 0
    let free = lastChunk
    /** Bytes that count toward the limit. */
    const counted = () => Math.min(request.raw.socket.bytesRead, span.endsBy) - span.begins - free
    const tooLarge = () => new ApiError('payload_too_large')
    const pieces = new Transform({
      transform(piece: Buffer, _encoding, pass) {
        length += piece.length
        // Each chunk arrives in at least one piece: its length in hex and two line ends are free.
        free += piece.length.toString(16).length + 4
        // Bytes that still wait are in `bytesRead`, but their chunk lines are not subtracted yet.
        const isAllKnown = request.raw.readableLength === 0
        if (length > limit || (isAllKnown && counted() > limit + oneRead)) pass(tooLarge())
        else pass(null, piece)
      },
      flush: (end) => end(counted() > limit ? tooLarge() : null),
    })
    request.raw.once('error', (error) => pieces.destroy(error))
    done(null, request.raw.pipe(pieces))
  })
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined
}

/** Length of the request line and the headers, assuming one space after each colon. */
function headLength({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const texts = rawHeaders.reduce((sum, text) => sum + text.length, 0)
  // First line: two spaces and a line end. Each header: colon, space and line end. Then the empty line.
  return method.length + url.length + 'HTTP/1.1'.length + 4 + texts + 2 * rawHeaders.length + 2
}
