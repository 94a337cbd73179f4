/**
 * The interface of a geocoding service (api.md 12.1): pure functions that build requests and read answers. remote-geocoder.ts
 * sends them.
 */
import type { Candidate } from './judge.ts'
import type { Question } from './question.ts'

export type ProviderRequest = {
  /** The path below the base URL. */
  path: string
  query?: Readonly<Record<string, string>>
  /** Sent as JSON, in a POST. */
  body?: unknown
}

export type Provider = Readonly<{
  name: string
  /** The public service's URL. */
  defaultUrl: string
  /** Most questions in one request. */
  perRequest: number
  /** Most concurrent requests of this process. */
  atOnce: number
  /** Least time between two requests of all instances together, in milliseconds; 0 for none. */
  intervalMs: number
  request(questions: readonly Question[]): ProviderRequest
  /**
   * The candidates of each question, in order; null if that part of the response is invalid.
   * @throws ServiceFailure `nonsense` when the answer is not of the service's shape
   */
  read(answer: unknown, questions: readonly Question[]): (Candidate[] | null)[]
}>
