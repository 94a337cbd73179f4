/** Lists an agency's removed listings, for the dashboard. The API does not show them. */
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { type Listing, listingColumns } from '../listing.ts'

const countRemoved = statement<{ total: number }>(
  'select count(*)::int as total from properties where agency_id = $1 and deleted_at is not null',
)
const selectRemoved = statement<Listing>(`
  select ${listingColumns.join(', ')} from properties where agency_id = $1 and deleted_at is not null
  order by deleted_at desc, public_id limit $2 offset $3`)

/** A page of the removed listings, the latest removal first. */
export async function listRemoved(
  db: Db,
  agencyId: string,
  page: { limit: number; offset: number },
): Promise<{ listings: Listing[]; total: number }> {
  const [counted] = await countRemoved(db, [agencyId])
  const listings = await selectRemoved(db, [agencyId, page.limit, page.offset])
  return { listings, total: counted?.total ?? 0 }
}
