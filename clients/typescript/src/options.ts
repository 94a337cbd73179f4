/**
 * The options of the client. They are checked when it is created, so that a mistake does not surface as a strange request failure.
 */
import { newEtagMemory } from './etag-memory.ts'
import { type RetryOptions, retryPolicy } from './retry.ts'
import type { Retry, Sender } from './send.ts'
import { newSigner } from './sign.ts'

export type ListingsClientOptions = {
  /** Where the service is: `https://listings.example`. */
  baseUrl: string
  /** The API key. Keep one that may write on a server. */
  key: string
  /** For a key that requires signatures: the secret shown with it. */
  signingSecret?: string
  /** Name, version and contact of your integration: `AcmeCRM/2.3 (+https://acme.example; dev@acme.example)`. Browsers send their own. */
  userAgent?: string
  /** The name in the service's headers, `X-Svc-Signature`. Default `Svc`. */
  serviceName?: string
  retry?: RetryOptions
  /** How long one attempt may take. Default 75,000: a write that downloads photos may take a minute. */
  timeoutMs?: number
  /** Bounds of the cache of reads, which spares sending unchanged responses again. Default 500 responses, 10 million characters. */
  etags?: { maxEntries?: number; maxCharacters?: number } | false
  /** Called before each wait. */
  onRetry?: (retry: Retry) => void
  /** Ends everything that the client does. */
  signal?: AbortSignal
  fetch?: typeof globalThis.fetch
}

/** Browsers do not let scripts set the User-Agent, or send a preflight for it. */
const isBrowser =
  'document' in globalThis ||
  ('WorkerGlobalScope' in globalThis && !('process' in globalThis) && !('Deno' in globalThis))

/** @throws TypeError naming an invalid option */
export function senderOf(options: ListingsClientOptions): Sender {
  checkOptions(options)
  const { signingSecret, serviceName = 'Svc', etags = {} } = options
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${options.key}`,
    ...(isBrowser ? {} : { 'user-agent': options.userAgent ?? 'ListingsClient/1.0' }),
  }
  return {
    base: baseOf(options.baseUrl),
    headers,
    signer: signingSecret === undefined ? null : newSigner(signingSecret, serviceName),
    etags: etags === false ? null : newEtagMemory(etags.maxEntries ?? 500, etags.maxCharacters ?? 10_000_000),
    policy: retryPolicy(options.retry),
    timeoutMs: options.timeoutMs ?? 75_000,
    // Browsers refuse a fetch that is called as a method of something else.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    onRetry: options.onRetry,
    signal: options.signal,
  }
}

function checkOptions(options: ListingsClientOptions): void {
  const { etags, key, retry = {}, serviceName, timeoutMs, userAgent } = options
  if (typeof key !== 'string') throw new TypeError('key must be a string')
  checkHeader('key', key)
  if (userAgent !== undefined) checkHeader('userAgent', userAgent)
  if (serviceName !== undefined && !/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(serviceName))
    throw new TypeError('serviceName must be letters, digits and hyphens, because header names contain it')
  checkNumber('timeoutMs', timeoutMs, 1)
  const { signal: _, ...numbers } = retry
  for (const [name, value] of Object.entries(numbers)) checkNumber(`retry.${name}`, value, 0)
  if (etags === undefined || etags === false) return
  checkNumber('etags.maxEntries', etags.maxEntries, 0)
  checkNumber('etags.maxCharacters', etags.maxCharacters, 0)
}

function checkNumber(name: string, value: unknown, least: number): void {
  if (value !== undefined && !(typeof value === 'number' && value >= least))
    throw new TypeError(`${name} must be a number of at least ${least}, not ${String(value)}`)
}

/** The error does not show the value, because a key is secret. */
function checkHeader(name: string, value: string): void {
  try {
    void new Headers({ 'x-checked': value })
  } catch (error) {
    throw new TypeError(`${name} has characters that are not allowed in a header`, { cause: error })
  }
}

/** @returns the address of the API, without a slash at the end */
function baseOf(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch (error) {
    throw new TypeError(`baseUrl must be a URL such as https://listings.example, not "${text}"`, {
      cause: error,
    })
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '')
    throw new TypeError('baseUrl must be an http(s) URL without credentials and query')
  const base = url.href.replace(/[#/]+$/, '')
  return base.endsWith('/api/v1') ? base : `${base}/api/v1`
}
