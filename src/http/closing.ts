/**
 * A clean close: running requests finish, and every other connection is cut, whether idle or in the middle of a header. A body in
 * flight has two seconds. Node's own timeouts no longer apply once its close has begun.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const pollMs = 50
/** How long a body in flight may still take to arrive. */
const bodyMs = 2_000

declare module 'fastify' {
  interface FastifyInstance {
    closing: Closing
  }
}

export type Closing = {
  /** How many requests are unanswered. */
  running(): number
}

/**
 * Makes `app.close()` cut all connections once no request runs. Requests are counted on the HTTP server, because Fastify's hooks
 * do not see the end of every request.
 */
export function closeIdleSockets(app: FastifyInstance): Closing {
  /** Per connection: a response queued behind another one emits no `close` when the connection breaks. */
  const unanswered = new Map<Socket, Map<IncomingMessage, ServerResponse>>()
  let bodiesUntil = Infinity
  let isClosing = false

  const isAnyRunning = (): boolean => {
    const waitsForBodies = performance.now() < bodiesUntil
    for (const requests of unanswered.values())
      for (const request of requests.keys()) if (request.complete || waitsForBodies) return true
    return false
  }
  const cutOnceIdle = (): void => {
    if (!isClosing) return
    setImmediate(() => {
      if (!isAnyRunning()) app.server.closeAllConnections()
    })
  }
  app.server.on('connection', (socket: Socket) => {
    unanswered.set(socket, new Map())
    socket.once('close', () => {
      unanswered.delete(socket)
      cutOnceIdle()
    })
  })
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const requests = unanswered.get(request.socket)
    requests?.set(request, response)
    response.once('close', () => {
      requests?.delete(request)
      cutOnceIdle()
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    bodiesUntil = performance.now() + bodyMs
    cutOnceIdle()
    // The server accepts connections until the listening socket closes, which happens after this hook. So keep polling.
    const polling = setInterval(cutOnceIdle, pollMs)
    app.server.once('close', () => clearInterval(polling))
    if (!app.server.listening && unanswered.size === 0) clearInterval(polling)
  })

  return {
    running() {
      let count = 0
      for (const requests of unanswered.values()) count += requests.size
      return count
    },
  }
}
