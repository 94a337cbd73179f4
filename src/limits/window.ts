/**
 * The windows of limits, in SQL and in JavaScript. A counter holds the start of its window and what was used in it. Fixed windows begin
 * with the UTC minute, hour or day. They only go forward, also when the later of two waiting statements gets the row first.
 */

/** SQL: the start of the current window of that length, an interval; whatever the time zone of the session. */
export const windowStart = (length: string, now: string): string =>
  `date_bin(${length}, ${now}, timestamptz 'epoch')`

/** SQL: what is used in the window that starts at `start`: 0 where the counter is of an earlier one. */
export const usedSince = (start: string, counter: { start: string; used: string }): string =>
  `case when ${counter.start} >= ${start} then ${counter.used} else 0 end`

/** SQL, after `on conflict do update set`: adds to the counter `u`, or restarts it in a later window. */
export const addTo = (start: string): string => `
  ${start} = greatest(u.${start}, excluded.${start}),
  used = ${usedSince(`excluded.${start}`, { start: `u.${start}`, used: 'u.used' })} + excluded.used`

/**
 * SQL for a window that begins with its first use: what is used of the counter `u` at `excluded.window_start`, the present, and the
 * assignments that count one more. `length` is an interval.
 */
export const fromFirstUse = (length: string): { used: string; addOne: string } => {
  const counter = { start: 'u.window_start', used: 'u.used' }
  const used = usedSince(`excluded.window_start - ${length}`, counter)
  const start = `case when ${used} = 0 then excluded.window_start else u.window_start end`
  return { used, addOne: `window_start = ${start}, used = ${used} + 1` }
}

/** SQL: whole seconds until a window is over. */
export const secondsLeft = (start: string, length: string, now: string): string =>
  `ceil(extract(epoch from ${start} + ${length} - ${now}))::int`

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
