/**
 * Discards the rest of a body that was refused unread (api.md 4.3). Closing at once would reset the connection before the client reads
 * the response. Reading everything would let a client send forever. So this reads at most 4 MB, for at most two seconds.
 */
import type { IncomingMessage } from 'node:http'

/** More than any body limit: a client whose body is only somewhat too long finishes sending before it reads. */
const mostBytes = 4_194_304
const mostMs = 2_000
const pollMs = 5

/** Call it after the response is sent. */
export function lingerOverBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const { socket } = request
  const readBefore = socket.bytesRead
  const until = performance.now() + mostMs
  // Node discards the rest of such a body without an event on the request, so poll the bytes that the socket has read.
  const polling = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(polling)
    else if (socket.bytesRead - readBefore > mostBytes || performance.now() > until) {
      clearInterval(polling)
      socket.destroy()
    }
  }, pollMs)
  request.resume()
}
