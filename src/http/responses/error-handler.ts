/**
 * Turns every error into one JSON envelope (api.md 5.1). An ApiError keeps its code, Fastify's errors are mapped, and an unavailable
 * database becomes a 503. Anything else is a 500 with a general message; the log has the details.
 */
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseDown } from '../../platform/db/presence/is-database-down.ts'
import type { ErrorCode } from '../../platform/errors/error-catalogue.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { countedLog } from '../../platform/log/counted-log.ts'
import { noteResponse } from './logged-detail.ts'
import { noticeOf } from './standard-headers.ts'
import { jsonType } from './response.ts'

type Refusal = Readonly<{ err: unknown; log: FastifyBaseLogger }>

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs a refusal with 503, or counts it. @returns whether it is logged */
    logRefusal(kind: string, refusal: Refusal): boolean
  }
  interface FastifyRequest {
    /** Whether the log only counts this request among other refusals, without a line of its own. */
    isSummarized: boolean
  }
}

/** `{error, notice}`. */
export function errorBody(error: ApiError, requestId: string, publicBaseUrl: string) {
  const { code, message, ...others } = errorMembers(error, publicBaseUrl)
  return { error: { code, message, request_id: requestId, ...others }, notice: noticeOf(publicBaseUrl) }
}

/** The members of an error (api.md 5.1), except the id of the request. */
export function errorMembers({ code, message, parameter, errors, extra }: ApiError, publicBaseUrl: string) {
  return {
    code,
    message,
    ...(parameter === undefined ? {} : { parameter }),
    ...(errors.length === 0 ? {} : { errors }),
    ...extra,
    docs: `${publicBaseUrl}/docs/errors#${code}`,
  }
}

export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  publicBaseUrl: string,
): FastifyReply {
  const error = toApiError(thrown)
  logError(thrown, error, request)
  // The challenge that HTTP requires.
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  reply.headers(error.headers)
  const body = errorBody(error, request.id, publicBaseUrl)
  noteResponse(request, body)
  return reply.code(error.status).type(jsonType).send(JSON.stringify(body))
}

/** Counts requests refused with 503: an outage would otherwise fill the log. */
export function countRefusals(app: FastifyInstance): void {
  app.decorateRequest('isSummarized', false)
  app.decorate(
    'logRefusal',
    countedLog(({ err, log }: Refusal, requests) => log.warn({ err, requests }, 'request refused')),
  )
}

/** Logs the details that a 500 or 503 does not show. */
export function logError(thrown: unknown, error: ApiError, request: FastifyRequest): void {
  const { log, server } = request
  if (error.status === 500) log.error({ err: thrown }, 'request failed')
  else if (error.status === 503 && !error.isLogged)
    request.isSummarized = !server.logRefusal(String(thrown), { err: thrown, log })
}

const frameworkErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

/** Maps anything thrown to an error of the catalogue. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (isDatabaseDown(thrown)) {
    return new ApiError('service_unavailable', { cause: thrown })
  }
  const { code, statusCode, message } = thrown as Partial<FastifyError>
  const known = code === undefined ? undefined : frameworkErrors[code]
  if (known !== undefined) return new ApiError(known, { cause: thrown })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError('invalid_parameter', {
      parameter: 'request',
      message: message ?? 'The request is malformed.',
      cause: thrown,
    })
  }
  return new ApiError('internal_error', { cause: thrown })
}
