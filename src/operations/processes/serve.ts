/** Starts and stops the application on its port. */
import type { FastifyBaseLogger } from 'fastify'
import { buildApp, type Watch } from '../../app.ts'
import type { Deps } from '../../deps.ts'

export type Serving = {
  /** Listens on the port. @throws the system's error, such as EADDRINUSE */
  begin(): Promise<void>
  /** Finishes requests in flight, and closes the request log. */
  stop(): Promise<void>
}

export async function serve(deps: Deps, log: FastifyBaseLogger, watches: readonly Watch[]): Promise<Serving> {
  const app = await buildApp(deps, log, watches)
  return {
    async begin() {
      await app.listen({ host: deps.config.host, port: deps.config.port })
    },
    async stop() {
      await app.close()
      await deps.requestLog.close()
      await deps.visits.close()
    },
  }
}
