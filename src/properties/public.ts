/**
 * The public view of listings (api.md 2.4): only published ones. A listing that was public before is reported as gone; a draft looks
 * like a code that does not exist.
 */
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { type Executor, hotStatement } from '../db/statement.ts'
import { asPublicId } from '../ids.ts'
import { findAnyListing } from './find.ts'
import type { Listing } from './listing.ts'
import type { Operation, PropertyType } from './vocabulary.ts'

/**
 * The agency's listing as the public may know of it.
 * @param code the public code, in any case
 * @returns `isGone` if it is suspended or removed: nothing of it may be shown; null for a draft, a removed draft or an unknown code
 */
export async function findPublicListing(
  db: Executor,
  agencyId: string,
  code: string,
): Promise<{ listing: Listing; isGone: boolean } | null> {
  const publicId = asPublicId(code)
  const listing = publicId === null ? null : await findAnyListing(db, agencyId, { id: publicId })
  // A removed listing keeps its status, and no listing becomes a draft again. So a draft was never public.
  if (listing === null || listing.status === 'draft') return null
  return { listing, isGone: listing.deleted_at !== null || listing.status !== 'published' }
}

const byKind = hotStatement<{ operation: Operation | null; type: PropertyType | null; total: number }>(`
  select operation, type, count(*)::int as total from properties
  where agency_id = $1 and status = 'published' and deleted_at is null
  group by operation, type`)

export type PublishedKinds = Awaited<ReturnType<typeof countKinds>>

/** How many published listings the agency has of each operation and type. Reads an index only, but all of the agency's part of it. */
export async function countKinds(db: Executor, agencyId: string) {
  return await byKind(db, [agencyId])
}

const counted = hotStatement<{ agency_id: string; total: number }>(`
  select agency_id, count(*)::int as total from properties
  where agency_id = any($1) and status = 'published' and deleted_at is null
  group by agency_id`)

/** The number of published listings per agency. An agency without any is not in the map. */
export async function countPublished(
  db: Db | Tx,
  agencyIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await counted(db, [agencyIds])
  return new Map(rows.map(({ agency_id, total }) => [agency_id, total]))
}

const codes = hotStatement<{ public_id: string; updated_at: string }>(`
  select public_id, updated_at from properties
  where agency_id = $1 and status = 'published' and deleted_at is null
  order by listed_at desc, public_id limit $2 offset $3`)

/** Codes of the agency's published listings, newest first. Reads an index only. */
export async function findPublishedCodes(
  db: Db | Tx,
  agencyId: string,
  page: { limit: number; offset: number },
): Promise<{ public_id: string; updated_at: string }[]> {
  return await codes(db, [agencyId, page.limit, page.offset])
}
