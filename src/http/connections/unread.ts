/**
 * Cuts the connection of a client that stops reading its response: what the system's buffers do not take stays in this process's memory.
 * A client that still reads keeps its connection, however slow it is.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node closes the connection after the second timeout without progress. At the first, it only notes how much is left to send. */
const nothingTakenMs = 5_000
/** Spread over this, so that connections that were opened together are not all closed in the same moment. */
const spreadMs = 1_000

/** Call it just before the response is sent. */
export function giveUpOnUnread(response: ServerResponse): void {
  if (response.socket !== null) watch(response, response.socket)
  // A pipelined response gets its socket only when the one before it is sent.
  else response.once('socket', (socket: Socket) => watch(response, socket))
}

function watch(response: ServerResponse, socket: Socket): void {
  socket.setTimeout(nothingTakenMs - Math.random() * spreadMs)
  // Reset before Node's own listener sets the keep-alive timeout. A pipelined request may take its time.
  response.prependOnceListener('finish', () => socket.setTimeout(0))
}
