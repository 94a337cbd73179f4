/**
 * The codes of the API's errors, and the members that each may have. Generated: `npm run openapi` writes this file.
 */

export const apiErrorCodes = [
  'invalid_parameter',
  'idempotency_key_required',
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
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'duplicate_property',
  'external_id_exists',
  'idempotent_request_in_progress',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'insufficient_photos',
  'too_many_photos',
  'not_publishable',
  'idempotency_key_reuse',
  'photo_ingest_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const

/** By code: its members beyond those of every error. */
export type MembersOf = {
  invalid_parameter: 'parameter' | 'errors'
  duplicate_property: 'existing_id'
  insufficient_photos: 'missing' | 'photos'
  not_publishable: 'missing'
  photo_ingest_failed: 'photos'
  rate_limited: 'retry_after' | 'limits'
  service_unavailable: 'photos'
}
