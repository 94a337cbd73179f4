/**
 * One request to the API, as a program should send it: with a timeout, signed if the key requires it, and
 * retried when that can help. The other programs use it. Run directly, it sends one request:
 *
 *   node api.ts GET /api/v1/me
 *   node api.ts PUT /api/v1/properties/external/CRM-1042 '{"title": "Casa con jardín"}'
 *
 * Its settings are environment variables:
 *
 *   SVC_API_KEY          the key
 *   SVC_SIGNING_SECRET   its signing secret, if it requires signatures
 *   SVC_BASE_URL         where the service is; http://127.0.0.1:3000 by default
 *   SVC_PATIENCE         the longest wait for an exhausted limit, in seconds; 3700 by default
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signatureHeaders } from './sign.ts'

// Name your program and a contact: unnamed clients may be taken for crawlers.
const userAgent = 'AcmeRecipes/1.0 (+https://acme.example; dev@acme.example)'
const { SVC_API_KEY: key = '', SVC_SIGNING_SECRET: secret = '' } = process.env
export const baseUrl = (process.env['SVC_BASE_URL'] ?? 'http://127.0.0.1:3000').replace(/\/+$/, '')
const patienceSeconds = Number(process.env['SVC_PATIENCE'] ?? 3700)

/** Decide by `code`; the other members depend on it (docs/api.md 5). */
type ErrorBody = {
  code: string
  message: string
  parameter?: string
  errors?: { parameter: string; message: string }[]
  limits?: string[]
}

/** An answer of 400 or above. */
export class ApiError extends Error {
  status: number
  error: ErrorBody
  /** Seconds to wait before a retry, if the service said so. */
  retryAfter: number | null

  constructor(response: Response, text: string) {
    const error = errorIn(text)
    // The message describes the first of the errors.
    const [, ...others] = error.errors ?? []
    super(
      [
        `${response.status} ${error.code}: ${error.message}`,
        ...others.map(({ parameter, message }) => `  ${parameter}: ${message}`),
      ].join('\n'),
    )
    this.status = response.status
    this.error = error
    const header = response.headers.get('Retry-After') ?? ''
    this.retryAfter = /^\d+$/.test(header) ? Number(header) : null
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    const { status, error } = this
    return (
      status >= 500 || status === 408 || status === 429 || error.code === 'idempotent_request_in_progress'
    )
  }
}

function errorIn(text: string): ErrorBody {
  try {
    const { error } = JSON.parse(text)
    if (typeof error.code === 'string') return error
  } catch {} // Not from the API: a proxy in between.
  return { code: 'unknown', message: 'The answer is not from the API.' }
}

type Options = {
  /** Sent as JSON. */
  body?: unknown
  /** The same for all attempts, so that the effect happens once. Generated for a write if absent. */
  idempotencyKey?: string
  /** Your copy's ETag: while it is current the answer is 304, with `body: null`. */
  etag?: string
  attempts?: number
  timeoutSeconds?: number
}

/**
 * Sends a request until it is answered. `target` is path and query: `/api/v1/properties?page=2`.
 * @throws ApiError for an error, or what `fetch` throws if no attempt was answered
 */
export async function call<Body>(
  method: string,
  target: string,
  { body, idempotencyKey = randomUUID(), etag, attempts = 6, timeoutSeconds = 60 }: Options = {},
): Promise<{ status: number; etag: string | null; body: Body }> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    'User-Agent': userAgent,
    Authorization: `Bearer ${key}`,
    ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(method === 'GET' ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(etag === undefined ? {} : { 'If-None-Match': etag }),
  }
  for (let attempt = 1; ; attempt += 1) {
    let failure: unknown
    try {
      const response = await fetch(baseUrl + target, {
        method,
        headers: { ...headers, ...(secret === '' ? {} : signatureHeaders(secret, method, target, text)) },
        body: text,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      })
      const answer = await response.text()
      if (response.status < 400)
        return {
          status: response.status,
          etag: response.headers.get('ETag'),
          body: answer === '' ? null : JSON.parse(answer),
        }
      failure = new ApiError(response, answer)
    } catch (error) {
      // No answer: the request may or may not have taken effect. The Idempotency-Key makes a retry safe.
      failure = error
    }
    const refusal = failure instanceof ApiError ? failure : null
    const retryAfter = refusal?.retryAfter ?? null
    const takesTooLong = refusal?.status === 429 && (retryAfter ?? 0) > patienceSeconds
    if (refusal?.isTemporary === false || takesTooLong || attempt === attempts) throw failure
    // Jitter, so that programs that failed together do not retry together.
    const waitSeconds = retryAfter === null ? Math.random() * 2 ** (attempt - 1) : retryAfter + Math.random()
    console.error(`${method} ${target}: ${String(failure)}; again in ${Math.ceil(waitSeconds)} s`)
    await sleep(waitSeconds * 1000)
  }
}

if (import.meta.main) {
  const [method = 'GET', target = '/api/v1/me', text] = process.argv.slice(2)
  const body: unknown = text === undefined ? undefined : JSON.parse(text)
  call(method, target, { body }).then(
    (answer) => console.log(JSON.stringify(answer.body, null, 2)),
    (error: unknown) => {
      console.error(String(error))
      process.exitCode = 1
    },
  )
}
