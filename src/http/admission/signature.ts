/** Request signatures (api.md 3): a timestamp and an HMAC over the request. Each is valid once, across all instances and restarts. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { reaper } from '../../platform/db/upkeep/reaper.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { Signature } from '../../access/keys/admission.ts'
import type { KeyState } from '../../access/keys/check-key.ts'
import type { SignatureFault } from '../../access/keys/key-rows.ts'
import { signatureSeconds } from '../../limits/sizes.ts'

export const timestampPattern = String.raw`^(\d{10}|\d{13})$`
export const signaturePattern = '^v1=[0-9a-f]{64}$'
const isTimestamp = new RegExp(timestampPattern)
const isSignature = new RegExp(signaturePattern)

/** Reads and verifies the signature of a request whose body has arrived. @throws ApiError `invalid_signature` */
export function readSignature(
  { config, secretBox }: Deps,
  key: KeyState['key'],
  request: FastifyRequest,
): Signature {
  const name = config.serviceName
  const timestamp = String(request.headers[`x-${name.toLowerCase()}-timestamp`] ?? '')
  const sent = String(request.headers[`x-${name.toLowerCase()}-signature`] ?? '')
  // Node joins a repeated header with a comma, which neither pattern allows.
  if (!isTimestamp.test(timestamp) || !isSignature.test(sent))
    throw new ApiError('invalid_signature', {
      message: `X-${name}-Timestamp or X-${name}-Signature is missing or malformed.`,
    })
  if (key.signing_secret === null) throw new Error(`key ${key.id} requires signatures but has no secret`)
  const bytes = Buffer.from(sent.slice('v1='.length), 'hex')
  const expected = createHmac('sha256', secretBox.open(key.signing_secret))
    .update(signedText(timestamp, request))
    .digest()
  if (!timingSafeEqual(bytes, expected))
    throw new ApiError('invalid_signature', {
      message:
        'The signature does not match the request. Sign the timestamp, the method, the path with its query, and the SHA-256 of the body.',
    })
  return { bytes, signedAt: Number(timestamp) / (timestamp.length === 13 ? 1000 : 1) }
}

/** Four lines: timestamp as sent, METHOD, path with query as received, SHA-256 of the body in hex. */
function signedText(timestamp: string, { method, originalUrl, body }: FastifyRequest): string {
  const bytes = body instanceof Uint8Array ? body : new Uint8Array()
  return [timestamp, method, originalUrl, createHash('sha256').update(bytes).digest('hex')].join('\n')
}

/** The error for a signature that matches its request and is still refused. */
export function signatureRefused(fault: SignatureFault): ApiError {
  if (fault === 'used') return new ApiError('replay_detected')
  return new ApiError('invalid_signature', {
    message: `The timestamp differs from the clock of the service by more than ${signatureSeconds} seconds. Check your clock.`,
  })
}

/** Deletes signatures whose timestamp is outside the window. */
export const reapSignatures = reaper({
  table: 'used_signatures',
  key: 'agency_id, key_id, signature',
  column: 'expires_at',
})
