/** Parses ISO 8601 as the API accepts it: a date, or a date and time; UTC without a zone. Compares such times. */

const pattern =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[Tt]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(0\d|1[0-4]):?([0-5]\d)?)?)?$/

/** The notation of a date, or a date and time, as JSON Schema has it. It cannot check whether a month has the day. */
export const dateTimePattern = pattern.source

/** The time in UTC with milliseconds, or null if the text is invalid (such as 30 February). */
export function parseDateTime(text: string): string | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const parts = match.slice(1, 7).map((part) => Number(part ?? 0))
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const milliseconds = Number(`${match[7] ?? ''}000`.slice(0, 3))
  const offsetMinutes = (match[9] === '-' ? -1 : 1) * (Number(match[10] ?? 0) * 60 + Number(match[11] ?? 0))
  if (Math.abs(offsetMinutes) > 14 * 60) return null
  const local = new Date(0)
  local.setUTCFullYear(year, month - 1, day)
  local.setUTCHours(hour, minute, second, milliseconds)
  // A day or month that does not exist rolls over into another.
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day || year < 1) return null
  const moment = new Date(local.getTime() - offsetMinutes * 60_000).toISOString()
  // The zone may have moved it before year 1 or after year 9999, where ISO 8601 needs a sign.
  return /^(?!0000)\d{4}-/.test(moment) ? moment : null
}

/** Whether the time has come. @param moment ISO 8601, like `now`; null: never */
export function isPast(moment: string | null, now: string): boolean {
  return moment !== null && Date.parse(moment) <= Date.parse(now)
}
