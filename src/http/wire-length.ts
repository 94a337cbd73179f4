/**
 * The length of a body in chunks (api.md 4.3). Node hands out what the chunks hold and drops the rest without a word: the
 * lines before them, whose numbers may begin with any zeros and be followed by extensions, and the trailers. It limits a single line,
 * not all of them, so megabytes could pass for a body of a few bytes.
 *
 * So what the connection has read is counted. Free is only what chunks cannot do without: a line with the digits of their length, and
 * the ends of lines. Whoever sends every byte in a chunk of its own may still send a body of the full size; everything else counts
 * toward it.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Transform } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'

/** As much as Node reads from a connection at a time: it has counted all of it when it hands out the first piece. */
const oneRead = 65_536
/** `0`, its end of line, and the empty line after the trailers. */
const lastChunk = 5

/** Where a body is on its connection, in bytes read. */
type Span = {
  begins: number
  /** Not after this: a request that was sent behind it has come. */
  endsBy: number
}

type Connection = {
  unanswered: number
  /** How much was read when the last request had been answered and nothing was on its way; null since the next began. */
  quietAt: number | null
  latest: Span | null
}

/** Counts the bodies of all requests of the application. */
export function countWireLength(app: FastifyInstance): void {
  const connections = new WeakMap<Socket, Connection>()
  const spans = new WeakMap<IncomingMessage, Span>()

  // While the request is parsed, before anything of its body is handed out.
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
      // Part of the body may have come with the head.
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
    /** What counts toward the limit. */
    const counted = () => Math.min(request.raw.socket.bytesRead, span.endsBy) - span.begins - free
    const tooLarge = () => new ApiError('payload_too_large')
    const pieces = new Transform({
      transform(piece: Buffer, _encoding, pass) {
        length += piece.length
        // A chunk comes in at least one piece.
        free += piece.length.toString(16).length + 4
        // What waits was read too, and its lines are not known yet.
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

/** Of the request line and the headers as they are usually written, with one space after the colon. */
function headLength({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const texts = rawHeaders.reduce((sum, text) => sum + text.length, 0)
  // Two spaces and an end of line in the first line; colon, space and end of line in each other; the empty line.
  return method.length + url.length + 'HTTP/1.1'.length + 4 + texts + 2 * rawHeaders.length + 2
}
