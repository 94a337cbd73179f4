/** The pause that a service requests with the header `Retry-After`. */

const maxMs = 3_600_000

/**
 * The pause in milliseconds, at most an hour; null if the response requests none.
 * @param header reads a header. A pause until a date counts from `Date`, because the service's clock may differ
 */
export function retryAfterMs(header: (name: string) => string | null): number | null {
  const requested = header('retry-after') ?? ''
  if (/^\d{1,6}$/.test(requested)) return Math.min(Number(requested) * 1_000, maxMs)
  // `Date.parse` takes almost anything: "-1" would be a month.
  if (!requested.endsWith(' GMT')) return null
  const sentAtMs = Date.parse(header('date') ?? '') || Date.now()
  const ms = Date.parse(requested) - sentAtMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), maxMs)
}
