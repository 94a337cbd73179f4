/**
 * What each error code means and what to do about it: the texts of the page /docs/errors, of docs/api.md 5.3 and of the OpenAPI document.
 * In Markdown, of which only `code` is used. `Svc` stands for the service's name.
 */
import type { ErrorCode } from '../platform/errors.ts'
import { photoBudgets, signatureSeconds, sizeLimits } from '../limits/table.ts'

const kilobytes = sizeLimits.body_bytes / 1_024
const batchMegabytes = sizeLimits.batch_body_bytes / 1_048_576
const photoMegabytes = sizeLimits.photo_bytes / 1_048_576

export type ErrorText = {
  /** Why the service answers this, in a sentence. */
  cause: string
  /** What a program, or its programmer, does about it. */
  cure: string
}

export const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  invalid_parameter: {
    cause: 'A parameter, field or header is unknown, repeated, empty or invalid.',
    cure: 'Correct what `errors` names, all of it at once: each entry has the path of a field and says what to send. `parameter` and `message` are the first of them. The path is `body` or `request` if no single field is at fault. Do not retry the request unchanged.',
  },
  idempotency_key_required: {
    cause: 'The operation needs the header `Idempotency-Key`, and the request has none.',
    cure: 'Make a new key for each new operation, such as a UUID: 8 to 64 of the characters `A-Z a-z 0-9 . _ : -`. Send the same key when you retry the operation.',
  },
  missing_api_key: {
    cause: 'The request has no API key.',
    cure: 'Send the key as `Authorization: Bearer <key>` or as `X-API-Key: <key>`, never in the URL.',
  },
  invalid_api_key: {
    cause: 'The API key is unknown or malformed, or two different keys were sent.',
    cure: 'Check that the whole key was copied and that it belongs to this service. If the key is lost, create another one in the dashboard.',
  },
  revoked_api_key: {
    cause: 'The API key was revoked.',
    cure: 'Use another key of the agency, or create one in the dashboard. Retrying does not help.',
  },
  expired_api_key: {
    cause: 'The API key has expired.',
    cure: 'Create a new key in the dashboard, with a later date or none. `GET /me` shows in `key.expires_at` when a key expires.',
  },
  invalid_signature: {
    cause: `The key requires signed requests, and the signature is missing, malformed, wrong, or of a time more than ${signatureSeconds} seconds off.`,
    cure: 'Sign the timestamp, the method, the path with its query exactly as sent, and the SHA-256 of the body exactly as sent. Check that the clock is right and that no proxy rewrites the URL.',
  },
  replay_detected: {
    cause: 'The signature was already used. Each works once.',
    cure: 'Sign every attempt with the current time in `X-Svc-Timestamp`, retries too; use milliseconds if you send several a second.',
  },
  agency_not_active: {
    cause: 'The agency of the key is not active.',
    cure: 'The agency has to contact the operator of the service. Retrying does not help.',
  },
  insufficient_scope: {
    cause: 'The key lacks the scope that the operation or the filter needs.',
    cure: 'Use a key with the scope that the message names. Writing, and seeing drafts and disabled listings, needs `properties:write`.',
  },
  origin_not_allowed: {
    cause: 'A browser sent the request from an origin that the key does not allow.',
    cure: 'Add the origin to a key that only reads, in the dashboard. Live keys that write are for servers: call from yours.',
  },
  forbidden: {
    cause: 'The `User-Agent` is that of a crawler or an AI agent, or is missing on a request without a key.',
    cure: 'Send a `User-Agent` with name, version and contact, such as `AcmeCRM/2.3 (+https://acme.example; dev@acme.example)`.',
  },
  not_found: {
    cause:
      'The path does not exist; or the listing does not exist, belongs to another agency, or is hidden from the key.',
    cure: 'Check the path and the id. A key without `properties:write` sees only published listings. If a listing is gone, remove it from your copy.',
  },
  method_not_allowed: {
    cause: 'The path does not support the method.',
    cure: 'Use one of the methods that the header `Allow` lists.',
  },
  request_timeout: {
    cause: 'The request took too long to arrive.',
    cure: 'Send it again with the same `Idempotency-Key`. Check the connection if it happens often.',
  },
  duplicate_property: {
    cause: 'Another listing of the agency has the same street and number.',
    cure: 'If it is the same property, edit the listing that `existing_id` names. If it is another unit of the building, send `force_duplicate: true`.',
  },
  external_id_exists: {
    cause: 'Another listing of the agency already has this `external_id`.',
    cure: 'Use `PUT /properties/external/{external_id}`, which edits the listing if it exists, or send another id.',
  },
  idempotent_request_in_progress: {
    cause: 'The first request with this `Idempotency-Key` is still running.',
    cure: 'Wait as long as `Retry-After` says and send the request again unchanged, to get the answer of the first.',
  },
  precondition_failed: {
    cause: 'The listing no longer has the version in `If-Match`: somebody has changed it.',
    cure: 'Read the listing, apply the change to what you find, and send it with the new `ETag`.',
  },
  payload_too_large: {
    cause: `The body is larger than ${kilobytes} KB, or than ${batchMegabytes} MB for a batch.`,
    cure: 'Split the batch. Send photos by URL, never inside the JSON.',
  },
  unsupported_media_type: {
    cause:
      'The body is not plain JSON: it needs `Content-Type: application/json`, UTF-8 and no `Content-Encoding`.',
    cure: 'Set the header `Content-Type: application/json`, and do not compress the body.',
  },
  insufficient_photos: {
    cause: `A published listing needs at least ${sizeLimits.photos_to_publish} photos, and nothing else is missing.`,
    cure: 'Add photos, then publish. If `photos` is there, downloads failed: it says why; send the request again with the same `Idempotency-Key`.',
  },
  too_many_photos: {
    cause: `A listing would have more than ${sizeLimits.photos_per_listing} photos, or a batch more than ${sizeLimits.batch_photos}.`,
    cure: 'Send fewer photos, or remove some first. Split the batch. Nothing was downloaded.',
  },
  not_publishable: {
    cause: 'The listing lacks something that publishing needs.',
    cure: 'Send everything that `missing` names. Every listing shows the same in its field `missing`, so you can check before publishing.',
  },
  idempotency_key_reuse: {
    cause: 'The `Idempotency-Key` was already used for a different request.',
    cure: 'Make a new key for each new operation. Keep key and body together, and change neither when you retry.',
  },
  photo_ingest_failed: {
    cause:
      'None of the photos could be stored; or, setting the photos of a listing, nothing would change without those that failed.',
    cure: `\`photos\` says why for each. Check that each URL gives anybody, without a login, a JPEG, PNG or WebP of at most ${photoMegabytes} MB and ${photoBudgets.megapixels} megapixels. Then send the request again; you can use the same \`Idempotency-Key\`.`,
  },
  rate_limited: {
    cause: 'A limit has no room for the request.',
    cure: 'Wait as long as `Retry-After` says, in seconds. `limits` names all limits in the way. `GET /me` shows how much is left of those counted for the key and the agency, but not of those counted for a listing or for requests without a key. If `message` says that waiting does not help, split the request or ask the operator. For a first load, ask the operator to raise the limits for a few days.',
  },
  headers_too_large: {
    cause: 'The headers of the request are too large.',
    cure: 'Send fewer or shorter headers. Cookies are not needed.',
  },
  internal_error: {
    cause: 'Something went wrong in the service.',
    cure: 'Send the request again later, with the same `Idempotency-Key`. If it happens again, report the `request_id` to the operator.',
  },
  service_unavailable: {
    cause: 'The service, or something it depends on, is temporarily unavailable.',
    cure: 'Send the request again with the same `Idempotency-Key`, after `Retry-After` if the answer has it, otherwise with growing pauses.',
  },
}
