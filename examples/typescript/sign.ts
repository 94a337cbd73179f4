/** Signs requests, for a key that requires it (docs/api.md 3). api.ts shows how to send them. */
import { createHash, createHmac } from 'node:crypto'

/**
 * The headers of one attempt. A signature is valid once: to retry a request, sign it again.
 * `target` is path and query exactly as they are sent; `body` is the text exactly as it is sent.
 */
export function signatureHeaders(secret: string, method: string, target: string, body = '') {
  // In milliseconds, so that two equal requests within a second differ.
  const timestamp = String(Date.now())
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const text = [timestamp, method, target, bodyHash].join('\n')
  const signature = createHmac('sha256', secret).update(text).digest('hex')
  return { 'X-Svc-Timestamp': timestamp, 'X-Svc-Signature': `v1=${signature}` }
}
