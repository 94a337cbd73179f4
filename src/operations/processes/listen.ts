/** Listens on the port with the application, and closes it without losing a request or an entry of the request log. */
import type { FastifyBaseLogger } from 'fastify'
import { buildApp, type Watch } from '../../app.ts'
import type { Deps } from '../../deps.ts'

export async function openServer(deps: Deps, log: FastifyBaseLogger, watches: readonly Watch[] = []) {
  const app = await buildApp(deps, log, watches)
  return {
    app,
    /** @throws the system's error, such as EADDRINUSE */
    async listen(): Promise<void> {
      await app.listen({ host: deps.config.host, port: deps.config.port })
    },
    /** Finishes requests in flight, and closes the request log. */
    async stop(): Promise<void> {
      await app.close()
      await deps.requestLog.flush()
      await deps.visits.flush()
    },
  }
}
