/**
 * What remains of a body that was refused unread (api.md 4.3). Closing at once would reset the connection, and the client
 * might never see the answer; reading it all would let anybody send for ever. So a little is read and thrown away, for a
 * little while.
 */
import type { IncomingMessage } from 'node:http'

/** More than any body may have: senders of what is only somewhat too long write on before they read. */
const mostBytes = 4_194_304
const mostMs = 2_000
const lookEveryMs = 25

/** Call it when the answer was sent. */
export function lingerOverBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const { socket } = request
  const readBefore = socket.bytesRead
  const until = performance.now() + mostMs
  // Node throws the rest of such a body away without a word to the request, so what the connection has read is looked at.
  const looking = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(looking)
    else if (socket.bytesRead - readBefore > mostBytes || performance.now() > until) {
      clearInterval(looking)
      socket.destroy()
    }
  }, lookEveryMs)
  request.resume()
}
