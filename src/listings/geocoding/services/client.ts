/**
 * The interface of a geocoding service (api.md 12.1), pure functions that build requests and read responses; and the client that sends them
 * (api.md 12.2): only below the operator's base URL, without redirects, with verified certificates, within limits of time and size.
 */
import { Agent, fetch, type Response } from 'undici'
import {
  exchangeWithin,
  readWithin,
  ServiceFailure,
  userAgentOf,
} from '../../../platform/outside/outside-service.ts'
import { retryAfterMs } from '../../../platform/outside/retry-after.ts'
import type { Candidate, Lookup } from '../lookup.ts'

type ProviderRequest = {
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
  /** Most lookups in one request. */
  perRequest: number
  /** Most concurrent requests of this process. */
  atOnce: number
  /** Least time between two requests of all instances together, in milliseconds; 0 for none. */
  intervalMs: number
  request(lookups: readonly Lookup[]): ProviderRequest
  /**
   * The candidates of each lookup, in order; null if that part of the response is invalid.
   * @throws ServiceFailure `nonsense` when the response is not of the service's shape
   */
  read(response: unknown, lookups: readonly Lookup[]): (Candidate[] | null)[]
}>

export type ClientLimits = {
  /** From connecting to the last byte. */
  attemptMs: number
  /** Maximum size of a response, decompressed. */
  bytes: number
}

type ClientOptions = {
  /** With or without a slash at its end. */
  baseUrl: string
  serviceName: string
  /** The contact that the service sees. */
  publicBaseUrl: string
  limits: ClientLimits
}

export const clientLimits: ClientLimits = { attemptMs: 2_500, bytes: 4_194_304 }

/** Makes the client. It reuses connections and ignores proxy settings. */
export function openClient(options: ClientOptions) {
  const { limits } = options
  const base = options.baseUrl.replace(/\/+$/, '')
  const agent = new Agent({ allowH2: false, connect: { timeout: limits.attemptMs } })
  const headers = {
    accept: 'application/json',
    'user-agent': userAgentOf(options, 'addresses'),
  }

  const exchange = async (request: ProviderRequest, signal: AbortSignal): Promise<unknown> => {
    const query = request.query === undefined ? '' : `?${new URLSearchParams(request.query)}`
    const hasBody = request.body !== undefined
    const response = await fetch(`${base}/${request.path}${query}`, {
      method: hasBody ? 'POST' : 'GET',
      headers: hasBody ? { ...headers, 'content-type': 'application/json' } : headers,
      body: hasBody ? JSON.stringify(request.body) : null,
      redirect: 'manual',
      dispatcher: agent,
      signal,
    })
    try {
      if (response.status !== 200) throw failureOf(response)
      return parse(await readWithin(limits.bytes, response.body ?? []))
    } finally {
      // An unread body would hold the connection.
      if (!response.bodyUsed) await response.body?.cancel()
    }
  }

  return {
    /** Sends one request and returns its JSON. @throws ServiceFailure; the signal's reason when that aborts */
    send: (request: ProviderRequest, signal: AbortSignal) =>
      exchangeWithin(limits.attemptMs, signal, (ending) => exchange(request, ending)),
    close: () => agent.destroy(),
  }
}

function failureOf({ status, headers }: Response): ServiceFailure {
  const message = `It answered with status ${status}.`
  if (status >= 500 || status === 408) return new ServiceFailure('down', message, { status })
  if (status === 429 || status === 403 || status === 401) {
    const pauseMs = retryAfterMs((name) => headers.get(name))
    return new ServiceFailure('blocked', message, { pauseMs, status })
  }
  const isRefused = status === 400 || status === 414 || status === 422
  return new ServiceFailure(isRefused ? 'refused' : 'nonsense', message, { status })
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new ServiceFailure('nonsense', 'Its answer is not JSON.', { cause: error, status: 200 })
  }
}
