/** Responds to what Node's parser rejects (api.md 4.6), with the usual envelope and headers on the raw socket, which it then closes. */
import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../platform/errors/errors.ts'
import { uuidv7 } from '../../platform/names/ids.ts'
import { errorBody } from '../responses/error-handler.ts'
import type { StandardHeaders } from '../responses/standard-headers.ts'
import { jsonType } from '../responses/response.ts'

/** Node's timeouts for slow clients. Together they close the socket within 15 s, whatever the client does. */
export const slownessLimits = {
  headersTimeout: 9_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 500,
  /** Between two requests. Node adds a second, for a request that is already in flight. */
  keepAliveTimeout: 10_000,
} as const

const leaveMs = 500

/** Connections whose request in flight is an upload. */
const exempt = new WeakSet<Socket>()

/** Exempts the request in flight from `requestTimeout`: the caller limits its time. @returns a function that ends the exemption */
export function exemptFromTimeout(socket: Socket): () => void {
  exempt.add(socket)
  return () => void exempt.delete(socket)
}

/** An error of Node's parser, with the bytes received so far. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: unknown }

/** @param unrouted the error for a path that does not have the request's method */
export function respondToClientError(
  error: ClientError,
  socket: Socket,
  headers: StandardHeaders,
  unrouted: (path: string) => ApiError,
): void {
  // Node reports a timeout once for each request and leaves the connection to this function.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && exempt.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) return void socket.destroy()
  const path = pathOfUnknownMethod(error)
  const apiError = path === null ? toApiError(error) : unrouted(path)
  const requestId = uuidv7()
  const body = JSON.stringify(errorBody(apiError, requestId, headers.publicBaseUrl))
  const lines = [
    `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}`,
    ...Object.entries({ ...headers.raw(requestId), ...apiError.headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // Do not wait for a client that keeps its side open, even if it goes on sending.
  const leaving = setTimeout(() => socket.destroy(), leaveMs)
  socket.once('close', () => clearTimeout(leaving))
}

/** The path of a request whose only defect is a method unknown to the parser; else null. */
function pathOfUnknownMethod({ code, rawPacket }: ClientError): string | null {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return null
  const line = /^([\w!#$%&'*+.^`|~-]+) (\/[^\s]*) HTTP\/1\.[01]\r?\n/.exec(rawPacket.toString('latin1'))
  // If the first request's method is known, the malformed one is a request pipelined behind it.
  return line === null || METHODS.includes(line[1] ?? '') ? null : (line[2] ?? null)
}

function toApiError({ code, message }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new ApiError('payload_too_large')
  return new ApiError('invalid_parameter', {
    parameter: 'request',
    message: `The request is not valid HTTP: ${message}`,
  })
}
