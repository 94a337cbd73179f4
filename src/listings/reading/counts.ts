/** Counts listings for the dashboard: an agency's by status, and those of every agency. */
import { overAllNodes } from '../../platform/db/citus/nodes.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { revisionMemory } from '../../platform/memory/revision-memory.ts'
import { currentRevision } from '../../writing/revisions.ts'
import type { Status } from '../fields/vocabulary.ts'

const countByStatus = statement<{ status: Status | 'removed'; count: number }>(`
  select case when deleted_at is null then status else 'removed' end as status, count(*)::int as count
  from properties where agency_id = $1 group by 1`)

type StatusCounts = Record<Status | 'removed', number>

/** How many listings the agency has of each status, and how many are removed. */
export async function countListingsByStatus(db: Db, agencyId: string): Promise<StatusCounts> {
  const rows = await countByStatus(db, [agencyId])
  const counts: StatusCounts = { draft: 0, published: 0, disabled: 0, removed: 0 }
  for (const { status, count } of rows) counts[status] = count
  return counts
}

/** `countListingsByStatus` with a cache: counting reads an index entry for each listing, so it runs once per revision of an agency. */
export function listingCounts(): typeof countListingsByStatus {
  const memory = revisionMemory<StatusCounts>(1_000, () => 1)
  return async (db, agencyId) => {
    const revision = await currentRevision(db, agencyId)
    const known = memory.find(agencyId, revision, 'counts')
    if (known !== null) return known
    const counts = await countListingsByStatus(db, agencyId)
    memory.keep(agencyId, revision, 'counts', counts)
    return counts
  }
}

type AgencyCounts = { agency_id: string; published: number; total: number }

const countByAgency = statement<AgencyCounts>(`
  select agency_id, count(*) filter (where status = 'published')::int as published, count(*)::int as total
  from properties where deleted_at is null group by agency_id`)

/** Counts each agency's listings that are not removed, by the agency's id. Agencies without any are not in the map. */
export async function countListingsByAgency(db: Db): Promise<Map<string, AgencyCounts>> {
  const rows = await countByAgency(await overAllNodes(db), [])
  return new Map(rows.map((row) => [row.agency_id, row]))
}
