/** Checks the headers of a request before a byte of its body is read. */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../../platform/errors/errors.ts'

/** How often a header was sent. Only the raw headers show it: Node drops or joins duplicates. @param name in lower case */
export function timesSent({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string
    // Lengths first: this runs on every request.
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1
  }
  return times
}

/** Requires exactly one valid Host header (RFC 9112, 3.2). @throws ApiError `invalid_parameter` */
export function checkHost(request: IncomingMessage): void {
  const times = timesSent(request, 'host')
  // HTTP/1.0 does not require Host.
  if (times === 0 && request.httpVersion === '1.0') return
  if (times === 0) throw invalid('Host', 'The Host header is missing.')
  if (times > 1) throw invalid('Host', 'The Host header is sent more than once. Send it once.')
  if (/[\s/\\?#@,]/.test(request.headers.host ?? ''))
    throw invalid('Host', 'The Host header must be a host name with an optional port.')
}

/** Refuses by Content-Length before the body is read. A body without one is refused while it is read. */
export function checkLength({ headers }: FastifyRequest, maxBodyBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw new ApiError('payload_too_large')
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Requires `application/json` in UTF-8 without a content encoding (api.md 4.3). */
export function checkContentType(request: FastifyRequest): void {
  if (!hasBody(request)) return
  const { headers } = request
  const type = headers['content-type'] ?? ''
  const [mediaType = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  const isUtf8 = parameters.every(
    (part) => !part.startsWith('charset') || /^charset\s*=\s*"?utf-?8"?$/.test(part),
  )
  const isJson = mediaType === 'application/json' && isUtf8
  const encoding = headers['content-encoding']
  if (isJson && encoding === undefined && timesSent(request.raw, 'content-type') === 1) return
  throw new ApiError('unsupported_media_type')
}
