/**
 * The monitoring port: `/metrics` for Prometheus, `/live` and `/ready` for a supervisor. It reveals no agencies or keys, but is not meant
 * to be public.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { inTime } from '../../platform/time/clock.ts'
import { ConfigError } from '../../platform/config/settings-reader.ts'
import { ping } from '../../platform/db/citus/nodes.ts'
import type { Db } from '../../platform/db/database.ts'
import { describeUnreadable, opensNothing, type StoredSecrets } from '../../access/secrets/stored-secrets.ts'
import { messageOf } from '../../platform/errors/errors.ts'
import { pathOf } from '../../platform/web/request-target.ts'

const databaseTimeoutMs = 1_000

type MetricsOptions = {
  host: string
  port: number
  db: Db
  storedSecrets: StoredSecrets
  /** Whether every serving process listens. */
  isServing: () => boolean
  gather: () => Promise<Registry>
}

/** Opens the port. @throws ConfigError naming METRICS_PORT */
export async function openMetricsServer(options: MetricsOptions) {
  const { host, port } = options
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    respond(options, request, response).catch((error: unknown) => {
      reply(response, 500, `${messageOf(error)}\n`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new ConfigError(`METRICS_PORT cannot be used (${error.message}). Set it to another port.`)),
    )
    server.listen(port, host, resolve)
  })
  return {
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function respond(options: MetricsOptions, request: IncomingMessage, response: ServerResponse) {
  const path = pathOf(request.url)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    reply(response, 405, 'Use GET.\n')
  } else if (path === '/metrics') {
    const registry = await options.gather()
    reply(response, 200, await registry.metrics(), registry.contentType)
  } else if (path === '/live') reply(response, 200, 'live\n')
  else if (path === '/ready') {
    const missing = await whatIsMissing(options)
    reply(response, missing === null ? 200 : 503, `${missing ?? 'ready'}\n`)
  } else reply(response, 404, 'There are /metrics, /live and /ready.\n')
}

async function whatIsMissing({ isServing, db, storedSecrets }: MetricsOptions): Promise<string | null> {
  if (!isServing()) return 'not every process listens'
  if (opensNothing(storedSecrets)) return describeUnreadable(storedSecrets)
  return (await answersInTime(db)) ? null : 'the database does not answer'
}

/** Whether the database answers within a second. */
async function answersInTime(db: Db): Promise<boolean> {
  // With Citus any node will do, as for /healthz/ready: requests work without the coordinator.
  const answered = ping(db.anywhere).then(
    () => true,
    () => false,
  )
  return inTime(databaseTimeoutMs, answered, false)
}

function reply(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8') {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
}
