/**
 * The error catalogue (api.md 5.3): code → status and default message, and the one exception that every layer throws.
 * Statuses stand nowhere else.
 */

export const catalogue = {
  invalid_parameter: { status: 400, message: 'A parameter or field is unknown, repeated, empty or invalid.' },
  idempotency_key_required: {
    status: 400,
    message:
      'This operation needs an Idempotency-Key header of 8 to 64 characters. Send a new key for each new operation.',
  },
  missing_api_key: {
    status: 401,
    message: 'The API key is missing. Send it as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
  },
  invalid_api_key: {
    status: 401,
    message: 'This API key is not valid. Check it, or create one in the dashboard.',
  },
  revoked_api_key: {
    status: 401,
    message: 'This API key was revoked. Use another key, or create one in the dashboard.',
  },
  expired_api_key: {
    status: 401,
    message: 'This API key has expired. Create a new one in the dashboard.',
  },
  invalid_signature: {
    status: 401,
    message: 'The request signature is missing, malformed, expired or wrong.',
  },
  replay_detected: {
    status: 401,
    message: 'This signature was already used. Sign every request, retries too, with a new timestamp.',
  },
  agency_not_active: { status: 403, message: 'The agency of this key is not active. Contact the operator.' },
  insufficient_scope: { status: 403, message: 'This key does not have the scope that the operation needs.' },
  origin_not_allowed: {
    status: 403,
    message: "This Origin is not among the key's allowed origins. Use a key that allows it.",
  },
  forbidden: { status: 403, message: 'Access denied.' },
  not_found: { status: 404, message: 'Not found, or not visible to this key.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support the method. The Allow header lists those it supports.',
  },
  request_timeout: { status: 408, message: 'The request took too long to arrive. Send it again.' },
  duplicate_property: {
    status: 409,
    message: 'Another listing of the agency has the same street and number.',
  },
  external_id_exists: { status: 409, message: 'Another listing of the agency already has this external_id.' },
  idempotent_request_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  },
  precondition_failed: {
    status: 412,
    message: 'The listing has changed: its version is not the one in If-Match. Read it again.',
  },
  payload_too_large: { status: 413, message: 'The body is too large: 256 KB at most, 1 MB for a batch.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as Content-Type: application/json, without Content-Encoding.',
  },
  insufficient_photos: { status: 422, message: 'A published listing needs at least 3 photos.' },
  too_many_photos: { status: 422, message: 'A listing holds 50 photos at most.' },
  not_publishable: { status: 422, message: 'The listing lacks data that publishing requires.' },
  idempotency_key_reuse: {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request. Use a new key.',
  },
  photo_ingest_failed: { status: 422, message: 'None of the photos could be stored.' },
  rate_limited: { status: 429, message: 'A limit was exceeded. Wait the number of seconds in Retry-After.' },
  headers_too_large: {
    status: 431,
    message: 'The request headers are too large. Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side. Try again. If it happens again, report the request_id.',
  },
  service_unavailable: { status: 503, message: 'The service is temporarily unavailable. Try again shortly.' },
} as const

export type ErrorCode = keyof typeof catalogue

/** One bad parameter or field: its name or path, and what to send. An entry of `error.errors`. */
export type FieldError = { parameter: string; message: string }

export type ErrorDetails = {
  /** Path of the offending parameter or field, such as `photos[2]` (on 400s). */
  parameter?: string
  /** With `invalid_parameter`: all that was wrong, the first as `parameter` and `message` have it. */
  errors?: readonly FieldError[]
  /** The rule that was broken, for pages with messages of their own. Not part of the answer. */
  reason?: string
  /** Replaces the catalogue's message. */
  message?: string
  /** Further members of the error object: `existing_id`, `missing`, `retry_after`. */
  extra?: Readonly<Record<string, unknown>>
  /** Seconds after which trying again makes sense: the header `Retry-After`. */
  retryAfter?: number
  /** Further response headers that belong to the error: `Allow`. */
  headers?: Readonly<Record<string, string>>
  /** Who throws it tells the log, in few lines where it happens often. */
  isLogged?: true
  cause?: unknown
}

/** An error of the catalogue. Thrown anywhere, answered by the error handler in the JSON envelope. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly parameter: string | undefined
  readonly reason: string | undefined
  /** With `invalid_parameter` at least one, else none. */
  readonly errors: readonly FieldError[]
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly isLogged: boolean

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? catalogue[code].message, { cause: details.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = catalogue[code].status
    this.parameter = details.parameter
    this.reason = details.reason
    const { parameter = 'request', errors = [{ parameter, message: this.message }] } = details
    this.errors = code === 'invalid_parameter' ? errors : []
    this.extra = details.extra ?? {}
    this.isLogged = details.isLogged === true
    const { headers = {}, retryAfter } = details
    this.headers = retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) }
  }
}

/** 400 `invalid_parameter` naming the parameter or field. */
export function invalid(parameter: string, message: string, reason?: string): ApiError {
  return new ApiError('invalid_parameter', { parameter, message, reason })
}

/** A 400 names no more. */
export const mostErrors = 20
/** Longer names and messages are cut: a body may repeat a name of 200 KB many times. */
const longestName = 100
const longestMessage = 1_000

/** What is wrong with the parts of a request, gathered so that one 400 names it all. The first problem of a parameter counts. */
export class Problems {
  #found: (FieldError & { reason: string | undefined })[] | null = null
  /** Part and name of each. */
  readonly #names = new Set<string>()
  #part = ''

  get isEmpty(): boolean {
    return this.#found === null
  }

  /** What follows is of that part of the request: a query parameter and a field may have the same name. */
  in(part: 'path' | 'query' | 'body'): void {
    this.#part = part
  }

  add(parameter: string, message: string, reason?: string): void {
    const name = cut(parameter, longestName)
    const found = (this.#found ??= [])
    const ofPart = `${this.#part} ${name}`
    if (this.#names.has(ofPart) || found.length === mostErrors) return
    this.#names.add(ofPart)
    const text = name === parameter ? message : message.replaceAll(parameter, name)
    found.push({ parameter: name, message: cut(text, longestMessage), reason })
  }

  /** Runs a check that throws its problems. @returns its result, or undefined if it threw some */
  attempt<T>(check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      this.addThrown(error)
      return undefined
    }
  }

  /** Adds the problems of an `invalid_parameter`, and throws anything else. */
  addThrown(error: unknown): void {
    if (!(error instanceof ApiError) || error.code !== 'invalid_parameter') throw error
    error.errors.forEach(({ parameter, message }, index) =>
      this.add(parameter, message, index === 0 ? error.reason : undefined),
    )
  }

  /** @throws ApiError `invalid_parameter` if there are any */
  throwIfAny(): void {
    if (!this.isEmpty) throw this.toError()
  }

  /** @throws Error if there are none, which is a defect */
  toError(): ApiError {
    const [first] = this.#found ?? []
    if (first === undefined) throw new Error('nothing is wrong')
    const errors = (this.#found ?? []).map(({ parameter, message }) => ({ parameter, message }))
    return new ApiError('invalid_parameter', { ...first, errors })
  }
}

function cut(text: string, longest: number): string {
  return (text.length <= longest ? text : `${text.slice(0, longest)}…`).toWellFormed()
}

/** The error as a value, for work whose other parts go on. @throws the error itself if it is not an ApiError */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

/** Runs checks that gather their problems. @throws ApiError `invalid_parameter` naming all of them */
export function checked<T>(run: (problems: Problems) => T): T {
  const problems = new Problems()
  const result = run(problems)
  problems.throwIfAny()
  return result
}

/** The path of a value in a body: field names and list indexes. */
export type FieldPath = readonly (string | number)[]

/** `['items', 3, 'price', 'period']` → `items[3].price.period`; the whole body is `body`. */
export function fieldPath(path: FieldPath): string {
  const text = path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`
    return before === '' ? part : `${before}.${part}`
  }, '')
  return text === '' ? 'body' : text
}
