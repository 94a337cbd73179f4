/** Which URLs give the same picture, and how a picture's URL is recognised without keeping it: URLs may hold tokens. */
import { createHash } from 'node:crypto'

/** The URL in its normal form without fragment: equal for URLs that give the same request. */
export function requestedUrl(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

/** What the URLs request, each once. */
export function requestedUrls(urls: readonly string[]): string[] {
  return [...new Set(urls.map(requestedUrl))]
}

/** SHA-256 of the URL as it is requested, in base64url. */
export function sourceFingerprint(text: string): string {
  return createHash('sha256').update(requestedUrl(text)).digest('base64url')
}
