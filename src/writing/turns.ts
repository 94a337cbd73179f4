/**
 * Bounds the connections that an agency's writes occupy. The writes run one after the other anyway: more than two per process would
 * only take connections from other agencies, even all of them if the holder of the agency's lock hangs.
 */
import type { Db } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { createLimiter, type Limiter, WaitedTooLong } from '../limits/concurrency.ts'

/** One write that holds the lock, and one that has sent its statements and waits for it. */
const placesOfAgency = 2
/** The same as `lock_timeout` (db/statement.ts). */
const maxWaitMs = 4_000

const limiters = new WeakMap<Db, Limiter>()

/**
 * Runs the work when its agency has a free place, in order of arrival.
 * @throws ApiError `service_unavailable` after a wait of 4 s
 */
export async function inTurn<T>(db: Db, agencyId: string, work: () => Promise<T>): Promise<T> {
  const limiter = limiters.get(db) ?? createLimiter(Number.POSITIVE_INFINITY, placesOfAgency)
  limiters.set(db, limiter)
  try {
    return await limiter(work, { party: agencyId, maxWaitMs })
  } catch (error) {
    if (!(error instanceof WaitedTooLong)) throw error
    throw new ApiError('service_unavailable', {
      message: 'Other writes of the agency are taking too long. Send the request again.',
      retryAfter: 5,
      cause: error,
    })
  }
}
