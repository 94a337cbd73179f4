/** Checks an agency's office hours, and groups consecutive days with equal hours. */
import { profileSizes } from '../limits/sizes.ts'
import { invalid } from '../platform/errors/errors.ts'

/** Start and end as `HH:MM`, Argentine time. */
export type Span = readonly [from: string, until: string]

/** The spans of each day, Monday first. A day without any is closed. */
export type Hours = readonly (readonly Span[])[]

/** Consecutive days with the same spans; 0 is Monday. */
type SameDays = Readonly<{ first: number; last: number; spans: readonly Span[] }>

const time = /^([01]\d|2[0-3]):[0-5]\d$/

/** The stored form of the hours; null if every day is closed. @throws ApiError 400 `hours.DAY`, 0 for Monday */
export function checkHours(hours: Hours | null): Hours | null {
  if (hours === null || hours.every((spans) => spans.length === 0)) return null
  if (hours.length !== 7) throw invalid('hours', 'hours must have seven days.', 'hours_odd')
  return hours.map((spans, day) => {
    const sorted = spans.toSorted(([one], [other]) => (one < other ? -1 : 1))
    const moments = sorted.flat()
    const areInOrder = moments.every((moment, nth) => time.test(moment) && moment > (moments[nth - 1] ?? ''))
    if (areInOrder && sorted.length <= profileSizes.spans_a_day) return sorted
    throw invalid(
      `hours.${day}`,
      'Give times such as 09:00, each span ending after it begins and before the next.',
      'hours_odd',
    )
  })
}

/** The open days, with consecutive days of equal spans grouped. */
export function openDays(hours: Hours): SameDays[] {
  const groups: SameDays[] = []
  for (const [day, spans] of hours.entries()) {
    const last = groups.at(-1)
    if (last?.last === day - 1 && isSame(last.spans, spans))
      groups[groups.length - 1] = { ...last, last: day }
    else if (spans.length > 0) groups.push({ first: day, last: day, spans })
  }
  return groups
}

function isSame(some: readonly Span[], others: readonly Span[]): boolean {
  return some.flat().join() === others.flat().join()
}
