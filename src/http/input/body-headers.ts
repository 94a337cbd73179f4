/**
 * What the headers say of a body, judged before a byte of it is read.
 */
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { timesSent } from './raw-headers.ts'

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
