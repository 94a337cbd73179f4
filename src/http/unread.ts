/**
 * Answers that nobody reads. What the system's buffers do not take waits in this process; so a client that takes nothing for a while
 * loses its connection. However slow, one that reads is waited for.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node cuts the connection when this has gone by twice: the first time, it notes how much still waits. */
const nothingTakenMs = 5_000

/** Call it when the answer is about to be sent. */
export function giveUpOnUnread(response: ServerResponse): void {
  if (response.socket !== null) watch(response, response.socket)
  // Pipelined behind another answer.
  else response.once('socket', (socket: Socket) => watch(response, socket))
}

function watch(response: ServerResponse, socket: Socket): void {
  socket.setTimeout(nothingTakenMs)
  // Before Node's own listener, which times the wait for the next request. A request that waits already may take its time.
  response.prependOnceListener('finish', () => socket.setTimeout(0))
}
