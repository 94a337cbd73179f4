/** `ApiError`, the one exception that every layer throws, and `Problems`, which gathers all that is wrong with a request into one. */
import { maxErrors } from '../../limits/sizes.ts'
import { catalogue, type ErrorCode } from './error-catalogue.ts'
import type { ErrorDetails, FieldError } from './error-entry.ts'

/** An error of the catalogue. Thrown anywhere; the error handler sends it in the JSON envelope. */
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
    const { headers = {}, retryAfter = catalogue[code].retryAfter } = details
    this.headers = retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) }
  }
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether it is an error of the system, PostgreSQL or pg with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** For `catch`: runs `undo`, and throws the error again. */
export function rethrowAfter(undo: () => unknown): (error: unknown) => Promise<never> {
  return async (error) => {
    await undo()
    throw error
  }
}

/** 400 `invalid_parameter` naming the parameter or field. */
export function invalid(parameter: string, message: string, reason?: string): ApiError {
  return new ApiError('invalid_parameter', { parameter, message, reason })
}

/** Longer names and messages are cut: a body may repeat a name of 200 KB many times. */
const maxNameLength = 100
const maxMessageLength = 1_000

/** Gathers everything that is wrong with a request, so that one 400 names it all. The first problem of a parameter counts. */
export class Problems {
  #found: (FieldError & { reason: string | undefined })[] | null = null
  /** Part and name of every problem so far, to drop repeats. */
  readonly #names = new Set<string>()
  #part = ''

  get isEmpty(): boolean {
    return this.#found === null
  }

  /** Begins a part of the request: a query parameter and a field may have the same name. */
  in(part: 'path' | 'query' | 'body'): void {
    this.#part = part
  }

  add(parameter: string, message: string, reason?: string): void {
    const name = cut(parameter, maxNameLength)
    const found = (this.#found ??= [])
    const ofPart = `${this.#part} ${name}`
    if (this.#names.has(ofPart) || found.length === maxErrors) return
    this.#names.add(ofPart)
    const text = name === parameter ? message : message.replaceAll(parameter, name)
    found.push({ parameter: name, message: cut(text, maxMessageLength), reason })
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

/** The error as a value, for work whose other parts continue. @throws the error itself if it is not an ApiError */
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
