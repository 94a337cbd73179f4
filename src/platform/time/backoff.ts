/** Waits between retries, which double so that a service that is down is left alone. */

/**
 * The wait before a retry, in milliseconds.
 * @param waitMs the first wait, and the longest one
 * @param retries earlier retries in a row: 0 before the first
 */
export function backoffMs(waitMs: Readonly<{ first: number; max: number }>, retries: number): number {
  return Math.min(waitMs.first * 2 ** retries, waitMs.max)
}
