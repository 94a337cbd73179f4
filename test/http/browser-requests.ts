/** What browsers look at in an answer. */

/** What scripts may read beside the body, as decisions list it. */
export const exposedHeaders = [
  'ETag',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'X-Svc-Notice',
]

/** The CORS headers of an answer. */
export function corsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}
