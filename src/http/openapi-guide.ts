/**
 * The prose of the OpenAPI document: what holds for every operation, and where the specification leaves room ('Authentication',
 * 'Idempotency', 'Limits', 'Versioning'), what this service does.
 */
import { defaultLimits, type LimitName } from '../limits/table.ts'

/** Tag → description. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Service: 'The service itself, and the key in use.',
  Listings: 'Reading, creating, editing and removing listings.',
  States: 'Publishing and suspending listings.',
  Photos: 'Adding photos by their addresses.',
  Geocoding: 'Finding addresses on the map.',
}

const held: readonly [string, readonly LimitName[]][] = [
  ['Reads, each key', ['reads_per_minute', 'reads_per_day']],
  ['Writes, each key; every item of a batch is one', ['writes_per_minute', 'writes_per_day']],
  ['New listings, each agency, when they are created', ['new_listings_per_hour', 'new_listings_per_day']],
  ['Photos, each agency, before they are downloaded; never given back', ['photos_per_day']],
  ['`POST /geocode`, each agency', ['geocoding_per_minute', 'geocoding_per_day']],
  ['State changes, each listing', ['state_changes_per_day', 'disables_per_day', 'enables_per_day']],
  [
    'Requests without a valid key, together and each address',
    ['keyless_per_minute', 'keyless_per_address_per_minute'],
  ],
]

function limitsTable(): string {
  const rows = held.map(
    ([what, names]) =>
      `| ${what} | ${names.map((name) => `\`${name}\` ${defaultLimits[name].max.toLocaleString('en-US')}`).join(', ')} |`,
  )
  return ['| Counted | Limit |', '| --- | --- |', ...rows].join('\n')
}

/** `info.description`, in Markdown. */
export function guide(serviceName: string, baseUrl: string): string {
  const prefix = serviceName.toLowerCase()
  return `${serviceName} lets a real-estate agency read and manage its own property listings from its own systems. All bodies are JSON in UTF-8.
Clients must ignore fields they do not know: new ones may appear in any response at any time. A change that could break a client gets a
new version in the path, announced in advance. The [terms of use](${baseUrl}/terms) apply.

## Keys

Send the key as \`Authorization: Bearer <key>\` or as \`X-API-Key: <key>\`, never in the address. Two different keys, or a repeated header: 401
\`invalid_api_key\`. The agency creates its keys in the dashboard; they start with \`${prefix}_live_\` and are shown once. A key sees and changes the
listings of its own agency only. Writing needs the scope \`properties:write\`, reading \`properties:read\`; a key with \`leads:*\` scopes alone is refused everywhere.
Revocation, expiry and deactivation of the agency take effect within a second.

A key with \`properties:read\` alone sees published listings only: a draft, a suspended listing, one of another agency and one that does not exist
are the same 404. A key with \`properties:write\` sees drafts and suspended listings too.

Send a descriptive \`User-Agent\` with name, version and contact, such as \`AcmeCRM/2.3 (+https://acme.example; dev@acme.example)\`. Crawlers and AI
agents get 403 \`forbidden\`, with a key or without; so does a request that has neither key nor \`User-Agent\`. \`/health\` is exempt.

## Signed requests

A key that requires signatures wants two more headers on every request. \`X-${serviceName}-Timestamp\` is the Unix time, 10 digits (seconds) or 13
(milliseconds), at most 300 seconds off. \`X-${serviceName}-Signature\` is \`v1=\` and the lower-case hexadecimal HMAC-SHA256, keyed with the signing
secret (all of it, \`${prefix}_sign_\` included), of these four joined by line feeds:

1. the timestamp as sent;
2. the method, upper case (\`HEAD\` for HEAD);
3. path and query exactly as sent, such as \`/api/v1/properties?page=2\`;
4. the lower-case hexadecimal SHA-256 of the body as sent, of the empty string without one.

Missing, malformed, repeated, out of time or wrong: 401 \`invalid_signature\`. Each signature is good for one request: reuse is 401 \`replay_detected\`.

## Browsers

Keys with a write scope are for servers and admit no browser. A read-only key may have up to 5 allowed origins, compared exactly. A request with an
\`Origin\` that is not on the list of its key gets 403 \`origin_not_allowed\`. Preflights are always 204, with CORS headers when any active key admits
the origin. \`/health\` and \`/openapi.json\` can be read from any site.

## Order of checks

User-Agent, path (404), method (405), key (401), agency, origin, scope (403), content type (415), size of the body (413), signature (401), limits
(429), syntax and validation (400), idempotency, the operation. A request refused for its key, signature, origin or scope is not counted
against the key.

## Requests

- Wherever GET is defined HEAD is too, and counts as a read. Any other method, OPTIONS without a preflight too, gets 405.
- A body is \`application/json\` without \`Content-Encoding\`, 262,144 bytes at most (a batch: 1,048,576). Not valid UTF-8 or JSON, nested deeper
  than 32, a field twice, \`__proto__\`: 400 \`invalid_parameter\`.
- An unknown, repeated, empty or invalid parameter or field is 400 \`invalid_parameter\`, and \`error.parameter\` names it with its path:
  \`price.period\`, \`items[3].title\`, \`photos[2]\`, or \`body\` where no field is to blame. Integers in a query are decimal digits only.
- \`null\` means none on any optional field; a blank text is an error. Texts are plain text, kept and returned exactly as sent.
- Money has 2 decimals at most. Dates are answered in UTC with milliseconds: \`2026-11-20T09:30:00.000Z\`.

## Reading

- Reads answer an \`ETag\`; sent back in \`If-None-Match\` it gives 304 without a body while nothing changed. A 304 counts as a read.
- The order is stable: ties are broken by \`id\`. \`recent\` goes by \`published_at\`, else \`created_at\`; sorted by price, listings without an amount come last.
- A page past the last is an empty list. \`links.next\` is null on the last page and on page 200, so one query shows 10,000 listings at most. Of more,
  read parts: \`status\`, \`operation\`, \`type\`. What has no operation or type yet is in no part by these.
- \`updated_since\` is inclusive, and no change ever appears with an earlier \`updated_at\` than one already visible.
- Each page is of the moment it is read. If a listing leaves the list between two pages, removed or no longer matching, those behind it move up, and
  the next page begins one too late.
- \`city\`, \`neighborhood\` and \`q\` find parts of words. \`location_status\` comes with \`location\` when \`fields\` is used.

## Keeping a copy

With lists alone, a copy misses no change this way:

1. Ask for \`sort=updated&per_page=50\`, with \`status=all\` if the key may, and with \`updated_since\` from the second time on. Keep the first page's \`ETag\`.
2. Follow \`links.next\` to the end.
3. If there was more than one page, ask for the first again with \`If-None-Match\`. 304: nothing changed while you read. 200: somebody wrote meanwhile;
   begin again with 1 and the same \`updated_since\`.
4. Take over what you read. The greatest \`updated_at\` in it is the next \`updated_since\`; if it was empty, the one you had stays.

Lists do not tell what has left them: removed listings, and for keys that only read those not published any more. From time to time read everything,
without \`updated_since\` and with step 3, and drop what is not there.

## Writing

Updates merge: objects merge, \`null\` clears, lists replace. \`price.on_request: true\` clears amount and currency, and an amount clears
\`on_request\`. To change \`operation\` send \`price\` too.

**Idempotency.** An \`Idempotency-Key\` belongs to the agency and is remembered for 24 hours with the method, the path and the body. The same request
gets the original response again, with \`Idempotent-Replayed: true\` and a request id of its own; a different one 422 \`idempotency_key_reuse\`; while
the first still runs 409 \`idempotent_request_in_progress\`. Answers 400, 401, 403, 412, 413, 415, 429, 5xx, \`photo_ingest_failed\`
and \`insufficient_photos\` with \`error.photos\` are not kept: the request may be sent again with the same key. The 200 of a batch is kept whole:
send items that failed again in another request, with another key. A replay needs a valid key with the scope and counts as one write.

**Versions.** Writes answer the new \`ETag\` of the listing. With \`If-Match\` a write happens only at that version, else 412 \`precondition_failed\`.

**Publishing** needs title, type, operation, address, a price or \`on_request\`, the period of a \`temporary\` rental, and 3 to 50 photos. A published
listing never stops meeting this: an edit that would break it is 422. \`error.missing\` names everything that is missing at once.

**Addresses.** \`location_status\` tells how coordinates were found: \`resolved\` (the street number itself), \`approximate\` (the street), \`manual\` (sent
by you) or \`unresolved\`, then without coordinates. Coordinates are never invented.

**Duplicates.** Another listing of the agency with the same street and number, and the same city where both are known, is 409 \`duplicate_property\`.
Case, accents, spaces and usual abbreviations make no difference; an address without a number never matches. \`force_duplicate: true\` creates
all the same. The check runs on creation and when an edit changes the address.

**Photos** are downloaded from public https addresses on port 443. An address that shows by itself that it is not one is 400 naming it; what shows
only on resolving or on a redirect is a failure of that photo alone. Creating with \`status: published\` succeeds while at least 3 different pictures were stored; fewer
are 422 \`insufficient_photos\`, none 422 \`photo_ingest_failed\`, and nothing is created then; \`error.photos\` names those that failed.

**Warnings.** Every write answers a list \`warnings\`, empty when there is nothing to say:

| Code | What happened |
| --- | --- |
| \`location_unresolved\` | The address could not be placed on the map; the listing has no coordinates. |
| \`location_outside_country\` | The coordinates sent are not in Argentina. They were kept. |
| \`status_ignored\`, \`photos_ignored\` | PUT does not change them on a listing that exists. |
| \`force_duplicate_ignored\` | It counts on creation only. |
| \`feature_not_applicable\` | A \`Lote\` does not have this feature. |
| \`photo_failed\` | A photo could not be stored; the message tells why. |

## Limits

${limitsTable()}

These are the defaults; \`GET /me\` tells those in force and what is used of them. State changes are counted over the last 24 hours, over all keys and the dashboard; all
others in fixed windows of the UTC minute, hour or day. Reads and writes are counted before validation. Beyond a limit: 429 \`rate_limited\`, and \`Retry-After\` says in how many seconds the last of the limits in the
way reopens. \`X-RateLimit-*\` tell the limit of the minute. \`/\`, \`/health\` and \`/openapi.json\` are not counted.
`
}
