/** The errors of the OpenAPI document (api.md 5.3): each operation has one response per status, with its codes and an example of each. */
import { STATUS_CODES } from 'node:http'
import { catalogue, type ErrorCode, errorCodes } from '../../platform/errors/error-catalogue.ts'
import type { ErrorEntry } from '../../platform/errors/error-entry.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { maxErrors } from '../../limits/sizes.ts'
import { type LimitName, listingLimits, reportedLimits } from '../../limits/table.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorBody } from '../responses/error-handler.ts'
import { headersOf } from './headers.ts'
import type { JsonObject } from './schema.ts'

/** Codes that any request can get, with a key or without. */
const everyRequestsErrors: readonly ErrorCode[] = [
  'invalid_parameter',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
]

/** Codes that every authenticated operation can also return. */
const authenticatedErrors: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'expired_api_key',
  'invalid_signature',
  'replay_detected',
  'agency_not_active',
  'insufficient_scope',
  'origin_not_allowed',
  'forbidden',
  'rate_limited',
  'service_unavailable',
]

const bodyErrors: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type']
const idempotencyErrors: readonly ErrorCode[] = ['idempotent_request_in_progress', 'idempotency_key_reuse']
const keyMissing: ErrorCode = 'idempotency_key_required'

/** Every code that the operation can return, in the order of the catalogue. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const own = new Set([
    ...everyRequestsErrors,
    ...(endpoint.scope === 'none' ? [] : authenticatedErrors),
    ...(endpoint.body === undefined ? [] : bodyErrors),
    ...(endpoint.kind === 'write' ? idempotencyErrors : []),
    ...(endpoint.kind === 'write' && endpoint.idempotency === 'required' ? [keyMissing] : []),
    ...endpoint.errors,
  ])
  return errorCodes.filter((code) => own.has(code))
}

/** Status → response. */
export function errorResponses(endpoint: Endpoint, serviceName: string): Map<number, JsonObject> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorCodesOf(endpoint)) {
    const { status } = catalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return new Map(
    [...byStatus].map(([status, own]) => [
      status,
      {
        description: describe(status, own),
        headers: headersOf(endpoint, serviceName, status),
        content: {
          'application/json': {
            schema: envelope(own),
            examples: Object.fromEntries(
              own.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  )
}

function describe(status: number, own: readonly ErrorCode[]): string {
  const lines = own.map((code) => `- \`${code}\`: ${catalogue[code].cause}`)
  return [`${STATUS_CODES[status]}.`, '', ...lines].join('\n')
}

/** `components.examples`: one for each code, as the error handler would send it. */
export function errorExamples(publicBaseUrl: string): Record<string, JsonObject> {
  const requestId = '0d4b2c4e-8f0f-4b7b-9a53-2f6f4d1c7e90'
  return Object.fromEntries(
    errorCodes.map((code) => {
      const { status, example } = catalogue[code]
      const value = errorBody(new ApiError(code, example), requestId, publicBaseUrl)
      return [code, { summary: `${status} ${code}`, value }]
    }),
  )
}

/** The body of an error response that can have these codes. */
function envelope(own: readonly ErrorCode[]): JsonObject {
  return {
    type: 'object',
    required: ['error', 'notice'],
    properties: {
      error: {
        allOf: [
          { $ref: '#/components/schemas/ApiError' },
          { properties: { code: { type: 'string', enum: own } }, ...requiredOf(own) },
        ],
      },
      notice: { type: 'string', description: 'The legal notice.' },
    },
  }
}

/** The members that every error of these codes has, beyond those of all errors. */
function requiredOf(own: readonly ErrorCode[]): { required?: string[] } {
  const [first = [], ...others] = own.map((code) => {
    const { members = {} }: ErrorEntry = catalogue[code]
    return Object.keys(members).filter((name) => members[name] === 'always')
  })
  const required = first.filter((name) => others.every((names) => names.includes(name)))
  return required.length === 0 ? {} : { required }
}

/** The limits that a request of the API can meet. */
const apiLimits: readonly LimitName[] = [
  ...reportedLimits,
  ...listingLimits,
  'keyless_per_minute',
  'keyless_per_address_per_minute',
]

const text = (description: string, more: JsonObject = {}) => ({ type: 'string', ...more, description })

/** An object that has all of these properties. */
const whole = (properties: JsonObject) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

/** `components.schemas.ApiError`: the member `error` of every failure. As `Error`, it would shadow a built-in type in generated clients. */
export const errorSchema = {
  type: 'object',
  description: 'What went wrong. Decide on the HTTP status, and use `code` for logic.',
  required: ['code', 'message', 'request_id', 'docs'],
  properties: {
    code: text('Machine-readable.'),
    message: text('For people; it may change.'),
    request_id: text('The same as `X-Request-Id`.', { format: 'uuid' }),
    parameter: text(
      'With `invalid_parameter`, and with other errors of one field or header: its name or path, such as `price.period` or `photos[2]`.',
    ),
    errors: {
      type: 'array',
      description: `With \`invalid_parameter\`: every bad parameter, field and list element that one pass finds, ${maxErrors} at most. The first is \`parameter\` and \`message\`. Rules between fields may come after, in a later response.`,
      minItems: 1,
      maxItems: maxErrors,
      items: whole({
        parameter: text('Its name or path, as in `error.parameter`.'),
        message: text('What to send, for people.'),
      }),
    },
    existing_id: text('With `duplicate_property`: the listing that has the address.'),
    missing: {
      type: 'array',
      items: { type: 'string' },
      description:
        'With `insufficient_photos` and `not_publishable`: everything that publishing still requires.',
    },
    photos: {
      type: 'array',
      description:
        'Wherever a download failed (`photo_ingest_failed`, `insufficient_photos`, `service_unavailable`): the photos that failed, as in the response of `POST /properties/{id}/photos`. The `Idempotency-Key` may be used again then.',
      items: whole({
        url: { type: 'string' },
        status: { type: 'string', const: 'failed' },
        position: { type: 'null' },
        stored_url: { type: 'null' },
        error: { type: ['string', 'null'], description: 'Why.' },
      }),
    },
    retry_after: {
      type: 'integer',
      minimum: 1,
      description: 'With `rate_limited`: seconds to wait, as `Retry-After`.',
    },
    limits: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', enum: apiLimits },
      description: 'With `rate_limited`: all exhausted limits, by the names of `GET /me`.',
    },
    docs: text('Where this service explains the code: cause, remedy and an example.', { format: 'uri' }),
  },
}
