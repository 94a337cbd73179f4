/** What an answer told, for the request log: read off its body, whichever way it was made. */
import type { FastifyRequest } from 'fastify'
import { type RequestDetail, type ToldItem, writeDetail } from '../../access/keys/request-detail.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Body of the answer, where it tells more than its status: of writes and errors. */
    told: unknown
  }
}

type ToldError = {
  code: string
  message: string
  parameter?: string
  errors?: { parameter: string; message: string }[]
  limits?: string[]
  missing?: string[]
  existing_id?: string
}
type Warning = { code: string; message: string; parameter?: string }
type Result = {
  index: number
  external_id: string | null
  action: string | null
  status: number
  error?: ToldError
}
/** The members of an answer that are told; each may be absent. */
type Body = {
  error?: ToldError
  data?: { id?: string | null }
  warnings?: Warning[]
  results?: Result[]
  dry_run?: true
}

/** Notes the body of a write, or of an error, which an Idempotency-Key may have kept. */
export function noteTold(request: FastifyRequest, body: unknown): void {
  request.told = body
  request.failure ??= (body as Body | null)?.error?.code ?? null
}

/**
 * @param body of a write, or of any error; null for other answers, of which nothing is kept
 * @returns JSON, or null if there is nothing to tell
 */
export function toldOf(body: unknown, isReplay: boolean, userAgent: string | undefined): string | null {
  if (typeof body !== 'object' || body === null) return null
  const { error, data, warnings = [], results = [], dry_run: isDryRun } = body as Body
  const listing = data?.id ?? error?.existing_id
  return writeDetail({
    ...(error === undefined ? {} : errorDetail(error)),
    ...(error === undefined || userAgent === undefined ? {} : { user_agent: userAgent }),
    ...(listing == null ? {} : { listing }),
    warnings,
    items: results.map(itemOf),
    ...(isReplay ? { is_replay: true } : {}),
    ...(isDryRun === true ? { is_dry_run: true } : {}),
  })
}

function errorDetail({ message, parameter, errors = [], limits, missing }: ToldError): RequestDetail {
  return {
    message,
    ...(parameter === undefined ? {} : { parameter }),
    ...(errors.length > 1
      ? { errors: errors.map((one) => ({ parameter: one.parameter, message: one.message })) }
      : {}),
    ...(limits === undefined ? {} : { limits }),
    ...(missing === undefined ? {} : { missing }),
  }
}

function itemOf({ index, external_id, action, status, error }: Result): ToldItem {
  if (error === undefined) return { index, external_id, action, status }
  const { code, message, parameter } = error
  return {
    index,
    external_id,
    action,
    status,
    code,
    message,
    ...(parameter === undefined ? {} : { parameter }),
  }
}
