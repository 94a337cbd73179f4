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
  const { socket } = request
  let left = mostBytes
  // Node throws the rest of such a body away without a word to the request, so what comes is counted where it comes in.
  const count = (piece: Buffer): void => {
    left -= piece.length
    if (left < 0) socket.destroy()
  }
  const timer = setTimeout(() => socket.destroy(), mostMs)
  const stop = (): void => {
    clearTimeout(timer)
    socket.off('data', count)
  }
  socket.on('data', count)
  request.once('close', stop)
  request.once('end', stop)
  request.resume()
}
