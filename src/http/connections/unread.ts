/** Bounds the cost of unread data: bodies that were refused unread (api.md 4.3), and responses that a client does not read. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** This exceeds every body limit: a client whose body is only somewhat too long finishes sending before it reads. */
const maxBytes = 4_194_304
const maxMs = 2_000
const pollMs = 5

/**
 * Discards the rest of a body that was refused unread. Closing at once would reset the connection before the client reads the response;
 * reading everything would let a client send forever. Call it after the response is sent.
 */
export function lingerOverBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const { socket } = request
  const readBefore = socket.bytesRead
  const until = performance.now() + maxMs
  // Node discards the rest of such a body without an event on the request, so poll the bytes that the socket has read.
  const polling = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(polling)
    else if (socket.bytesRead - readBefore > maxBytes || performance.now() > until) {
      clearInterval(polling)
      socket.destroy()
    }
  }, pollMs)
  request.resume()
}

/** Node closes the connection after the second timeout without progress. At the first, it only notes how much is left to send. */
const nothingTakenMs = 5_000
/** Timeouts are spread over this, so that connections that were opened together are not all closed at the same time. */
const spreadMs = 1_000

/**
 * Cuts the connection of a client that stops reading its response: the part that the system's buffers do not take stays in this process's
 * memory. A client that still reads keeps its connection, however slow it is. Call it just before the response is sent.
 */
export function giveUpOnUnread(response: ServerResponse): void {
  if (response.socket !== null) watch(response, response.socket)
  // A pipelined response gets its socket only when the one before it is sent.
  else response.once('socket', (socket: Socket) => watch(response, socket))
}

function watch(response: ServerResponse, socket: Socket): void {
  socket.setTimeout(nothingTakenMs - Math.random() * spreadMs)
  // Runs before Node's own listener, which sets the keep-alive timeout unless a pipelined request follows. That one has no timeout here.
  response.prependOnceListener('finish', () => socket.setTimeout(0))
}
