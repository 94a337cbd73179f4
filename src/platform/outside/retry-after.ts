/** The pause that a service requests with the header `Retry-After`. */

const longestMs = 3_600_000

/**
 * The pause in milliseconds, at most an hour; null if the header requests none.
 * @param header its value, or null: seconds, or a date
 * @param sentAtMs when the response was sent, in epoch milliseconds; without it, a date counts as none
 */
export function retryAfterMs(header: string | null, sentAtMs = Number.NaN): number | null {
  const text = header ?? ''
  const ms = /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - sentAtMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestMs)
}
