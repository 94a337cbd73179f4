/**
 * A clean close: running requests finish, and every other connection is cut, whether idle or in the middle of a header. A body in
 * flight has two seconds. Node's own timeouts no longer apply once the close has begun.
 */
import type { FastifyInstance } from 'fastify'

const pollMs = 50
/** How long a body in flight may still take to arrive. */
const bodyMs = 2_000

/** Makes `app.close()` cut all connections once no request runs. Requests that wait behind others are not waited for. */
export function closeIdleSockets(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    const bodiesUntil = performance.now() + bodyMs
    const cutOnceIdle = (): void => {
      const waitsForBodies = performance.now() < bodiesUntil
      if (app.runningRequests().some(({ complete }) => complete || waitsForBodies)) return
      app.server.closeAllConnections()
    }
    cutOnceIdle()
    // The server accepts connections until the listening socket closes, which happens after this hook. So keep polling.
    const polling = setInterval(cutOnceIdle, pollMs)
    app.server.once('close', () => clearInterval(polling))
  })
}
