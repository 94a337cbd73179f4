/** The request and response headers of the OpenAPI document (api.md 1.2, 7.1). */
import { idempotencyKeyLength } from '../../limits/sizes.ts'
import { catalogue, errorCodes } from '../../platform/errors/error-catalogue.ts'
import type { ErrorEntry } from '../../platform/errors/error-entry.ts'
import { signaturePattern, timestampPattern } from '../admission/signature.ts'
import type { Endpoint } from '../endpoint.ts'
import { keyCharacter } from '../writes/idempotency.ts'
import type { JsonObject } from './schema.ts'

const text = { type: 'string' }
const wholeNumber = { type: 'integer', minimum: 0 }
const safeToRepeat =
  'Makes it safe to send the request again: for 24 hours the same key with the same request gives the original response.'
const { min: minLength, max: maxLength } = idempotencyKeyLength
const idempotencyKey = { type: 'string', minLength, maxLength, pattern: `^${keyCharacter}+$` }

const parameter = (name: string, description: string, schema: JsonObject, required = false) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
})

/** `components.parameters`. */
export const headerParameters = (serviceName: string) => ({
  IdempotencyKey: {
    ...parameter('Idempotency-Key', safeToRepeat, idempotencyKey, true),
    example: 'crm-1042-create-1',
  },
  OptionalIdempotencyKey: parameter('Idempotency-Key', `Optional here. ${safeToRepeat}`, idempotencyKey),
  IfMatch: parameter(
    'If-Match',
    'The `ETag` of the version that the write is meant for. At any other version: 412, and nothing is done.',
    text,
  ),
  IfNoneMatch: parameter(
    'If-None-Match',
    'The `ETag` of an earlier response. While nothing changed: 304 without a body.',
    text,
  ),
  SignatureTimestamp: parameter(
    `X-${serviceName}-Timestamp`,
    'Only for keys that require signatures: when the request was signed, in Unix time, seconds or milliseconds.',
    { type: 'string', pattern: timestampPattern },
  ),
  Signature: parameter(
    `X-${serviceName}-Signature`,
    'Only for keys that require signatures: `v1=` and the HMAC-SHA256 in lowercase hexadecimal, new for each request. See [Signed requests](#signed-requests).',
    { type: 'string', pattern: signaturePattern },
  ),
})

/** The header parameters of an operation, besides that of its key. */
export function headerParametersOf(endpoint: Endpoint): JsonObject[] {
  const names: (keyof ReturnType<typeof headerParameters>)[] = []
  if (endpoint.kind === 'write') {
    names.push(endpoint.idempotency === 'required' ? 'IdempotencyKey' : 'OptionalIdempotencyKey')
  }
  if (endpoint.errors.includes('precondition_failed')) names.push('IfMatch')
  if (endpoint.responses[304] !== undefined) names.push('IfNoneMatch')
  if (endpoint.scope !== 'none') names.push('SignatureTimestamp', 'Signature')
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

const header = (description: string, schema: JsonObject = text) => ({ description, schema })
const fixed = (description: string, schema: JsonObject = text) => ({ description, required: true, schema })

/** `components.headers`: every header that a response may carry. */
export const responseHeaders = (serviceName: string): Record<string, JsonObject> => ({
  'X-Request-Id': fixed(
    'Identifies this request, as `error.request_id` does. Quote it when you ask for help.',
    { type: 'string', format: 'uuid' },
  ),
  [`X-${serviceName}-Notice`]: fixed('The legal notice.'),
  Link: fixed('The terms of use (`rel="terms-of-service"`) and the security contact (`rel="security"`).'),
  'X-RateLimit-Limit': header('Calls that the key may make in a minute: reads, or writes.', wholeNumber),
  'X-RateLimit-Remaining': header('Requests left in the current minute.', wholeNumber),
  'X-RateLimit-Reset': header('Seconds until the next minute begins.', wholeNumber),
  ETag: header(
    'Version of the response, for `If-None-Match` on reads and, if it shows a single listing, `If-Match` on writes.',
  ),
  'Idempotent-Replayed': header(
    '`true` on the repeated response of an earlier request with the same `Idempotency-Key`.',
    { type: 'string', const: 'true' },
  ),
  'Retry-After': header('Seconds to wait before the next attempt.', { type: 'integer', minimum: 1 }),
  Allow: fixed('The methods that the path has.'),
  'WWW-Authenticate': fixed('How to authenticate.', { type: 'string', const: 'Bearer' }),
  'Access-Control-Allow-Origin': header('Readable from any site.'),
})

const rateLimits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
/** Responses sent before the key's limits are charged, or without a key. */
const unlimitedStatuses: ReadonlySet<number> = new Set([401, 403, 405, 408, 431, 503])
/** Statuses that a stored response can have. */
const replayedStatuses: ReadonlySet<number> = new Set([
  200,
  201,
  ...errorCodes
    .map((code) => catalogue[code])
    .flatMap(({ status, isReplayed }: ErrorEntry) => (isReplayed === undefined ? [] : status)),
])

/** References to the headers of an operation's response with this status. @param named the headers besides those of every response */
export function headersOf(
  endpoint: Endpoint,
  serviceName: string,
  status: number,
  named: readonly string[] = [],
): JsonObject {
  const names = ['X-Request-Id', `X-${serviceName}-Notice`, 'Link', ...named]
  if (endpoint.scope !== 'none' && !unlimitedStatuses.has(status)) names.push(...rateLimits)
  if (endpoint.kind === 'write' && replayedStatuses.has(status)) names.push('Idempotent-Replayed')
  if (endpoint.kind === 'open' && endpoint.isOpenToBrowsers === true && (status === 200 || status === 400))
    names.push('Access-Control-Allow-Origin')
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 405) names.push('Allow')
  if (status === 429 || status === 503 || (status === 409 && endpoint.kind === 'write'))
    names.push('Retry-After')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
