/**
 * Forms come from our own pages: each carries a token that only who has the cookie's secret can know, and the browser must not say that
 * it comes from elsewhere.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The token of the forms of whoever holds this secret: the session's, or the guest cookie's. */
export function csrfToken(secret: string): string {
  return hash('sha256', `form ${secret}`, 'base64url')
}

export function isCsrfToken(sent: string | null, expected: string): boolean {
  // As many characters can be another number of bytes, which `timingSafeEqual` throws at.
  const [one, other] = [Buffer.from(sent ?? ''), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Whether the browser says that the form is of our own pages, or does not say.
 * @param origins ours: the public one, and the one that was asked
 */
export function isOwnForm(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  // `none`: the person did it himself, such as by sending again what a reload asks about.
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || origins.includes(origin)
}
