/**
 * A clean close: requests that run are finished, and nobody else is waited for, neither connections that have sent nothing nor
 * those in the middle of a header.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

const lateCutMs = 50

/**
 * Makes `app.close()` cut the connections on which no request runs, as soon as none runs any more. Requests are counted on the
 * server itself: hooks do not see every request through to its end.
 */
export function closeIdleSockets(app: FastifyInstance): void {
  let running = 0
  let isClosing = false
  const cutOnceIdle = (): void => {
    if (!isClosing || running > 0) return
    setImmediate(() => {
      if (running === 0) app.server.closeAllConnections()
    })
  }
  app.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    running += 1
    response.once('close', () => {
      running -= 1
      cutOnceIdle()
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    cutOnceIdle()
    // Connections are still accepted until the listening socket itself is closed, which comes after this hook.
    const late = setInterval(cutOnceIdle, lateCutMs)
    app.server.once('close', () => clearInterval(late))
    if (!app.server.listening) clearInterval(late)
  })
}
