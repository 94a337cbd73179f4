/** Recognises the URL that a picture came from without keeping it: URLs may hold tokens. */
import { createHash } from 'node:crypto'

/** SHA-256 of the URL in its normal form without fragment, in base64url: equal for URLs that give the same request. */
export function sourceFingerprint(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return createHash('sha256').update(url.href).digest('base64url')
}
