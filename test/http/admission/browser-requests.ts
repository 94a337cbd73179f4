/** The response headers that matter to browsers. */

/** The response headers that scripts may read (api.md 2.6). */
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

/** The CORS headers of a response. */
export function corsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}
