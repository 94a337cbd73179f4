/**
 * The catalogue of errors (api.md 5.3), one entry for each code. Thrown errors, their envelope, the OpenAPI document, docs/api.md, the page
 * /docs/errors, the client's types and the rule of what an Idempotency-Key keeps all follow from it.
 */
import { idempotencyKeyLength, photoBudgets, signatureSeconds, sizeLimits } from '../../limits/sizes.ts'
import type { ErrorEntry } from './error-entry.ts'

const { photos_to_publish: minPhotos, photos_per_listing: maxPhotos } = sizeLimits
const keyLengths = `${idempotencyKeyLength.min} to ${idempotencyKeyLength.max}`
const kilobytes = sizeLimits.body_bytes / 1_024
const batchMegabytes = sizeLimits.batch_body_bytes / 1_048_576
const photoMegabytes = sizeLimits.photo_bytes / 1_048_576

const failedPhoto = {
  url: 'https://images.example/missing.jpg',
  status: 'failed',
  position: null,
  stored_url: null,
  error: 'The source answered 404.',
}

const entries = {
  invalid_parameter: {
    status: 400,
    message: 'A parameter or field is unknown, repeated, empty or invalid.',
    cause: 'A parameter, field or header is unknown, repeated, empty or invalid.',
    remedy:
      'Correct everything in `errors` at once: each entry has the path of a field and says what to send. `parameter` and `message` are the first of them. The path is `body` or `request` if no single field is at fault. Do not retry the request unchanged.',
    members: { parameter: 'sometimes', errors: 'always' },
    example: {
      parameter: 'title',
      message: 'title must be a string or null.',
      errors: [
        { parameter: 'title', message: 'title must be a string or null.' },
        { parameter: 'price.currency', message: 'price.currency must be one of: USD, ARS.' },
      ],
    },
  },
  idempotency_key_required: {
    status: 400,
    message: `This operation needs an Idempotency-Key header of ${keyLengths} characters. Send a new key for each new operation.`,
    cause: 'The operation needs the header `Idempotency-Key`, and the request has none.',
    remedy: `Make a new key for each new operation, such as a UUID: ${keyLengths} of the characters \`A-Z a-z 0-9 . _ : -\`. Send the same key when you retry the operation.`,
    clause: '7.1',
    example: { parameter: 'Idempotency-Key' },
  },
  missing_api_key: {
    status: 401,
    message: 'The API key is missing. Send it as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
    cause: 'The request has no API key.',
    remedy: 'Send the key as `Authorization: Bearer <key>` or as `X-API-Key: <key>`, never in the URL.',
    clause: '2.1',
  },
  invalid_api_key: {
    status: 401,
    message: 'This API key is not valid. Check it, or create one in the dashboard.',
    cause: 'The API key is unknown or malformed, or two different keys were sent.',
    remedy:
      'Check that the whole key was copied and that it belongs to this service. If the key is lost, create another one in the dashboard.',
    clause: '2.1',
  },
  revoked_api_key: {
    status: 401,
    message: 'This API key was revoked. Use another key, or create one in the dashboard.',
    cause: 'The API key was revoked.',
    remedy: 'Use another key of the agency, or create one in the dashboard. Retrying does not help.',
    clause: '2.5',
  },
  expired_api_key: {
    status: 401,
    message: 'This API key has expired. Create a new one in the dashboard.',
    cause: 'The API key has expired.',
    remedy:
      'Create a new key in the dashboard, with a later date or none. `GET /me` shows in `key.expires_at` when a key expires.',
    clause: '2.5',
  },
  invalid_signature: {
    status: 401,
    message: 'The request signature is missing, malformed, expired or wrong.',
    cause: `The key requires signed requests, and the signature is missing, malformed, wrong, or of a time more than ${signatureSeconds} seconds off.`,
    remedy:
      'Sign the timestamp, the method, the path with its query exactly as sent, and the SHA-256 of the body exactly as sent. Check that the clock is right and that no proxy rewrites the URL.',
    clause: '3.4',
  },
  replay_detected: {
    status: 401,
    message: 'This signature was already used. Sign every request, retries too, with a new timestamp.',
    cause: 'The signature was already used. Each works once.',
    remedy:
      'Sign every attempt with the current time in `X-Svc-Timestamp`, retries too; use milliseconds if you send several a second.',
    clause: '3.4',
  },
  agency_not_active: {
    status: 403,
    message: 'The agency of this key is not active. Contact the operator.',
    cause: 'The agency of the key is not active.',
    remedy: 'The agency has to contact the operator of the service. Retrying does not help.',
  },
  insufficient_scope: {
    status: 403,
    message: 'This key does not have the scope that the operation needs.',
    cause: 'The key lacks the scope that the operation or the filter needs.',
    remedy:
      'Use a key with the scope that the message names. Writing, and seeing drafts and disabled listings, needs `properties:write`.',
    example: {
      message:
        'This operation needs the scope properties:write, which this key does not have. Use or create another key.',
    },
  },
  origin_not_allowed: {
    status: 403,
    message: "This Origin is not among the key's allowed origins. Use a key that allows it.",
    cause: 'A browser sent the request from an origin that the key does not allow.',
    remedy:
      'Add the origin to a key that only reads, in the dashboard. Live keys that write are for servers: call from yours.',
    clause: '2.6',
  },
  forbidden: {
    status: 403,
    message: 'Access denied.',
    cause: 'The `User-Agent` is that of a crawler or an AI agent, or is missing on a request without a key.',
    remedy:
      'Send a `User-Agent` with name, version and contact, such as `AcmeCRM/2.3 (+https://acme.example; dev@acme.example)`.',
    clause: '1.3',
  },
  not_found: {
    status: 404,
    message: 'Not found, or not visible to this key.',
    cause:
      'The path does not exist; or the listing does not exist, belongs to another agency, or is hidden from the key.',
    remedy:
      'Check the path and the id. A key without `properties:write` sees only published listings. If a listing is gone, remove it from your copy.',
    isReplayed: true,
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support the method. The Allow header lists those it supports.',
    cause: 'The path does not support the method.',
    remedy: 'Use one of the methods that the header `Allow` lists.',
  },
  request_timeout: {
    status: 408,
    message: 'The request took too long to arrive. Send it again.',
    cause: 'The request took too long to arrive.',
    remedy: 'Send it again with the same `Idempotency-Key`. Check the connection if it happens often.',
  },
  duplicate_property: {
    status: 409,
    message: 'Another listing of the agency has the same street and number.',
    cause: 'Another listing of the agency has the same street and number.',
    remedy:
      'If it is the same property, edit the listing that `existing_id` names. If it is another unit of the building, send `force_duplicate: true`.',
    isReplayed: true,
    members: { existing_id: 'always' },
    clause: '12.3',
    example: { parameter: 'address', extra: { existing_id: '4WBN8TCE' } },
  },
  external_id_exists: {
    status: 409,
    message: 'Another listing of the agency already has this external_id.',
    cause: 'Another listing of the agency already has this `external_id`.',
    remedy:
      'Use `PUT /properties/external/{external_id}`, which edits the listing if it exists, or send another id.',
    isReplayed: true,
    example: { parameter: 'external_id' },
  },
  idempotent_request_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
    cause: 'The first request with this `Idempotency-Key` is still running.',
    remedy:
      'Wait as long as `Retry-After` says and send the request again unchanged, to get the response of the first.',
    clause: '7.2',
  },
  precondition_failed: {
    status: 412,
    message: 'The listing has changed: its version is not the one in If-Match. Read it again.',
    cause: 'The listing no longer has the version in `If-Match`: somebody has changed it.',
    remedy: 'Read the listing, apply the change to what you find, and send it with the new `ETag`.',
    clause: '8.2',
  },
  payload_too_large: {
    status: 413,
    message: `The body is too large: ${kilobytes} KB at most, ${batchMegabytes} MB for a batch.`,
    cause: `The body is larger than ${kilobytes} KB, or than ${batchMegabytes} MB for a batch.`,
    remedy: 'Split the batch. Send photos by URL, never inside the JSON.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as Content-Type: application/json, without Content-Encoding.',
    cause:
      'The body is not plain JSON: it needs `Content-Type: application/json`, UTF-8 and no `Content-Encoding`.',
    remedy: 'Set the header `Content-Type: application/json`, and do not compress the body.',
  },
  insufficient_photos: {
    status: 422,
    message: `A published listing needs at least ${minPhotos} photos.`,
    cause: `A published listing needs at least ${minPhotos} photos, and nothing else is missing.`,
    remedy:
      'Add photos, then publish. If the error has `photos`, downloads failed, for the reasons it gives: send the request again with the same `Idempotency-Key`.',
    isReplayed: 'unless photos failed',
    members: { missing: 'always', photos: 'sometimes' },
    clause: '11.2',
    example: { extra: { missing: ['photos'] } },
  },
  too_many_photos: {
    status: 422,
    message: `A listing holds ${maxPhotos} photos at most.`,
    cause: `A listing would have more than ${maxPhotos} photos, or a batch more than ${sizeLimits.batch_photos}.`,
    remedy: 'Send fewer photos, or remove some first. Split the batch. Nothing was downloaded.',
    isReplayed: true,
  },
  not_publishable: {
    status: 422,
    message: 'The listing lacks data that publishing requires.',
    cause: 'The listing lacks something that publishing needs.',
    remedy:
      'Send everything that `missing` names. Every listing shows the same in its field `missing`, so you can check before publishing.',
    isReplayed: true,
    members: { missing: 'always' },
    clause: '11.2',
    example: { extra: { missing: ['price', 'photos'] } },
  },
  idempotency_key_reuse: {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request. Use a new key.',
    cause: 'The `Idempotency-Key` was already used for a different request.',
    remedy:
      'Make a new key for each new operation. Keep key and body together, and change neither when you retry.',
    clause: '7.2',
  },
  photo_ingest_failed: {
    status: 422,
    message: 'None of the photos could be stored.',
    cause:
      'None of the photos could be stored; or, setting the photos of a listing, nothing would change without those that failed.',
    remedy: `\`photos\` says why for each. Check that each URL serves everyone, without a login, a JPEG, PNG or WebP of at most ${photoMegabytes} MB and ${photoBudgets.megapixels} megapixels. Then send the request again; you can use the same \`Idempotency-Key\`.`,
    members: { photos: 'always' },
    clause: '13.4',
    example: { extra: { photos: [failedPhoto] } },
  },
  rate_limited: {
    status: 429,
    message: 'A limit is exhausted. Wait the number of seconds in Retry-After.',
    cause: 'A limit has no room for the request.',
    remedy:
      'Wait as long as `Retry-After` says, in seconds. `limits` names all blocking limits. `GET /me` shows how much is left of those counted for the key and the agency, but not of those counted for a listing or for requests without a key. If `message` says that waiting does not help, split the request or ask the operator. For a first load, ask the operator to raise the limits for a few days.',
    members: { retry_after: 'always', limits: 'always' },
    clause: '6.4',
    example: {
      message: 'The limit writes_per_minute (60) is exhausted. Try again in 23 seconds.',
      extra: { retry_after: 23, limits: ['writes_per_minute'] },
    },
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are too large. Send fewer or shorter headers.',
    cause: 'The headers of the request are too large.',
    remedy: 'Send fewer or shorter headers. Cookies are not needed.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side. Try again. If it happens again, report the request_id.',
    cause: 'Something went wrong in the service.',
    remedy:
      'Send the request again later, with the same `Idempotency-Key`. If it happens again, report the `request_id` to the operator.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Try again shortly.',
    retryAfter: 5,
    cause: 'The service, or something it depends on, is temporarily unavailable.',
    remedy: 'Send the request again with the same `Idempotency-Key`, after `Retry-After`.',
    members: { photos: 'sometimes' },
  },
} satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof entries

export const catalogue: Readonly<Record<ErrorCode, ErrorEntry>> = entries

/** In the order of their statuses, as every list of them shows them. */
export const errorCodes = Object.keys(entries) as ErrorCode[]
