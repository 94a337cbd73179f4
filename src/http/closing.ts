/**
 * A clean close: requests that run are finished, and nobody else is waited for, neither connections that have sent nothing nor
 * those in the middle of a header or, for longer than a moment, of a body. Node's own limits of time end where its close begins.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50
/** What is on its way when the close begins may arrive. */
const bodyMs = 2_000

declare module 'fastify' {
  interface FastifyInstance {
    closing: Closing
  }
}

export type Closing = {
  /** How many requests run. */
  running(): number
}

/**
 * Makes `app.close()` cut the connections on which no request runs, as soon as none runs any more. Requests are counted on the
 * server itself: hooks do not see every request through to its end.
 */
export function closeIdleSockets(app: FastifyInstance): Closing {
  /** By connection, because answers that wait behind another do not hear that it is closed. */
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
    // Connections are still accepted until the listening socket itself is closed, which comes after this hook.
    const looking = setInterval(cutOnceIdle, lookEveryMs)
    app.server.once('close', () => clearInterval(looking))
    if (!app.server.listening && unanswered.size === 0) clearInterval(looking)
  })

  return {
    running() {
      let count = 0
      for (const requests of unanswered.values()) count += requests.size
      return count
    },
  }
}
