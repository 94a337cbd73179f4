/**
 * The windows of limits. A counter holds the start of its window and what was used in it. Fixed windows begin with the UTC minute, hour or
 * day. They only go forward, even if the later of two waiting statements gets the row first.
 */

/** The current window of a stored counter. Moments in milliseconds; `resets` in seconds. */
export function windowAt(
  now: number,
  seconds: number,
  stored: { start: number; used: number },
): { start: number; used: number; resets: number } {
  const length = seconds * 1_000
  const start = Math.max(Math.floor(now / length) * length, stored.start)
  return {
    start,
    used: start === stored.start ? stored.used : 0,
    resets: Math.ceil((start + length - now) / 1_000),
  }
}
