/**
 * Sends one request until there is a response: signed anew for each attempt, with the same Idempotency-Key for all.
 */
import { ListingsError } from './errors.ts'
import type { EtagMemory, Remembered } from './etag-memory.ts'
import { reasonOf } from './reason.ts'
import { type Failure, type RetryPolicy, waitBefore } from './retry.ts'
import { type Bytes, bytesOf, type Signer } from './sign.ts'
import { linked, wait } from './signals.ts'

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`. */
  path: string
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  /** Sent with every attempt. */
  idempotencyKey?: string
  ifMatch?: string
  /** Whether the response has an entity tag worth remembering. */
  remember?: boolean
  signal?: AbortSignal
}

/** A reply's data besides its body. */
export type ResponseInfo = {
  status: number
  requestId: string | null
  /** For `ifMatch`. */
  etag: string | null
  /** Whether the service says that nothing has changed since the client's last request. */
  notModified: boolean
  /** Whether this is the response to an earlier request with the same Idempotency-Key. */
  replayed: boolean
  /** The Idempotency-Key that was sent. */
  idempotencyKey: string | null
  /** How often the request was sent. */
  attempts: number
  /** The limit of reads or writes a minute: its size, the remainder, and the seconds until it resets. */
  rateLimit: { limit: number; remaining: number; resetSeconds: number } | null
}

export type Retry = {
  method: string
  path: string
  /** How often the request was sent so far. */
  attempts: number
  waitMs: number
  /** An error code of the API, `connection_failed` or `timed_out`. */
  code: string
  status: number | null
  /** The problem, with the URL and the cause of a failed connection. */
  message: string
  /** For `rate_limited`: the exhausted limits. */
  limits: readonly string[]
}

export type Sender = {
  /** `https://host/api/v1` */
  base: string
  headers: Readonly<Record<string, string>>
  signer: Signer | null
  etags: EtagMemory | null
  policy: RetryPolicy
  timeoutMs: number
  fetch: typeof globalThis.fetch
  onRetry: ((retry: Retry) => void) | undefined
  signal: AbortSignal | undefined
}

type Received = { body: unknown; response: Omit<ResponseInfo, 'attempts' | 'idempotencyKey'> }
type Failed = {
  failure: Failure
  error: Readonly<Record<string, unknown>>
  cause?: unknown
  clockAdjusted?: boolean
}

/** @throws ListingsError, or the reason of the caller's signal */
export async function send(sender: Sender, call: Call): Promise<{ body: unknown; response: ResponseInfo }> {
  const url = urlOf(sender.base, call)
  const bytes = call.body === undefined ? null : bytesOf(JSON.stringify(call.body))
  const idempotencyKey = call.idempotencyKey ?? null
  const caller = linked([sender.signal, call.signal])
  const patience = linked([caller.signal, sender.policy.signal])
  try {
    let hasAdjusted = false
    let failingSince: number | null = null
    for (let attempts = 1; ; attempts += 1) {
      const startedAt = Date.now()
      const outcome = await attempt(sender, call, url, bytes, caller.signal)
      if ('body' in outcome)
        return { body: outcome.body, response: { ...outcome.response, attempts, idempotencyKey } }
      if (outcome.clockAdjusted === true && !hasAdjusted) {
        hasAdjusted = true
        continue
      }
      const { failure, error, cause } = outcome
      const { status, code } = failure
      const waitMs = waitBefore(failure, attempts, sender.policy)
      failingSince = status === 429 ? null : (failingSince ?? startedAt)
      const isTooLong =
        failingSince !== null && Date.now() + (waitMs ?? 0) - failingSince > sender.policy.giveUpAfterMs
      const failed = new ListingsError(error, { status, idempotencyKey, attempts, cause })
      if (waitMs === null || isTooLong || patience.signal.aborted) throw failed
      const { message } = failed
      const limits = failed.code === 'rate_limited' ? failed.limits : []
      sender.onRetry?.({
        method: call.method,
        path: call.path,
        attempts,
        waitMs,
        code,
        status,
        message,
        limits,
      })
      try {
        await wait(waitMs, patience.signal)
      } catch {
        caller.signal.throwIfAborted()
        throw failed
      }
    }
  } finally {
    patience.release()
    caller.release()
  }
}

function urlOf(base: string, { path, query = {} }: Call): URL {
  const url = new URL(base + path)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

async function attempt(
  sender: Sender,
  call: Call,
  url: URL,
  bytes: Bytes | null,
  caller: AbortSignal,
): Promise<Received | Failed> {
  caller.throwIfAborted()
  const remembered = call.remember === true ? sender.etags?.get(url.href) : undefined
  const headers = await headersOf(sender, call, url, bytes, remembered)
  const own = linked([caller])
  const timer = setTimeout(() => own.abort(timeUp), Math.min(sender.timeoutMs, 2 ** 31 - 1))
  try {
    const response = await sender.fetch(url.href, {
      method: call.method,
      headers,
      body: bytes,
      // Following a redirect would send the key elsewhere, with a signature that does not match.
      redirect: 'manual',
      signal: own.signal,
    })
    return read(sender, call, url, response, await response.text(), remembered)
  } catch (cause) {
    caller.throwIfAborted()
    const error =
      own.signal.reason === timeUp
        ? { code: 'timed_out', message: `${url.origin} did not answer within ${sender.timeoutMs} ms.` }
        : {
            code: 'connection_failed',
            message: `The connection to ${url.origin} failed: ${reasonOf(cause)}.`,
          }
    return {
      failure: { status: null, code: error.code, retryAfterMs: null, countedPhotos: false },
      error,
      cause,
    }
  } finally {
    clearTimeout(timer)
    own.release()
  }
}

const timeUp = new Error('The time of this attempt is up.')

async function headersOf(
  sender: Sender,
  call: Call,
  url: URL,
  bytes: Bytes | null,
  remembered: Remembered | undefined,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = { ...sender.headers }
  if (bytes !== null) headers['content-type'] = 'application/json'
  if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
  if (call.ifMatch !== undefined) headers['if-match'] = call.ifMatch
  if (remembered !== undefined) headers['if-none-match'] = remembered.etag
  if (sender.signer === null) return headers
  const signed = await sender.signer.headers(call.method, url.pathname + url.search, bytes ?? bytesOf(''))
  return { ...headers, ...signed }
}

function read(
  sender: Sender,
  call: Call,
  url: URL,
  { status, headers }: Response,
  text: string,
  remembered: Remembered | undefined,
): Received | Failed {
  const isNotModified = status === 304 && remembered !== undefined
  const body = parsed(isNotModified ? remembered.text : text)
  if ((status >= 200 && status < 300 && body !== undefined) || isNotModified) {
    const etag = headers.get('etag') ?? (isNotModified ? remembered.etag : null)
    if (call.remember === true && etag !== null && !isNotModified) sender.etags?.set(url.href, { etag, text })
    const response = {
      status,
      requestId: headers.get('x-request-id'),
      etag,
      notModified: isNotModified,
      replayed: headers.get('idempotent-replayed') === 'true',
      rateLimit: rateLimitOf(headers),
    }
    return { body, response }
  }
  const found = errorIn(body)
  const error = found ?? { code: 'unexpected_answer', message: unexpected(status, headers) }
  const code = String(error['code'])
  const failure: Failure = {
    status,
    code,
    retryAfterMs: retryAfterOf(headers),
    countedPhotos: Array.isArray(error['photos']) && error['photos'].length > 0,
  }
  // A wrong clock makes every signature invalid. The response's Date has the service's time.
  const clockAdjusted =
    code === 'invalid_signature' && sender.signer?.adjustTo(Date.parse(headers.get('date') ?? '')) === true
  return { failure, error, clockAdjusted }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorIn(body: unknown): Readonly<Record<string, unknown>> | null {
  const error = (body as { error?: unknown } | null | undefined)?.error
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return error as Readonly<Record<string, unknown>>
}

function unexpected(status: number, headers: Headers): string {
  const location = headers.get('location')
  if (location !== null) return `The service redirects to ${location}. Set baseUrl to where it is.`
  return status === 0
    ? 'The service redirects. Set baseUrl to where it is.'
    : `The response has the status ${status} and is not from this API. Is baseUrl right?`
}

/** The API sends whole seconds; some proxies send a date. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

function rateLimitOf(headers: Headers): ResponseInfo['rateLimit'] {
  const limit = headers.get('x-ratelimit-limit')
  const remaining = headers.get('x-ratelimit-remaining')
  if (limit === null || remaining === null) return null
  const resetSeconds = Number(headers.get('x-ratelimit-reset') ?? 0)
  return { limit: Number(limit), remaining: Number(remaining), resetSeconds }
}
