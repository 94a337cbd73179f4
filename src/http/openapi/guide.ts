/**
 * The prose of the OpenAPI document: the rules common to all operations, in short (api.md 1 to 14).
 */
import { defaultLimits, type LimitName, signatureSeconds, sizeLimits } from '../../limits/table.ts'

/** Tag → description. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Service: 'The service itself, and the key in use.',
  Listings: 'Reading, creating, editing and removing listings.',
  States: 'Publishing and disabling listings.',
  Photos: 'Adding photos by URL.',
  Geocoding: 'Finding addresses on the map.',
}

const held: readonly [string, readonly LimitName[]][] = [
  ['Reads, per key', ['reads_per_minute', 'reads_per_day']],

  ['Writes, per key; every item of a batch counts as one', ['writes_per_minute', 'writes_per_day']],

  ['New listings, per agency, when they are created', ['new_listings_per_hour', 'new_listings_per_day']],

  ['Photos, per agency, counted before the download and never refunded', ['photos_per_day']],

  ['`POST /geocode`, per agency', ['geocoding_per_minute', 'geocoding_per_day']],

  ['State changes, per listing', ['state_changes_per_day', 'disables_per_day', 'enables_per_day']],
  [
    'Requests without a valid key, in total and per IP',
    ['keyless_per_minute', 'keyless_per_address_per_minute'],
  ],
]

const figure = (value: number): string => value.toLocaleString('en-US')

function limitsTable(): string {
  const rows = held.map(
    ([what, names]) =>
      `| ${what} | ${names.map((name) => `\`${name}\` ${figure(defaultLimits[name].max)}`).join(', ')} |`,
  )
  return ['| Counted | Limit |', '| --- | --- |', ...rows].join('\n')
}

/** `info.description`, in Markdown. */
export function guide(serviceName: string, baseUrl: string): string {
  const prefix = serviceName.toLowerCase()
  return `${serviceName} lets a real-estate agency read and manage its own property listings from its own systems. All bodies are JSON in UTF-8.
Clients must ignore unknown fields: new ones can appear in any response at any time. A change that could break a client gets a new
version in the path, announced in advance. The [terms of use](${baseUrl}/terms) apply.

## Keys

Send the key as \`Authorization: Bearer <key>\` or as \`X-API-Key: <key>\`, never in the URL. Two different keys, or a repeated header: 401
\`invalid_api_key\`. The agency creates its keys in the dashboard; they start with
\`${prefix}_live_\` or \`${prefix}_test_\` and are shown once. A key sees and changes only the
listings of its own agency. Writing needs the scope \`properties:write\`, reading \`properties:read\`; a key with only \`leads:*\` scopes is refused everywhere.
Revocation, expiry and deactivation of the agency take effect within a second.

A key with only \`properties:read\` sees published listings: a draft, a disabled listing, one of another agency and one that does not exist
all give the same 404. A key with \`properties:write\` sees drafts and disabled listings too. (A disabled listing is also called suspended.)

A test key (\`${prefix}_test_…\`) works like any other, but sees the agency's test environment: an agency of its own, with sample listings to begin
with, its own counters, the same rules and the default limits. Nothing done there touches the agency's listings, nobody is notified of it, and
its pages are kept out of search engines. \`key.test\` and \`agency.test\` of \`GET /me\` are true there. The dashboard creates test keys, and empties and refills the
environment.

Send a descriptive \`User-Agent\` with name, version and contact, such as \`AcmeCRM/2.3 (+https://acme.example; dev@acme.example)\`. Crawlers and AI
agents get 403 \`forbidden\`, with a key or without; so does a request that has neither key nor \`User-Agent\`. \`/health\` is exempt.

## Signed requests

A key that requires signatures needs two more headers on every request. \`X-${serviceName}-Timestamp\` is the Unix time, 10 digits (seconds) or 13
(milliseconds), at most ${signatureSeconds} seconds off. \`X-${serviceName}-Signature\` is \`v1=\` and the lowercase hexadecimal HMAC-SHA256, keyed with the whole signing
secret (including \`${prefix}_sign_\`), of these four joined by line feeds:

1. the timestamp as sent;
2. the method, upper case (\`HEAD\` for HEAD);
3. path and query exactly as sent, such as \`/api/v1/properties?page=2\`;
4. the lowercase hexadecimal SHA-256 of the body as sent; of the empty string if there is no body.

A missing, malformed, repeated, expired or wrong signature gives 401 \`invalid_signature\`. Each signature works once: reuse gives 401 \`replay_detected\`.

## Browsers

Live keys with a write scope are for servers and cannot be used from a browser. A read-only key can have up to ${sizeLimits.allowed_origins} allowed origins, compared exactly. A
request with an \`Origin\` that its key does not allow gets 403 \`origin_not_allowed\`. Preflights always get 204, with CORS headers if any active key
allows the origin. \`/health\` and \`/openapi.json\` can be read from any site. Test keys may also have
\`http://localhost\` and \`http://127.0.0.1\`, with or without a port; those with a write scope have no other origins. Every test key works from the
pages of this service. Both to write, too.

## Order of checks

User-Agent (403), path (404), method (405), key (401), agency, origin and scope (403), limits of reads and writes (429) for keys that do not require
signatures, content type (415), size of the body (413), for keys that require signatures the signature (401) and then those limits (429), syntax
and validation (400), idempotency, the operation. A request refused for its key, agency, signature, origin or scope is not counted against the key.

## Requests

- HEAD works wherever GET does, and counts as a read. Any other method gets 405, also OPTIONS if it is not a preflight.
- A body is \`application/json\` without \`Content-Encoding\`, at most ${figure(sizeLimits.body_bytes)} bytes (a batch: ${figure(sizeLimits.batch_body_bytes)}). Invalid UTF-8 or JSON, more than 32 levels,
  a field sent twice, or \`__proto__\`: 400 \`invalid_parameter\`.
- An unknown, repeated, empty or invalid parameter or field is 400 \`invalid_parameter\`, and \`error.parameter\` names it with its path:
  \`price.period\`, \`items[3].title\`, \`photos[2]\`, or \`body\` if no single field is wrong. \`error.errors\` names all that are wrong, up to 20. Integers in a query have only decimal digits.
- \`null\` means none on any optional field; a blank text is an error. Texts are plain text, stored and returned exactly as sent.
- Money has at most 2 decimals. Dates are returned in UTC with milliseconds: \`2026-11-20T09:30:00.000Z\`.

## Reading

- Reads return an \`ETag\`. Send it back in \`If-None-Match\` to get 304 without a body as long as nothing has changed. A 304 counts as a read.
- The order is stable: ties are broken by \`id\`. \`recent\` sorts by \`published_at\`, or else \`created_at\`; sorted by price, listings without an amount come last.
- A page past the last is an empty list. \`links.next\` is null on the last page and on page ${sizeLimits.page}, so one query shows up to ${figure(sizeLimits.page * sizeLimits.per_page)} listings. \`GET /changes\`
  reaches all of them.
- \`updated_since\` is inclusive, and no change ever appears with an earlier \`updated_at\` than one already visible.
- Each page shows the list at the moment it is read. If a listing leaves the list between two pages, those behind it move up, and the next page
  skips one.
- \`city\`, \`neighborhood\` and \`q\` find parts of words. \`location_status\` comes with \`location\` when \`fields\` is used.

## Keeping a copy

\`GET /changes\` reports every listing in the order of its last change. One loop makes a complete copy and keeps it current:

1. Request \`/changes\` with the stored \`cursor\`; the first time, without one.
2. Apply the entries of \`data\` in their order: for \`upserted\`, store \`property\` under its \`id\`; for \`removed\`, delete the listing from your copy.
   Store \`next_cursor\` in the same transaction.
3. If \`has_more\` is true, repeat from 1. Otherwise your copy is complete: repeat from 1 whenever it should catch up.

A cursor never expires, and no change ever appears behind it, however many write at the same time. On 400 with the parameter \`cursor\`, start over
without one, and once \`has_more\` is false, delete from your copy what did not appear in this pass. A read-only key sees listings that were published at least
once; those that no longer are appear as \`removed\` with the reason \`unpublished\`. A new name or slug of the agency does not count as a change to
its listings.

Lists are no substitute: they do not show what has left them, and a change between two pages can move a listing to one that you have already read.

## Writing

Updates merge: objects merge, \`null\` clears, lists replace. \`price.on_request: true\` clears amount and currency, and an amount clears
\`on_request\`. To change \`operation\` send \`price\` too.

**Idempotency.** An \`Idempotency-Key\` belongs to the agency and is remembered for 24 hours with the method, the path and the body. The same request
gets the original response again, with \`Idempotent-Replayed: true\` and a new request id. A different request gets 422 \`idempotency_key_reuse\`; while
the first is still running, 409 \`idempotent_request_in_progress\`. Answers 400, 401, 403, 412, 413, 415, 429, 5xx, \`photo_ingest_failed\`
and \`insufficient_photos\` with \`error.photos\` are not kept: send the request again with the same key. The 200 of a batch is kept whole:
send failed items again in another request, with another key. A replay needs a valid key with the scope and counts as one write.

**Trying.** With \`?dry_run=true\`, creating, upserting, editing, the batch, \`disable\` and \`enable\` answer what the request would give, errors included,
and do nothing: nothing is stored, downloaded, looked up or notified. A success also has \`cost\`, what the request would take from the limits, and
\`room\`, whether they have room for it. A listing that would be created has null as \`id\` and \`url\`. A dry run counts as one write and needs no
\`Idempotency-Key\`. Only its answer has \`dry_run\`. \`room\` looks at one request alone: to plan several, add up their \`cost\`. Operations
on photos, and DELETE, cannot be tried.

**Versions.** Writes return the listing's new \`ETag\`. With \`If-Match\`, a write takes effect only on that version; otherwise 412 \`precondition_failed\`.

**Publishing** needs title, type, operation, address, a price or \`on_request\`, the period of a \`temporary\` rental, and ${sizeLimits.photos_to_publish} to ${sizeLimits.photos_per_listing} photos. An edit
that would make a published listing fail this gets 422. \`error.missing\` names everything that is missing, and every listing shows the same in \`missing\`.

**Addresses.** \`location_status\` says how the coordinates were found: \`resolved\` (the exact street number), \`approximate\` (the street), \`manual\` (sent
by you) or \`unresolved\` (no coordinates). Coordinates are never invented.

**Duplicates.** If another listing of the agency has the same street and number, and the same city if both are known: 409 \`duplicate_property\`.
Case, accents, spaces and usual abbreviations make no difference; an address without a number never matches. \`force_duplicate: true\` keeps
the address anyway. The check runs on creation and when an edit changes the address.

**Photos** are downloaded from public https URLs on port 443. A URL that is visibly not public gets 400 naming it; a problem found only when
resolving it or in a redirect fails that photo alone. Creating with \`status: published\` succeeds if at least ${sizeLimits.photos_to_publish} different pictures were stored; fewer
give 422 \`insufficient_photos\`, none 422 \`photo_ingest_failed\`, and nothing is created. \`error.photos\` names the failed ones.
\`PUT /properties/{id}/photos\` sets a listing's photos: send the whole list each time, and only URLs that its photos did not come from are
downloaded and counted. \`refresh: true\` downloads all but the listing's own again.

**Warnings.** Every write returns a list \`warnings\`, which may be empty:

| Code | What happened |
| --- | --- |
| \`location_unresolved\` | The address could not be placed on the map; the listing has no coordinates. |
| \`location_outside_country\` | The coordinates sent are not in Argentina. They were kept. |
| \`status_ignored\`, \`photos_ignored\` | PUT does not change them on an existing listing. \`PUT /properties/{id}/photos\` sets photos. |
| \`feature_not_applicable\` | A \`Lote\` does not have this feature. |
| \`photo_failed\` | A photo could not be stored; the message says why. |
| \`photos_kept\` | Setting photos kept others behind those named, because one could not be stored. |

## Limits

${limitsTable()}

These are the defaults; \`GET /me\` returns the limits in force and their usage. The operator can change those of one agency, for a first load for
example; \`until\` says when the default returns. State changes are counted over the past 24 hours, across all keys and the
dashboard; all other limits use fixed windows of the UTC minute, hour or day. Reads and writes are counted before validation. Beyond a limit: 429
\`rate_limited\`, and \`Retry-After\` gives the seconds until the last exceeded limit resets; \`error.limits\` names all limits in the way. \`X-RateLimit-*\` describe the limit per minute. \`/\`, \`/health\` and \`/openapi.json\` are not counted.
`
}
