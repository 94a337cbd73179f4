/**
 * Lists an agency's listings (spec 'GET /properties'). Counting is most of a list's cost, so a total is remembered for as long
 * as the agency's revision stays what it was.
 */
import type { Executor } from '../db/database.ts'
import { type Filters, findPage, findPageAndTotal, type Sort } from './list-query.ts'
import type { Listing } from './listing.ts'

export type TotalsMemory = {
  get(key: string, revision: number): number | null
  set(key: string, revision: number, total: number): void
}

/** Keeps the totals asked for last; bounded, one process's own, and only ever an optimisation. */
export function totalsMemory(capacity = 10_000): TotalsMemory {
  const totals = new Map<string, { revision: number; total: number }>()
  return {
    get(key, revision) {
      const known = totals.get(key)
      return known === undefined || known.revision !== revision ? null : known.total
    },
    set(key, revision, total) {
      totals.delete(key)
      totals.set(key, { revision, total })
      if (totals.size > capacity) totals.delete(totals.keys().next().value as string)
    },
  }
}

/**
 * @param revision the agency's, as read before: data may only be newer than it
 * @param page 1 is the first
 */
export async function listListings(
  db: Executor,
  memory: TotalsMemory,
  agency: { id: string; revision: number },
  filters: Filters,
  sort: Sort,
  page: number,
  perPage: number,
): Promise<{ listings: Listing[]; total: number }> {
  const key = `${agency.id}${JSON.stringify(filters)}`
  const window = { limit: perPage, offset: (page - 1) * perPage }
  const known = memory.get(key, agency.revision)
  if (known !== null) return { total: known, listings: await findPage(db, agency.id, filters, sort, window) }
  const found = await findPageAndTotal(db, agency.id, filters, sort, window)
  memory.set(key, agency.revision, found.total)
  return found
}
