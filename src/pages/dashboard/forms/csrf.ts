/**
 * Only our own pages may send forms: each form carries a token derived from the cookie's secret, and the browser must not name
 * another origin.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** @param secret of the session or the guest cookie */
export function csrfToken(secret: string): string {
  return hash('sha256', `form ${secret}`, 'base64url')
}

export function isCsrfToken(sent: string | null, expected: string): boolean {
  // Compares bytes: `timingSafeEqual` throws where texts of equal length have different numbers of bytes.
  const [one, other] = [Buffer.from(sent ?? ''), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Whether the form comes from our own pages, as far as the browser says. A browser that does not say is trusted.
 * @param origins ours: the public one, and that of the request
 */
export function isOwnForm(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  // `none`: the person triggered the request directly, such as by confirming a reload.
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || origins.includes(origin)
}
