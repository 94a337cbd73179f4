/**
 * Every way in which a request can fail, as a union discriminated by `code`.
 */
import { apiErrorCodes, type MembersOf } from './error-codes.ts'
import type { FailedPhoto } from './types.ts'

/** The codes of the API, and the client's own: */
export type ErrorCode =
  | (typeof apiErrorCodes)[number]
  /** No complete response arrived, even after retries. It is unknown whether a write took effect: send it again with the same key. */
  | 'connection_failed'
  /** No response arrived within `timeoutMs`, even after retries. The same applies. */
  | 'timed_out'
  /** The response is not from this API: a proxy's page, a redirect. */
  | 'unexpected_answer'
  /** A code that this version of the client does not know; see `otherCode`. */
  | 'other'

export type FieldError = { parameter: string; message: string }

/** The members that only some codes have. */
type Members = {
  /** The first field or parameter that is wrong. */
  parameter: string
  /** All that were found in one pass, the first included. */
  errors: FieldError[]
  /** The listing that has the address. */
  existing_id: string
  /** Everything that publishing still requires. */
  missing: string[]
  /** The photos that could not be downloaded. */
  photos: FailedPhoto[]
  /** The names of the exhausted limits, as `me()` has them. */
  limits: string[]
  /** Seconds until there is room again. */
  retry_after: number
}

type Details = { [Code in keyof MembersOf]: Pick<Members, MembersOf[Code]> } & {
  other: { otherCode: string }
}

type DetailsOf<Code extends ErrorCode> = Code extends keyof Details ? Details[Code] : unknown

/** The members that the error of a request and that of an item of a batch share. */
export type ErrorOf<Code extends ErrorCode> = {
  code: Code
  message: string
  docs: string | null
} & DetailsOf<Code>

/** The error of an item of a batch. */
export type ItemError = { [Code in ErrorCode]: ErrorOf<Code> }[ErrorCode]

class RequestFailure extends Error {
  override readonly name = 'ListingsError'
  readonly code: ErrorCode
  /** The HTTP status; null without a response. */
  readonly status: number | null
  /** Quote it when you report a problem. */
  readonly requestId: string | null
  /** A page that explains the code. */
  readonly docs: string | null
  /** The key of the write that failed: pass it as `idempotencyKey` to send the same write again. */
  readonly idempotencyKey: string | null
  /** How often the request was sent. */
  readonly attempts: number

  constructor(error: Readonly<Record<string, unknown>>, facts: RequestFacts) {
    const { code, message, docs, request_id, ...details } = typed(error)
    super(String(message), { cause: facts.cause })
    this.code = code as ErrorCode
    this.status = facts.status
    this.requestId = typeof request_id === 'string' ? request_id : null
    this.docs = typeof docs === 'string' ? docs : null
    this.idempotencyKey = facts.idempotencyKey
    this.attempts = facts.attempts
    Object.assign(this, details)
  }
}

type RequestFacts = {
  status: number | null
  idempotencyKey: string | null
  attempts: number
  cause?: unknown
}

/** One member of the union. */
export type ListingsErrorOf<Code extends ErrorCode> = RequestFailure & { code: Code } & DetailsOf<Code>

/**
 * The error that every method of the client throws, except when the caller's signal aborts it (its reason) or an argument is wrong
 * (RangeError). `if (error instanceof ListingsError) switch (error.code) …` knows the members that each code brings.
 */
export type ListingsError = { [Code in ErrorCode]: ListingsErrorOf<Code> }[ErrorCode]

export const ListingsError = RequestFailure as unknown as {
  new (error: Readonly<Record<string, unknown>>, facts: RequestFacts): ListingsError
  readonly prototype: ListingsError
}

/** The error of an item of a batch, as the union. */
export function itemError(error: Readonly<Record<string, unknown>>): ItemError {
  return { docs: null, ...typed(error) } as ItemError
}

const known: ReadonlySet<unknown> = new Set<ErrorCode>([
  ...apiErrorCodes,
  'connection_failed',
  'timed_out',
  'unexpected_answer',
])

/** Adds every member that the type promises, because a service of an earlier release may not send it. */
function typed(error: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { code, message } = error
  switch (code) {
    case 'invalid_parameter':
      return {
        parameter: 'request',
        errors: [{ parameter: error['parameter'] ?? 'request', message }],
        ...error,
      }
    case 'rate_limited':
      return { limits: [], retry_after: 1, ...error }
    case 'insufficient_photos':
      return { missing: ['photos'], photos: [], ...error }
    case 'not_publishable':
      return { missing: [], ...error }
    case 'photo_ingest_failed':
    case 'service_unavailable':
      return { photos: [], ...error }
    default:
      return known.has(code) ? { ...error } : { ...error, code: 'other', otherCode: String(code) }
  }
}
