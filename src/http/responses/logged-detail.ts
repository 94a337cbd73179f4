/** Extracts the part of a response's body that the request log stores, whether the response is new or a replay. */
import type { FastifyRequest } from 'fastify'
import { type LoggedItem, type RequestDetail, writeDetail } from '../../access/request-log/request-detail.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of a write's response or of an error: these say more than their status. */
    loggedBody: unknown
  }
}

type LoggedError = Pick<RequestDetail, 'parameter' | 'errors' | 'limits' | 'missing'> &
  Readonly<{ code: string; message: string; existing_id?: string }>
type ItemResult = Pick<LoggedItem, 'index' | 'external_id' | 'action' | 'status'> & { error?: LoggedError }
/** The members that are logged; each may be absent. */
type LoggedBody = {
  error?: LoggedError
  data?: { id?: string | null }
  warnings?: NonNullable<RequestDetail['warnings']>
  results?: ItemResult[]
  dry_run?: true
}

/** Notes the body of a write or an error for the request log. */
export function noteResponse(request: FastifyRequest, body: unknown): void {
  request.loggedBody = body
  request.failure ??= (body as LoggedBody | null)?.error?.code ?? null
}

/** @param body of a write or an error; null for other responses @returns JSON, or null if there is nothing to log */
export function loggedDetail(body: unknown, isReplay: boolean, userAgent: string | undefined): string | null {
  if (typeof body !== 'object' || body === null) return null
  const { error, data, warnings = [], results = [], dry_run: isDryRun } = body as LoggedBody
  const listing = data?.id ?? error?.existing_id
  return writeDetail({
    ...(error && errorDetail(error)),
    ...(error && userAgent !== undefined && { user_agent: userAgent }),
    ...(listing != null && { listing }),
    warnings,
    items: results.map(itemOf),
    ...(isReplay && { is_replay: true }),
    ...(isDryRun && { is_dry_run: true }),
  })
}

function errorDetail({ message, parameter, errors = [], limits, missing }: LoggedError): RequestDetail {
  return {
    message,
    ...(parameter !== undefined && { parameter }),
    ...(errors.length > 1 && {
      errors: errors.map((one) => ({ parameter: one.parameter, message: one.message })),
    }),
    ...(limits && { limits }),
    ...(missing && { missing }),
  }
}

function itemOf({ index, external_id, action, status, error }: ItemResult): LoggedItem {
  const item = { index, external_id, action, status }
  if (error === undefined) return item
  const { code, message, parameter } = error
  return { ...item, code, message, ...(parameter !== undefined && { parameter }) }
}
