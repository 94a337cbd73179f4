/** A client of one agency. Sends requests to the instances, retries what was cut off, and records every call. */
import { once } from 'node:events'
import { type IncomingMessage, request, type RequestOptions } from 'node:http'
import { duplexPair } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { apiPrefix } from '../../src/http/routes.ts'
import type { Gate } from './gate.ts'
import type { Call, Operation, Response } from './history.ts'
import type { Random } from '../support/random.ts'
import { readResponse } from './read-response.ts'

/** Shared by all clients of a schedule. */
export type Shared = {
  gate: Gate
  instances: readonly FastifyInstance[]
  calls: Call[]
  /** The next tick of the clock that orders all requests. */
  tick(): number
  keys: { read: string }
}

/** One request in 25 is given up by its client. */
const requestsPerGivenUp = 25
const maxAttempts = 3

export type Client = {
  /** Sends until a response is final, three times at most. @returns the last response */
  send(operation: Operation): Promise<Response | null>
}

export function newClient(name: string, writeKey: string, shared: Shared, random: Random): Client {
  const attempt = async (operation: Operation): Promise<Response | null> => {
    const { gate, instances, calls, keys } = shared
    await gate.run(`${name} sends`, async () => {})
    const giveUp = new AbortController()
    const call: Call = { client: name, operation, began: shared.tick(), ended: Infinity, response: null }
    calls.push(call)
    const sent = exchange(
      random.pick(instances),
      operation,
      operation.seesDrafts ? writeKey : keys.read,
      giveUp,
    )
    if (random.oneIn(requestsPerGivenUp)) void gate.run(`${name} gives up`, async () => giveUp.abort())
    call.response = await sent.catch(() => null)
    call.ended = shared.tick()
    return call.response
  }
  return {
    async send(operation) {
      let response = await attempt(operation)
      for (let attempts = 1; attempts < maxAttempts && !isFinal(response); attempts += 1)
        response = await attempt(operation)
      return response
    },
  }
}

/** Whether a client would not send the request again. */
export function isFinal(response: Response | null): boolean {
  if (response === null || response.status >= 500) return false
  return response.error?.code !== 'idempotent_request_in_progress'
}

async function exchange(
  instance: FastifyInstance,
  { kind, method, path, body, key, ifMatch, ifNoneMatch }: Operation,
  apiKey: string,
  { signal }: AbortController,
): Promise<Response> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    'x-api-key': apiKey,
    'user-agent': 'Schedules/1.0 (tests@example.com)',
    ...(sent !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(sent),
    }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
  }
  const asked = request({
    ...connectionTo(instance),
    method,
    path: `${apiPrefix}${path}`,
    headers,
    signal,
  })
  asked.end(sent)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const text = await readText(response)
  const { statusCode: status = 0, headers: received } = response
  const header = (name: string): string | null => received[name]?.toString() ?? null
  return {
    status,
    requestId: header('x-request-id') ?? '',
    etag: header('etag'),
    isReplay: header('idempotent-replayed') !== null,
    text,
    ...readResponse(kind, text),
  }
}

/** A connection in memory, so that no part of a request is ever in the kernel, where the gate could not see it. */
function connectionTo({ server }: FastifyInstance): RequestOptions {
  const [near, far] = duplexPair()
  server.emit('connection', Object.assign(far, { remoteAddress: '127.0.0.1', setTimeout: () => far }))
  return { createConnection: () => near }
}
