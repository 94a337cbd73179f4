/**
 * What a geocoding service is to the rest: requests are built and answers read here, purely; who sends them is desk.ts
 * (spec 'Address handling').
 */
import type { Candidate } from './judge.ts'
import type { Question } from './question.ts'

export type ProviderRequest = {
  /** Below the base address. */
  path: string
  query?: Readonly<Record<string, string>>
  /** Sent as JSON, in a POST. */
  body?: unknown
}

export type Provider = Readonly<{
  name: string
  /** Where the public one is. */
  defaultUrl: string
  /** Most questions in one request. */
  perRequest: number
  /** Most requests under way from this process. */
  atOnce: number
  /** Least time between two requests of all instances together, in milliseconds; 0 for none. */
  intervalMs: number
  request(questions: readonly Question[]): ProviderRequest
  /**
   * The places of each question, in order; null where that part of the answer is nonsense.
   * @throws ProviderFailure `nonsense` when the answer is not of the service's shape
   */
  read(answer: unknown, questions: readonly Question[]): (Candidate[] | null)[]
}>

/**
 * - `down`: not reached, too slow, or an error of the service's own. Worth another try.
 * - `blocked`: it wants fewer requests, or none.
 * - `refused`: it works, but not with this request.
 * - `nonsense`: the answer cannot be one of this service.
 */
export type FailureKind = 'down' | 'blocked' | 'refused' | 'nonsense'

/** Why a service gave no answer. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly kind: FailureKind
  /** How long it wants to be left alone, in milliseconds; null when it did not say. */
  readonly pauseMs: number | null
  /** With what status it answered; null when it gave no whole answer. */
  readonly status: number | null

  constructor(
    kind: FailureKind,
    message: string,
    options: ErrorOptions & { pauseMs?: number | null; status?: number } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.pauseMs = options.pauseMs ?? null
    this.status = options.status ?? null
  }
}
