/**
 * Request signatures (api.md 3). With a key that requires them, each request carries a timestamp and an HMAC over the request. A
 * signature is valid once, across all instances and restarts.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hotStatement } from '../db/statement.ts'
import { reaper } from '../db/reaper.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { signatureSeconds } from '../limits/table.ts'
import { type Caller, chargingUnproven } from './authenticate.ts'

/** The signed text, four lines: timestamp as sent, METHOD, path with query as received, SHA-256 of the body in hex. */
function signedText(timestamp: string, method: string, pathAndQuery: string, body: Uint8Array): string {
  return [timestamp, method, pathAndQuery, createHash('sha256').update(body).digest('hex')].join('\n')
}

/** `v1=` and the HMAC-SHA256 in lower-case hex. */
function signatureOf(secret: string, text: string): string {
  return `v1=${createHmac('sha256', secret).update(text).digest('hex')}`
}

const remember = hotStatement<{ fresh: boolean; first: boolean }>(`
  with moment as (
    select abs(extract(epoch from clock_timestamp() + $5::float8 * interval '1 ms') - $4::float8) <= ${signatureSeconds} as fresh
  ), remembered as (
    insert into used_signatures (agency_id, key_id, signature, expires_at)
    select $1, $2, $3, to_timestamp($4::float8) + ${signatureSeconds + 60} * interval '1 second' from moment where fresh
    on conflict do nothing
    returning 1
  )
  select fresh, exists (select 1 from remembered) as first from moment`)

/**
 * Checks the signature and uses it up.
 * @throws ApiError `invalid_signature`, `replay_detected`; `rate_limited` after too many of these
 */
export async function checkSignature(
  deps: Deps,
  caller: Caller,
  request: FastifyRequest,
  body: Uint8Array,
): Promise<void> {
  await chargingUnproven(deps, request, () => useUp(deps, caller, request, body))
}

async function useUp(deps: Deps, caller: Caller, request: FastifyRequest, body: Uint8Array): Promise<void> {
  const name = deps.config.serviceName.toLowerCase()
  const timestamp = String(request.headers[`x-${name}-timestamp`] ?? '')
  const sent = String(request.headers[`x-${name}-signature`] ?? '')
  // Node joins a repeated header with a comma, which neither pattern allows.
  if (!/^(\d{10}|\d{13})$/.test(timestamp) || !/^v1=[0-9a-f]{64}$/.test(sent)) {
    throw refused(
      `X-${deps.config.serviceName}-Timestamp or X-${deps.config.serviceName}-Signature is missing or malformed.`,
    )
  }
  if (caller.key.signing_secret === null)
    throw new Error(`key ${caller.key.id} requires signatures but has no secret`)
  const secret = deps.secretBox.open(caller.key.signing_secret)
  const text = signedText(timestamp, request.method, request.originalUrl, body)
  if (!timingSafeEqual(Buffer.from(sent), Buffer.from(signatureOf(secret, text)))) {
    throw refused(
      'The signature does not match the request. Sign the timestamp, the method, the path with its query, and the SHA-256 of the body.',
    )
  }
  const seconds = Number(timestamp) / (timestamp.length === 13 ? 1000 : 1)
  const bytes = Buffer.from(sent.slice('v1='.length), 'hex')
  const [row] = await remember(deps.db, [
    caller.agency.id,
    caller.key.id,
    bytes,
    seconds,
    deps.clock.offsetMs,
  ])
  if (row?.fresh !== true)
    throw refused(
      `The timestamp differs from the clock of the service by more than ${signatureSeconds} seconds. Check your clock.`,
    )
  if (!row.first) throw new ApiError('replay_detected', { headers: { 'www-authenticate': 'Bearer' } })
}

function refused(message: string): ApiError {
  return new ApiError('invalid_signature', { message, headers: { 'www-authenticate': 'Bearer' } })
}

/** Deletes signatures whose timestamp is outside the window. */
export const reapSignatures = reaper({
  table: 'used_signatures',
  key: 'agency_id, key_id, signature',
  column: 'expires_at',
})
