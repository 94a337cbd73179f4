/** Recognises equal source URLs, and a stored picture's URL without storing it: URLs may contain tokens. */
import { createHash } from 'node:crypto'

/** The URL in its normal form without fragment: equal for URLs that give the same request. */
export function requestedUrl(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

/** The distinct requests of the URLs. */
export function requestedUrls(urls: readonly string[]): string[] {
  return [...new Set(urls.map(requestedUrl))]
}

/** SHA-256 of the requested URL, in base64url. */
export function sourceFingerprint(text: string): string {
  return createHash('sha256').update(requestedUrl(text)).digest('base64url')
}
