/**
 * Signatures by Standard Webhooks: HMAC-SHA256 over id, timestamp and body (https://www.standardwebhooks.com).
 */
import { createHmac } from 'node:crypto'

/** The three headers of a webhook. @param seconds Unix time */
export function signatureHeaders(
  secret: Buffer,
  id: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
