/**
 * Bounds the connections that an agency's writes occupy. The writes run one at a time anyway. Without a bound, an agency whose lock is
 * held by a write that hangs would soon occupy every connection.
 */
import type { Db } from '../platform/db/database.ts'
import { lockWaitMs } from '../platform/db/statements/statement.ts'
import { createLimiter, type Limiter, refuseLongWait } from '../platform/concurrency.ts'
import { perObject } from '../platform/memory/per-object.ts'
import { realAgencyId } from '../limits/real-agency.ts'

/** The slots of each agency. A twin shares its agency's. */
const limitersOf = perObject<Db, Record<'transactions' | 'statements', Limiter>>(() => ({
  /** Two: a write that holds the lock, and one that has sent its statements and waits for it. */
  transactions: createLimiter(Number.POSITIVE_INFINITY, 2),
  statements: createLimiter(Number.POSITIVE_INFINITY, 1),
}))

/**
 * Runs a transaction when its agency has a free slot, in order of arrival.
 * @throws ApiError `service_unavailable` after a wait of `lockWaitMs`
 */
export function inTransactionSlot<T>(db: Db, agencyId: string, work: () => Promise<T>): Promise<T> {
  return inSlot(limitersOf(db).transactions, db, agencyId, work)
}

/**
 * Runs a one-statement write after the agency's earlier one-statement writes of this process; transactions have slots of their own. Such a
 * statement does not wait for the agency's lock (create_listings.sql), so a second one at the same time would only find the agency busy.
 * @throws as `inTransactionSlot` does
 */
export function inStatementSlot<T>(db: Db, agencyId: string, work: () => Promise<T>): Promise<T> {
  return inSlot(limitersOf(db).statements, db, agencyId, work)
}

async function inSlot<T>(limiter: Limiter, db: Db, agencyId: string, work: () => Promise<T>): Promise<T> {
  const party = await realAgencyId(db, agencyId)
  const message = 'Other writes of the agency are taking too long. Send the request again.'
  return await limiter(work, { party, maxWaitMs: lockWaitMs }).catch(refuseLongWait({ message }))
}
