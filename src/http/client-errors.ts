/**
 * What never became a request (api.md 4.6): malformed lines and headers, headers too large, requests that dawdle. Answered in the
 * same envelope, with the same headers, on the bare socket, which is then closed.
 */
import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { errorBody } from './error-handler.ts'
import type { StandardHeaders } from './headers.ts'

/** Where Node gives up on a client: within 15 s the socket is closed, whatever the client does. */
export const slownessLimits = {
  headersTimeout: 9_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 500,
  /** Between two requests. Node adds a second, in which the next one may be on its way. */
  keepAliveTimeout: 10_000,
} as const

const leaveMs = 500

/** What Node's parser gave up on, with what had been received. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: unknown }

/**
 * Answers and closes.
 * @param unrouted what a path answers to a method that it does not have
 */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  headers: StandardHeaders,
  unrouted: (path: string) => ApiError,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) return void socket.destroy()
  const path = pathOfUnknownMethod(error)
  const told = path === null ? toApiError(error) : unrouted(path)
  const requestId = uuidv7()
  const body = JSON.stringify(errorBody(told, requestId, headers.notice))
  const lines = [
    `HTTP/1.1 ${told.status} ${STATUS_CODES[told.status]}`,
    ...Object.entries({ ...headers.raw(requestId), ...told.headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // A client that does not close its side is not waited for, even if it goes on sending.
  const leaving = setTimeout(() => socket.destroy(), leaveMs)
  socket.once('close', () => clearTimeout(leaving))
}

/** The path of a request that is well-formed but for a method that the parser has never heard of; else null. */
function pathOfUnknownMethod({ code, rawPacket }: ClientError): string | null {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return null
  const line = /^([\w!#$%&'*+.^`|~-]+) (\/[^\s]*) HTTP\/1\.[01]\r?\n/.exec(rawPacket.toString('latin1'))
  // Behind a request with a method that is known, it is another one that is malformed.
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
