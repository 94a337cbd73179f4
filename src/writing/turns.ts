/**
 * Bounds the writes of an agency that take connections. They run one after the other anyway: more than two in a process would only take
 * connections from other agencies, and all of them where the holder of the agency's lock has fallen silent.
 */
import type { Db } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { createLimiter, type Limiter, WaitedTooLong } from '../limits/concurrency.ts'

/** One that writes, and one that has sent all it needs and waits for the lock. */
const placesOfAgency = 2
/** The database's own limit of waiting for a lock. */
const maxWaitMs = 4_000

const limiters = new WeakMap<Db, Limiter>()

/**
 * Runs the work when its agency has a place, first come first served.
 * @throws ApiError `service_unavailable` when that takes too long
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
