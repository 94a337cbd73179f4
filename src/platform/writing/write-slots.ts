/**
 * Bounds the connections that an agency's writes occupy. They run one at a time anyway, so more connections would only be missing
 * elsewhere: all of them, if the holder of the agency's lock hangs.
 */
import type { Db } from '../db/database.ts'
import { lockWaitMs } from '../db/statements/statement.ts'
import { ApiError } from '../errors/errors.ts'
import { createLimiter, type Limiter, WaitedTooLong } from '../concurrency.ts'
import { realAgencyId } from '../../limits/real-agency.ts'

/** One write that holds the lock, and one that has sent its statements and waits for it. */
const slotsOfAgency = 2

/** Number of slots per agency → the limiter with that number. A twin shares its agency's slots. */
type Limiters = Map<number, Limiter>

const limiters = new WeakMap<Db, Limiters>()

/**
 * Runs a transaction when its agency has a free slot, in order of arrival.
 * @throws ApiError `service_unavailable` after a wait of `lockWaitMs`
 */
export function inTransactionSlot<T>(db: Db, agencyId: string, work: () => Promise<T>): Promise<T> {
  return inSlot(db, agencyId, work, slotsOfAgency)
}

/**
 * Runs a one-statement write after the agency's earlier one-statement writes of this process; transactions have slots of their own. Such a
 * statement does not wait for the agency's lock (create_listings.sql), so a second one at the same time would only find the agency busy.
 * @throws as `inTransactionSlot` does
 */
export function inStatementSlot<T>(db: Db, agencyId: string, work: () => Promise<T>): Promise<T> {
  return inSlot(db, agencyId, work, 1)
}

async function inSlot<T>(db: Db, agencyId: string, work: () => Promise<T>, slots: number): Promise<T> {
  const ofDb: Limiters = limiters.get(db) ?? new Map()
  limiters.set(db, ofDb)
  const limiter = ofDb.get(slots) ?? createLimiter(Number.POSITIVE_INFINITY, slots)
  ofDb.set(slots, limiter)
  const party = await realAgencyId(db, agencyId)
  try {
    return await limiter(work, { party, maxWaitMs: lockWaitMs })
  } catch (error) {
    if (!(error instanceof WaitedTooLong)) throw error
    throw new ApiError('service_unavailable', {
      message: 'Other writes of the agency are taking too long. Send the request again.',
      retryAfter: 5,
      cause: error,
    })
  }
}
