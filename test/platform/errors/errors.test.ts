/** The catalogue of errors (api.md 5.3), and paths that name fields. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalogue, type ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { ApiError, fieldPath, invalid } from '../../../src/platform/errors/errors.ts'

/** The table of api.md 5.3, and the few codes added by later decisions. */
const specified: Record<string, number> = {
  invalid_parameter: 400,
  idempotency_key_required: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  revoked_api_key: 401,
  expired_api_key: 401,
  invalid_signature: 401,
  replay_detected: 401,
  agency_not_active: 403,
  insufficient_scope: 403,
  origin_not_allowed: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  duplicate_property: 409,
  external_id_exists: 409,
  idempotent_request_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  insufficient_photos: 422,
  too_many_photos: 422,
  not_publishable: 422,
  idempotency_key_reuse: 422,
  photo_ingest_failed: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
  // Errors of HTTP itself, and If-Match.
  request_timeout: 408,
  precondition_failed: 412,
  headers_too_large: 431,
}

describe('the catalogue of errors', () => {
  test('has the codes of docs/api.md with their statuses, and no others', () => {
    const own = Object.fromEntries(Object.entries(catalogue).map(([code, { status }]) => [code, status]))
    assert.deepEqual(own, specified)
  })

  test('describes each in a sentence', () => {
    const messages = Object.values(catalogue).map(({ message }) => message)
    for (const message of messages) assert.match(message, /^[A-Z].{10,}\.$/s)
    assert.equal(new Set(messages).size, messages.length)
  })
})

describe('ApiError', () => {
  test('takes status, message and Retry-After from the catalogue', () => {
    for (const [code, { status, message, retryAfter }] of Object.entries(catalogue)) {
      const error = new ApiError(code as ErrorCode)
      assert.deepEqual(
        [error.code, error.status, error.message, error.parameter, error.extra, error.headers],
        [
          code,
          status,
          message,
          undefined,
          {},
          retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` },
        ],
      )
    }
  })

  test('has additional members', () => {
    const cause = new Error('why')
    const error = new ApiError('duplicate_property', {
      message: 'There.',
      extra: { existing_id: 'X' },
      headers: { a: 'b' },
      cause,
    })
    assert.deepEqual(
      [error.message, error.extra, error.headers, error.cause],
      ['There.', { existing_id: 'X' }, { a: 'b' }, cause],
    )
    const wrong = invalid('price.period', 'No.')
    assert.deepEqual(
      [wrong.code, wrong.status, wrong.parameter, wrong.message],
      ['invalid_parameter', 400, 'price.period', 'No.'],
    )
  })
})

test('fieldPath formats a path as clients write it', () => {
  const paths: readonly (readonly [path: (string | number)[], text: string])[] = [
    [[], 'body'],
    [['title'], 'title'],
    [['price', 'period'], 'price.period'],
    [['photos', 2], 'photos[2]'],
    [['items', 3, 'price', 'period'], 'items[3].price.period'],
    [[0, 1], '[0][1]'],
    [[0, 'a'], '[0].a'],
  ]
  for (const [path, text] of paths) assert.equal(fieldPath(path), text)
})
