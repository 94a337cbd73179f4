/**
 * Checks options when the client is created, so that a mistake does not surface as a strange request failure.
 */
import type { ListingsClientOptions } from './client.ts'

/** @throws TypeError naming the option */
export function checkOptions(options: ListingsClientOptions): void {
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
export function baseOf(text: string): string {
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
