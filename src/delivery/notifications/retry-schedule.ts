/** The retry schedule of failed deliveries and mails: the wait before each retry, and when a delivery is given up. */
import { backoffMs } from '../../platform/time/backoff.ts'
import { dayMs } from '../../platform/time/days.ts'

const retryWaitMs = { first: 5_000, max: 4 * 3_600_000 }

/** After failing for this long, a delivery is set aside for the operator. */
export const patienceMs = 3 * dayMs

/**
 * The wait doubles with each failure; up to a quarter is added at random, so that deliveries that failed together do not retry together.
 * About 30 attempts in three days.
 * @param failures in a row, including this one
 * @param requestedMs the pause that the receiver requested: at least this
 */
export function waitAfter(failures: number, requestedMs: number): number {
  const growing = backoffMs(retryWaitMs, failures - 1)
  return Math.round(Math.max(growing * (1 + Math.random() / 4), requestedMs))
}
