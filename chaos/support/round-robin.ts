/**
 * A small load balancer: each request goes to the next instance, or to another if nothing listens there. A request that breaks after it was
 * sent may have taken effect: it gets 502 and is recorded, or with `retries` it is sent to another instance.
 */
import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Lost = { instance: string; from: number; to: number; path: string; why: string }

export type RoundRobin = {
  url: string
  /** Requests that were in progress on an instance when the connection broke. */
  lost: readonly Lost[]
  /** Requests sent again because the connection broke. */
  retried(): number
  close(): Promise<void>
}

export async function roundRobin(
  instances: readonly string[],
  { retries = false } = {},
): Promise<RoundRobin> {
  const lost: Lost[] = []
  let turn = 0
  let retried = 0
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      turn += 1
      pass(request, body, response, turn, instances.length - 1)
    })
  })

  const pass = (
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    index: number,
    others: number,
  ): void => {
    const instance = instances[index % instances.length] as string
    const path = request.url ?? ''
    const from = performance.now()
    const { method = 'GET', headers } = request
    const upstream = ask(new URL(path, instance), { method, headers, agent: false })
    const broke = (error: NodeJS.ErrnoException): void => {
      if (response.headersSent || response.writableEnded) return
      if (error.code === 'ECONNREFUSED' && others > 0)
        return pass(request, body, response, index + 1, others - 1)
      if (retries && others > 0) {
        retried += 1
        return pass(request, body, response, index + 1, others - 1)
      }
      lost.push({ instance, from, to: performance.now(), path, why: String(error.code ?? error.message) })
      response.writeHead(502, { 'content-type': 'application/json' }).end('{"error":{"code":"bad_gateway"}}')
    }
    upstream.on('error', broke)
    upstream.on('response', (reply) => {
      // The response is forwarded completely or not at all.
      buffer(reply).then((content) => {
        response.writeHead(reply.statusCode ?? 502, withoutConnectionHeaders(reply.headers)).end(content)
      }, broke)
    })
    upstream.end(body)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost,
    retried: () => retried,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Connection-specific headers are not forwarded. */
function withoutConnectionHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...others } = headers
  return others
}
