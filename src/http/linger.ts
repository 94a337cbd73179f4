/**
 * What remains of a body that was refused unread (spec 'Endpoints', 413). Closing at once would reset the connection, and the client
 * might never see the answer; reading it all would let anybody send for ever. So a little is read and thrown away, for a
 * little while.
 */
import type { IncomingMessage } from 'node:http'

const mostBytes = 1_048_576
const mostMs = 2_000

/** Call it when the answer was sent. */
export function lingerOverBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let left = mostBytes
  const timer = setTimeout(() => request.socket.destroy(), mostMs)
  request.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) request.socket.destroy()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
  request.resume()
}
