/** Authenticates and authorises a request (api.md 2): key → agency → origin → scope → rate limits, in this order. */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  admitSigned,
  findKey,
  type KeyRecord,
  type ChargeKind,
  type Passage,
} from '../../access/keys/admission.ts'
import { refusalOf } from '../../access/keys/check-key.ts'
import { hasWriteScope, type Scope } from '../../access/keys/key-rules.ts'
import type { Deps } from '../../deps.ts'
import { grantOrigin } from './cors.ts'
import { readSignature, signatureRefused } from './signature.ts'
import { timesSent } from '../input/request-headers.ts'
import { passageRefused, setRateLimitHeaders } from './rate-limits.ts'
import { catalogue } from '../../platform/errors/error-catalogue.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { Actor } from '../../writing/actor.ts'

/** The key of a request and its agency, as they were at admission. */
export type Caller = KeyRecord & {
  /** Whether the key sees drafts and suspended listings. */
  seesDrafts: boolean
  /** State of the read or write limit; null until a required signature is checked. */
  passage: Passage | null
  /** In milliseconds of this process's monotonic clock. */
  admittedAt: number
}

/** How long an admission holds without another look at the key. A revocation must take effect within a second. */
const holdsMs = 500

type RequiredAccess = {
  scope: 'any' | Scope
  /** The part of the request that needs the scope, if it is not the operation as such. */
  scopeOfWhat?: string | undefined
  kind: ChargeKind
}

/**
 * Admits a request by one statement, which reads its key and charges the read or write limit. A key that requires a signature is only read
 * at first; once the body is there, a second call uses up the signature and charges, again by one statement. A browser may read the
 * response, errors included, if the key lists its origin, or if the origin is the service's own and the key is a test key.
 * @param unsigned in the second call, the caller that the first returned; `deps` are then those of its agency
 * @throws ApiError any 401 or 403 of the catalogue; `rate_limited`, also after too many requests without a valid key
 */
export async function authenticate(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  access: RequiredAccess,
  unsigned: Caller | null = null,
): Promise<Caller> {
  const { scope, kind } = access
  const origin = request.headers.origin ?? null
  // The service's own pages send requests with test keys.
  const isOwnOrigin = origin !== null && origin === new URL(deps.config.publicBaseUrl).origin
  const need = { scope, kind, origin, isOwnOrigin }
  const { record, refusal, passage } = await chargingUnproven(deps, request, async () => {
    const admitted =
      unsigned === null
        ? await deps.admit({ ...need, key: presentedKey(request.raw), cost: 1, signed: false })
        : await admitSigned(deps, unsigned, readSignature(deps, unsigned.key, request), need)
    if (admitted === null) throw new ApiError('invalid_api_key')
    if (typeof admitted === 'string') throw signatureRefused(admitted)
    const { agency, key } = admitted.record
    request.named = { agencyId: agency.id, slug: agency.slug, keyId: key.id }
    const { refusal } = admitted
    if (refusal !== null && catalogue[refusal].status === 401) throw new ApiError(refusal)
    return admitted
  })
  if (refusal === 'agency_not_active') throw new ApiError(refusal)
  const { allowed_origins: origins, scopes } = record.key
  if (origin !== null || origins.length > 0) reply.header('vary', 'Origin')
  if (refusal === 'origin_not_allowed') throw originRefused(scopes, record.agency.test)
  if (origin !== null) grantOrigin(reply, origin, deps.config.serviceName)
  if (refusal === 'insufficient_scope') throw scopeRefused(access)
  if (passage !== null) {
    setRateLimitHeaders(reply, record.limits, kind, passage)
    if (passage.granted === 0) throw passageRefused(record.limits, kind, passage)
  }
  const seesDrafts = scopes.includes('properties:write')
  return { ...record, seesDrafts, passage, admittedAt: performance.now() + deps.clock.offsetMs }
}

/**
 * Confirms that the admission of a request still holds: a body may take seconds to arrive, photos most of a minute. A key that was revoked
 * or has expired meanwhile must not write, nor a key of a deactivated agency. Free within `holdsMs`, then one read of the key's row.
 * @throws ApiError `revoked_api_key`, `expired_api_key`, `agency_not_active`
 */
export async function checkStillAdmitted(deps: Deps, caller: Caller, request: FastifyRequest): Promise<void> {
  const asOf = performance.now() + deps.clock.offsetMs
  if (asOf - caller.admittedAt < holdsMs) return
  const state = await findKey(deps.db, presentedKey(request.raw), deps.clock)
  if (state === null) throw new ApiError('invalid_api_key')
  const refusal = refusalOf(state, { scope: 'any', origin: null })
  if (refusal !== null) throw new ApiError(refusal)
  caller.admittedAt = asOf
}

function originRefused(scopes: readonly string[], isTest: boolean): ApiError {
  if (!hasWriteScope(scopes)) return new ApiError('origin_not_allowed')
  return new ApiError('origin_not_allowed', {
    message: isTest
      ? "This Origin is not among the key's allowed origins. A test key with a write scope accepts only http://localhost and http://127.0.0.1."
      : 'A key with a write scope cannot be used from a browser. Call from a server, or use a read-only key that allows this Origin.',
  })
}

/**
 * Charges requests that do not prove a valid key to the limit of keyless requests (api.md 6.5): without a key, with an
 * invalid one, or without its required signature. Requests that prove one are not affected by that limit.
 * @throws ApiError what `prove` throws; `rate_limited` instead of a 401 if the limit is exhausted
 */
async function chargingUnproven<Proof>(
  deps: Deps,
  request: FastifyRequest,
  prove: () => Promise<Proof>,
): Promise<Proof> {
  try {
    return await prove()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await deps.chargeKeyless(request.ip)
    throw error
  }
}

function scopeRefused({ scope: needed, scopeOfWhat = 'This operation' }: RequiredAccess): ApiError {
  return new ApiError('insufficient_scope', {
    message:
      needed === 'any'
        ? 'A key that has only leads scopes cannot use this API. Use one with properties:read.'
        : `${scopeOfWhat} needs the scope ${needed}, which this key does not have. Use or create another key.`,
  })
}

/** The actor of history entries. */
export function actorOf(caller: Caller, requestId: string): Actor {
  return { kind: 'key', id: caller.key.id, name: caller.key.name, requestId }
}

/** The key as sent, in either header. @throws ApiError `missing_api_key`, or `invalid_api_key` if two keys are sent */
export function presentedKey(request: IncomingMessage): string {
  const { headers } = request
  if (timesSent(request, 'authorization') > 1 || timesSent(request, 'x-api-key') > 1) {
    throw new ApiError('invalid_api_key', {
      message: 'The API key is sent more than once. Send it in one header.',
    })
  }
  const bearer = /^bearer +(\S.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
  const plain = (headers['x-api-key'] as string | undefined)?.trim() || undefined
  if (bearer !== undefined && plain !== undefined && bearer !== plain) {
    throw new ApiError('invalid_api_key', {
      message: 'Authorization and X-API-Key have different keys. Send only one of them.',
    })
  }
  const key = bearer ?? plain
  if (key === undefined) throw new ApiError('missing_api_key')
  return key
}
