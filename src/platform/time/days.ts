/** The length of a day, and calendar days in Argentina's time zone. */
export const dayMs = 86_400_000

/** Argentina has had a single offset, without daylight saving, since 2009. */
const offset = { ms: -3 * 3_600_000, iso: '-03:00' }

/** The day in Argentina at that time: `2026-11-23`. */
export function dayOf(ms: number): string {
  return new Date(ms + offset.ms).toISOString().slice(0, 10)
}

/** When a day begins in Argentina, as milliseconds; null if the text is not a day. @param day `2026-11-23` */
export function dayStart(day: string): number | null {
  const start = /^[12]\d{3}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00${offset.iso}`) : Number.NaN
  return Number.isNaN(start) ? null : start
}
