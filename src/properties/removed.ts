/**
 * The agency's removed listings, and how many it has of each status: for the dashboard, since the API knows no removed ones.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type Listing, listingColumns } from './listing.ts'
import type { Status } from './vocabulary.ts'

/** A page of the removed listings, the one removed last first. */
export async function listRemoved(
  db: Db,
  agencyId: string,
  page: { limit: number; offset: number },
): Promise<{ listings: Listing[]; total: number }> {
  const removed = db
    .selectFrom('properties')
    .where('agency_id', '=', agencyId)
    .where('deleted_at', 'is not', null)
  const { total } = await removed.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await removed
    .select(listingColumns)
    .orderBy('deleted_at', 'desc')
    .orderBy('public_id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { listings: rows as unknown as Listing[], total }
}

type StatusCounts = Record<Status | 'removed', number>

/** How many listings the agency has of each status, and removed. */
export async function countListings(db: Db, agencyId: string): Promise<StatusCounts> {
  const rows = await db
    .selectFrom('properties')
    .select(sql<keyof StatusCounts>`case when deleted_at is null then status else 'removed' end`.as('status'))
    .select(sql<number>`count(*)::int`.as('count'))
    .where('agency_id', '=', agencyId)
    .groupBy(sql`1`)
    .execute()
  const counts: StatusCounts = { draft: 0, published: 0, disabled: 0, removed: 0 }
  for (const { status, count } of rows) counts[status] = count
  return counts
}
