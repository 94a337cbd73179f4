/** Takes from the limits of subjects that are no agency: sign-ins, resets, invitations, enquiries, saves of people. */
import type { Clock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { add, readWindows, type SubjectLimit } from './counters.ts'
import { rateLimited } from './refusal.ts'
import type { Limits } from './table.ts'
import { secondsUntil } from './window.ts'

/**
 * Takes one from each limit in turn. An exhausted limit is not written, and those after it count nothing.
 * @throws ApiError `rate_limited`
 */
export async function takeInTurn(
  { db, clock, limits }: Readonly<{ db: Db | Tx; clock: Clock; limits: Limits }>,
  counters: readonly SubjectLimit[],
): Promise<void> {
  const { now, windows } = await readWindows(db, counters, clock)
  for (const [index, window] of windows.entries()) {
    const { name, subject } = counters[index] as SubjectLimit
    const { max } = limits[name]
    const exhausted = () => rateLimited([{ name, max, resets: secondsUntil(window.endsAt, now) }])
    if (window.used >= max) throw exhausted()
    const [counted] = await db.run(add({ kind: 'subject', id: subject }, name, now, window, 1))
    // Others took the last of it since it was read.
    if (counted !== undefined && counted.used > max) throw exhausted()
  }
}
