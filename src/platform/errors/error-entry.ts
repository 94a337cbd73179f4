/** The shape of an entry in the catalogue of errors, and the details that one thrown error adds to its entry. */

/** One bad parameter or field: its name or path, and what to send. An entry of `error.errors`. */
export type FieldError = { parameter: string; message: string }

export type ErrorDetails = {
  /** Path of the offending parameter or field, such as `photos[2]`. */
  parameter?: string
  /** With `invalid_parameter`: everything that is wrong. `parameter` and `message` are those of the first. */
  errors?: readonly FieldError[]
  /** The rule that was broken, for pages with messages of their own. Not part of the response. */
  reason?: string
  /** Replaces the entry's message. */
  message?: string
  /** Further members of the error object: `existing_id`, `missing`, `retry_after`. */
  extra?: Readonly<Record<string, unknown>>
  /** Replaces the entry's `retryAfter`. */
  retryAfter?: number
  /** Further response headers: `Allow`. */
  headers?: Readonly<Record<string, string>>
  /** The thrower has logged the error already, at a limited rate. */
  isLogged?: true
  cause?: unknown
}

/** `cause` and `remedy` are Markdown whose only markup is `code`. In them, `Svc` stands for the service's name. */
export type ErrorEntry = {
  status: number
  /** The default message, for people. */
  message: string
  /** Seconds after which a retry makes sense, unless the thrower knows better: the header `Retry-After`. */
  retryAfter?: number
  /** Why the service responds with this error. */
  cause: string
  /** How a program, or its programmer, resolves it. */
  remedy: string
  /** Whether an Idempotency-Key stores the response, so that a retry gets it again. Otherwise a retry runs, because it may succeed. */
  isReplayed?: true | 'unless photos failed'
  /** Members that only some codes have. `http/openapi/errors.ts` describes them. */
  members?: Readonly<Record<string, 'always' | 'sometimes'>>
  /** The clause of docs/api.md that says more. */
  clause?: string
  /** Details of the example in the documents. */
  example?: ErrorDetails
}
