/**
 * Authenticates and authorises a request (api.md 2): key → agency → origin → scope, in this order.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { Admitted, KeyRecord, Passage } from '../keys/admission.ts'
import type { Limits } from '../limits/table.ts'
import type { Refusal } from '../keys/judge.ts'
import { mayWrite, type Scope } from '../keys/key-rules.ts'
import type { Author } from '../writing/author.ts'
import { grantOrigin } from './cors.ts'
import { timesSent } from './raw-headers.ts'

/** The key of a request and its agency. */
export type Caller = {
  key: KeyRecord['key']
  agency: KeyRecord['agency']
  /** The agency's revision at authentication. */
  revision: number
  /** Those in force for the key and its agency. */
  limits: Limits
  /** Whether the key sees drafts and suspended listings. */
  mayWrite: boolean
  /** State of the read or write limit; null until a required signature is checked. */
  passage: Passage | null
  /** When the key was looked up, in milliseconds of this process's monotonic clock. */
  admittedAt: number
}

/** How long a key's lookup stays valid. A revocation must take effect within a second. */
const holdsMs = 500

/** What a request needs from its key. */
export type Need = {
  scope: 'any' | Scope
  /** What of the request needs it, if not the operation as such. */
  scopeOfWhat?: string | undefined
  kind: 'reads' | 'writes'
  /** Whether the signature was checked, for keys that require one. */
  signed: boolean
}

/**
 * Looks up the key and charges the read or write limit in the same round trip. If the origin is on the key's list, or the service's own
 * and the key a test key, the browser may read the response, including errors.
 * @throws ApiError any 401 or 403 of the catalogue; `rate_limited` after too many requests without a valid key
 */
export async function authenticate(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  need: Need,
): Promise<Caller> {
  const origin = request.headers.origin ?? null
  const isOwnOrigin = origin !== null && origin === ownOriginOf(deps)
  const { record, refusal, passage } = await identify(deps, request, { ...need, origin, isOwnOrigin })
  if (refusal === 'agency_not_active') throw new ApiError(refusal)
  const { allowed_origins: origins, scopes } = record.key
  if (origin !== null || origins.length > 0) reply.header('vary', 'Origin')
  if (refusal === 'origin_not_allowed') throw originRefused(scopes, record.agency.test)
  if (origin !== null) grantOrigin(reply, origin, deps.config.serviceName)
  if (refusal === 'insufficient_scope') throw scopeRefused(need)
  return {
    key: record.key,
    agency: record.agency,
    revision: record.revision,
    limits: record.limits,
    mayWrite: scopes.includes('properties:write'),
    passage,
    admittedAt: momentOf(deps),
  }
}

/**
 * Looks up the key again if the last lookup is too old: a body may take seconds to arrive, photos most of a minute. A key that was
 * revoked or has expired meanwhile must not write, nor a key of a deactivated agency. Charges nothing.
 * @throws ApiError `revoked_api_key`, `expired_api_key`, `agency_not_active`
 */
export async function checkStillAdmitted(deps: Deps, caller: Caller, request: FastifyRequest): Promise<void> {
  const asOf = momentOf(deps)
  if (asOf - caller.admittedAt < holdsMs) return
  const admitted = await deps.admit({
    key: presentedKey(request.raw),
    kind: 'writes',
    cost: 0,
    scope: 'properties:write',
    origin: null,
    signed: true,
  })
  const { refusal } = checkKey(admitted)
  if (refusal !== null) throw new ApiError(refusal)
  caller.admittedAt = asOf
}

/** The origin of the service's own pages, which try requests with test keys. */
function ownOriginOf({ config }: Deps): string {
  return new URL(config.publicBaseUrl).origin
}

function momentOf({ clock }: Deps): number {
  return performance.now() + clock.offsetMs
}

function originRefused(scopes: readonly string[], isTest: boolean): ApiError {
  if (!mayWrite(scopes)) return new ApiError('origin_not_allowed')
  return new ApiError('origin_not_allowed', {
    message: isTest
      ? "This Origin is not among the key's allowed origins. A test key with a write scope takes http://localhost and http://127.0.0.1 alone."
      : 'A key with a write scope cannot be used from a browser. Call from a server, or use a read-only key that allows this Origin.',
  })
}

async function identify(
  deps: Deps,
  request: FastifyRequest,
  asked: Need & { origin: string | null; isOwnOrigin: boolean },
): Promise<Admitted> {
  return chargingUnproven(deps, request, async () => {
    const admitted = await deps.admit({ key: presentedKey(request.raw), cost: 1, ...asked })
    if (admitted !== null) {
      const { agency, key } = admitted.record
      request.named = { agencyId: agency.id, slug: agency.slug, keyId: key.id }
    }
    return checkKey(admitted)
  })
}

/**
 * Charges requests that do not prove a valid key to the limit of keyless requests (api.md 6.5): without a key, with an
 * invalid one, or without its required signature. Requests that prove one are not affected by that limit.
 * @throws ApiError what `prove` throws; `rate_limited` instead of a 401 if the limit is exhausted
 */
export async function chargingUnproven<Proof>(
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

/** @throws ApiError 401 for a key that is unknown or no longer valid */
function checkKey(admitted: Admitted | null): Admitted {
  if (admitted === null) throw new ApiError('invalid_api_key', challenge)
  const { refusal } = admitted
  if (refusal !== null && endedKey.has(refusal)) throw new ApiError(refusal, challenge)
  return admitted
}

function scopeRefused({ scope: needed, scopeOfWhat = 'This operation' }: Need): ApiError {
  return new ApiError('insufficient_scope', {
    message:
      needed === 'any'
        ? 'A key that has only leads scopes cannot use this API. Use one with properties:read.'
        : `${scopeOfWhat} needs the scope ${needed}, which this key does not have. Use or create another key.`,
  })
}

/** The author of history entries. */
export function authorOf(caller: Caller, requestId: string): Author {
  return { kind: 'key', id: caller.key.id, name: caller.key.name, requestId }
}

const endedKey: ReadonlySet<Refusal> = new Set(['revoked_api_key', 'expired_api_key'])
const challenge = { headers: { 'www-authenticate': 'Bearer' } }

/** The key as sent, in either header. @throws ApiError `missing_api_key`, or `invalid_api_key` if two keys are sent */
export function presentedKey(request: IncomingMessage): string {
  const { headers } = request
  if (timesSent(request, 'authorization') > 1 || timesSent(request, 'x-api-key') > 1) {
    throw new ApiError('invalid_api_key', {
      ...challenge,
      message: 'The API key is sent more than once. Send it in one header.',
    })
  }
  const bearer = /^bearer +(\S.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
  const plain = (headers['x-api-key'] as string | undefined)?.trim() || undefined
  if (bearer !== undefined && plain !== undefined && bearer !== plain) {
    throw new ApiError('invalid_api_key', {
      ...challenge,
      message: 'Authorization and X-API-Key have different keys. Send only one of them.',
    })
  }
  const key = bearer ?? plain
  if (key === undefined) throw new ApiError('missing_api_key', challenge)
  return key
}
