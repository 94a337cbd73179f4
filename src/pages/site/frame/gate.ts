/**
 * The gate of the public pages: all their reads except the agency's own row pass through it. Anyone may request a page, so visitors and
 * crawlers share a few slots of each process, networks take turns, and the API keeps the other connections.
 */
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../deps.ts'
import type { LimitDeps } from '../../../limits/counters.ts'
import { ipLimit } from '../../../limits/ip-limit.ts'
import { subjectOf } from '../../../limits/subject.ts'
import { createLimiter, type Limiter, refuseLongWait } from '../../../platform/concurrency.ts'
import { perObject } from '../../../platform/memory/per-object.ts'
import { pageBudgets } from '../../../limits/sizes.ts'

/**
 * Charges the client's IP, waits for a slot of the database that holds the agency's rows, and runs the work in it. Send the response
 * afterwards, so that no slow client holds a slot.
 * @param agencyId null for work about all agencies
 * @throws ApiError `rate_limited`, or `service_unavailable` if no slot becomes free in time; and errors of the work
 */
export type Gate = <T>(ip: string, agencyId: string | null, work: () => Promise<T>) => Promise<T>

/**
 * A slot is one connection of a pool: work runs its statements in order. Each node of Citus has its own slots, like its own pool, so an
 * unresponsive node takes none from the agencies of the others.
 */
export function pageGate(deps: LimitDeps & Pick<Deps, 'config'>): Gate {
  const { config, db } = deps
  const slots = Math.max(1, Math.floor(config.databasePoolSize * pageBudgets.connectionShare))
  const gateOf = perObject<Db, Limiter>(() => createLimiter(slots, Math.ceil(slots / 2)))
  const charge = ipLimit('pages_per_address_per_minute', deps)
  return async (ip, agencyId, work) => {
    charge(ip)
    const enter = gateOf(agencyId === null ? db : await db.at(agencyId))
    return await enter(work, { party: subjectOf(ip), maxWaitMs: pageBudgets.waitSeconds * 1_000 }).catch(
      refuseLongWait({
        message: 'Too many people are visiting these pages right now. Try again in a few seconds.',
        reason: 'busy',
        // The request's line in the log has the status. A second line for each would make a flood worse.
        isLogged: true,
      }),
    )
  }
}
